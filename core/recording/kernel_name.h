// Names of C++ and Numba kernels as in the source: "blur" of "_Z4blurPf".
#pragma once

#include <string>
#include <string_view>

namespace warplens::recording {

std::string readable_kernel_name(std::string_view mangled);
// Numba's names begin with the module: "blur" of "__main__::blur".
std::string short_kernel_name(const std::string& name);

}  // namespace warplens::recording
