// Any bytes as a CUDA source with its annotation: reading it together with a kernel's PTX must return.
#include <cstdlib>
#include <string>

#include "core/base/system/embedded.h"
#include "core/kernels/own/own_kernel.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  static const std::string ptx(find_embedded("kernels/vector_add.ptx"));
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const std::string signature =
      "\n__global__ void vector_add(const float* x, const float* y, float* out, int n) {}\n";
  for (const std::string& source : {text, text + signature}) {
    const OwnKernel made = describe_own_kernel({source, "fuzz.cu", "", ptx, ""});
    if (!made.kernel && made.diagnostics.empty()) std::abort();
    if (!made.kernel) continue;
    KernelSetup setup = default_setup(*made.kernel);
    const Result<Dim3> problem = problem_size(*made.kernel, setup);
    if (!problem && problem.error().message.empty()) std::abort();
  }
  return 0;
}
