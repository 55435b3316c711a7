// The same kernel written for other libraries, with the current data and launch. The user can copy it and
// run it unchanged.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/device/launch_limits.h"
#include "core/kernels/catalogue.h"

namespace warplens {

enum class CodeForm : uint8_t { numba, cupy, pycuda, opencl };
constexpr std::array<CodeForm, 4> code_forms = {CodeForm::numba, CodeForm::cupy, CodeForm::pycuda,
                                                CodeForm::opencl};

std::string_view title_of(CodeForm form);  // "CuPy"
std::string_view name_of(CodeForm form);   // "cupy"
std::optional<CodeForm> code_form_from(std::string_view name);

// A complete Python program. CuPy and PyCUDA use the CUDA source as it is. Numba and OpenCL need a kernel of
// their own (assets/code). If there is none, or the data cannot be made, the error says so.
Result<std::string> code_in(CodeForm form, const KernelDescription& kernel, const KernelSetup& setup);

}  // namespace warplens
