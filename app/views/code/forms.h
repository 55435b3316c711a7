// The same kernel as other programs would write it, with today's data and launch numbers put in, to be copied
// and run as it stands.
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

// A whole Python program. CuPy and PyCUDA take the CUDA source as it is; Numba and OpenCL need a kernel of
// their own (assets/code), and where there is none, or the data cannot be made, the error says so.
Result<std::string> code_in(CodeForm form, const KernelDescription& kernel, const KernelSetup& setup);

}  // namespace warplens
