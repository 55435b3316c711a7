// Names of the built-in kernels for tests that have a case each. Every process of the tests asks for them, so
// no description is read for it.
#pragma once

#include <string>
#include <vector>

namespace warplens::test_files {

std::vector<std::string> built_in_kernel_names();

}  // namespace warplens::test_files
