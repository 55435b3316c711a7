// Integers that grow by a step from lane to lane (core/gpu/exec/jit/passes/find_rows.cpp): random kernels of
// typical address and bounds arithmetic, in machine code and with handlers.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/exec/jit/compiled.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

constexpr uint32_t narrow = 8, wide = 6, input_bytes = 1 << 14;
constexpr uint32_t thread_bytes = 4 * narrow + 8 * wide;

// Numbers at which values wrap around, and numbers of typical kernels.
constexpr std::array<uint32_t, 20> numbers = {0,          1,          2,          3,          4,
                                              7,          8,          12,         31,         32,
                                              0xffffffff, 0xfffffffe, 0xfffffffc, 0x7fffffff, 0x80000000,
                                              1u << 24,   0x7ffffff0, 0xffffffe8, 0x0badcafe, 255};

class Generator {
 public:
  explicit Generator(uint32_t seed) : m_random(seed) {}

  std::string kernel(uint32_t ops) {
    std::string text =
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n, .param .u64 q)\n{\n"
        ".reg .b32 %r<9>; .reg .b64 %d<7>; .reg .b64 %in, %out; .reg .b32 %i, %j; .reg .pred %p<2>;\n"
        ".shared .align 8 .b8 tile[16384];\n"
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %r4, [n]; ld.param.u64 %d0, [q];\n"
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
        "mov.u32 %r5, %laneid; add.s32 %r6, %r0, %r4; mad.lo.s32 %r7, %r2, %r3, %r0;\n"
        "mov.u64 %d1, 4; cvt.u64.u32 %d2, %r0; cvt.s64.s32 %d3, %r4; mul.wide.s32 %d4, %r7, 4;\n"
        "add.s64 %d5, %in, %d4; setp.lt.s32 %p0, %r7, %r4; setp.ne.s32 %p1, %r1, 0;\n";
    for (uint32_t i = 0; i < ops; ++i) text += op() + "\n";
    text +=
        "END:\n"
        "mov.u32 %i, %ctaid.x; mov.u32 %j, %ntid.y; mul.lo.u32 %i, %i, %j; mov.u32 %j, %tid.y;\n"
        "add.u32 %i, %i, %j; mov.u32 %j, %ntid.x; mul.lo.u32 %i, %i, %j; mov.u32 %j, %tid.x;\n";
    text += fmt::format("add.u32 %i, %i, %j; mad.wide.u32 %out, %i, {}, %out;\n", thread_bytes);
    for (uint32_t r = 0; r < narrow; ++r) text += fmt::format("st.global.u32 [%out+{}], %r{};\n", 4 * r, r);
    for (uint32_t d = 0; d < wide; ++d)
      text += fmt::format("st.global.u64 [%out+{}], %d{};\n", 4 * narrow + 8 * d, d);
    return module_text(text + "ret;\n}\n");
  }

 private:
  uint32_t below(uint32_t n) { return m_random() % n; }
  std::string number() { return fmt::format("{}", static_cast<int32_t>(numbers[below(numbers.size())])); }
  std::string r() { return fmt::format("%r{}", below(narrow)); }
  std::string d() { return fmt::format("%d{}", below(wide)); }
  std::string r_or_number() { return below(3) == 0 ? number() : r(); }
  std::string d_or_number() { return below(3) == 0 ? number() : d(); }
  template <size_t N>
  const char* any(const char* const (&of)[N]) {
    return of[below(N)];
  }

  std::string op() {
    switch (below(14)) {
      case 0:
        return shuffle();
      case 1:
        return below(5) == 0 ? sum_of_lanes() : collective();
      default:
        return op_of_lanes();
    }
  }

  std::string op_of_lanes() {
    switch (below(16)) {
      case 0:
      case 1:
        return fmt::format("{}.s32 {}, {}, {};", any({"add", "sub"}), r(), r(), r_or_number());
      case 2:
        return fmt::format("{}.s64 {}, {}, {};", any({"add", "sub"}), d(), d(), d_or_number());
      case 3:
        return fmt::format("mul.lo.s32 {}, {}, {};", r(), r(), r_or_number());
      case 4:
        return fmt::format("mad.lo.s32 {}, {}, {}, {};", r(), r(), r_or_number(), r());
      case 5:
        return fmt::format("mul.wide.{} {}, {}, {};", any({"s32", "u32"}), d(), r(), r_or_number());
      case 6:
        return fmt::format("mad.wide.{} {}, {}, {}, {};", any({"s32", "u32"}), d(), r(), r_or_number(), d());
      case 7:
        return fmt::format("{} {}, {}, {};", any({"shl.b32", "shr.s32", "shr.u32"}), r(), r(),
                           any({"0", "1", "2", "5", "25", "31", "32", "40"}));
      case 8:
        return fmt::format("{} {}, {}, {};", any({"shl.b64", "shr.s64", "shr.u64"}), d(), d(),
                           any({"0", "1", "2", "5", "25", "33", "63", "64"}));
      case 9:
        return fmt::format("{}.b32 {}, {}, {};", any({"and", "or", "xor"}), r(), r(), r_or_number());
      case 10:
        return fmt::format("{} {}, {};", any({"cvt.s64.s32", "cvt.u64.u32"}), d(), r());
      case 11:
        return below(2) == 0 ? fmt::format("cvt.u32.u64 {}, {};", r(), d())
                             : fmt::format("mov.u64 {}, {};", d(), d());
      case 12:
        return fmt::format("setp.{}.{} %p{}, {}, {};", any({"eq", "ne", "lt", "le", "gt", "ge"}),
                           any({"s32", "u32"}), below(2), r(), r_or_number());
      case 13:
        return below(2) == 0 ? fmt::format("selp.b32 {}, {}, {}, %p{};", r(), r(), r(), below(2))
                             : fmt::format("setp.{}.{} %p{}, {}, {};", any({"eq", "lt", "le", "gt", "ge"}),
                                           any({"s64", "u64"}), below(2), d(), d_or_number());
      case 14:
        return branch();
      default:
        return access();
    }
  }

  // b, c and the mask are numbers, or registers that have one.
  std::string shuffle() {
    const char* const mode = any({"up", "down", "bfly", "idx"});
    const char* const c = any({"0", "31", "7199", "4127", "7"});  // segments of 32, 4 and 16 lanes, too
    const std::string result = below(3) == 0 ? fmt::format("{}|%p{}", r(), below(2)) : r();
    if (below(3) == 0) return fmt::format("shfl.sync.{}.b32 {}, {}, {}, {}, -1;", mode, result, r(), r(), c);
    if (below(2) == 0)
      return fmt::format("shfl.sync.{}.b32 {}, {}, {}, {}, 0xffffffff;", mode, result, r(), below(32), c);
    const char* const mask = any({"mov.u32 %r8, -1;", "mov.u32 %r8, %laneid; or.b32 %r8, %r8, -1;",
                                  "mov.u32 %j, %laneid; and.b32 %j, %j, 16; mov.u32 %r8, 65535; "
                                  "shl.b32 %r8, %r8, %j;"});
    return fmt::format("{} mov.u32 %i, {}; mov.u32 %j, {}; shfl.sync.{}.b32 {}, {}, %i, %j, %r8;", mask,
                       below(40), c, mode, result, r());
  }

  // A reduction in a loop: the distance of its shuffles is in a register.
  std::string sum_of_lanes() {
    const std::string label = fmt::format("L{}", m_labels++), sum = r(), inside = below(2) == 0 ? "|%p1" : "";
    return fmt::format(
        "mov.u32 %i, 16;\n{0}: shfl.sync.{1}.b32 %j{2}, {3}, %i, {4}, -1; add.u32 {3}, {3}, %j; "
        "vote.sync.ballot.b32 %r8, %p1, -1; xor.b32 {3}, {3}, %r8; redux.sync.or.b32 %j, %i, -1; "
        "shr.u32 %i, %j, 1; setp.ne.s32 %p0, %i, 0; @%p0 bra {0};",
        label, any({"down", "up", "bfly"}), inside, sum, any({"31", "0", "7199"}));
  }

  // The mask is a number, or a register that names all lanes or half of them.
  std::string collective() {
    const char* const mask =
        any({"0xffffffff", "0xffffffff", "mov.u32 %r8, -1;", "mov.u32 %r8, %laneid; or.b32 %r8, %r8, -1;",
             "activemask.b32 %r8;",
             "mov.u32 %j, %laneid; and.b32 %j, %j, 16; mov.u32 %r8, 65535; shl.b32 %r8, %r8, %j;"});
    const bool is_number = mask[0] == '0';
    const std::string before = is_number ? "" : std::string(mask) + " ",
                      by = is_number ? std::string(mask) : "%r8";
    const std::string p = fmt::format("%p{}", below(2)), yes = any({"", "!"}) + fmt::format("%p{}", below(2));
    switch (below(8)) {
      case 0:
      case 1:
        return fmt::format("{}vote.sync.{}.pred {}, {}, {};", before, any({"all", "any", "uni"}), p, yes, by);
      case 2:
      case 3:
        return fmt::format("{}vote.sync.ballot.b32 {}, {}, {};", before, r(), yes, by);
      case 4:
        return fmt::format("{}redux.sync.{} {}, {}, {};", before,
                           any({"add.s32", "add.u32", "min.s32", "min.u32", "max.s32", "max.u32", "and.b32",
                                "or.b32", "xor.b32"}),
                           r(), r(), by);
      case 5: {
        const std::string first = below(2) == 0 ? r() + "|" + p : r();
        return below(2) == 0 ? fmt::format("{}match.all.sync.b32 {}, {}, {};", before, first, r(), by)
                             : fmt::format("{}match.all.sync.b64 {}, {}, {};", before, first, d(), by);
      }
      case 6:
        return fmt::format("{}match.any.sync.b32 {}, {}, {};", before, r(), r(), by);
      default:
        return fmt::format("{}bar.warp.sync {}; elect.sync {}|{}, {};", before, by, r(), p, by);
    }
  }

  // Jumps over the next part, or to the end. Lanes that skip a shuffle would be waited for.
  std::string branch() {
    const std::string label = fmt::format("L{}", m_labels++);
    const std::string guard = fmt::format("@{}%p{} bra ", any({"", "!"}), below(2));
    if (below(4) == 0) return guard + "END;";
    return guard + label + ";\n" + op_of_lanes() + "\n" + op_of_lanes() + "\n" + label + ":";
  }

  // Lanes at a step from each other in x and at another one in y, which are multiples of what an element
  // needs; the first one's place is the thread's in its block.
  std::string access() {
    const char* const space = any({"global", "shared"});
    const char* const type = any({"u8", "s8", "u16", "s16", "u32", "u64"});
    const bool is_wide = std::string_view(type) == "u64";
    const bool is_byte = std::string_view(type).ends_with('8') && below(2) == 0;
    const int32_t element = is_wide ? 8 : is_byte ? 1 : 4;
    const int32_t step =
        is_byte ? static_cast<int32_t>(below(5)) : static_cast<int32_t>(below(9)) * element - 4 * element;
    const char* const pitch = is_byte ? any({"0", "8", "16", "17", "48", "240", "-64"})
                                      : any({"0", "16", "32", "48", "64", "136", "240", "-64"});
    std::string text = fmt::format(
        "mov.u32 %r8, %tid.x; mul.lo.s32 %r8, %r8, {}; add.s32 %r8, %r8, 8192; mov.u32 %j, %tid.y; "
        "mad.lo.s32 %r8, %j, {}, %r8; ",
        step, pitch);
    const std::string value = is_wide ? d() : r(), loaded = is_wide ? d() : r();
    if (std::string_view(space) == "global") {
      text += "cvt.s64.s32 %d6, %r8; add.s64 %d6, %d6, %in; ";
      return text + fmt::format("ld.global.{} {}, [%d6+{}];", type, loaded, 8 * below(8));
    }
    text += "mov.u32 %i, tile; add.u32 %i, %i, %r8; ";
    switch (below(4)) {
      case 0:
        return text + fmt::format("st.shared.{} [%i], {}; ld.shared.{} {}, [%i];", is_byte ? "u8" : "u32",
                                  r(), type, loaded);
      case 1:
        return text + fmt::format("st.shared.{} [%i], {}; ld.shared.{} {}, [%i];", type, value, type, loaded);
      default:
        return text + fmt::format("ld.shared.{} {}, [%i+{}];", type, loaded, 8 * below(8));
    }
  }

  std::mt19937 m_random;
  uint32_t m_labels = 0;
};

struct Result {
  GridOutcome outcome;
  std::vector<std::byte> out;
};

Result run(const Decoded& decoded, Tier tier, Dim3 block, uint32_t seed) {
  constexpr uint32_t blocks = 5;
  Bench bench(decoded.program);
  std::vector<std::byte> input(input_bytes);
  for (uint32_t i = 0; i < input_bytes; ++i) input[i] = static_cast<std::byte>(i * 37 + (i >> 7));
  bench.buffer(input);
  const Allocation& out = bench.buffer(std::vector<std::byte>(block.count() * blocks * thread_bytes));
  bench.parameter(seed % 3 == 0 ? 137u : numbers[seed / 3 % numbers.size()]);
  bench.parameter(uint64_t{numbers[seed % numbers.size()]} << (seed % 5 * 8));
  GridLaunch launch = bench.launch_of({blocks, 1, 1}, block);
  launch.tier = tier;
  if (seed % 4 == 1) launch.turn_steps = 1 + seed % 40;  // turns that end between blocks
  Result result{run_grid(launch, {}, nullptr), {}};
  result.out.assign(out.host, out.host + (out.end - out.begin));
  return result;
}

TEST(Lines, OfRandomKernelsAreAsHandlersComputeThem) {
  const auto sets = instruction_sets();
  constexpr Dim3 shapes[] = {{64, 1, 1}, {96, 1, 1}, {40, 1, 1}, {32, 4, 1}, {16, 16, 1}, {7, 5, 1},
                             {33, 2, 1}, {8, 8, 1},  {8, 20, 1}, {48, 2, 1}, {24, 4, 1},  {16, 2, 3}};
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    const std::string text = Generator(seed).kernel(8 + seed % 40);
    const InstructionSet& set = sets[sets.size() - 1 - (sets.size() > 2 ? seed / 2 % 2 : 0)];
    SCOPED_TRACE(set.name);
    const Decoded decoded = decode(text, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors << text;
    const Dim3 block = shapes[seed % std::size(shapes)];
    const Result on = run(decoded, Tier::always, block, seed), off = run(decoded, Tier::off, block, seed);
    ASSERT_TRUE(run(decoded, Tier::executor, block, seed).out == off.out) << "seed " << seed << "\n" << text;
    ASSERT_EQ(off.outcome.end, GridOutcome::End::finished) << seed << text;
    ASSERT_EQ(on.outcome.end, off.outcome.end) << seed << text;
    ASSERT_TRUE(on.out == off.out) << "seed " << seed << "\n" << text;
    for (size_t i = 0; i < off.outcome.counts.size(); ++i)
      ASSERT_EQ(on.outcome.counts[i].threads, off.outcome.counts[i].threads) << seed << text;
    for (size_t i = 0; i < off.outcome.memory_ops.size(); ++i) {
      ASSERT_EQ(on.outcome.memory_ops[i].sectors, off.outcome.memory_ops[i].sectors) << seed << text;
      ASSERT_EQ(on.outcome.memory_ops[i].wavefronts, off.outcome.memory_ops[i].wavefronts) << seed << text;
    }
    if (CompiledProgram* const compiled = compiled_program(*decoded.program, {true, block}, Tier::always)) {
      ASSERT_EQ(compiled->refused(), 0u) << seed << text;
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
