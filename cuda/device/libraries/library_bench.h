// Helpers for the runs of cuBLAS, cuSOLVER and cuRAND, each in a file of its own.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/device/device.h"
#include "core/launch/library_work.h"
#include "cuda/device/driver/context.h"
#include "cuda/device/libraries/libraries.h"
#include "cuda/device/run/stopwatch.h"

namespace warplens::cuda {

// Device memory with page-locked host memory of the same size.
struct Array {
  Owned<CUdeviceptr> device;
  Owned<void*> host;
  uint64_t bytes = 0;

  static Result<Array> make(const Context& context, uint64_t bytes, const char* what) {
    Result<Owned<CUdeviceptr>> device = context.allocate(bytes, what);
    if (!device) return device.error();
    Result<Owned<void*>> host = context.allocate_host(bytes);
    if (!host) return host.error();
    return Array{std::move(*device), std::move(*host), bytes};
  }
  CUdeviceptr address() const { return device.get(); }
  HostCopy copy() const { return {device.get(), host.get(), bytes}; }
  void set(const std::vector<float>& values) const {
    std::memcpy(host.get(), values.data(), std::min<uint64_t>(bytes, values.size() * sizeof(float)));
  }
  float at(size_t i) const { return static_cast<const float*>(host.get())[i]; }
};

// The context of a routine's run. A failure of the routine itself goes to its row.
struct LibraryBench {
  const Context& context;
  const LibraryWork& work;
  const std::stop_token& stop;
  const std::function<void()>& passed;
  Stopwatch& watch;

  Result<void> measure(const std::vector<HostCopy>& in, const std::function<Result<void>()>& call,
                       const std::vector<HostCopy>& out, LibraryTime& row) const {
    return watch.measure(in, call, out, work.repeat, stop, passed, row);
  }
};

inline Result<void> succeeded(int status, const char* function) {
  if (status == 0) return {};
  return failed(fmt::format("{} answered with status {}.", function, status));
}

// A handle that `make` creates. `release` is called when the owner is destroyed.
template <class Handle>
Result<Owned<Handle*>> owned(int (*make)(Handle**), int (*release)(Handle*), const char* function) {
  Handle* handle = nullptr;
  if (const Result<void> made = succeeded(make(&handle), function); !made) return made.error();
  return Owned<Handle*>(handle, [release](Handle* h) { release(h); });
}

// Each fills the row with the results and times of the work, or with the reason why the routine could not do
// it.
Result<void> run_sgemm(const LibraryBench& bench, const Cublas& cublas, LibraryTime& row);
Result<void> run_gesvd(const LibraryBench& bench, const Cusolver& cusolver, LibraryTime& row);
Result<void> run_gesvdj(const LibraryBench& bench, const Cusolver& cusolver, LibraryTime& row);
Result<void> run_pi(const LibraryBench& bench, const Device& device, const Curand& curand, LibraryTime& row);

}  // namespace warplens::cuda
