// The addresses of variables and buffers.
#include "core/gpu/machine/machine.h"

#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

// A variable of the module that reaches farther than to where buffers begin otherwise.
TEST(Machine, BuffersLieBehindLargeVariables) {
  Request request(".global .b8 large[4294971392];\n" + kernel("k", 1, "ret;"));
  request.buffer("out", zeros(8)).launch("k", {1, 1, 1}, {1, 1, 1});
  const Result<Programs> programs = load_programs(request.value);
  ASSERT_TRUE(programs) << programs.error().message;
  Result<Machine> machine = Machine::create(request.value, *programs);
  if (!machine) GTEST_SKIP() << machine.error().message;
  ASSERT_TRUE(machine->allocate(0));
  const auto all = machine->memory().allocations();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]->name, "large");
  EXPECT_GE(all[1]->begin, all[0]->end);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
