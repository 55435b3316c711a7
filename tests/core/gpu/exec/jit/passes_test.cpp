// Each pass on its own: the text of a unit before, and after.
#include "core/gpu/exec/jit/passes/passes.h"

#include <gtest/gtest.h>

#include <string>

namespace warplens::exec::jit::test {

namespace THIS_FILE {

Unit unit_of(const std::string& body, const char* mode = "all_lanes") {
  const Result<Unit> unit = parse(std::string("unit 0 ") + mode + "\n" + body);
  EXPECT_TRUE(unit) << unit.error().message;
  if (!unit) return {};
  EXPECT_EQ(verify(*unit), "");
  return *unit;
}

void sink_to_frame(Unit& unit) { sink_puts(unit, LanesAt::frame); }
void relax_in_regions(Unit& unit) { relax_nans(unit, LanesAt::frame); }
void relax_in_units(Unit& unit) { relax_nans(unit, LanesAt::registers); }
void sink_from_registers(Unit& unit) { sink_puts(unit, LanesAt::registers); }

void expect_after(void (*pass)(Unit&), const std::string& before, const std::string& after) {
  Unit unit = unit_of(before);
  pass(unit);
  EXPECT_EQ(verify(unit), "");
  EXPECT_EQ(print(unit), print(unit_of(after)));
}

TEST(Passes, RowsFollowFromRows) {
  expect_after(&find_rows,
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = constant.b32 [128] value 4 @1 step 0\n"
               "%2 = special.b32 [256] place 0 @1 step 0\n"
               "%3 = mad.b32 %2, %1, %0 @1\n"
               "%4 = shl.b32 %3, %1 @2\n"
               "%5 = mul.b32 %3, %2 @3\n"  // by a value that is the same in all lanes, but not known here
               "%6 = sub.b32 %2, %4 @4\n"
               "%7 = xor.b32 %0, %1 @5\n"
               "%8 = and.b32 %2, %1 @6\n"
               "exit @7\n",
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = constant.b32 [128] value 4 @1 step 0\n"
               "%2 = special.b32 [256] place 0 @1 step 0\n"
               "%3 = mad.b32 %2, %1, %0 @1 step 1\n"
               "%4 = shl.b32 %3, %1 @2 step 16\n"
               "%5 = mul.b32 %3, %2 @3\n"
               "%6 = sub.b32 %2, %4 @4 step -16\n"
               "%7 = xor.b32 %0, %1 @5\n"
               "%8 = and.b32 %2, %1 @6 step 0\n"
               "exit @7\n");
}

// Rows of half a warp, as in blocks of 16 × 16: a value that is the same in all lanes can be combined with
// them, rows of another length cannot.
TEST(Passes, RowsOfAPartOfTheWarpFollowFromSuchRows) {
  expect_after(&find_rows,
               "%0 = fixed.b32 [0] @1 step 1 by 16 alike\n"
               "%1 = fixed.b32 [128] @1 step 0 by 16\n"
               "%2 = fixed.b32 [256] @1 step 0\n"
               "%3 = fixed.b32 [384] @1 step 1\n"
               "%4 = add.b32 %0, %2 @2\n"
               "%5 = mad.b32 %1, %2, %4 @3\n"
               "%6 = sub.b32 %4, %0 @4\n"
               "%7 = add.b32 %0, %3 @5\n"
               "%8 = extend.s32 %5 @6\n"
               "%9 = setp.s32 %1, %2 if ge @7\n"
               "%10 = setp.s32 %2, %1 if ge @8\n"
               "exit @9\n",
               "%0 = fixed.b32 [0] @1 step 1 by 16 alike\n"
               "%1 = fixed.b32 [128] @1 step 0 by 16\n"
               "%2 = fixed.b32 [256] @1 step 0\n"
               "%3 = fixed.b32 [384] @1 step 1\n"
               "%4 = add.b32 %0, %2 @2 step 1 by 16 alike\n"
               "%5 = mad.b32 %1, %2, %4 @3 step 1 by 16\n"
               "%6 = sub.b32 %4, %0 @4 step 0\n"
               "%7 = add.b32 %0, %3 @5\n"
               "ascends.s32 %5 @6\n"
               "%8 = extend.s32 %5 @6 step 1 by 16\n"
               "%9 = setp.s32 %1, %2 if ge @7 step 0\n"
               "%10 = setp.s32 %2, %1 if ge @8\n"
               "exit @9\n");
}

TEST(Passes, WhatMayWrapAroundIsAskedOnce) {
  expect_after(&find_rows,
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = fixed.b32 [128] @1 step 0\n"
               "%2 = add.b32 %0, %1 @2\n"
               "%3 = extend.s32 %2 @3\n"
               "%4 = extend.s32 %2 @4\n"
               "%5 = extend.u32 %2 @5\n"
               "%6 = setp.u32 %2, %1 if lt @6\n"
               "%7 = setp.u32 %2, %1 if eq @7\n"
               "%8 = extend.s32 %1 @8\n"
               "exit @9\n",
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = fixed.b32 [128] @1 step 0\n"
               "%2 = add.b32 %0, %1 @2 step 1\n"
               "ascends.s32 %2 @3\n"
               "%3 = extend.s32 %2 @3 step 1\n"
               "%4 = extend.s32 %2 @4 step 1\n"
               "ascends.u32 %2 @5\n"
               "%5 = extend.u32 %2 @5 step 1\n"
               "%6 = setp.u32 %2, %1 if lt @6 step 0\n"
               "%7 = setp.u32 %2, %1 if eq @7\n"
               "%8 = extend.s32 %1 @8 step 0\n"
               "exit @9\n");
}

// An unsigned factor of more than 31 bits, and steps that are too long, make no rows.
TEST(Passes, StepsStayShort) {
  expect_after(&find_rows,
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = constant.b32 [128] value 4294967295 @1 step 0\n"
               "%2 = mul.wide.u32 %0, %1 @2\n"
               "%3 = mul.wide.s32 %0, %1 @3\n"
               "%4 = constant.b32 [256] value 16777217 @4 step 0\n"
               "%5 = mul.b32 %0, %4 @5\n"
               "exit @6\n",
               "%0 = fixed.b32 [0] @1 step 1\n"
               "%1 = constant.b32 [128] value 4294967295 @1 step 0\n"
               "%2 = mul.wide.u32 %0, %1 @2\n"
               "%3 = mul.wide.s32 %0, %1 @3 step -1\n"
               "%4 = constant.b32 [256] value 16777217 @4 step 0\n"
               "%5 = mul.b32 %0, %4 @5\n"
               "exit @6\n");
}

TEST(Passes, LanesAreWrittenAtTheEndOfARegionAndRowsAtTheEndOfTheUnit) {
  expect_after(&sink_to_frame,
               "%0 = fixed.b64 [0] @1 step 8\n"
               "put.b64 %0 [256] @1\n"
               "%1 = get.b32 [512] @2\n"
               "%2 = add.b32 %1, %1 @2\n"
               "put.b32 %2 [640] @2\n"
               "%3 = add.b32 %2, %1 @3\n"
               "put.b32 %3 [640] @3\n"  // the one before is not read
               "load.b64 %0 [768] global u32 in 4 counter 0 @4\n"
               "jump to 9 @5\n",
               "%0 = fixed.b64 [0] @1 step 8\n"
               "%1 = get.b32 [512] @2\n"
               "%2 = add.b32 %1, %1 @2\n"
               "%3 = add.b32 %2, %1 @3\n"
               "put.b32 %3 [640] @3\n"
               "load.b64 %0 [768] global u32 in 4 counter 0 @4 {b64 [256] %0}\n"
               "put.b64 %0 [256] @1\n"
               "jump to 9 @5\n");
}

TEST(Passes, WhatIsForgottenIsWrittenOnlyForWhoReadsIt) {
  expect_after(&sink_to_frame,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "put.b32 %1 [128] forgotten @1\n"  // stored
               "%2 = add.b32 %0, %1 @2\n"
               "put.b32 %2 [256] forgotten @2\n"  // used only before the store
               "%3 = add.b32 %2, %1 @3\n"
               "put.b32 %3 [384] forgotten @3\n"  // used after the store
               "store.known [128] offset 64 shared u32 in 4 counter 0 @4\n"
               "%4 = add.b32 %3, %3 @5\n"
               "put.b32 %4 [512] forgotten @5\n"  // a handler may read it
               "call to 7 @6\n"
               "exit @7\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "%2 = add.b32 %0, %1 @2\n"
               "%3 = add.b32 %2, %1 @3\n"
               "put.b32 %1 [128] forgotten @1\n"
               "put.b32 %2 [256] forgotten @2\n"
               "put.b32 %3 [384] forgotten @3\n"
               "store.known [128] offset 64 shared u32 in 4 counter 0 @4\n"
               "%4 = add.b32 %3, %3 @5\n"
               "put.b32 %4 [512] forgotten @5\n"
               "call to 7 @6\n"
               "exit @7\n");
  expect_after(&sink_to_frame,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "put.b32 %1 [128] forgotten @1\n"
               "%2 = add.b32 %0, %1 @2\n"
               "put.b32 %2 [256] @2\n"
               "branch [384] to 9 @3\n"
               "jump to 4 @3\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "%2 = add.b32 %0, %1 @2\n"
               "put.b32 %2 [256] @2\n"
               "branch [384] to 9 @3\n"
               "jump to 4 @3\n");
}

// A register that overlaps one of another width is written before that one is read.
TEST(Passes, RegistersThatOverlapKeepTheirOrder) {
  expect_after(&sink_to_frame,
               "%0 = get.b64 [0] @1\n"
               "put.b64 %0 [256] @1\n"
               "%1 = get.b32 [256] @2\n"
               "put.b32 %1 [512] @2\n"
               "jump to 9 @3\n",
               "%0 = get.b64 [0] @1\n"
               "put.b64 %0 [256] @1\n"
               "%1 = get.b32 [256] @2\n"
               "put.b32 %1 [512] @2\n"
               "jump to 9 @3\n");
}

TEST(Passes, RegionsReadAgainWhatOthersHaveComputed) {
  Unit unit = unit_of(
      "%0 = get.b32 [0] @1\n"
      "%1 = add.b32 %0, %0 @1\n"
      "put.b32 %1 [128] @1\n"
      "load.b32 %0 [256] shared u32 in 4 counter 0 @2\n"
      "%2 = add.b32 %1, %0 @3\n"
      "put.b32 %2 [0] @3\n"
      "jump to 9 @4\n");
  ASSERT_TRUE(reload(unit));
  EXPECT_EQ(verify(unit), "");
  EXPECT_EQ(print(unit), print(unit_of("%0 = get.b32 [0] @1\n"
                                       "%1 = add.b32 %0, %0 @1\n"
                                       "put.b32 %1 [128] @1\n"
                                       "%3 = get.b32 [0] @2\n"
                                       "load.b32 %3 [256] shared u32 in 4 counter 0 @2\n"
                                       "%4 = get.b32 [128] @3\n"
                                       "%5 = get.b32 [0] @3\n"
                                       "%2 = add.b32 %4, %5 @3\n"
                                       "put.b32 %2 [0] @3\n"
                                       "jump to 9 @4\n")));
  // The path that skips the load writes [128] again, so only [384] still has the value.
  Unit beside = unit_of(
      "%0 = get.b32 [0] @1\n"
      "%1 = fixed.b32 [256] @1 step 1\n"
      "put.b32 %0 [128] @1\n"
      "put.b32 %0 [384] @1\n"
      "load.known [512] shared u32 in 4 counter 0 @2 {b32 [0] %1, b32 [128] %1}\n"
      "put.b32 %0 [640] @3\n"
      "jump to 9 @4\n");
  ASSERT_TRUE(reload(beside));
  EXPECT_EQ(beside.code[5].slot, 384u);
  Unit lost = unit_of(
      "%0 = get.b32 [0] @1\n"
      "%1 = add.b32 %0, %0 @1\n"
      "load.known [128] shared u32 in 4 counter 0 @2\n"
      "put.b32 %1 [256] @3\n"
      "jump to 9 @4\n");
  EXPECT_FALSE(reload(lost));
}

TEST(Passes, ANanIsMadeCanonicalForWhoSeesItsBits) {
  expect_after(&relax_in_regions,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.f32 %0, %0 @1\n"
               "%2 = canonical %1 @1\n"
               "%3 = fma.f32 %2, %0, %2 @2\n"
               "%4 = canonical %3 @2\n"
               "%5 = xor.b32 %2, %4 @3\n"
               "%6 = setp.f32 %4, %0 if lt @4\n"
               "exit @5\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = add.f32 %0, %0 @1\n"
               "%2 = canonical %1 @1\n"
               "%3 = fma.f32 %1, %0, %1 @2\n"
               "%4 = canonical %3 @2\n"
               "%5 = xor.b32 %2, %4 @3\n"
               "%6 = setp.f32 %3, %0 if lt @4\n"
               "exit @5\n");
}

// Loads and stores have their lanes in registers too.
TEST(Passes, LanesThatStayInRegistersAreWrittenAtTheEndOfTheUnit) {
  expect_after(&sink_from_registers,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "put.b32 %1 [128] @1\n"
               "%2 = load.b32 %1 [256] shared u32 in 4 counter 0 @2\n"
               "put.b32 %2 [256] @2\n"
               "store.b32 %1 of %2 [256] shared u32 in 4 counter 1 @3\n"
               "jump to 9 @4\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "%2 = load.b32 %1 [256] shared u32 in 4 counter 0 @2 {b32 [128] %1}\n"
               "store.b32 %1 of %2 [256] shared u32 in 4 counter 1 @3 {b32 [128] %1, b32 [256] %2}\n"
               "put.b32 %1 [128] @1\n"
               "put.b32 %2 [256] @2\n"
               "jump to 9 @4\n");
}

// The frame has the value that a carried register had in some earlier round.
TEST(Passes, WhatALoopCarriesIsWrittenBehindIt) {
  expect_after(&sink_from_registers,
               "%0 = carried.b32 [0] @1\n"
               "%1 = carried.pred [128] @1\n"
               "loop @1\n"
               "enter steps 3 @1\n"
               "%2 = add.b32 %0, %0 @2\n"
               "put.b32 %2 [0] @2\n"
               "again %1 @3 carries {b32 [0] %2, pred [128] %1}\n"
               "jump to 4 @3\n",
               "%0 = carried.b32 [0] @1\n"
               "%1 = carried.pred [128] @1\n"
               "loop @1\n"
               "enter steps 3 @1 {b32 [0] %0, pred [128] %1}\n"
               "%2 = add.b32 %0, %0 @2\n"
               "again %1 @3 {pred [128] %1, b32 [0] %2} carries {b32 [0] %2, pred [128] %1}\n"
               "put.pred %1 [128] @1\n"
               "put.b32 %2 [0] @2\n"
               "jump to 4 @3\n");
}

TEST(Passes, TwoBitwiseOperationsBecomeOne) {
  expect_after(&fuse_logic,
               "%0 = get.b32 [0] @1\n"
               "%1 = get.b32 [128] @1\n"
               "%2 = xor.b32 %0, %1 @1\n"
               "%3 = and.b32 %1, %2 @2\n"
               "put.b32 %3 [256] @2\n"
               "%4 = or.b32 %0, %3 @3\n"  // %3 is written as well
               "put.b32 %4 [384] @3\n"
               "jump to 9 @4\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = get.b32 [128] @1\n"
               "%3 = lop3.b32 %0, %1, %1 table 40 @2\n"
               "put.b32 %3 [256] @2\n"
               "%4 = or.b32 %0, %3 @3\n"
               "put.b32 %4 [384] @3\n"
               "jump to 9 @4\n");
}

TEST(Passes, ANanIsMadeCanonicalWhereSomebodyElseGoesOn) {
  expect_after(&relax_in_units,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.f32 %0, %0 @1\n"
               "%2 = canonical %1 @1\n"
               "%3 = add.f32 %1, %0 @1\n"
               "%4 = canonical %3 @1\n"  // written in any case
               "enter steps 1 @2 {b32 [0] %2, b32 [128] %4}\n"
               "%5 = mul.f32 %2, %4 @3\n"
               "put.b32 %5 [0] @3\n"
               "put.b32 %4 [128] @3\n"
               "jump to 9 @4\n",
               "%0 = get.b32 [0] @1\n"
               "%1 = add.f32 %0, %0 @1\n"
               "%2 = canonical %1 @1\n"
               "%3 = add.f32 %1, %0 @1\n"
               "%4 = canonical %3 @1\n"
               "enter steps 1 @2 {b32 [0] canonical %1, b32 [128] %4}\n"
               "%5 = mul.f32 %1, %4 @3\n"
               "put.b32 %5 [0] @3\n"
               "put.b32 %4 [128] @3\n"
               "jump to 9 @4\n");
}

TEST(Passes, WhatNobodyUsesIsTakenOut) {
  expect_after(&remove_dead,
               "%0 = get.b32 [0] @1\n"
               "%1 = add.b32 %0, %0 @1\n"
               "%2 = add.b32 %1, %0 @1\n"
               "%3 = fixed.b64 [128] @2 step 0\n"
               "enter steps 1 @3 {b64 [512] %3}\n"
               "exit @4\n",
               "%3 = fixed.b64 [128] @2 step 0\n"
               "enter steps 1 @3 {b64 [512] %3}\n"
               "exit @4\n");
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
