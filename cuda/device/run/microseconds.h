#pragma once

#include <chrono>

namespace warplens::cuda {

inline double microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

}  // namespace warplens::cuda
