// Tables of the special function unit (MUFU in NVIDIA's machine code), which evaluates rcp, sqrt, rsqrt, sin,
// cos, lg2, ex2 and tanh .approx. Stuart Oberman and Michael Siu described the unit in "A High-Performance
// Area-Efficient Multifunction Interpolator" (ARITH-17, 2005): the leading bits of the argument choose a
// segment, and within it the result is a parabola whose square is made of only some of its partial products.
// The coefficients were measured.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::exec {

struct Parabola {
  int64_t c0;
  int32_t c1, c2;
};

// One array for each coefficient, so that the lanes of a warp gather them. All sums are below 2^53 and exact
// in f64.
template <size_t Segments>
struct Interpolation {
  std::array<double, Segments> c0{};
  std::array<int32_t, Segments> c1{}, c2{};

  explicit constexpr Interpolation(const Parabola (&segments)[Segments]) {
    for (size_t i = 0; i < Segments; ++i) {
      c0[i] = static_cast<double>(segments[i].c0);
      c1[i] = segments[i].c1;
      c2[i] = segments[i].c2;
    }
  }
};

inline constexpr Interpolation rcp_table({
#define MUFU_RCP(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation rsqrt_table({
#define MUFU_RSQRT(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation sqrt_table({
#define MUFU_SQRT(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation sin_table({
#define MUFU_SIN(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation lg2_table({
#define MUFU_LG2(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation ex2_table({
#define MUFU_EX2(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});
inline constexpr Interpolation tanh_table({
#define MUFU_TANH(c0, c1, c2) {c0, c1, c2},
#include "core/gpu/exec/ops/special_functions.def"
});

}  // namespace warplens::exec
