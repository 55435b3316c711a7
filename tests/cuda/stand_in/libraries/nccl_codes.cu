// nvcc: -lnccl
// warplens: --devices 2
// Wrong uses of NCCL and their codes. What NVIDIA's library does not find out, and hangs or reads other
// memory for, is asked for only here.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "nccl_ranks.h"

constexpr size_t length = 256;

// NVIDIA's own library: it looks at pointers only with NCCL_CHECK_POINTERS=1, and at the ranks' agreement
// never.
bool is_ours() {
#ifdef __linux__
  return std::getenv("WARPLENS_PROGRAM_DEVICE") != nullptr;
#else
  return false;
#endif
}

void communicators(int devices) {
  ncclComm_t comms[8] = {};
  ncclUniqueId id;
  EXPECT_NCCL(ncclGetVersion(nullptr), ncclInvalidArgument);
  EXPECT_NCCL(ncclGetUniqueId(nullptr), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommInitAll(nullptr, 2, nullptr), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommInitAll(comms, -1, nullptr), ncclInvalidArgument);
  const int twice[] = {1, 1}, none[] = {0, 64};
  EXPECT_NCCL(ncclCommInitAll(comms, 2, twice), ncclInvalidUsage);
  EXPECT_NCCL(ncclCommInitAll(comms, 2, none), ncclInvalidArgument);
  EXPECT_NCCL_OK(ncclGetUniqueId(&id));
  EXPECT_NCCL(ncclCommInitRank(nullptr, 1, id, 0), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommInitRank(comms, 0, id, 0), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommInitRank(comms, 2, id, 2), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommInitRank(comms, 2, id, -1), ncclInvalidArgument);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.magic = 1;
  EXPECT_NCCL(ncclCommInitRankConfig(comms, 1, id, 0, &config), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommDestroy(nullptr), ncclSuccess);
  int value = 0;
  ncclResult_t error = ncclSuccess;
  EXPECT_NCCL(ncclCommCount(nullptr, &value), ncclInvalidArgument);
  EXPECT_NCCL(ncclCommGetAsyncError(nullptr, &error), ncclInvalidArgument);
  EXPECT_NCCL(ncclGroupEnd(), ncclInvalidUsage);
  if (!is_ours()) return;
  // Two ranks on one device.
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank : {0, 1}) EXPECT_NCCL_OK(ncclCommInitRank(&comms[rank], 2, id, rank));
  EXPECT_NCCL(ncclGroupEnd(), ncclInvalidUsage);
  EXPECT(comms[0] == nullptr && comms[1] == nullptr);
  // An id that is used again, one of nobody, and one of another process.
  const Ranks ranks(devices);
  EXPECT_NCCL_OK(ncclGetUniqueId(&id));
  EXPECT_NCCL_OK(ncclCommInitRank(&comms[0], 1, id, 0));
  EXPECT_NCCL(ncclCommInitRank(&comms[1], 1, id, 0), ncclInvalidUsage);
  EXPECT_NCCL_OK(ncclCommDestroy(comms[0]));
  EXPECT_NCCL(ncclCommDestroy(comms[0]), ncclInvalidArgument);
  ncclUniqueId other = id;
  other.internal[16] ^= 1;
  EXPECT_NCCL(ncclCommInitRank(&comms[0], 1, other, 0), ncclInvalidUsage);
  std::memset(&other, 7, sizeof other);
  EXPECT_NCCL(ncclCommInitRank(&comms[0], 1, other, 0), ncclInvalidUsage);
}

void arguments(const Ranks& ranks) {
  Arrays<float> arrays(ranks.count, length);
  float* mine = arrays.at[0];
  ncclComm_t comm = ranks.comms[0];
  cudaStream_t stream = ranks.streams[0];
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclFloat, ncclSum, nullptr, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclBcast(mine, length, ncclFloat, ranks.count, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclReduce(mine, mine, length, ncclFloat, ncclSum, -1, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclSend(mine, length, ncclFloat, ranks.count, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclRecv(mine, length, ncclFloat, -1, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclNumTypes, ncclSum, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclFloat, ncclNumOps, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclRedOpDestroy(ncclSum, comm), ncclInvalidArgument);
  EXPECT_NCCL(ncclRedOpDestroy(ncclRedOp_t(ncclNumOps + 3), comm), ncclInvalidArgument);
  // In a group the wrong call says it, and so does the end; then the next group is a new one.
  EXPECT_NCCL_OK(ncclGroupStart());
  EXPECT_NCCL(ncclBcast(mine, length, ncclFloat, ranks.count, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclGroupEnd(), ncclInvalidArgument);
  if (!is_ours()) return;
  EXPECT_NCCL(ncclAllReduce(nullptr, mine, length, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(mine, nullptr, length, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(arrays.at[1], mine, length, ncclFloat, ncclSum, comm, stream),
              ncclInvalidArgument);
  EXPECT(std::strstr(ncclGetLastError(comm), "is on device 1") != nullptr);
  float host[4] = {};
  EXPECT_NCCL(ncclAllReduce(host, mine, 4, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclFloat, ncclSum, comm, ranks.streams[1]),
              ncclUnhandledCudaError);
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclFloat8e4m3, ncclSum, comm, stream), ncclInvalidArgument);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_NCCL(ncclAllReduce(mine, mine, length, ncclFloat, ncclSum, comm, stream), ncclInvalidUsage);
  cudaGraph_t graph{};
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  // Nothing of it is left behind.
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < ranks.count; ++rank)
    EXPECT_NCCL_OK(ncclAllReduce(arrays.at[rank], arrays.at[rank], 0, ncclFloat, ncclSum, ranks.comms[rank],
                                 ranks.streams[rank]));
  EXPECT_NCCL_OK(ncclGroupEnd());
  ranks.wait();
}

// What the ranks do not agree on. The communicator is of no use any more.
template <class F>
void disagree(int devices, const char* words, F call) {
  const Ranks ranks(devices);
  Arrays<float> arrays(devices, length * devices);
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < devices; ++rank)
    call(rank, arrays.at[rank], ranks.comms[rank], ranks.streams[rank]);
  EXPECT_NCCL(ncclGroupEnd(), ncclInvalidUsage);
  EXPECT(std::strstr(ncclGetLastError(ranks.comms[0]), words) != nullptr);
  ncclResult_t error = ncclSuccess;
  EXPECT_NCCL_OK(ncclCommGetAsyncError(ranks.comms[0], &error));
  EXPECT(error == ncclInvalidUsage);
  EXPECT_NCCL(ncclBcast(arrays.at[0], 1, ncclFloat, 0, ranks.comms[0], ranks.streams[0]), ncclInvalidUsage);
}

void disagreements(int devices) {
  disagree(devices, "with 255 × float32", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    EXPECT_NCCL_OK(ncclAllReduce(at, at, length - rank % 2, ncclFloat, ncclSum, comm, stream));
  });
  disagree(devices, "for the maximum", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    EXPECT_NCCL_OK(ncclAllReduce(at, at, length, ncclFloat, rank == 1 ? ncclMax : ncclSum, comm, stream));
  });
  disagree(devices, "with the root 1", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    EXPECT_NCCL_OK(ncclBcast(at, length, ncclFloat, rank == 1 ? 1 : 0, comm, stream));
  });
  disagree(devices, "calls ncclAllGather", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    if (rank == 1) {
      EXPECT_NCCL_OK(ncclAllGather(at, at, length, ncclFloat, comm, stream));
    } else {
      EXPECT_NCCL_OK(ncclAllReduce(at, at, length, ncclFloat, ncclSum, comm, stream));
    }
  });
  disagree(devices, "Both must be as many", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    if (rank == 0) EXPECT_NCCL_OK(ncclSend(at, length, ncclFloat, 1, comm, stream));
    if (rank == 1) EXPECT_NCCL_OK(ncclRecv(at, 2 * length, ncclFloat, 0, comm, stream));
  });
  // Rank 0 is alone, in three ways: each ends after some seconds.
  disagree(devices, "waits for rank", [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
    if (rank == 0) EXPECT_NCCL_OK(ncclAllReduce(at, at, length, ncclFloat, ncclSum, comm, stream));
  });
  disagree(devices, "waits for rank 1 to receive",
           [](int rank, float* at, ncclComm_t comm, cudaStream_t stream) {
             if (rank == 0) EXPECT_NCCL_OK(ncclSend(at, length, ncclFloat, 1, comm, stream));
           });
  ncclUniqueId id;
  ncclComm_t comm = nullptr;
  EXPECT_NCCL_OK(ncclGetUniqueId(&id));
  EXPECT_NCCL(ncclCommInitRank(&comm, 2, id, 1), ncclInvalidUsage);
  EXPECT(comm == nullptr && std::strstr(ncclGetLastError(nullptr), "waits for rank 0 of 2") != nullptr);
}

// A rank that is aborted ends the waiting of the others.
void abort_one(int devices) {
  std::vector<ncclComm_t> comms(devices);
  EXPECT_NCCL_OK(ncclCommInitAll(comms.data(), devices, nullptr));
  Arrays<float> arrays(devices, length);
  ncclResult_t is = ncclSuccess;
  std::thread waits([&] { is = ncclBcast(arrays.at[0], length, ncclFloat, 0, comms[0], nullptr); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_NCCL_OK(ncclCommAbort(comms[1]));
  waits.join();
  EXPECT(is == ncclRemoteError);
  for (int rank = 0; rank < devices; ++rank)
    if (rank != 1) EXPECT_NCCL_OK(ncclCommDestroy(comms[rank]));
}

// Last: memory that is too small ends the work of its device.
void too_small(int devices) {
  const Ranks ranks(devices);
  Arrays<float> arrays(devices, length);
  ncclResult_t is = ncclSuccess;
  ncclGroupStart();
  for (int rank = 0; rank < devices; ++rank)
    ncclAllReduce(arrays.at[rank], arrays.at[rank] + (rank == 1 ? 1 : 0), length, ncclFloat, ncclSum,
                  ranks.comms[rank], ranks.streams[rank]);
  is = ncclGroupEnd();
  EXPECT(is == ncclUnhandledCudaError);
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  std::exit(result());  // before objects end that need device 1
}

int main() {
  int devices = 0;
  EXPECT_OK(cudaGetDeviceCount(&devices));
  EXPECT(devices >= 2);
  if (devices < 2) return result();
  communicators(devices);
  arguments(Ranks(devices));
  if (!is_ours()) return result();
  disagreements(devices);
  abort_one(devices);
  too_small(devices);
}
