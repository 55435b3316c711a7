// Describes a kernel of the user's own in the same way as a built-in kernel, from CUDA C++ and its PTX, or
// only from PTX. What the annotation (annotation.h) does not say is taken from the kernel's signature.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct OwnKernelText {
  std::string source;       // CUDA C++; empty if there is only PTX, which may then contain the annotation
  std::string source_name;  // its name in messages and the report: "blur.cu"
  std::string path;         // of the file; may be empty
  std::string ptx;
  std::string
      entry;  // as in the PTX or the source; empty for the first kernel with an annotation, or else the first
  // The built-in kernel from which the text was copied. It gives what the text does not say itself.
  const KernelDescription* like = nullptr;
};

struct OwnKernel {
  std::shared_ptr<const KernelDescription> kernel;  // null if there are errors
  std::vector<Diagnostic> diagnostics;              // errors, or warnings if there is a kernel
  std::vector<std::string> entries;                 // all kernels of the text, by their plain names
};

OwnKernel describe_own_kernel(const OwnKernelText& text);

// Carries the user's choices for `before` over to `after`. Arguments that still exist keep their values,
// unless the annotation now gives another value. So do block, grid, picture and seed.
KernelSetup carried_over(const KernelDescription& before, const KernelSetup& setup,
                         const KernelDescription& after);

}  // namespace warplens
