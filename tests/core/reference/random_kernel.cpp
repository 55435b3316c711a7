#include "tests/core/reference/random_kernel.h"

#include <fmt/format.h>

#include <functional>
#include <random>
#include <utility>

namespace warplens::reference {

namespace {

constexpr uint32_t words = 8, longs = 4, floats = 4, halves = 2, predicates = 4;  // %r, %d, %f, %h, %p
constexpr uint32_t out_bytes = 64, scratch_bytes = 64;                            // a thread
constexpr uint32_t sums_bytes = 7 * 64;  // a row of slots an operation

// ptxas takes a length of bfi above 32 for another one where it is a number, so there are none.
// R D F H P: a register of 32 bits, 64 bits, a float, 16 bits, a predicate; Y and Q: another one than the
// last R or P; N: a predicate or its negation; I: a number; X: R or I; T: eight bits; B: R or a number
// below 32. %t is there to be overwritten.
constexpr std::string_view arithmetic[] = {
    "add.u32 R, R, X;",
    "sub.s32 R, R, X;",
    "mul.lo.u32 R, R, X;",
    "mul.hi.s32 R, R, R;",
    "mul.hi.u32 R, R, X;",
    "mul.wide.s32 D, R, R;",
    "mul.wide.u32 D, R, X;",
    "mad.lo.s32 R, R, X, R;",
    "mad.wide.u32 D, R, R, D;",
    "mad.hi.s32 R, R, R, R;",
    "add.u64 D, D, D;",
    "sub.s64 D, D, D;",
    "mul.lo.u64 D, D, D;",
    "mul.hi.u64 D, D, D;",
    "mul.hi.s64 D, D, D;",
    "min.s32 R, R, X;",
    "max.u32 R, R, R;",
    "min.u64 D, D, D;",
    "max.s64 D, D, D;",
    "abs.s32 R, R;",
    "neg.s32 R, R;",
    "abs.s64 D, D;",
    "neg.s64 D, D;",
    "sad.s32 R, R, R, R;",
    "sad.u32 R, R, X, R;",
    "and.b32 R, R, X;",
    "or.b32 R, R, R;",
    "xor.b32 R, R, X;",
    "not.b32 R, R;",
    "cnot.b32 R, R;",
    "and.b64 D, D, D;",
    "xor.b64 D, D, D;",
    "shl.b32 R, R, X;",
    "shr.u32 R, R, X;",
    "shr.s32 R, R, R;",
    "shl.b64 D, D, R;",
    "shr.s64 D, D, X;",
    "shr.u64 D, D, R;",
    "popc.b32 R, R;",
    "popc.b64 R, D;",
    "clz.b32 R, R;",
    "clz.b64 R, D;",
    "brev.b32 R, R;",
    "brev.b64 D, D;",
    "bfe.u32 R, R, B, B;",
    "bfe.s32 R, R, R, B;",
    "bfe.s64 D, D, R, B;",
    "bfi.b32 R, R, R, B, B;",
    "bfi.b64 D, D, D, R, B;",
    "bfind.u32 R, R;",
    "bfind.s32 R, R;",
    "bfind.shiftamt.s32 R, R;",
    "bfind.u64 R, D;",
    "prmt.b32 R, R, R, X;",
    "lop3.b32 R, R, R, R, T;",
    "shf.l.wrap.b32 R, R, R, X;",
    "shf.r.clamp.b32 R, R, R, R;",
    "or.b32 %t, R, 1;G div.u32 R, R, %t;",
    "or.b32 %t, R, 1;G rem.s32 R, R, %t;",
    "and.b32 %t, R, 255;\n  or.b32 %t, %t, 1;G div.s32 R, R, %t;",
    "add.u16 H, H, H;",
    "mul.lo.s16 H, H, H;",
    "mul.wide.s16 R, H, H;",
    "max.s16 H, H, H;",
    "shr.s16 H, H, R;",
    "cvt.s32.s16 R, H;",
    "cvt.u16.u32 H, R;",
    "cvt.u32.u8 R, R;",
    "cvt.s8.s32 R, R;",
    "cvt.sat.u8.s32 R, R;",
    "cvt.sat.s16.s32 H, R;",
    "cvt.s64.s32 D, R;",
    "cvt.u32.u64 R, D;",
    "cvt.rn.f32.s32 F, R;",
    "cvt.rn.f32.u32 F, R;",
    "cvt.rzi.s32.f32 R, F;",
    "cvt.rni.u32.f32 R, F;",
    "mov.b32 F, R;",
    "mov.b32 R, F;",
    "mov.b64 D, {R, R};",
    "mov.b64 {R, Y}, D;",
    "mov.u32 R, %laneid;",
    "mov.u32 R, %lanemask_lt;",
    "add.rn.f32 F, F, F;",
    "sub.rn.f32 F, F, F;",
    "mul.rn.f32 F, F, F;",
    "fma.rn.f32 F, F, F, F;",
    "min.f32 F, F, F;",
    "max.f32 F, F, F;",
    "setp.lt.u32 P, R, X;",
    "setp.ge.s32 P, R, R;",
    "setp.eq.u32 P, R, X;",
    "setp.gt.and.s32 P|Q, R, R, N;",
    "setp.ne.xor.u32 P, R, R, N;",
    "setp.le.or.u64 P|Q, D, D, N;",
    "setp.lt.f32 P, F, F;",
    "setp.ne.f32 P, F, F;",
    "selp.b32 R, R, X, N;",
    "selp.b64 D, D, D, N;",
    "selp.f32 F, F, F, N;",
};

// O: a multiple of 16 within the thread's own bytes, %slot.
constexpr std::string_view own_memory[] = {
    "st.global.u8 [%slot+O+3], R;",
    "st.global.b16 [%slot+O+6], H;",
    "st.global.u32 [%slot+O+4], R;",
    "st.global.f32 [%slot+O+12], F;",
    "st.global.b64 [%slot+O+8], D;",
    "st.global.v2.u32 [%slot+O+8], {R, R};",
    "st.global.v4.u32 [%slot+O], {R, R, R, R};",
    "st.global.v2.b64 [%slot+O], {D, D};",
    "ld.global.u8 R, [%slot+O+7];",
    "ld.global.s8 R, [%slot+O+3];",
    "ld.global.s16 R, [%slot+O+6];",
    "ld.global.u16 H, [%slot+O+10];",
    "ld.global.u32 R, [%slot+O+4];",
    "ld.global.s32 D, [%slot+O+8];",
    "ld.global.f32 F, [%slot+O+12];",
    "ld.global.u64 D, [%slot+O+8];",
    "ld.global.v2.u32 {R, Y}, [%slot+O+8];",
    "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%slot+O];",
    "atom.global.add.u32 R, [%slot+O], R;",
    "atom.global.min.s32 R, [%slot+O+4], R;",
    "atom.global.max.u32 R, [%slot+O], R;",
    "atom.global.inc.u32 R, [%slot+O+8], X;",
    "atom.global.dec.u32 R, [%slot+O+8], X;",
    "atom.global.exch.b32 R, [%slot+O+12], R;",
    "atom.global.cas.b32 R, [%slot+O], R, R;",
    "atom.global.xor.b32 R, [%slot+O], R;",
    "atom.global.add.u64 D, [%slot+O+8], D;",
    "st.local.u32 [own+O], R;",
    "st.local.v2.b64 [own+O], {D, D};",
    "st.local.u8 [own+O+5], R;",
    "ld.local.s16 R, [own+O+4];",
    "ld.local.u64 D, [own+O+8];",
    "ld.local.v2.u32 {R, Y}, [own+O];",
};

// A row of slots for each; a thread's value selects one of them.
constexpr std::string_view sums[] = {"add.u32", "max.u32", "xor.b32", "or.b32",
                                     "and.b32", "min.s32", "add.u64"};

// M: the mask. None of them is a barrier of the block.
constexpr std::string_view warp_work[] = {
    "shfl.sync.idx.b32 R|P, R, X, 31, M;",
    "shfl.sync.up.b32 R|P, R, I, 0, M;",
    "shfl.sync.down.b32 R, R, I, 31, M;",
    "shfl.sync.bfly.b32 R|P, R, I, 31, M;",
    "shfl.sync.idx.b32 R, R, R, 6175, M;",     // segments of eight: 0x181f
    "shfl.sync.down.b32 R|P, R, X, 7199, M;",  // of four: 0x1c1f
    "vote.sync.ballot.b32 R, N, M;",
    "vote.sync.all.pred P, N, M;",
    "vote.sync.any.pred P, N, M;",
    "vote.sync.uni.pred P, N, M;",
    "match.any.sync.b32 R, R, M;",
    "match.all.sync.b32 R|P, R, M;",
    "match.any.sync.b64 R, D, M;",
    "redux.sync.add.u32 R, R, M;",
    "redux.sync.min.s32 R, R, M;",
    "redux.sync.xor.b32 R, R, M;",
    "bar.warp.sync M;",
};
constexpr std::string_view masks[] = {"0x0000ffff", "0xf0f0f0f0", "0x80000001", "0x55555555", "0x00000002"};

// Returns numbers below its argument.
using Source = std::function<uint32_t(uint32_t)>;

class Generator {
 public:
  explicit Generator(Source below) : m_below(std::move(below)) {}

  std::string module() {
    // Kernels in which threads exit early have no threads that wait for those.
    m_exits = one_in(4);
    m_helpers = below(3);
    std::string text = ".version 7.8\n.target sm_80\n.address_size 64\n";
    for (uint32_t i = 0; i < m_helpers; ++i) text += helper(i);
    return text + kernel();
  }

 private:
  enum class Where : uint8_t { together, apart };  // are all threads of the block here?

  uint32_t below(uint32_t n) { return m_below(n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  template <size_t n>
  std::string_view pick(const std::string_view (&from)[n]) {
    return from[below(n)];
  }
  std::string reg(char kind, uint32_t n) { return fmt::format("%{}{}", kind, n); }
  std::string label() { return fmt::format("L{}", m_labels++); }
  void line(const std::string& instruction) { m_text += "  " + instruction + "\n"; }

  std::string guard() {
    if (!one_in(4)) return "";
    return fmt::format("@{}%p{} ", one_in(2) ? "!" : "", below(predicates));
  }
  std::string number() {
    constexpr uint32_t edges[] = {0, 1, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff};
    return std::to_string(one_in(3) ? edges[below(8)] : below(256));
  }

  // A line of one of the tables with its letters replaced. The part after G is guarded, or else all of it.
  std::string filled(std::string_view pattern, std::string_view mask = "0xffffffff") {
    std::string text;
    for (const char c : pattern) text += replacement(c, mask);
    return text;
  }
  std::string replacement(char c, std::string_view mask) {
    switch (c) {
      case 'R':
        return reg('r', m_last_word = below(words));
      case 'Y':
        return reg('r', (m_last_word + 1) % words);
      case 'D':
        return reg('d', below(longs));
      case 'F':
        return reg('f', below(floats));
      case 'H':
        return reg('h', below(halves));
      case 'P':
        return reg('p', m_last_predicate = below(predicates));
      case 'Q':
        return reg('p', (m_last_predicate + 1) % predicates);
      case 'N':
        return (one_in(2) ? "!" : "") + reg('p', below(predicates));
      case 'I':
        return number();
      case 'X':
        return one_in(2) ? number() : reg('r', m_last_word = below(words));
      case 'B':
        return one_in(2) ? std::to_string(below(32)) : reg('r', below(words));
      case 'T':
        return std::to_string(below(256));
      case 'O':
        return std::to_string(16 * below(scratch_bytes / 16));
      case 'M':
        return std::string(mask);
      case 'G':
        return "\n  " + guard();
      default:
        return {c};
    }
  }
  void guarded(std::string_view pattern) {
    line((pattern.find('G') == std::string_view::npos ? guard() : "") + filled(pattern));
  }

  void statements(Where where, uint32_t depth) {
    for (uint32_t count = 1 + below(5); count > 0 && m_budget > 0; --count, --m_budget)
      statement(where, depth);
  }

  void statement(Where where, uint32_t depth) {
    const uint32_t kind = below(16);
    if (kind < 5 || m_budget < 2) return guarded(pick(arithmetic));
    if (kind < 7 && m_in_kernel) return guarded(pick(own_memory));
    if (kind == 7 && m_in_kernel) return add_to_sums();
    if (kind == 8 && m_helpers > 0) return call(where);
    if (kind == 9 && m_exits && m_in_kernel) return line(fmt::format("@%p{} bra FINISH;", below(predicates)));
    if (kind < 13 && depth < 3) return nest(where, depth);
    if (kind >= 13 && where == Where::together) return together(depth);
    guarded(pick(arithmetic));
  }

  void nest(Where where, uint32_t depth) {
    switch (below(where == Where::together ? 5 : 4)) {
      case 0:
      case 1:
        return branch(fmt::format("%p{}", below(predicates)), Where::apart, depth);
      case 2:
        return loop(where, depth);
      case 3:
        return table(depth);
      default:
        return branch("%even", where, depth);  // the same for the whole block
    }
  }

  void branch(const std::string& predicate, Where where, uint32_t depth) {
    const std::string other = label(), end = label();
    line(fmt::format("@{}{} bra {};", one_in(2) ? "!" : "", predicate, other));
    statements(where, depth + 1);
    const bool two = one_in(2);
    if (two) line(fmt::format("bra {};", end));
    m_text += other + ":\n";
    if (!two) return;
    statements(where, depth + 1);
    m_text += end + ":\n";
  }

  // As often for all threads, or by each one's own value; then perhaps with an exit from inside the loop.
  void loop(Where where, uint32_t depth) {
    const std::string begin = label(), end = label(), count = fmt::format("%c{}", m_loops++);
    if (where == Where::together)
      line(fmt::format("mov.u32 {}, {};", count, 1 + below(3)));
    else
      line(fmt::format("and.b32 {}, %r{}, 3;", count, below(words)));
    m_text += begin + ":\n";
    statements(where, depth + 1);
    if (where == Where::apart && one_in(2)) {
      line(fmt::format("@%p{} bra {};", below(predicates), end));
      statements(where, depth + 1);
    }
    line(fmt::format("setp.eq.u32 %q, {}, 0;", count));
    line(fmt::format("@%q bra {};", end));
    line(fmt::format("sub.u32 {0}, {0}, 1;", count));
    line(fmt::format("bra {};", begin));
    m_text += end + ":\n";
  }

  void table(uint32_t depth) {
    const std::string name = label(), end = label();
    std::vector<std::string> cases;
    for (int i = 0; i < 4; ++i) cases.push_back(label());
    line(fmt::format("and.b32 %t, %r{}, 3;", below(words)));
    m_text +=
        fmt::format("{}: .branchtargets {}, {}, {}, {};\n", name, cases[0], cases[1], cases[2], cases[3]);
    line(fmt::format("brx.idx %t, {};", name));
    for (const std::string& each : cases) {
      m_text += each + ":\n";
      statements(Where::apart, depth + 2);
      if (!one_in(3)) line(fmt::format("bra {};", end));  // else into the next case
    }
    m_text += end + ":\n";
  }

  void add_to_sums() {
    const uint32_t row = below(7);
    const bool wide = sums[row].ends_with("64");
    line(fmt::format("and.b32 %t, %r{}, 7;", below(words)));
    line(fmt::format("mad.wide.u32 %a, %t, {}, %sums;", wide ? 8 : 4));
    line(guard() + fmt::format("red.global.{} [%a+{}], {};", sums[row], 64 * row,
                               wide ? reg('d', below(longs)) : reg('r', below(words))));
  }

  // The last helper contains work for whole warps.
  void call(Where where) {
    const uint32_t most = where == Where::together && !m_exits ? m_helpers : m_helpers - 1;
    if (most == 0) return guarded(pick(arithmetic));
    const uint32_t which = below(most);
    m_text += fmt::format(
        "  {{\n  .param .b32 a; .param .b64 b; .param .b32 got;\n  st.param.b32 [a], %r{};\n"
        "  st.param.b64 [b], %d{};\n  call.uni (got), helper{}, (a, b);\n"
        "  ld.param.b32 %r{}, [got];\n  }}\n",
        below(words), below(longs), which, below(words));
  }

  void together(uint32_t depth) {
    if (m_exits) return guarded(pick(arithmetic));
    switch (below(m_in_kernel ? 8 : 4)) {
      case 0:
      case 1:
        return line(filled(pick(warp_work)));
      case 2:
        return some_lanes(depth);
      case 3:
        return meet();
      case 4:
        return exchange_in_block();
      case 5:
        return exchange_in_warp();
      case 6:
        return tally();
      default:
        return line(filled(one_in(2) ? "bar.red.popc.u32 R, 1, N;" : "bar.red.or.pred P, 2, N;"));
    }
  }

  void some_lanes(uint32_t depth) {
    const std::string_view mask = pick(masks);
    const std::string end = label();
    line("mov.u32 %t, %lanemask_eq;");
    line(fmt::format("and.b32 %t, %t, {};", mask));
    line("setp.eq.u32 %q, %t, 0;");
    line(fmt::format("@%q bra {};", end));
    line(filled(pick(warp_work), mask));
    if (depth < 3) statements(Where::apart, depth + 1);
    m_text += end + ":\n";
  }

  // Both arms of an if have the same work for the whole warp: the lanes meet in it.
  void meet() {
    const std::string_view work = pick(warp_work);
    const std::string other = label(), end = label();
    line(fmt::format("@%p{} bra {};", below(predicates), other));
    statements(Where::apart, 3);
    line(filled(work));
    line(fmt::format("bra {};", end));
    m_text += other + ":\n";
    line(filled(work));
    m_text += end + ":\n";
  }

  void exchange_in_block() {
    const uint32_t barrier = below(16);
    line(fmt::format("bar.sync {};", barrier));
    line(filled("st.shared.u32 [%mine], R;"));
    line(fmt::format("bar.sync {};", barrier));
    line(fmt::format("add.u32 %t, %index, {};", below(64)));
    line("rem.u32 %t, %t, %size;");
    line("mad.lo.u32 %t, %t, 4, %base;");
    line(filled("ld.shared.u32 R, [%t];"));
  }

  // Uses its own slots: another warp may still read those of the block.
  void exchange_in_warp() {
    line("bar.warp.sync 0xffffffff;");
    line(filled("st.shared.u32 [%mine+256], R;"));
    line("bar.warp.sync 0xffffffff;");
    line(fmt::format("xor.b32 %t, %index, {};", below(32)));
    line("setp.ge.u32 %q, %t, %size;");
    line("@%q mov.u32 %t, %index;");
    line("mad.lo.u32 %t, %t, 4, %base;");
    line(filled("ld.shared.u32 R, [%t+256];"));
    line("bar.warp.sync 0xffffffff;");
  }

  void tally() {
    line("bar.sync 0;");
    line("setp.ne.u32 %q, %index, 0;");
    line("mov.u32 %t, 7;");
    line("@!%q st.shared.v4.u32 [tallies], {%t, %t, %t, %t};");
    line("bar.sync 0;");
    line(fmt::format("and.b32 %t, %r{}, 3;", below(words)));
    line("mad.lo.u32 %t, %t, 4, %tallies;");
    line(filled("Gred.shared.add.u32 [%t], R;"));
    line("bar.sync 0;");
    line(filled(fmt::format("ld.shared.u32 R, [tallies+{}];", 4 * below(4))));
  }

  std::string registers() const {
    return fmt::format(
        "  .reg .b32 %r<{}>, %t, %c<{}>, %index, %size, %base, %mine, %tallies;\n  .reg .b64 %d<{}>, %a, "
        "%slot, %sums, "
        "%out;\n  .reg .f32 %f<{}>;\n  .reg .b16 %h<{}>;\n  .reg .pred %p<{}>, %q, %even;\n",
        words, m_loops + 1, longs, floats, halves, predicates);
  }

  // First, every register from %r0 and %d0 on gets a value.
  void initial_values() {
    for (uint32_t i = 1; i < words; ++i)
      line(fmt::format("mad.lo.u32 %r{}, %r{}, {}, {};", i, i - 1, 2 * below(128) + 1, below(64)));
    for (uint32_t i = 1; i < longs; ++i)
      line(fmt::format("mad.wide.u32 %d{}, %r{}, {}, %d{};", i, i, below(256), i - 1));
    for (uint32_t i = 0; i < floats; ++i) line(fmt::format("cvt.rn.f32.s32 %f{}, %r{};", i, i));
    for (uint32_t i = 0; i < halves; ++i) line(fmt::format("cvt.u16.u32 %h{}, %r{};", i, i));
    for (uint32_t i = 0; i < predicates; ++i)
      line(fmt::format("and.b32 %t, %r{}, {};\n  setp.ne.u32 %p{}, %t, 0;", i, 1u << below(4), i));
    line("mov.u32 %t, 0;");
  }

  std::string helper(uint32_t number) {
    m_text.clear();
    m_loops = 0;
    m_budget = 12;
    m_in_kernel = false;
    const uint32_t all = std::exchange(m_helpers, number);  // it calls the earlier ones
    line("ld.param.b32 %r0, [first];");
    line("ld.param.b64 %d0, [second];");
    line("setp.eq.u32 %even, 0, 0;");
    initial_values();
    // Only the last may have work for whole warps: it is called only where all threads are.
    statements(number + 1 == all ? Where::together : Where::apart, 1);
    line(fmt::format("xor.b32 %r0, %r{}, %r{};", below(words), below(words)));
    line("st.param.b32 [result], %r0;\n  ret;");
    m_helpers = all;
    return fmt::format(
        ".func (.param .b32 result) helper{}(.param .b32 first, .param .b64 second)\n{{\n{}{}}}\n", number,
        registers(), m_text);
  }

  std::string kernel() {
    m_text.clear();
    m_loops = 0;
    m_budget = 60;
    m_in_kernel = true;
    m_text =
        "  ld.param.u64 %out, [out];\n  ld.param.u64 %sums, [sums];\n  ld.param.u64 %slot, [scratch];\n"
        "  mov.u32 %index, %tid.x;\n  mov.u32 %size, %ntid.x;\n  mov.u32 %t, %ctaid.x;\n  and.b32 %r1, %t, "
        "1;\n"
        "  setp.eq.u32 %even, %r1, 0;\n  mad.lo.u32 %r0, %t, %size, %index;\n  mad.wide.u32 %out, %r0, 64, "
        "%out;\n"
        "  mad.wide.u32 %slot, %r0, 64, %slot;\n  mov.u32 %base, exchange;\n  mad.lo.u32 %mine, %index, 4, "
        "%base;\n"
        "  mov.u32 %tallies, tallies;\n  mul.wide.u32 %d0, %r0, 123456789;\n";
    for (uint32_t at = 0; at < scratch_bytes; at += 8) line(fmt::format("st.local.b64 [own+{}], %d0;", at));
    initial_values();
    for (int part = 0; part < 3; ++part) statements(m_exits ? Where::apart : Where::together, 0);
    m_text += "FINISH:\n";
    for (uint32_t i = 0; i < words; i += 4)
      line(fmt::format("st.global.v4.u32 [%out+{}], {{%r{}, %r{}, %r{}, %r{}}};", 4 * i, i, i + 1, i + 2,
                       i + 3));
    line("xor.b64 %d0, %d0, %d1;\n  xor.b64 %d2, %d2, %d3;");
    line("st.global.v2.b64 [%out+32], {%d0, %d2};");
    line("st.global.v2.f32 [%out+48], {%f0, %f1};");
    line("selp.b32 %r0, 1, 0, %p0;\n  selp.b32 %r1, 2, 0, %p1;\n  or.b32 %r0, %r0, %r1;");
    line("st.global.u32 [%out+56], %r0;\n  st.global.b16 [%out+60], %h0;\n  exit;");
    return fmt::format(
        ".visible .entry test(.param .u64 out, .param .u64 sums, .param .u64 scratch)\n{{\n"
        "  .shared .align 16 .b8 exchange[512];\n  .shared .align 16 .b8 tallies[16];\n"
        "  .local .align 16 .b8 own[{}];\n{}{}}}\n",
        scratch_bytes, registers(), m_text);
  }

  Source m_below;
  std::string m_text;
  bool m_exits = false, m_in_kernel = false;
  uint32_t m_helpers = 0, m_labels = 0, m_loops = 0, m_budget = 0, m_last_word = 0, m_last_predicate = 0;
};

}  // namespace

std::string random_kernel(uint32_t seed) {
  std::mt19937 engine(seed);
  return Generator([&](uint32_t n) { return static_cast<uint32_t>(engine() % n); }).module();
}

std::string random_kernel(std::span<const uint8_t> bytes) {
  size_t at = 0;
  return Generator([&](uint32_t n) { return at < bytes.size() ? bytes[at++] % n : 0; }).module();
}

KernelMemory::KernelMemory(uint32_t threads)
    : out(size_t{out_bytes} * threads), sums(sums_bytes), scratch(size_t{scratch_bytes} * threads) {}

Outcome run_reference(const ptx::Module& module, Dim3 grid, Dim3 block, KernelMemory& memory) {
  Launch launch;
  launch.module = &module;
  launch.entry = "test";
  launch.grid = grid;
  launch.block = block;
  uint64_t address = 0x10000;
  for (std::vector<std::byte>* bytes : {&memory.out, &memory.sums, &memory.scratch}) {
    launch.arguments.push_back(address);
    launch.buffers.push_back({address, *bytes});
    address += 0x100000;
  }
  return run(launch);
}

}  // namespace warplens::reference
