// The functions that move data (NCCL documentation, "Collective Communication Functions", "Point To Point
// Communication Functions" and "User Defined Reduction Operators").
#include <array>
#include <cstring>

#include "cuda/stand_in/libraries/nccl/group.h"
#include "cuda/stand_in/libraries/nccl/reduction.h"
#include "cuda/stand_in/libraries/shared/work.h"

using namespace warplens::nccl;

namespace {

std::string begin_of(const Part& part) { return std::string(part.name) + ": "; }

bool names_rank(const Part& part) {
  return part.kind == Kind::reduce || part.kind == Kind::broadcast || part.kind == Kind::send ||
         part.kind == Kind::receive;
}

ncclResult_t check_values(const Part& part) {
  const auto ranks = static_cast<int>(part.comm->clique->ranks.size());
  if (names_rank(part) && (part.peer < 0 || part.peer >= ranks))
    return refuse(ncclInvalidArgument, begin_of(part) + "there is no rank " + std::to_string(part.peer) +
                                           ": the ranks are 0 to " + std::to_string(ranks - 1) + ".");
  if (part.type == ncclFloat8e4m3 || part.type == ncclFloat8e5m2)
    return refuse(ncclInvalidArgument, begin_of(part) + "floats of 8 bits are not provided here.");
  if (name_of(part.type) == nullptr)
    return refuse(ncclInvalidArgument,
                  begin_of(part) + std::to_string(part.type) + " is no type of ncclDataType_t.");
  if (part.op < 0 || (part.op >= ncclNumOps && part.factor == nullptr))
    return refuse(ncclInvalidArgument, begin_of(part) + std::to_string(part.op) +
                                           " is no operation of ncclRedOp_t that this communicator has.");
  if (part.factor != nullptr && part.factor->type != part.type)
    return refuse(ncclInvalidArgument, begin_of(part) + "the operation was made for " +
                                           name_of(part.factor->type) + ", and the elements are " +
                                           name_of(part.type) + ".");
  return ncclSuccess;
}

ncclResult_t check_pointer(const Part& part, const void* pointer, const char* which) {
  if (pointer == nullptr) return null_argument(part.name, which);
  int kind = 0, device = 0, managed = 0;
  std::array<CUpointer_attribute, 3> asked{
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  std::array<void*, 3> answers{&kind, &device, &managed};
  const CUresult error = cuPointerGetAttributes(asked.size(), asked.data(), answers.data(),
                                                reinterpret_cast<CUdeviceptr>(pointer));
  if (error != CUDA_SUCCESS || kind == 0)
    return refuse(ncclInvalidArgument,
                  begin_of(part) + which + " is no memory of CUDA. Allocate it with cudaMalloc.");
  if (kind == CU_MEMORYTYPE_DEVICE && managed == 0 && device != part.comm->device)
    return refuse(ncclInvalidArgument, begin_of(part) + which + " is on device " + std::to_string(device) +
                                           ", and rank " + std::to_string(part.comm->rank) +
                                           " is on device " + std::to_string(part.comm->device) +
                                           ". Each rank needs memory of its own device.");
  return ncclSuccess;
}

ncclResult_t check_stream(const Part& part) {
  CUcontext of = nullptr;
  if (const CUresult error = cuStreamGetCtx(part.stream, &of); error != CUDA_SUCCESS) return code_of(error);
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  cuStreamIsCapturing(part.stream, &capture);
  if (capture != CU_STREAM_CAPTURE_STATUS_NONE)
    return refuse(ncclInvalidUsage,
                  begin_of(part) + "the stream is being captured into a graph, which is not provided here.");
  CUdevice device = 0;
  cuCtxPushCurrent(of);
  cuCtxGetDevice(&device);
  cuCtxPopCurrent(&of);
  if (device == part.comm->device) return ncclSuccess;
  return refuse(ncclUnhandledCudaError, begin_of(part) + "the stream is of device " + std::to_string(device) +
                                            ", and rank " + std::to_string(part.comm->rank) +
                                            " is on device " + std::to_string(part.comm->device) + ".");
}

bool reads(const Part& part) {
  return part.kind != Kind::receive && (part.kind != Kind::broadcast || part.comm->rank == part.peer);
}
bool writes(const Part& part) {
  return part.kind != Kind::send && (part.kind != Kind::reduce || part.comm->rank == part.peer);
}

ncclResult_t check(Part& part) {
  if (const ncclResult_t code = check_communicator(part.name, part.comm); code != ncclSuccess) return code;
  if (part.op >= ncclNumOps)
    if (const auto own = part.comm->operators.find(part.op); own != part.comm->operators.end())
      part.factor = own->second;
  if (const ncclResult_t code = check_values(part); code != ncclSuccess) return code;
  const OnDevice here(*part.comm);
  if (!reads(part)) part.from = nullptr;
  if (!writes(part)) part.to = nullptr;
  if (part.count != 0 && reads(part))
    if (const ncclResult_t code = check_pointer(part, part.from, "the memory to read"); code != ncclSuccess)
      return code;
  if (part.count != 0 && writes(part))
    if (const ncclResult_t code = check_pointer(part, part.to, "the memory to write"); code != ncclSuccess)
      return code;
  return check_stream(part);
}

ncclResult_t give(Part part) {
  if (const ncclResult_t code = check(part); code != ncclSuccess) return note_in_group(code);
  return give_part(std::move(part));
}

Part part_of(Kind kind, const char* name, const void* from, void* to, size_t count, ncclDataType_t type,
             ncclComm_t comm, cudaStream_t stream) {
  Part made;
  made.kind = kind;
  made.name = name;
  made.from = from;
  made.to = to;
  made.count = count;
  made.type = type;
  made.comm = comm;
  made.stream = stream;
  return made;
}

}  // namespace

extern "C" {

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  Part part = part_of(Kind::all_reduce, "ncclAllReduce", from, to, count, type, comm, stream);
  part.op = op;
  return give(std::move(part));
}

ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  Part part = part_of(Kind::reduce, "ncclReduce", from, to, count, type, comm, stream);
  part.op = op;
  part.peer = root;
  return give(std::move(part));
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream) {
  Part part = part_of(Kind::reduce_scatter, "ncclReduceScatter", from, to, count, type, comm, stream);
  part.op = op;
  return give(std::move(part));
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  Part part = part_of(Kind::broadcast, "ncclBroadcast", from, to, count, type, comm, stream);
  part.peer = root;
  return give(std::move(part));
}
ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  Part part = part_of(Kind::broadcast, "ncclBcast", buffer, buffer, count, type, comm, stream);
  part.peer = root;
  return give(std::move(part));
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return give(part_of(Kind::all_gather, "ncclAllGather", from, to, count, type, comm, stream));
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  Part part = part_of(Kind::send, "ncclSend", from, nullptr, count, type, comm, stream);
  part.peer = peer;
  return give(std::move(part));
}
ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  Part part = part_of(Kind::receive, "ncclRecv", nullptr, to, count, type, comm, stream);
  part.peer = peer;
  return give(std::move(part));
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  constexpr const char* name = "ncclRedOpCreatePreMulSum";
  if (const ncclResult_t code = check_communicator(name, comm); code != ncclSuccess) return code;
  if (op == nullptr || scalar == nullptr)
    return null_argument(name, op == nullptr ? "the operation" : "the factor");
  if (name_of(type) == nullptr || (residence != ncclScalarDevice && residence != ncclScalarHostImmediate))
    return refuse(ncclInvalidArgument,
                  std::string(name) + ": the type or the place of the factor has no valid value.");
  Factor made{.type = type, .on_device = nullptr, .bytes = {}};
  if (residence == ncclScalarDevice) {
    made.on_device = scalar;
  } else {
    made.bytes.resize(size_of(type));
    std::memcpy(made.bytes.data(), scalar, made.bytes.size());
  }
  *op = static_cast<ncclRedOp_t>(comm->next_operator++);
  comm->operators[*op] = std::make_shared<const Factor>(std::move(made));
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  constexpr const char* name = "ncclRedOpDestroy";
  if (const ncclResult_t code = check_communicator(name, comm); code != ncclSuccess) return code;
  if (comm->operators.erase(op) != 0) return ncclSuccess;
  return refuse(ncclInvalidArgument,
                std::string(name) + ": " + std::to_string(op) + " was not made for this communicator.");
}

}  // extern "C"
