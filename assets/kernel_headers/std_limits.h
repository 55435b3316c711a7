#pragma once
#include <cuda/std/limits>
namespace std {
using cuda::std::numeric_limits;
}
