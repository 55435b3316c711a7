// Resources against `ptxas -v`: tests/data/truth/registers.txt, which record_registers.py writes.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "core/compile/compiler.h"
#include "core/compile/locations.h"
#include "tests/core/compile/tools.h"

namespace warplens {
namespace THIS_FILE {

struct Truth {
  std::string file, entry;
  uint32_t cap = 0, sm = 0;
  uint32_t registers = 0, stack = 0, spill_stores = 0, spill_loads = 0, shared = 0, barriers = 0;
  std::string parameters, constants;
};

std::vector<Truth> truth() {
  std::ifstream file(test_files::source_dir() / "tests/data/truth/registers.txt");
  std::vector<Truth> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Truth row;
    words >> row.file >> row.cap >> row.sm >> row.entry >> row.registers >> row.stack >> row.spill_stores >>
        row.spill_loads >> row.shared >> row.barriers >> row.parameters >> row.constants;
    EXPECT_TRUE(words) << line;
    rows.push_back(row);
  }
  return rows;
}

TEST(RegistersTruth, AreThoseOfPtxas) {
  if (!assembles_for_all()) GTEST_SKIP() << "no ptxas of this machine makes code for every device";
  const std::vector<Truth> rows = truth();
  std::set<std::string> programs;
  std::set<uint32_t> architectures;
  size_t constants = 0;
  for (const Truth& row : rows) {
    programs.insert(row.file);
    architectures.insert(row.sm);
    const std::string ptx = file_text((test_files::source_dir() / row.file).string());
    const auto found = resources_of(ptx, row.entry, {row.sm / 10, row.sm % 10}, {.max_registers = row.cap});
    SCOPED_TRACE(row.file + " " + row.entry + " sm_" + std::to_string(row.sm));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->registers_per_thread, row.registers);
    EXPECT_EQ(found->spill_store_bytes, row.spill_stores);
    EXPECT_EQ(found->spill_load_bytes, row.spill_loads);
    EXPECT_EQ(found->shared_static_bytes, row.shared);
    EXPECT_EQ(found->barriers, row.barriers);
    EXPECT_GE(found->local_bytes, row.stack);  // with the functions that it calls
    if (row.constants == "-") continue;
    ++constants;
    EXPECT_EQ(found->constant_bytes, std::stoul(row.constants));
  }
  EXPECT_GE(programs.size(), 100u);
  EXPECT_GE(architectures.size(), 5u);
  EXPECT_GT(constants, 40u);
}

// The driver of an H200, of the cubins that ptxas 13.5 makes and of the PTX that it compiles itself.
TEST(RegistersTruth, AreThoseOfTheDriver) {
  if (ptxas_candidates().empty()) GTEST_SKIP() << "there is no ptxas here";
  std::ifstream file(test_files::source_dir() / "tests/data/truth/registers_driver_h200.txt");
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name, entry;
    uint32_t registers = 0, local = 0, shared = 0, constants = 0, own_registers = 0, own_local = 0;
    words >> name >> entry >> registers >> local >> shared >> constants >> own_registers >> own_local;
    ASSERT_TRUE(words) << line;
    ++rows;
    const std::string ptx = file_text((test_files::source_dir() / name).string());
    const auto found = resources_of(ptx, entry, {9, 0});
    SCOPED_TRACE(line);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->registers_per_thread, registers);
    EXPECT_EQ(found->registers_per_thread, own_registers);
    EXPECT_EQ(found->local_bytes, local);
    EXPECT_EQ(found->shared_static_bytes, shared);
    EXPECT_EQ(found->constant_bytes, constants);
  }
  EXPECT_GE(rows, 150u);
}

}  // namespace THIS_FILE
}  // namespace warplens
