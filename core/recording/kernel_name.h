// Names of kernels in C++ and Numba as people wrote them: "blur" of "_Z4blurPf".
#pragma once

#include <string>
#include <string_view>

namespace warplens::recording {

std::string readable_kernel_name(std::string_view mangled);
// Numba's names have the module in front: "blur" of "__main__::blur".
std::string short_kernel_name(const std::string& name);

}  // namespace warplens::recording
