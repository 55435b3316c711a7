// Registers of a whole unit with a loop: each instruction finds its values, and each round starts with the
// values that the round before carries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/gpu/exec/jit/alloc/alloc.h"
#include "core/gpu/exec/state/schedule.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

constexpr uint32_t carried = 5, invariant = 3;

// Sums of carried and of other registers; the ones for the next round are chosen at random.
std::string random_loop(Dice& dice) {
  std::string text = "unit 0 all_lanes\n", carries;
  std::vector<uint32_t> values;
  uint32_t next = 0;
  for (uint32_t i = 0; i < carried; ++i) text += fmt::format("%{} = carried.b32 [{}] @1\n", next++, 128 * i);
  for (uint32_t i = 0; i < invariant; ++i)
    text += fmt::format("%{} = get.b32 [{}] @1\n", next++, 1024 + 128 * i);
  for (uint32_t i = 0; i < next; ++i) values.push_back(i);
  text += "loop @1\nenter steps 3 @1\n";
  const auto pick = [&] { return values[dice.below(values.size())]; };
  for (uint64_t i = 0, ops = 3 + dice.below(20); i < ops; ++i) {
    text += fmt::format("%{} = mad.b32 %{}, %{}, %{} @2\n", next, pick(), pick(), pick());
    values.push_back(next++);
  }
  text += fmt::format("%{} = setp.u32 %{}, %{} if lt @3\n", next, pick(), pick());
  for (uint32_t i = 0; i < carried; ++i)
    carries += fmt::format("{}b32 [{}] %{}", i == 0 ? "" : ", ", 128 * i, pick());
  text += fmt::format("again %{} @4 carries {{{}}}\n", next, carries);
  return text + "jump to 9 @5\n";
}

using Content = std::pair<uint32_t, uint32_t>;  // of a register: a value, and which part of it

class Machine {
 public:
  Machine(const std::vector<const Instruction*>& makers) : m_makers(makers) {}
  void step(const Action& action);
  uint32_t moves = 0;

 private:
  uint32_t parts(uint32_t value) const { return warp_registers_of(result_of(*m_makers[value])); }
  bool is_mask(uint32_t value) const { return result_of(*m_makers[value]) == Type::pred; }
  Content& at(uint32_t value, const Registers& registers, uint32_t part) {
    return m_registers[{is_mask(value), registers[part]}];
  }
  void fill(const Registers& registers, uint32_t value) {
    for (uint32_t part = 0; part < parts(value); ++part) at(value, registers, part) = {value, part};
  }
  void expect(const Location& location, uint32_t value) {
    if (location.registers) {
      for (uint32_t part = 0; part < parts(value); ++part)
        EXPECT_EQ(at(value, *location.registers, part), Content(value, part));
    } else if (location.place) {
      EXPECT_EQ(m_places[*location.place], value);
    } else {
      EXPECT_TRUE(is_get(m_makers[value]->opcode));
    }
  }
  void start_round(const Action& again);

  const std::vector<const Instruction*>& m_makers;
  std::map<std::pair<bool, uint32_t>, Content> m_registers;
  std::map<uint32_t, uint32_t> m_places;
  std::vector<Location> m_round;
};

void Machine::start_round(const Action& again) {
  for (const auto& [from, to] : again.moves) expect(from, from.value);
  for (const auto& [from, to] : again.moves) {
    ++moves;
    if (to.registers) {
      fill(*to.registers, from.value);
    } else {
      m_places[*to.place] = from.value;
    }
  }
  for (const Location& start : m_round) {
    uint32_t value = start.value;
    for (const Put& put : again.instruction->carries)
      if (is_carried(m_makers[value]->opcode) && m_makers[start.value]->slot == put.slot) {
        value = put.value;
        break;
      }
    expect(start, value);
  }
}

void Machine::step(const Action& action) {
  const Instruction& i = *action.instruction;
  switch (action.kind) {
    case Action::Kind::load:
      if (action.place) {
        EXPECT_EQ(m_places[*action.place], i.result);
      } else {
        EXPECT_TRUE(is_get(i.opcode) || is_carried(i.opcode));
      }
      return fill(action.result, i.result);
    case Action::Kind::spill:
      expect({.value = i.result, .registers = action.sources[0]}, i.result);
      m_places[*action.place] = i.result;
      return;
    case Action::Kind::compute:
      for (size_t n = 0; n < 3; ++n)
        if (i.sources[n] != no_value)
          expect({.value = i.sources[n], .registers = action.sources[n]}, i.sources[n]);
      return fill(action.result, i.result);
    case Action::Kind::warp:
      for (const Location& held : action.held) expect(held, held.value);
      if (i.opcode == Opcode::loop) m_round = action.held;
      if (i.opcode == Opcode::again) start_round(action);
      return;
    default:
      FAIL() << "neither rows nor puts are in the text";
  }
}

bool reuses_any(const Instruction&, size_t) { return true; }

TEST(UnitAlloc, EachRoundStartsWithWhatIsCarried) {
  uint32_t moves = 0, spills = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Dice dice(seed);
    const std::string text = random_loop(dice);
    const Result<Unit> unit = parse(text);
    ASSERT_TRUE(unit) << unit.error().message;
    ASSERT_EQ(verify(*unit), "") << text;
    std::vector<const Instruction*> makers(unit->values);
    for (const Instruction& i : unit->code)
      if (i.result != no_value) makers[i.result] = &i;
    for (const uint32_t vectors : {8u, 12u, 28u}) {
      for (const bool reuses : {false, true}) {
        const RegisterPlan plan = allocate(
            unit->code, makers,
            {.vectors = vectors, .masks = 2, .whole_warp = true, .reuses = reuses ? &reuses_any : nullptr});
        Machine machine(makers);
        for (const Action& action : plan.actions) machine.step(action);
        moves += machine.moves;
        spills += plan.places;
        if (HasFailure()) FAIL() << vectors << " registers\n" << text;
      }
    }
  }
  EXPECT_GT(moves, 100u);
  EXPECT_GT(spills, 100u);
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
