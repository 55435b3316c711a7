// Names of kernels in C++ and Numba as people wrote them: "blur" of "_Z4blurPf".
#pragma once

#include <string>
#include <string_view>

namespace warplens::recording {

std::string readable_kernel_name(std::string_view mangled);

}  // namespace warplens::recording
