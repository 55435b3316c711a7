// What a cufftHandle names.
#pragma once

#include <array>
#include <memory>

#include "cuda/stand_in/libraries/fft/types.h"

namespace warplens::fft {

// Where the element (i, j, k) of a batch's b-th array is: b · dist + ((i · embed[1] + j) · embed[2] + k) ·
// step.
struct Layout {
  std::array<int64_t, 3> embed{1, 1, 1};
  int64_t step = 1, dist = 0;
};

// A transform, once it is made; lower ranks have leading extents of 1.
struct Shape {
  std::array<int64_t, 3> n{1, 1, 1};
  cufftType type = CUFFT_C2C;
  int64_t batch = 1;
  bool advanced = false;  // the layouts were given
  Layout from, to;
};

struct Plan {
  bool made = false;
  Shape shape;
  cudaStream_t stream = nullptr;
};

inline bool is_double(cufftType type) { return (type & 0x40) != 0; }
inline bool from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
inline bool to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

// Null if there is none.
std::shared_ptr<Plan> plan_of(cufftHandle handle);

// The elements of one array of the shape from the first to the last extent; of a half spectrum, n/2 + 1.
std::array<int64_t, 3> extents(const Shape& shape, bool real_side);

// exec.cpp: the transform on the plan's stream.
cufftResult run(const Plan& plan, const void* from, void* to, bool inverse, const char* name);

}  // namespace warplens::fft
