#include <gtest/gtest.h>

#include <stdlib.h>

#include <cstdio>
#include <filesystem>

#include "tests/ui/driver.h"
#include "tests/ui/own_screen.h"

namespace {

// What tests write into the folder of temporary files goes with them.
class OwnTemporaries {
 public:
  OwnTemporaries() {
    std::string made = (std::filesystem::temp_directory_path() / "warplens-ui-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) return;
    m_folder = made;
    for (const char* name : {"TMPDIR", "TEST_TMPDIR"}) setenv(name, made.c_str(), 1);
  }
  ~OwnTemporaries() {
    std::error_code ignored;
    if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
  }
  OwnTemporaries(const OwnTemporaries&) = delete;
  OwnTemporaries& operator=(const OwnTemporaries&) = delete;

 private:
  std::filesystem::path m_folder;
};

}  // namespace

int main(int argc, char** argv) {
  const OwnTemporaries temporaries;
  ::testing::InitGoogleTest(&argc, argv);
  warplens::OwnScreen screen;
  if (!GTEST_FLAG_GET(list_tests) && !warplens::is_watched()) {
    const std::string why_not = screen.open();
    if (!why_not.empty()) return std::fprintf(stderr, "No screen for the window: %s.\n", why_not.c_str()), 1;
  }
  return RUN_ALL_TESTS();
}
