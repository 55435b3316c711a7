// Between own_kernel.cpp and own_kernel_defaults.cpp: one parameter of a kernel, as source and PTX see it.
#pragma once

#include "core/kernels/annotation.h"
#include "core/kernels/ptx_signature.h"
#include "core/kernels/source_signature.h"

namespace warplens {

struct KernelParameter {
  std::string name;
  uint64_t bytes = 0;
  bool pointer = false;
  bool output = false;  // of a pointer: the kernel may write through it
  DType dtype = DType::f32;
  bool dtype_known = false;
  uint32_t components = 1;
};

// `source` null: PTX alone.
std::vector<KernelParameter> joined_parameters(const std::vector<PtxParameter>& ptx,
                                               const SourceKernel* source);

// Is this the name of a size, as people write them: n, width, rows?
bool is_size_name(std::string_view name);

// A number for a parameter or setting that nobody gave one: with control and range.
KernelArgument default_number(std::string_view name, DType dtype, size_t sizes);
// Control and range around a value that was given.
void set_range(KernelArgument& argument);
std::pair<double, double> limits_of(DType dtype);

// Extents for buffers without any: the product of all sizes; two sizes are width and height.
std::vector<std::string> default_extents(const std::vector<std::string>& sizes);

}  // namespace warplens
