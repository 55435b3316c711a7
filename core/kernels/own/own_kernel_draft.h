// A kernel's description while it is made from its text, its PTX and its annotation. The files are: the
// choice of the kernel, and what it keeps from a built-in one (own_kernel.cpp); its arguments
// (own_kernel_arguments.cpp); its grid, its block and a check of all expressions (own_kernel_launch.cpp);
// defaults from the signature (own_kernel_defaults.cpp).
#pragma once

#include <string>
#include <vector>

#include "core/compile/cuda_source/source_signature.h"
#include "core/kernels/own/annotation.h"
#include "core/kernels/own/own_kernel.h"
#include "core/kernels/own/ptx_signature.h"

namespace warplens {

// One parameter of a kernel, from source and PTX.
struct KernelParameter {
  std::string name;
  uint64_t bytes = 0;
  bool pointer = false;
  bool output = false;  // the kernel may write through this pointer
  DType dtype = DType::f32;
  bool dtype_known = false;
  uint32_t components = 1;
};

struct Draft {
  const OwnKernelText& text;
  OwnKernel own;  // the result, with the diagnostics so far
  KernelDescription kernel;
  std::string entry;  // its plain name
  std::vector<KernelParameter> parameters;
  Annotation annotation;

  const std::string& annotated_text() const { return text.source.empty() ? text.ptx : text.source; }
  void fail(const TextPosition& place, std::string message, Severity severity = Severity::error);
  bool has_errors() const;
  // Null if there is none with this name.
  const KernelParameter* parameter(std::string_view name) const;
  const AnnotatedArgument* annotated(std::string_view name) const;
  TextPosition place_of(std::string_view name) const;
};

// Call these in this order. Each uses the annotation first, then the built-in kernel from which the text was
// copied, then the signature.
void place_picture(Draft& draft);
void add_settings(Draft& draft);
void add_arguments(Draft& draft);
void add_launch(Draft& draft);
// Every expression must have a value if all names are 1. The message names the entry of a wrong one.
void check_expressions(Draft& draft);

// `source` is null if there is only PTX.
std::vector<KernelParameter> joined_parameters(const std::vector<PtxParameter>& ptx,
                                               const SourceKernel* source);

// Whether this is a usual name of a size, such as n, width or rows.
bool is_size_name(std::string_view name);

// A default number for a parameter or setting without one, with control and range.
KernelArgument default_number(std::string_view name, DType dtype, size_t sizes);
// Sets control and range around the given value.
void set_range(KernelArgument& argument);
std::pair<double, double> limits_of(DType dtype);

// Extents for buffers that have none: the product of all sizes. Two sizes are width and height.
std::vector<std::string> default_extents(const std::vector<std::string>& sizes);

}  // namespace warplens
