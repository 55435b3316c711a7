// The generator of random programs, their PTX, and the reference that runs them.
#include "tests/core/gpu/exec/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace warplens::exec::test {

namespace {

using Kind = RandomProgram::Kind;
using Step = RandomProgram::Step;

// Returns numbers below its argument.
using Source = std::function<uint32_t(uint32_t)>;

class Generator {
 public:
  explicit Generator(Source below) : m_below(std::move(below)) {}

  RandomProgram program() {
    RandomProgram program;
    program.blocks.resize(3 + below(12));
    const auto count = static_cast<uint32_t>(program.blocks.size());
    for (uint32_t b = 0; b < count; ++b) {
      auto& steps = program.blocks[b].steps;
      // Records the blocks that the thread ran.
      steps.push_back({.kind = Kind::mul, .d = 0, .a = 0, .immediate = 31});
      steps.push_back({.kind = Kind::add, .d = 0, .a = 0, .immediate = b + 1});
      for (uint32_t i = below(4); i > 0; --i) steps.push_back(arithmetic());
      steps.push_back(comparison());
      end_block(program, b, count);
    }
    program.blocks.back().steps.push_back({.kind = Kind::finish});
    return program;
  }

 private:
  uint32_t below(uint32_t n) { return m_below(n); }
  RandomProgram::Guard guard(uint32_t one_in) {
    if (below(one_in) != 0) return {};
    return {static_cast<int>(below(RandomProgram::predicates)), below(2) == 0};
  }
  RandomProgram::Guard always_guarded() { return guard(1); }

  Step arithmetic() {
    const Kind kinds[] = {Kind::add, Kind::sub, Kind::mul, Kind::bit_xor, Kind::shift, Kind::minimum};
    Step step{.kind = kinds[below(6)], .guard = guard(3)};
    step.d = 1 + below(RandomProgram::registers - 1);
    step.a = below(RandomProgram::registers);
    step.b = below(2) == 0 ? below(RandomProgram::registers) : 0;
    step.immediate = step.b == 0 ? below(1000) : 0;
    return step;
  }
  Step comparison() {
    return {.kind = Kind::compare,
            .guard = guard(6),
            .d = below(RandomProgram::predicates),
            .a = below(RandomProgram::registers),
            .b = below(RandomProgram::registers),
            .immediate = below(4)};
  }
  void end_block(RandomProgram& program, uint32_t b, uint32_t count) {
    auto& steps = program.blocks[b].steps;
    const uint32_t forward = b + 1 + below(count - b);  // perhaps the end
    switch (below(7)) {
      case 0:
        steps.push_back({.kind = Kind::branch, .guard = guard(4), .target = std::min(forward, count - 1)});
        break;
      case 1:
      case 2:
        steps.push_back(
            {.kind = Kind::branch, .guard = always_guarded(), .target = std::min(forward, count - 1)});
        break;
      case 3:
      case 4:
        steps.push_back({.kind = Kind::branch,
                         .guard = guard(2),
                         .target = below(b + 1),
                         .fuel = static_cast<int>(program.tanks++)});
        break;
      case 5:
        if (below(3) == 0) steps.push_back({.kind = Kind::finish, .guard = always_guarded()});
        break;
      default:
        break;
    }
    // A jump to the block itself without fuel would never end.
    if (steps.back().kind == Kind::branch && steps.back().fuel < 0 && steps.back().target <= b)
      steps.pop_back();
  }

  Source m_below;
};

uint32_t tank_of(uint32_t thread, uint32_t tank) { return (thread * 7 + tank * 5) % 6; }
uint32_t first_value(uint32_t thread, uint32_t r) {
  return (thread + 3) * (r * 2654435761u + 40503u) >> (r % 5);
}

const char* mnemonic(Kind kind) {
  switch (kind) {
    case Kind::add:
      return "add.u32";
    case Kind::sub:
      return "sub.u32";
    case Kind::mul:
      return "mul.lo.u32";
    case Kind::bit_xor:
      return "xor.b32";
    case Kind::shift:
      return "shr.u32";
    default:
      return "min.u32";
  }
}
const char* comparison_name(uint32_t which) {
  const char* names[] = {"lt.u32", "ge.s32", "eq.u32", "ne.u32"};
  return names[which];
}

std::string ptx_of_step(const Step& step, uint32_t number) {
  const std::string guard =
      step.guard.predicate < 0 ? ""
                               : fmt::format("@{}%p{} ", step.guard.negated ? "!" : "", step.guard.predicate);
  switch (step.kind) {
    case Kind::compare:
      return fmt::format("  {}setp.{} %p{}, %r{}, %r{};\n", guard, comparison_name(step.immediate), step.d,
                         step.a, step.b);
    case Kind::finish:
      return fmt::format("  {0}st.global.v4.u32 [%out], {{%r0, %r1, %r2, %r3}};\n  {0}exit;\n", guard);
    case Kind::branch:
      if (step.fuel < 0) return fmt::format("  {}bra B{};\n", guard, step.target);
      // Out of fuel, or not taken: continue. Otherwise jump back.
      return fmt::format(
          "{0}  setp.eq.u32 %q, %f{1}, 0;\n  @%q bra N{2};\n  sub.u32 %f{1}, %f{1}, 1;\n  bra B{3};\nN{2}:\n",
          step.guard.predicate < 0 ? ""
                                   : fmt::format("  @{}%p{} bra N{};\n", step.guard.negated ? "" : "!",
                                                 step.guard.predicate, number),
          step.fuel, number, step.target);
    default:
      if (step.b == 0)
        return fmt::format("  {}{} %r{}, %r{}, {};\n", guard, mnemonic(step.kind), step.d, step.a,
                           step.immediate);
      return fmt::format("  {}{} %r{}, %r{}, %r{};\n", guard, mnemonic(step.kind), step.d, step.a, step.b);
  }
}

struct Thread {
  uint32_t r[RandomProgram::registers] = {};
  bool p[RandomProgram::predicates] = {};
  std::vector<uint32_t> fuel;
  uint64_t instructions = 0;

  bool allows(const RandomProgram::Guard& guard) const {
    return guard.predicate < 0 || p[guard.predicate] != guard.negated;
  }
  void arithmetic(const Step& step) {
    if (!allows(step.guard)) return;
    const uint32_t a = r[step.a], b = step.b == 0 ? step.immediate : r[step.b];
    switch (step.kind) {
      case Kind::add:
        r[step.d] = a + b;
        break;
      case Kind::sub:
        r[step.d] = a - b;
        break;
      case Kind::mul:
        r[step.d] = a * b;
        break;
      case Kind::bit_xor:
        r[step.d] = a ^ b;
        break;
      case Kind::shift:
        r[step.d] = b >= 32 ? 0 : a >> b;
        break;
      default:
        r[step.d] = std::min(a, b);
        break;
    }
  }
  void compare(const Step& step) {
    if (!allows(step.guard)) return;
    const uint32_t a = r[step.a], b = r[step.b];
    const bool results[] = {a < b, static_cast<int32_t>(a) >= static_cast<int32_t>(b), a == b, a != b};
    p[step.d] = results[step.immediate];
  }
  // Whether the jump is taken; counts the PTX instructions that it executes.
  bool branch(const Step& step) {
    if (step.fuel < 0) {
      ++instructions;
      return allows(step.guard);
    }
    instructions += step.guard.predicate >= 0;
    if (!allows(step.guard)) return false;
    instructions += 2;
    uint32_t& left = fuel[static_cast<size_t>(step.fuel)];
    if (left == 0) return false;
    instructions += 2;
    --left;
    return true;
  }
};

}  // namespace

RandomProgram random_program(uint32_t seed) {
  std::mt19937 engine(seed);
  return Generator([&](uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(engine); })
      .program();
}

RandomProgram random_program(std::span<const uint8_t> bytes) {
  size_t at = 0;
  return Generator([&](uint32_t n) { return at < bytes.size() ? bytes[at++] % n : 0; }).program();
}

std::string ptx_of(const RandomProgram& program) {
  std::string text =
      ".visible .entry test(.param .u64 out)\n{\n  .reg .b64 %out;\n  .reg .pred %p<3>, %q;\n  .reg .b32 ";
  for (uint32_t r = 0; r < RandomProgram::registers; ++r) text += fmt::format("%r{}, ", r);
  for (uint32_t f = 0; f < program.tanks; ++f) text += fmt::format("%f{}, ", f);
  text +=
      "%thread, %t;\n  ld.param.u64 %out, [out];\n  mov.u32 %thread, %ntid.x;\n  mov.u32 %t, %ntid.y;\n"
      "  mul.lo.u32 %thread, %thread, %t;\n  mov.u32 %t, %ctaid.x;\n  mul.lo.u32 %thread, %thread, %t;\n"
      "  mov.u32 %t, %tid.x;\n  add.u32 %thread, %thread, %t;\n  mov.u32 %t, %tid.y;\n  mov.u32 %r0, "
      "%ntid.x;\n"
      "  mad.lo.u32 %thread, %t, %r0, %thread;\n  mad.wide.u32 %out, %thread, 16, %out;\n";
  for (uint32_t f = 0; f < program.tanks; ++f)
    text += fmt::format("  mad.lo.u32 %f{0}, %thread, 7, {1};\n  rem.u32 %f{0}, %f{0}, 6;\n", f, f * 5);
  text += "  add.u32 %t, %thread, 3;\n";
  for (uint32_t r = 0; r < RandomProgram::registers; ++r)
    text += fmt::format("  mul.lo.u32 %r{0}, %t, {1};\n  shr.u32 %r{0}, %r{0}, {2};\n", r,
                        r * 2654435761u + 40503u, r % 5);
  for (uint32_t p = 0; p < RandomProgram::predicates; ++p)
    text += fmt::format("  setp.ne.u32 %p{}, 0, 0;\n", p);
  text += "  bra B0;\n";
  uint32_t number = 0;
  for (size_t b = 0; b < program.blocks.size(); ++b) {
    text += fmt::format("B{}:\n", b);
    for (const Step& step : program.blocks[b].steps) text += ptx_of_step(step, number++);
  }
  return ".version 7.8\n.target sm_80\n.address_size 64\n" + text + "}\n";
}

ThreadEnd run_reference(const RandomProgram& program, uint32_t number) {
  Thread thread;
  for (uint32_t r = 0; r < RandomProgram::registers; ++r) thread.r[r] = first_value(number, r);
  for (uint32_t f = 0; f < program.tanks; ++f) thread.fuel.push_back(tank_of(number, f));
  for (uint32_t b = 0; b < program.blocks.size();) {
    uint32_t next = b + 1;
    for (const Step& step : program.blocks[b].steps) {
      if (step.kind == Kind::branch) {
        if (thread.branch(step)) {
          next = step.target;
          break;
        }
      } else if (step.kind == Kind::finish) {
        thread.instructions += 2;
        if (thread.allows(step.guard)) {
          ThreadEnd end{.instructions = thread.instructions};
          std::copy_n(thread.r, 4, end.registers);
          return end;
        }
      } else {
        ++thread.instructions;
        step.kind == Kind::compare ? thread.compare(step) : thread.arithmetic(step);
      }
    }
    b = next;
  }
  return {};
}

}  // namespace warplens::exec::test
