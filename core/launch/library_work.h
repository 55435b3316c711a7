// Work that the libraries cuBLAS, cuSOLVER and cuRAND can do in place of a kernel, and the times that they
// took. These are plain values, so that they can be sent to the process that owns the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

enum class LibraryTask : uint8_t {
  matmul,  // c = a · b, row by row
  svd,     // a = u · diag(s) · vᵀ, computes u and v too
  pi,      // random points in the unit square, and how many lie within the circle
};
const char* to_string(LibraryTask task);  // "matmul"

struct LibraryWork {
  LibraryTask task = LibraryTask::matmul;
  uint32_t rows = 0, columns = 0, inner = 0;  // rows, columns of c; columns of a; an SVD's matrix is square
  uint64_t points = 0, seed = 0;
  std::vector<float> a, b;
  uint32_t repeat = 1;  // measured calls; 1 means as many as fit into a moment
  uint32_t time_limit_ms = default_time_limit_ms;
};

// The times of one routine of one library. If the library is absent, `missing` has the reason instead.
struct LibraryTime {
  static constexpr Provenance source = Provenance::measured;
  std::string library;  // "cuBLAS 12.9.1"
  std::string routine;  // "cublasSgemm"
  std::string missing;  // why there is no result, in one sentence; empty if it ran
  std::optional<Spread> time_us, copy_in_us, copy_out_us;
  std::vector<float> result;  // c; or the singular values, largest first, then u, then vᵀ, both row by row
  uint64_t inside = 0;        // points within the circle
};

struct LibraryRun {
  std::vector<LibraryTime> routines;
};

}  // namespace warplens
