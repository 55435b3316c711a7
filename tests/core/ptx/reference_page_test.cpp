#include "core/ptx/print/reference_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/ptx/opcode.h"
#include "tests/paths.h"

namespace warplens::ptx {
namespace THIS_FILE {

// tests/data/golden/remake_reference.sh writes the page again.
TEST(ReferencePage, IsWhatTheTableSays) {
  const std::string path = test_files::source_dir().string() + "/docs/instructions.md";
  const std::string page = reference_page();
  if (std::getenv("WARPLENS_REMAKE_REFERENCE") != nullptr) std::ofstream(path, std::ios::binary) << page;
  std::stringstream written;
  written << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(written.str() == page) << "run tests/data/golden/remake_reference.sh, and read the difference";
}

TEST(ReferencePage, NamesEveryInstruction) {
  const std::string page = reference_page();
  for (const Opcode opcode : opcodes()) {
    EXPECT_NE(page.find("\n### " + std::string(text_of(opcode)) + "\n"), std::string::npos)
        << text_of(opcode);
  }
  EXPECT_NE(page.find("add[.sat].s32 d, a, b;"), std::string::npos);
  EXPECT_NE(page.find("setp.{eq,ne}.{b16,b32,b64} p|q, a, b;"), std::string::npos);
  EXPECT_EQ(page.find("## More"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx
