// Registers of a region: whatever their number, each instruction finds the values that it names.
#include "core/gpu/exec/jit/alloc/alloc.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/gpu/exec/state/schedule.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

// A region of sums of registers and of each other, of 32 and 64 bits. Some are written to registers that
// others read.
std::string random_region(Dice& dice) {
  std::string text = "unit 0 all_lanes\n";
  std::vector<uint32_t> narrow, wide;
  uint32_t next = 0;
  for (uint32_t i = 0; i < 6; ++i) {
    text += fmt::format("%{} = get.b32 [{}] @1\n%{} = get.b64 [{}] @1\n", next, 128 * i, next + 1,
                        1024 + 256 * i);
    narrow.push_back(next++);
    wide.push_back(next++);
  }
  for (uint64_t i = 0, ops = 1 + dice.below(40); i < ops; ++i) {
    const auto pick = [&](const std::vector<uint32_t>& of) { return of[dice.below(of.size())]; };
    switch (dice.below(6)) {
      case 0:
        text += fmt::format("put.b32 %{} [{}] @1\n", pick(narrow), 128 * dice.below(6));
        break;
      case 1:
        text += fmt::format("put.b64 %{} [{}] @1\n", pick(wide), 1024 + 256 * dice.below(6));
        break;
      case 2:
      case 3:
        text +=
            fmt::format("%{} = mad.b32 %{}, %{}, %{} @1\n", next, pick(narrow), pick(narrow), pick(narrow));
        narrow.push_back(next++);
        break;
      case 4:
        text += fmt::format("%{} = mad.b64 %{}, %{}, %{} @1\n", next, pick(wide), pick(wide), pick(wide));
        wide.push_back(next++);
        break;
      default:
        text += fmt::format("%{} = mul.wide.u32 %{}, %{} @1\n", next, pick(narrow), pick(narrow));
        wide.push_back(next++);
    }
  }
  return text + "exit @2\n";
}

// What the registers and the frame hold, as numbers of values; what a slot had at first is the value of its
// get.
class Machine {
 public:
  Machine(const Unit& unit, const RegisterPlan& allocation) : m_unit(unit) {
    for (const Instruction& i : unit.code)
      if (is_get(i.opcode)) m_frame[i.slot] = i.result;
    for (const Action& action : allocation.actions) step(action);
  }
  const std::map<uint32_t, uint32_t>& frame() const { return m_frame; }

 private:
  void fill(const Registers& registers, Type type, uint32_t value) {
    for (uint32_t half = 0; half < registers_of(type); ++half) m_registers[registers[half]] = {value, half};
  }
  void expect(const Registers& registers, uint32_t value) {
    for (const Instruction& i : m_unit.code) {
      if (i.result != value) continue;
      for (uint32_t half = 0; half < registers_of(info_of(i.opcode).result); ++half)
        EXPECT_EQ(m_registers[registers[half]], std::pair(value, half));
    }
  }
  void step(const Action& action) {
    const Instruction& i = *action.instruction;
    switch (action.kind) {
      case Action::Kind::load:
        if (action.place) {
          EXPECT_EQ(m_places[*action.place], i.result);
        } else {
          ASSERT_TRUE(is_get(i.opcode));
          EXPECT_EQ(m_frame[i.slot], i.result);
        }
        return fill(action.result, info_of(i.opcode).result, i.result);
      case Action::Kind::spill:
        expect(action.sources[0], i.result);
        m_places[*action.place] = i.result;
        return;
      case Action::Kind::row:
      case Action::Kind::warp:
        FAIL() << "a region has none";
      case Action::Kind::put:
        expect(action.sources[0], i.sources[0]);
        m_frame[i.slot] = i.sources[0];
        return;
      case Action::Kind::compute:
        for (size_t n = 0; n < 3; ++n)
          if (i.sources[n] != no_value) expect(action.sources[n], i.sources[n]);
        fill(action.result, info_of(i.opcode).result, i.result);
    }
  }

  const Unit& m_unit;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_registers;
  std::map<uint32_t, uint32_t> m_frame, m_places;
};

TEST(Alloc, EachInstructionFindsItsValues) {
  uint32_t spills = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Dice dice(seed);
    const std::string text = random_region(dice);
    const Result<Unit> unit = parse(text);
    ASSERT_TRUE(unit) << unit.error().message;
    ASSERT_EQ(verify(*unit), "");
    std::vector<const Instruction*> makers(unit->values);
    std::map<uint32_t, uint32_t> wanted;
    for (const Instruction& i : unit->code) {
      if (i.result != no_value) makers[i.result] = &i;
      if (is_get(i.opcode)) wanted[i.slot] = i.result;
      if (is_put(i.opcode)) wanted[i.slot] = i.sources[0];
    }
    for (const uint32_t registers : {8u, 9u, 13u, 32u}) {
      const RegisterPlan allocation =
          allocate(std::span(unit->code).first(unit->code.size() - 1), makers, {.vectors = registers});
      EXPECT_EQ(Machine(*unit, allocation).frame(), wanted);
      spills += allocation.places;
      for (const Action& action : allocation.actions)
        for (const uint8_t r : action.result) EXPECT_LT(r, registers);
      if (HasFailure()) FAIL() << registers << " registers\n" << text;
    }
  }
  EXPECT_GT(spills, 100u);
}

// Three sources and a result of 64 bits need eight registers.
TEST(Alloc, SaysWhenAnInstructionNeedsMoreRegistersThanThereAre) {
  const Result<Unit> unit = parse(
      "unit 0 all_lanes\n%0 = get.b64 [0] @1\n%1 = get.b64 [256] @1\n%2 = get.b64 [512] @1\n"
      "%3 = mad.b64 %0, %1, %2 @1\nput.b64 %3 [768] @1\nput.b64 %0 [1024] @1\nput.b64 %1 [1280] @1\n"
      "put.b64 %2 [1536] @1\nexit @2\n");
  ASSERT_TRUE(unit) << unit.error().message;
  std::vector<const Instruction*> makers(unit->values);
  for (const Instruction& i : unit->code)
    if (i.result != no_value) makers[i.result] = &i;
  const auto code = std::span(unit->code).first(unit->code.size() - 1);
  EXPECT_TRUE(allocate(code, makers, {.vectors = 8}).fits);
  EXPECT_FALSE(allocate(code, makers, {.vectors = 5}).fits);
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
