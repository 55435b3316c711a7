#include "tests/paths.h"

namespace warplens::test_files {

std::filesystem::path source_dir() { return WARPLENS_SOURCE_DIR; }
std::filesystem::path binary_dir() { return WARPLENS_BINARY_DIR; }

}  // namespace warplens::test_files
