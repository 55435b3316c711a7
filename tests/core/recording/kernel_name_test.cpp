#include "core/recording/kernel_name.h"

#include <gtest/gtest.h>

namespace warplens::recording {
namespace THIS_FILE {

TEST(KernelName, IsWhatThePersonWrote) {
  const std::pair<const char*, const char*> cases[] = {
      {"add", "add"},                      // extern "C"
      {"b", "b"},                          // which a demangler would print as bool
      {"_Z4blurPfi", "blur"},              // blur(float*, int)
      {"_ZN4pics4blurEPf", "pics::blur"},  // of a namespace
      {"_Z3addIfEvPT_", "add<float>"},     // of a template
      {"_ZN12_GLOBAL__N_13addEPf", "(anonymous namespace)::add"},
      // Numba: the name, then tags and the types of the parameters.
      {"_ZN8__main__"
       "3addB2v1B92cw51cXTLSUwv1sDUaKthqaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXag"
       "IAE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedE",
       "__main__::add"},
      // PyTorch: vectorized_elementwise_kernel<4, FillFunctor<float>, std::array<char*, 1>>.
      {"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
       "at::native::vectorized_elementwise_kernel<…>"},
      // nvcc -rdc=true: a kernel that other files do not see.
      {"__nv_static_46__fda727d8_18_device_launches_cu_d06f617c_15384__ZN12_GLOBAL__N_13addEPf",
       "(anonymous namespace)::add"},
      {"_Z", "_Z"},  // no name at all
  };
  for (const auto& [mangled, name] : cases) EXPECT_EQ(readable_kernel_name(mangled), name);
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
