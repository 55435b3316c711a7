// A kernel's description while it is made from its text, its PTX and its annotation. One file for each job:
// which kernel, and what it keeps of a built-in one (own_kernel.cpp); its arguments
// (own_kernel_arguments.cpp); its grid, its block and a check of all expressions (own_kernel_launch.cpp);
// what a signature says where nothing else does (own_kernel_defaults.cpp).
#pragma once

#include <string>
#include <vector>

#include "core/kernels/own/annotation.h"
#include "core/kernels/own/own_kernel.h"
#include "core/kernels/own/ptx_signature.h"
#include "core/source/source_signature.h"

namespace warplens {

// One parameter of a kernel, as source and PTX see it.
struct KernelParameter {
  std::string name;
  uint64_t bytes = 0;
  bool pointer = false;
  bool output = false;  // of a pointer: the kernel may write through it
  DType dtype = DType::f32;
  bool dtype_known = false;
  uint32_t components = 1;
};

struct Draft {
  const OwnKernelText& text;
  OwnKernel own;  // the answer, with what was found to be wrong so far
  KernelDescription kernel;
  std::string entry;  // its plain name
  std::vector<KernelParameter> parameters;
  Annotation annotation;

  const std::string& annotated_text() const { return text.source.empty() ? text.ptx : text.source; }
  void fail(const TextPosition& place, std::string message, Severity severity = Severity::error);
  bool has_errors() const;
  // Null: there is none of that name.
  const KernelParameter* parameter(std::string_view name) const;
  const AnnotatedArgument* annotated(std::string_view name) const;
  TextPosition place_of(std::string_view name) const;
};

// In this order; each takes what the annotation says of its part, then the built-in kernel that the text
// began as, then the signature.
void place_picture(Draft& draft);
void add_settings(Draft& draft);
void add_arguments(Draft& draft);
void add_launch(Draft& draft);
// Every expression must have a value where all names are 1; the entry that it comes from is named.
void check_expressions(Draft& draft);

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
