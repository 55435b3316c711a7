// Where the tests find the files of the repository and of the build.
#pragma once

#include <filesystem>

namespace warplens::test_files {

std::filesystem::path source_dir();
std::filesystem::path binary_dir();

}  // namespace warplens::test_files
