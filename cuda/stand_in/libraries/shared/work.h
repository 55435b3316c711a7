// How a function of a library gives its work to the device.
#pragma once

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "cuda/stand_in/libraries/shared/memory.h"

namespace warplens::libraries {

struct Call {
  const char* name = nullptr;  // as programs write it
  std::string shape;
  double operations = 0;
  warplens_unit unit = warplens_fp32;
  bool waits = false;
};

// A thread that has used no part of CUDA gets the primary context, as by the runtime library. Errors: those
// of cuInit and of cuDevicePrimaryCtxRetain; not supported where the driver is not ours.
CUresult ensure_context();

// "512 × 64"; without trailing zeros.
std::string shape_of(std::initializer_list<int64_t> extents);

// `body(const Memory&)` returns whether all memory was allocated. It is kept by value, since a graph may run
// it later. `give(CUstream, const warplens_library_work*)` gives it to the driver.
template <class Body, class Give>
CUresult run_by(Give give, CUstream stream, const Call& call, Body body) {
  if (const CUresult error = ensure_context(); error != CUDA_SUCCESS) return error;
  warplens_library_work work{};
  work.name = call.name;
  call.shape.copy(work.shape, std::min(call.shape.size(), sizeof work.shape - 1));
  work.operations = call.operations;
  work.unit = call.unit;
  work.waits = call.waits ? 1 : 0;
  work.run = [](void* data, const warplens_memory* memory) -> int {
    try {
      return (*static_cast<Body*>(data))(Memory(*memory)) ? work_done : work_lacks_memory;
    } catch (const std::bad_alloc&) {
      return work_lacks_room;
    }
  };
  work.destroy = [](void* data) { delete static_cast<Body*>(data); };
  work.data = new (std::nothrow) Body(std::move(body));
  return work.data == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : give(stream, &work);
}

template <class Body>
CUresult run_on(CUstream stream, const Call& call, Body body) {
  return run_by(warplens_run_library, stream, call, std::move(body));
}

}  // namespace warplens::libraries
