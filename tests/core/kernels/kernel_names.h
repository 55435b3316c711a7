// Names of the built-in kernels, for tests with one case for each. Every process of the tests needs them, so
// no description is read for this.
#pragma once

#include <string>
#include <vector>

namespace warplens::test_files {

std::vector<std::string> built_in_kernel_names();

}  // namespace warplens::test_files
