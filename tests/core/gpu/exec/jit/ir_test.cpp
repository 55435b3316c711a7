// The text of the IR, and the errors of the verifier.
#include "core/gpu/exec/jit/ir/ir.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace warplens::exec::jit::test {

namespace THIS_FILE {

constexpr const char* right =
    "unit 4 all_lanes\n"
    "  enter steps 7 @4\n"
    "  %0 = fixed.b32 [512] @5 step -2 by 16\n"
    "  %6 = fixed.b32 [896] @5 step 1 by 8 alike\n"
    "  %1 = constant.b64 [640] value 18446744073709551615 @5 step 0\n"
    "  %2 = get.b32 [128] @5\n"
    "  %7 = constant.pred value 65535 @5 step 0\n"
    "  %8 = shuffle.b32 %2 shuffle 2035713 @5\n"
    "  whole.b32 %2 @5 {b32 [1152] %2}\n"
    "  shuffle.frame.b32 %2 [1152] shuffle 2035713 @5\n"
    "  %9 = vote.uni.pred %7 negated @5 step 0\n"
    "  %10 = redux.max.s32 %2 @5 step 0\n"
    "  %11 = shuffle.by.b32 %2, %10 shuffle 2031618 @5\n"
    "  %12 = shuffle.inside.b32 %2 shuffle 2031617 @5 step 0\n"
    "  shuffle.by.frame.b32 %2, %11 [1152] shuffle 2031619 @5\n"
    "  %13 = match.any.b32 %11 @5\n"
    "  match.any.frame.b32 %13 [1152] @5\n"
    "  %3 = add.b32 %0, %2 @5\n"
    "  %4 = setp.f32 %2, %3 if geu @6\n"
    "  put.pred %4 [64] forgotten @6\n"
    "  %5 = lop3.b32 %2, %3, %0 table 150 @7\n"
    "  put.b32 %5 [256] @7\n"
    "  load.b64 %1 [384] offset 16 global s16 in 4 counter 3 @8 {b64 [768] %1, b32 [1024] %0}\n"
    "  load.b64 %1 [384] offset 17179869184 constant u32 in 4 counter 4 @8 {b64 [768] %1, b32 [1024] %0}\n"
    "  branch [64] to 20 negated @9 {b64 [768] %1}\n"
    "  jump to 10 @9\n";

TEST(Ir, PrintsWhatItReads) {
  const Result<Unit> unit = parse(right);
  ASSERT_TRUE(unit) << unit.error().message;
  EXPECT_EQ(print(*unit), right);
  EXPECT_EQ(verify(*unit), "");
  const Result<Unit> again = parse(print(*unit));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *unit);
}

TEST(Ir, PrintsLoopsAccessesInRegistersAndNotes) {
  const char* const text =
      "unit 4 some_lanes\n"
      "  %0 = carried.b32 [128] @4\n"
      "  %1 = get.pred [64] @4\n"
      "  loop @4\n"
      "  enter steps 7 @4 {b32 [128] canonical %0}\n"
      "  %2 = add.b32 %0, %0 @5\n"
      "  note %1 run 12884901890 negated @6\n"
      "  again %1 negated @7 {b32 [128] %2} carries {b32 [128] %2}\n"
      "  jump to 8 @7\n";
  const Result<Unit> unit = parse(text);
  ASSERT_TRUE(unit) << unit.error().message;
  EXPECT_EQ(print(*unit), text);
  EXPECT_EQ(verify(*unit), "");
  const char* const accesses =
      "unit 4 all_lanes\n"
      "  %0 = get.b32 [128] @5\n"
      "  note run 4294967298 shared u32 in 0 counter 0 @5\n"
      "  %1 = load.b32 %0 [256] shared u32 in 4 counter 2 @5\n"
      "  store.b32 %0 of %1 [256] shared u32 in 4 counter 3 @6\n"
      "  store.known of %1 [256] offset 64 shared u32 in 4 counter 4 @7\n"
      "  exit @8\n";
  const Result<Unit> second = parse(accesses);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(print(*second), accesses);
  EXPECT_EQ(verify(*second), "");
}

TEST(Ir, ReadsEveryOpcodeByItsName) {
  for (size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_EQ(info_of(opcode).opcode, opcode);
    EXPECT_EQ(opcode_of(info_of(opcode).text), opcode);
  }
  EXPECT_EQ(opcode_of("add"), std::nullopt);
}

TEST(Ir, NamesTheLineThatItDoesNotRead) {
  const std::vector<std::pair<std::string, const char*>> wrong = {
      {"", "empty"},
      {"unit 4 lanes\n", "Line 1"},
      {"unit 4 all_lanes\n\n  %0 = get.b32 [1 @5\n", "Line 3"},
      {"unit 4 all_lanes\n  fly @5\n", "Line 2"},
      {"unit 4 all_lanes\n  %0 = get.b32 [4] @5 stop 1\n", "Line 2"},
      {"unit 4 all_lanes\n  %0 = setp.s32 %1, %2 if near @5\n", "Line 2"},
      {"unit 4 all_lanes\n  load.known [4] global u9 in 4 counter 3 @5\n", "Line 2"},
      {"unit 4 all_lanes\n  %4000000000 = get.b32 [4] @5\n", "numbers below"},
      {"unit 4 all_lanes\n  jump steps 4 @5\n", "Line 2"},
      {"unit 4 all_lanes\n  jump to 4 @5 {b32 [4]}\n", "Line 2"}};
  for (const auto& [text, said] : wrong) {
    const Result<Unit> unit = parse(text);
    ASSERT_FALSE(unit) << text;
    EXPECT_NE(unit.error().message.find(said), std::string::npos) << unit.error().message;
  }
}

TEST(Ir, TheVerifierFindsWhatIsWrong) {
  const std::vector<std::pair<std::string, const char*>> wrong = {
      {"", "is empty"},
      {"%0 = get.b32 [0] @1\n", "the unit goes on"},
      {"exit @1\nexit @2\n", "is followed"},
      {"%0 = add.b32 %1, %2 @1\nexit @1\n", "before it is made"},
      {"%0 = get.b32 [0] @1\n%0 = get.b32 [0] @1\nexit @1\n", "again"},
      {"%0 = get.b64 [0] @1\n%1 = add.b32 %0, %0 @1\nexit @1\n", "another type"},
      {"%0 = get.b32 [0] @1\n%1 = add.b32 %0 @1\nexit @1\n", "as many sources"},
      {"%0 = get.b32 @1\nexit @1\n", "names no register"},
      {"exit [0] @1\n", "names a register"},
      {"get.b32 [0] @1\nexit @1\n", "result"},
      {"%0 = get.b32 [0] @1\n%1 = setp.u32 %0, %0 if geu @1\nexit @1\n", "of floats"},
      {"%0 = get.b32 [0] @1\n%1 = setp.u32 %0, %0 @1\nexit @1\n", "no condition"},
      {"%0 = get.b32 [0] forgotten @1\nexit @1\n", "no put"},
      {"load.known [0] global u24 in 4 counter 0 @1\nexit @1\n", "width"},
      {"load.known [0] global u32 in 8 counter 0 @1\nexit @1\n", "does not go"},
      {"%0 = get.b16 [0] @1 step 1\nexit @1\n", "form a row"},
      {"%0 = constant.pred value 1 @1\nexit @1\n", "no word"},
      {"%0 = get.b32 [0] @1\n%1 = shuffle.b32 %0 shuffle 9 @1\nexit @1\n", "no shuffle"},
      {"%0 = get.b32 [0] @1\n%1 = shuffle.by.b32 %0, %0 shuffle 2032129 @1\nexit @1\n", "in its number"},
      {"%0 = get.b32 [0] @1\nshuffle.frame.b32 %0 shuffle 1 @1\nexit @1\n", "names no register"},
      {"%0 = get.b32 [0] @1\n%1 = redux.add.b32 %0 @1\nexit @1\n", "step of 0"},
      {"%0 = get.b32 [0] @1\n%1 = redux.add.b32 %0 negated @1 step 0\nexit @1\n", "nor a vote"},
      {"%0 = get.b32 [0] @1\n%1 = redux.add.b32 %0 @1 step 0 {b32 [0] %0}\nexit @1\n", "has a state"},
      {"%0 = get.b32 [0] @1 by 16\nexit @1\n", "a part of the warp"},
      {"%0 = special.b32 [0] @1 step 0 by 8\nexit @1\n", "a part of the warp"},
      {"%0 = get.b32 [0] @1\nput.b32 %0 [128] @1 {b32 [0] %0}\nexit @1\n", "has a state"},
      {"%0 = get.b32 [0] @1\nbarrier @1 {b32 [0] %0}\n", "has a state"},
      {"%0 = get.b32 [0] @1\nenter @1 {b64 [0] %0}\nexit @1\n", "of another type"},
      {"enter @1\nloop @1\nagain @2\n", "behind other instructions"},
      {"loop @1\nexit @2\n", "no other round"},
      {"again @2\n", "of no loop"},
      {"loop @1\nagain @2\nexit @3\n", "is followed"},
      {"loop @1\n%0 = carried.b32 [0] @1\nagain @2\n", "by no loop that follows"},
      {"%0 = carried.b32 [0] @1\nloop @1\nagain @2\n", "does not carry each"},
      {"%0 = carried.b32 [0] @1\n%1 = get.b64 [256] @1\nloop @1\nagain @2 carries {b64 [0] %1}\n",
       "nothing of its type"},
      {"%0 = get.b64 [0] @1\nstore.known of %0 [256] global u32 in 4 counter 0 @1\nexit @1\n",
       "of another type"},
      {"%0 = get.b64 [0] @1\nenter @1 {b64 [0] canonical %0}\nexit @1\n", "no float"}};
  for (const auto& [text, said] : wrong) {
    const Result<Unit> unit = parse("unit 1 all_lanes\n" + text);
    ASSERT_TRUE(unit) << text << unit.error().message;
    EXPECT_NE(verify(*unit).find(said), std::string::npos) << text << verify(*unit);
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
