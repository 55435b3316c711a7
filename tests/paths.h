// The paths of the repository's and the build's files for tests.
#pragma once

#include <filesystem>

namespace warplens::test_files {

std::filesystem::path source_dir();
std::filesystem::path binary_dir();

}  // namespace warplens::test_files
