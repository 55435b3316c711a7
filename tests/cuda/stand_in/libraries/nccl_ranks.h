// Shared by the programs with NCCL: assertions, and a rank for each device.
#pragma once

#include <nccl.h>

#include "arrays.h"

#define EXPECT_NCCL(call, code)                                                                \
  do {                                                                                         \
    ++expected;                                                                                \
    const ncclResult_t is_ = (call);                                                           \
    if (is_ != (code)) {                                                                       \
      ++failed;                                                                                \
      std::printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, ncclGetErrorString(is_)); \
    }                                                                                          \
  } while (false)
#define EXPECT_NCCL_OK(call) EXPECT_NCCL(call, ncclSuccess)

// One thread of the host has all ranks (NCCL documentation, "Example 1: Single Process, Single Thread,
// Multiple Devices").
struct Ranks {
  int count = 0;
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;

  explicit Ranks(int devices) : count(devices), comms(devices), streams(devices) {
    EXPECT_NCCL_OK(ncclCommInitAll(comms.data(), devices, nullptr));
    for (int rank = 0; rank < devices; ++rank) {
      EXPECT_OK(cudaSetDevice(rank));
      EXPECT_OK(cudaStreamCreateWithFlags(&streams[rank], cudaStreamNonBlocking));
    }
  }
  Ranks(const Ranks&) = delete;
  ~Ranks() {
    for (int rank = 0; rank < count; ++rank) {
      EXPECT_OK(cudaStreamDestroy(streams[rank]));
      EXPECT_NCCL_OK(ncclCommDestroy(comms[rank]));
    }
  }
  void wait() const {
    for (int rank = 0; rank < count; ++rank) EXPECT_OK(cudaStreamSynchronize(streams[rank]));
  }
};

// An array on the device of each rank, all of the same length.
template <class T>
struct Arrays {
  std::vector<T*> at;
  size_t length;
  Arrays(int ranks, size_t its_length) : at(ranks), length(its_length) {
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_OK(cudaSetDevice(rank));
      EXPECT_OK(cudaMalloc(&at[rank], length * sizeof(T)));
    }
  }
  Arrays(const Arrays&) = delete;
  ~Arrays() {
    for (T* one : at) cudaFree(one);
  }
  void set(int rank, const std::vector<T>& values) const {
    EXPECT_OK(cudaMemcpy(at[rank], values.data(), values.size() * sizeof(T), cudaMemcpyDefault));
  }
  std::vector<T> get(int rank) const {
    std::vector<T> values(length);
    EXPECT_OK(cudaMemcpy(values.data(), at[rank], length * sizeof(T), cudaMemcpyDefault));
    return values;
  }
};
