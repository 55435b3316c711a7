// Headers of the host that students include by habit, for texts with kernels alone (assets/kernel_headers).
#pragma once

#include <span>
#include <string>

namespace warplens {

struct KernelHeader {
  std::string name;  // as in #include <cstdio>
  std::string text;
};

std::span<const KernelHeader> kernel_headers();

}  // namespace warplens
