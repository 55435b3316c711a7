// A kernel of the user's own: from CUDA C++ and its PTX, or PTX alone, to the same description that a
// built-in kernel has. What the annotation (annotation.h) leaves open follows from the kernel's signature.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct OwnKernelText {
  std::string source;       // CUDA C++; empty: PTX alone, then the comment may stand in it
  std::string source_name;  // "blur.cu": what messages and the report call it
  std::string path;         // of the file; may be empty
  std::string ptx;
  std::string
      entry;  // as in the PTX or the source; empty: the first kernel with an annotation, else the first
  // The built-in kernel that the text began as: what the text does not say itself is as it was there.
  const KernelDescription* like = nullptr;
};

struct OwnKernel {
  std::shared_ptr<const KernelDescription> kernel;  // null where there are errors
  std::vector<Diagnostic> diagnostics;              // errors, or warnings beside a kernel
  std::vector<std::string> entries;                 // all kernels of the text, by their plain names
};

OwnKernel describe_own_kernel(const OwnKernelText& text);

// The user's choices for `before`, carried over to `after`: values of arguments that are still there stay,
// unless the annotation itself now says something else; so do block, grid, picture and seed.
KernelSetup carried_over(const KernelDescription& before, const KernelSetup& setup,
                         const KernelDescription& after);

}  // namespace warplens
