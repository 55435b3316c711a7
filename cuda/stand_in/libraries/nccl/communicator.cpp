// Communicators of this process (NCCL documentation, "Communicator Creation and Management Functions").
#include "cuda/stand_in/libraries/nccl/communicator.h"

#include <chrono>
#include <cstring>
#include <new>

#include "cuda/stand_in/libraries/nccl/group.h"
#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::nccl {

// A number that no other process has: its start by the clock, and where its memory lies.
static uint64_t own_process() {
  static const auto number =
      static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) ^
      reinterpret_cast<uintptr_t>(&communicators()) << 16;
  return number;
}

Communicators& communicators() {
  static auto* all = new Communicators;
  return *all;
}

ncclResult_t check_communicator(const char* name, const ncclComm* comm) {
  if (comm == nullptr) return null_argument(name, "the communicator");
  {
    const std::scoped_lock lock(communicators().mutex);
    if (communicators().alive.contains(comm)) return ncclSuccess;
  }
  return refuse(ncclInvalidArgument,
                std::string(name) + ": this is no communicator, or one that was destroyed.");
}

void release(ncclComm* comm) {
  cuDevicePrimaryCtxRelease(comm->device);
  delete comm;
}

namespace {

constexpr int version = 22809;
constexpr char id_mark[16] = "warplens NCCL";

// What a ncclUniqueId has.
struct Id {
  char mark[sizeof id_mark];
  uint64_t process, number;
};

constexpr const char* foreign_id =
    "ncclCommInitRank: the id was not made by ncclGetUniqueId of this library.";
constexpr const char* id_of_another_process =
    "ncclCommInitRank: the id is of another process, and all ranks must be of one process here: use a thread "
    "for each device, or one thread and ncclCommInitAll, instead of MPI.";
constexpr const char* used_id =
    "ncclCommInitRank: all ranks of this id have come already. Each communicator needs an id of its own.";

// Null: the sentence says why.
std::shared_ptr<Clique> find_clique(const ncclUniqueId& given, int ranks, std::string& why) {
  Id id{};
  std::memcpy(&id, given.internal, sizeof id);
  if (std::memcmp(id.mark, id_mark, sizeof id_mark) != 0)
    why = foreign_id;
  else if (id.process != own_process())
    why = id_of_another_process;
  if (!why.empty()) return nullptr;
  const std::scoped_lock lock(communicators().mutex);
  const auto found = communicators().cliques.find(id.number);
  if (found == communicators().cliques.end()) {
    why = used_id;
    return nullptr;
  }
  Clique& clique = *found->second;
  const auto size = static_cast<size_t>(ranks);
  if (clique.ranks.empty()) {
    clique.ranks.resize(size);
    clique.collectives.resize(size);
  }
  if (clique.ranks.size() == size) return found->second;
  why = "ncclCommInitRank: one rank says that there are " + std::to_string(ranks) +
        " ranks, another one says " + std::to_string(clique.ranks.size()) + ".";
  return nullptr;
}

ncclResult_t make(ncclComm** made, int ranks, const ncclUniqueId& id, int rank, int device) {
  std::string why;
  const std::shared_ptr<Clique> clique = find_clique(id, ranks, why);
  if (clique == nullptr) return refuse(ncclInvalidUsage, why);
  CUcontext context = nullptr;
  if (const CUresult error = cuDevicePrimaryCtxRetain(&context, device); error != CUDA_SUCCESS)
    return code_of(error);
  auto* comm = new (std::nothrow) ncclComm;
  if (comm == nullptr) return ncclSystemError;
  comm->clique = clique;
  comm->rank = rank;
  comm->device = device;
  comm->context = context;
  *made = comm;
  return give_join({comm, made});
}

ncclResult_t make_here(ncclComm** made, int ranks, const ncclUniqueId& id, int rank) {
  if (made == nullptr) return null_argument("ncclCommInitRank", "the communicator");
  *made = nullptr;
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: " + std::to_string(rank) + " is no rank of " +
                                           std::to_string(ranks) + ": ranks are counted from 0.");
  CUdevice device = 0;
  if (const CUresult error = libraries::ensure_context(); error != CUDA_SUCCESS) return code_of(error);
  if (const CUresult error = cuCtxGetDevice(&device); error != CUDA_SUCCESS) return code_of(error);
  return make(made, ranks, id, rank, device);
}

ncclResult_t check_devices(int count, const int* list) {
  int there = 0;
  if (const CUresult error = cuDeviceGetCount(&there); error != CUDA_SUCCESS) return code_of(error);
  std::set<int> seen;
  for (int i = 0; i < count; ++i) {
    const int device = list == nullptr ? i : list[i];
    if (device < 0 || device >= there)
      return refuse(ncclInvalidArgument, "ncclCommInitAll: there is no device " + std::to_string(device) +
                                             ", since there are " + std::to_string(there) +
                                             " (warplens run --devices N gives N).");
    if (!seen.insert(device).second)
      return refuse(ncclInvalidUsage, "ncclCommInitAll: device " + std::to_string(device) +
                                          " is twice in the list. Each rank needs a device of its own.");
  }
  return ncclSuccess;
}

bool is_flag(int value) { return value == 0 || value == 1 || value == NCCL_CONFIG_UNDEF_INT; }

// Ends one rank. What others of its clique still wait for never runs.
ncclResult_t end(const char* name, ncclComm* comm, bool aborts) {
  if (comm == nullptr) return ncclSuccess;
  if (const ncclResult_t code = check_communicator(name, comm); code != ncclSuccess) return code;
  {
    Communicators& all = communicators();
    const std::scoped_lock lock(all.mutex);
    Clique& clique = *comm->clique;
    if (aborts && clique.code == ncclSuccess) {
      clique.failure = "Rank " + std::to_string(comm->rank) + " was aborted.";
      clique.code = ncclRemoteError;
    }
    all.alive.erase(comm);
    clique.ranks[static_cast<size_t>(comm->rank)] = nullptr;
    all.changed.notify_all();
  }
  release(comm);
  return ncclSuccess;
}

ncclResult_t give(const char* name, const ncclComm* comm, int* to, int ncclComm::*member) {
  if (const ncclResult_t code = check_communicator(name, comm); code != ncclSuccess) return code;
  if (to == nullptr) return null_argument(name, "the result");
  *to = comm->*member;
  return ncclSuccess;
}

}  // namespace

}  // namespace warplens::nccl

using namespace warplens::nccl;

extern "C" {

ncclResult_t ncclGetVersion(int* to) {
  if (to == nullptr) return null_argument("ncclGetVersion", "the version");
  *to = version;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* made) {
  if (made == nullptr) return null_argument("ncclGetUniqueId", "the id");
  const std::scoped_lock lock(communicators().mutex);
  Id id{{}, own_process(), ++communicators().ids};
  std::memcpy(id.mark, id_mark, sizeof id_mark);
  communicators().cliques[id.number] = std::make_shared<Clique>();
  *made = {};
  std::memcpy(made->internal, &id, sizeof id);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return note_in_group(make_here(comm, ranks, id, rank));
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  constexpr unsigned magic = 0xcafebeef;
  if (config != nullptr && (config->magic != magic || !is_flag(config->blocking)))
    return note_in_group(
        refuse(ncclInvalidArgument,
               "ncclCommInitRankConfig: begin the configuration with NCCL_CONFIG_INITIALIZER; blocking is 0 "
               "or 1."));
  return note_in_group(make_here(comm, ranks, id, rank));
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* list) {
  if (comms == nullptr) return null_argument("ncclCommInitAll", "the list of communicators");
  if (count < 0) return refuse(ncclInvalidArgument, "ncclCommInitAll: the number of devices is below 0.");
  if (const CUresult error = warplens::libraries::ensure_context(); error != CUDA_SUCCESS)
    return code_of(error);
  if (const ncclResult_t code = check_devices(count, list); code != ncclSuccess) return code;
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  begin_group();
  for (int i = 0; i < count; ++i) note_in_group(make(comms + i, count, id, i, list == nullptr ? i : list[i]));
  return end_group();
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) { return check_communicator("ncclCommFinalize", comm); }
ncclResult_t ncclCommDestroy(ncclComm_t comm) { return end("ncclCommDestroy", comm, false); }
ncclResult_t ncclCommAbort(ncclComm_t comm) { return end("ncclCommAbort", comm, true); }

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  if (const ncclResult_t code = check_communicator("ncclCommCount", comm); code != ncclSuccess) return code;
  if (count == nullptr) return null_argument("ncclCommCount", "the result");
  *count = static_cast<int>(comm->clique->ranks.size());
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  return give("ncclCommCuDevice", comm, device, &ncclComm::device);
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  return give("ncclCommUserRank", comm, rank, &ncclComm::rank);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  if (const ncclResult_t code = check_communicator("ncclCommGetAsyncError", comm); code != ncclSuccess)
    return code;
  if (error == nullptr) return null_argument("ncclCommGetAsyncError", "the result");
  const std::scoped_lock lock(communicators().mutex);
  *error = comm->clique->code;
  return ncclSuccess;
}

ncclResult_t ncclMemAlloc(void** pointer, size_t bytes) {
  if (pointer == nullptr || bytes == 0)
    return refuse(ncclInvalidArgument, "ncclMemAlloc needs a pointer and a size above 0.");
  if (const CUresult error = warplens::libraries::ensure_context(); error != CUDA_SUCCESS)
    return code_of(error);
  CUdeviceptr made = 0;
  const CUresult error = cuMemAlloc(&made, bytes);
  if (error == CUDA_SUCCESS) *pointer = reinterpret_cast<void*>(made);
  return code_of(error);
}
ncclResult_t ncclMemFree(void* pointer) {
  return pointer == nullptr ? ncclSuccess : code_of(cuMemFree(reinterpret_cast<CUdeviceptr>(pointer)));
}

}  // extern "C"
