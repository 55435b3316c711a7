// The PTX columns of ir/opcodes.def: each row has a functor, and is what lowering makes of that.
#include "core/gpu/exec/jit/lower/rows.h"

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

TEST(IrRows, StandForTheFunctorsThatTheyAreMadeOf) {
  uint32_t rows = 0;
  for (size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!info_of(opcode).is_lane) continue;
    const bool compares = opcode >= Opcode::setp_u32 && opcode <= Opcode::setp_f32;
    const program::Selector s = selector_of(opcode, compares ? Condition::lt : Condition::none);
    EXPECT_EQ(row_of(s), opcode) << info_of(opcode).text;
    for (const InstructionSet& set : exec::test::instruction_sets())
      EXPECT_TRUE(program::find_handlers(*set.table, s)) << info_of(opcode).text << " " << set.name;
    ++rows;
  }
  EXPECT_GT(rows, 70u);
}

TEST(IrRows, LeaveRarerFormsToHandlers) {
  using ptx::Modifier;
  program::Selector s;
  s.opcode = ptx::Opcode::add;
  s.type = Modifier::f32;
  EXPECT_EQ(row_of(s), Opcode::add_f32);
  s.ftz = true;
  EXPECT_EQ(row_of(s), std::nullopt);
  s = {};
  s.opcode = ptx::Opcode::add;
  s.type = Modifier::s32;
  EXPECT_EQ(row_of(s), Opcode::add_b32);
  s.sat = true;
  EXPECT_EQ(row_of(s), std::nullopt);
  s.sat = false;
  s.carry_out = true;
  EXPECT_EQ(row_of(s), std::nullopt);
  s = {};
  s.opcode = ptx::Opcode::cvt;
  s.type = Modifier::s32;
  s.source_type = Modifier::s8;
  EXPECT_EQ(row_of(s), std::nullopt);
  s.source_type = Modifier::u64;
  EXPECT_EQ(row_of(s), Opcode::low_b64);
  s.type = Modifier::u64;
  s.source_type = Modifier::s32;
  EXPECT_EQ(row_of(s), Opcode::extend_s32);
  s.source_type = Modifier::u32;
  s.type = Modifier::s64;
  EXPECT_EQ(row_of(s), Opcode::extend_u32);
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
