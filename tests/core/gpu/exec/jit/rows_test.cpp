// The PTX columns of ir/opcodes.def: each row has a functor, and is the result of lowering that functor.
#include "core/gpu/exec/jit/lower/rows.h"

#include <array>
#include <optional>
#include <vector>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

TEST(IrRows, StandForTheFunctorsThatTheyAreMadeOf) {
  uint32_t rows = 0;
  for (size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!info_of(opcode).is_lane) continue;
    const bool compares = opcode >= Opcode::setp_u32 && opcode <= Opcode::setp_f64;
    const program::Selector s = selector_of(opcode, compares ? Condition::lt : Condition::none);
    EXPECT_EQ(row_of(s), opcode) << info_of(opcode).text;
    for (const InstructionSet& set : exec::test::instruction_sets())
      EXPECT_TRUE(program::find_handlers(*set.table, s)) << info_of(opcode).text << " " << set.name;
    ++rows;
  }
  EXPECT_GT(rows, 120u);
}

TEST(IrRows, WithFtzAreThePlainOnesOfFlushedSources) {
  using ptx::Modifier;
  program::Selector s;
  s.opcode = ptx::Opcode::add;
  s.type = Modifier::f32;
  s.ftz = true;
  const auto add = lane_row_of(s);
  ASSERT_TRUE(add);
  EXPECT_EQ(add->row, Opcode::add_f32);
  EXPECT_TRUE(add->flushes_sources && add->flushes_result);
  s.opcode = ptx::Opcode::max;
  const auto larger = lane_row_of(s);
  ASSERT_TRUE(larger);
  EXPECT_TRUE(larger->flushes_sources && !larger->flushes_result);
  s.opcode = ptx::Opcode::mad;
  const auto fma = lane_row_of(s);
  ASSERT_TRUE(fma);
  EXPECT_EQ(fma->row, Opcode::fma_ftz_f32);
  EXPECT_TRUE(fma->flushes_sources);
  s.sat = true;
  EXPECT_FALSE(lane_row_of(s));
  // Results that only round up to a normal number are flushed, too.
  s = {};
  s.opcode = ptx::Opcode::cvt;
  s.type = Modifier::f32;
  s.source_type = Modifier::f64;
  s.ftz = true;
  ASSERT_TRUE(lane_row_of(s));
  EXPECT_EQ(lane_row_of(s)->row, Opcode::single_ftz_f64);
}

TEST(IrRows, RoundToAnIntegralNumberBeforeTheyCut) {
  using ptx::Modifier;
  program::Selector s;
  s.opcode = ptx::Opcode::cvt;
  s.type = Modifier::u64;
  s.source_type = Modifier::f64;
  s.has_rounding = true;
  s.rounding = Modifier::rmi;
  const auto row = lane_row_of(s);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->row, Opcode::int_zero_u64_f64);
  EXPECT_EQ(row->before, Opcode::round_minus_f64);
  s.rounding = Modifier::rzi;
  EXPECT_EQ(lane_row_of(s)->before, std::nullopt);
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

// 32 bits give the lower 16 bits of each result, and all bits of a product; not the upper half of one.
TEST(IrRows, SixteenBitsAreLoweredToThirtyTwo) {
  using ptx::Modifier;
  const auto lowered = [](ptx::Opcode opcode, Modifier type, auto&& change) {
    program::Selector s;
    s.opcode = opcode;
    s.type = s.source_type = type;
    change(s);
    return lane_row_of(s);
  };
  const auto plain = [](program::Selector&) {};
  using Widened = std::array<bool, 3>;
  struct Wanted {
    std::optional<LaneRow> got;
    Opcode row;
    Widened widened;
    bool keeps_sign, takes_low_half;
  };
  const auto wide = [](program::Selector& s) { s.wide = true; };
  const std::vector<Wanted> all = {
      {lowered(ptx::Opcode::add, Modifier::u16, plain), Opcode::add_b32, {true, true, false}, false, true},
      {lowered(ptx::Opcode::mad, Modifier::s16, plain), Opcode::mad_b32, {true, true, true}, true, true},
      {lowered(ptx::Opcode::mul, Modifier::s16, wide), Opcode::mul_b32, {true, true, false}, true, false},
      {lowered(ptx::Opcode::mad, Modifier::u16, wide), Opcode::mad_b32, {true, true, false}, false, false},
      {lowered(ptx::Opcode::min, Modifier::s16, plain), Opcode::min_s32, {true, true, false}, true, true},
      {lowered(ptx::Opcode::not_, Modifier::b16, plain), Opcode::not_b32, {true, false, false}, false, true},
      {lowered(ptx::Opcode::shr, Modifier::s16, plain), Opcode::shr_s32, {true, false, false}, true, true},
      {lowered(ptx::Opcode::shl, Modifier::b16, plain), Opcode::shl_b32, {true, false, false}, false, true},
      {lowered(ptx::Opcode::selp, Modifier::b16, plain), Opcode::selp_b32, {true, true, false}, false, true},
      {lowered(ptx::Opcode::setp, Modifier::pred,
               [](program::Selector& s) { s.source_type = Modifier::s16; }),
       Opcode::setp_s32,
       {true, true, false},
       true,
       false},
  };
  for (const Wanted& wanted : all) {
    ASSERT_TRUE(wanted.got) << info_of(wanted.row).text;
    EXPECT_EQ(wanted.got->row, wanted.row) << info_of(wanted.row).text;
    EXPECT_EQ(wanted.got->widened, wanted.widened) << info_of(wanted.row).text;
    EXPECT_EQ(wanted.got->keeps_sign, wanted.keeps_sign) << info_of(wanted.row).text;
    EXPECT_EQ(wanted.got->takes_low_half, wanted.takes_low_half) << info_of(wanted.row).text;
  }
  EXPECT_FALSE(lowered(ptx::Opcode::mul, Modifier::u16, [](program::Selector& s) { s.hi = true; }));
  EXPECT_FALSE(lowered(ptx::Opcode::mul24, Modifier::s16, plain));
  EXPECT_FALSE(lowered(ptx::Opcode::add, Modifier::f16, plain));
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
