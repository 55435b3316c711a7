// nvcc: -lnccl
// warplens: --devices 2
// The order of NCCL's calls among kernels and copies, ranks of several threads, and communicators of some
// devices.
#include <atomic>
#include <chrono>
#include <thread>

#include "nccl_ranks.h"

constexpr int length = 1 << 14;

__global__ void fill(float* to, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}
__global__ void scale(float* to, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] *= by;
}

bool is_all(const std::vector<float>& values, float wanted) {
  return std::all_of(values.begin(), values.end(), [=](float value) { return value == wanted; });
}

// A kernel, a collective and a kernel in each stream, without a wait of the host.
void among_kernels(const Ranks& ranks) {
  Arrays<float> arrays(ranks.count, length);
  for (int step = 0; step < 3; ++step) {
    for (int rank = 0; rank < ranks.count; ++rank) {
      EXPECT_OK(cudaSetDevice(rank));
      fill<<<length / 256, 256, 0, ranks.streams[rank]>>>(arrays.at[rank], float(rank + step + 1), length);
    }
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank)
      EXPECT_NCCL_OK(ncclAllReduce(arrays.at[rank], arrays.at[rank], length, ncclFloat, ncclSum,
                                   ranks.comms[rank], ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclGroupEnd());
    for (int rank = 0; rank < ranks.count; ++rank) {
      EXPECT_OK(cudaSetDevice(rank));
      scale<<<length / 256, 256, 0, ranks.streams[rank]>>>(arrays.at[rank], 10.0f, length);
      EXPECT_OK(cudaGetLastError());
    }
    ranks.wait();
    const int sum = ranks.count * (ranks.count + 1) / 2 + ranks.count * step;
    for (int rank = 0; rank < ranks.count; ++rank) EXPECT(is_all(arrays.get(rank), 10.0f * float(sum)));
  }
}

// The default streams, where the device of the communicator counts and not the current one.
void default_streams(const Ranks& ranks) {
  Arrays<float> arrays(ranks.count, length);
  for (int rank = 0; rank < ranks.count; ++rank) {
    EXPECT_OK(cudaSetDevice(rank));
    fill<<<length / 256, 256>>>(arrays.at[rank], 1, length);
  }
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < ranks.count; ++rank)
    EXPECT_NCCL_OK(ncclAllReduce(arrays.at[rank], arrays.at[rank], length, ncclFloat, ncclSum,
                                 ranks.comms[rank], nullptr));
  EXPECT_NCCL_OK(ncclGroupEnd());
  int current = -1;
  EXPECT_OK(cudaGetDevice(&current));
  EXPECT(current == 0);
  for (int rank = 0; rank < ranks.count; ++rank) {
    EXPECT_OK(cudaSetDevice(rank));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(is_all(arrays.get(rank), float(ranks.count)));
  }
}

// A thread for each rank, which also makes its communicator (NCCL documentation, "Creating a communicator").
// They come at different times.
void threads(int devices) {
  ncclUniqueId id;
  EXPECT_NCCL_OK(ncclGetUniqueId(&id));
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (int rank = 0; rank < devices; ++rank)
    all.emplace_back([&, rank] {
      const auto check = [&](int code) { wrong += code != 0; };
      check(cudaSetDevice(rank));
      ncclComm_t comm = nullptr;
      check(ncclCommInitRank(&comm, devices, id, rank));
      cudaStream_t stream{};
      check(cudaStreamCreate(&stream));
      float* array = nullptr;
      check(cudaMalloc(&array, length * sizeof(float)));
      for (int step = 1; step <= 5; ++step) {
        fill<<<length / 256, 256, 0, stream>>>(array, float(rank * step), length);
        if (rank == step % devices) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        check(ncclAllReduce(array, array, length, ncclFloat, ncclMax, comm, stream));
        check(ncclBroadcast(array, array, length, ncclFloat, step % devices, comm, stream));
        if (rank == 0) {
          check(ncclSend(array, length, ncclFloat, devices - 1, comm, stream));
        } else if (rank == devices - 1) {
          check(ncclRecv(array, length, ncclFloat, 0, comm, stream));
        }
        std::vector<float> values(length);
        check(cudaMemcpyAsync(values.data(), array, length * sizeof(float), cudaMemcpyDeviceToHost, stream));
        check(cudaStreamSynchronize(stream));
        wrong += !is_all(values, float((devices - 1) * step));
      }
      check(cudaFree(array));
      check(cudaStreamDestroy(stream));
      check(ncclCommFinalize(comm));
      check(ncclCommDestroy(comm));
    });
  for (std::thread& one : all) one.join();
  EXPECT(wrong == 0);
}

// One thread makes the communicators with an id, in a group; the ranks are in another order than the devices.
void other_order(int devices) {
  ncclUniqueId id;
  EXPECT_NCCL_OK(ncclGetUniqueId(&id));
  std::vector<ncclComm_t> comms(devices);
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < devices; ++rank) {
    EXPECT_OK(cudaSetDevice(devices - 1 - rank));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    EXPECT_NCCL_OK(ncclCommInitRankConfig(&comms[rank], devices, id, rank, &config));
  }
  EXPECT_NCCL_OK(ncclGroupEnd());
  Arrays<int> parts(devices, 1), whole(devices, devices);
  for (int device = 0; device < devices; ++device) parts.set(device, {100 + device});
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < devices; ++rank)
    EXPECT_NCCL_OK(ncclAllGather(parts.at[devices - 1 - rank], whole.at[devices - 1 - rank], 1, ncclInt,
                                 comms[rank], nullptr));
  EXPECT_NCCL_OK(ncclGroupEnd());
  for (int device = 0; device < devices; ++device) {
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaDeviceSynchronize());
    const std::vector<int> is = whole.get(device);
    bool right = true;
    for (int rank = 0; rank < devices; ++rank) right = right && is[rank] == 100 + devices - 1 - rank;
    EXPECT(right);
  }
  for (ncclComm_t comm : comms) EXPECT_NCCL_OK(ncclCommDestroy(comm));
}

// A communicator of one rank copies, and pinned memory of the host is allowed.
void alone() {
  ncclComm_t comm = nullptr;
  const int device = 1;
  EXPECT_NCCL_OK(ncclCommInitAll(&comm, 1, &device));
  EXPECT_OK(cudaSetDevice(1));
  float *from = nullptr, *to = nullptr;
  EXPECT_OK(cudaMallocHost(&from, 4 * sizeof(float)));
  EXPECT_OK(cudaMalloc(&to, 4 * sizeof(float)));
  for (int i = 0; i < 4; ++i) from[i] = float(i);
  EXPECT_NCCL_OK(ncclAllReduce(from, to, 4, ncclFloat, ncclSum, comm, nullptr));
  float back[4] = {};
  EXPECT_OK(cudaMemcpy(back, to, sizeof back, cudaMemcpyDefault));
  EXPECT(back[0] == 0 && back[3] == 3);
  EXPECT_OK(cudaFree(to));
  EXPECT_OK(cudaFreeHost(from));
  EXPECT_NCCL_OK(ncclCommDestroy(comm));
}

int main() {
  int devices = 0;
  EXPECT_OK(cudaGetDeviceCount(&devices));
  EXPECT(devices >= 2);
  if (devices < 2) return result();
  {
    const Ranks ranks(devices);
    among_kernels(ranks);
    default_streams(ranks);
  }
  threads(devices);
  other_order(devices);
  alone();
  return result();
}
