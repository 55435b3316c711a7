// Work that well-known libraries do as well as kernels: what a device's cuBLAS, cuSOLVER and cuRAND are asked
// to do, and the times that they took. Plain values, so that they cross to the process that owns the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

enum class LibraryTask : uint8_t {
  matmul,  // c = a · b, row by row
  svd,     // a = u · diag(s) · vᵀ, u and v as well
  pi,      // points in the unit square, and how many of them lie within the circle
};
const char* to_string(LibraryTask task);  // "matmul"

struct LibraryWork {
  LibraryTask task = LibraryTask::matmul;
  uint32_t rows = 0, columns = 0, inner = 0;  // of c, and columns of a; an SVD's matrix is square
  uint64_t points = 0, seed = 0;
  std::vector<float> a, b;
  uint32_t repeat = 1;  // measured calls; 1: as many as fit into a moment
  uint32_t time_limit_ms = default_time_limit_ms;
};

// One routine of one library. What is not there has a reason instead of times.
struct LibraryTime {
  static constexpr Source source = Source::measured;
  std::string library;  // "cuBLAS 12.9.1"
  std::string routine;  // "cublasSgemm"
  std::string missing;  // one sentence; empty: it ran
  std::optional<Spread> time_us, copy_in_us, copy_out_us;
  std::vector<float> result;  // c; the singular values, falling, then u, then vᵀ, both row by row
  uint64_t inside = 0;        // of the points
};

struct LibraryRun {
  std::vector<LibraryTime> routines;
};

}  // namespace warplens
