#include "tests/core/gpu/exec/masked_program.h"

#include <fmt/format.h>

#include <array>
#include <random>

namespace warplens::exec::test {

namespace {

// Registers: %r0 to %r5 are values; %x %y %lane %thread %all (threads of the grid) say who runs.
constexpr uint32_t masked_values = 6;

class MaskedWriter {
 public:
  explicit MaskedWriter(uint32_t seed) : m_random(seed) {}
  std::string write();

 private:
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(m_random() % end); }
  std::string value() { return fmt::format("%r{}", below(masked_values)); }
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    m_text += "  " + fmt::format(text, std::forward<Args>(args)...) + "\n";
  }
  std::string predicate() { return fmt::format("%p{}", m_predicates++); }
  void arithmetic();
  std::string condition();
  void index_of_load(uint32_t bytes);
  void load();
  void store();
  void load_shared();
  void store_shared();
  void branch(uint32_t depth);
  void loop(uint32_t depth);
  void statement(uint32_t depth);
  void block(uint32_t depth, uint32_t most);

  std::mt19937 m_random;
  std::string m_text;
  uint32_t m_labels = 0, m_predicates = 0, m_loops = 0;
  bool m_may_store_shared = false;  // else it may be loaded
};

void MaskedWriter::arithmetic() {
  switch (below(6)) {
    case 0:
      return line("add.u32 {}, {}, {};", value(), value(), value());
    case 1:
      return line("mad.lo.u32 {}, {}, 1664525, {};", value(), value(), value());
    case 2:
      return line("xor.b32 {}, {}, {};", value(), value(), below(1 << 20));
    case 3:
      return line("shr.u32 {}, {}, {};", value(), value(), below(31));
    case 4: {
      line("cvt.rn.f32.u32 %f0, {};", value());
      line("fma.rn.f32 %f0, %f0, 0f3DCCCCCD, 0f40490FDB;");
      return line("cvt.rzi.u32.f32 {}, %f0;", value());
    }
    default:
      return line("sub.u32 {}, {}, %lane;", value(), value());
  }
}

std::string MaskedWriter::condition() {
  std::string made = predicate();
  switch (below(7)) {
    case 0:
      line("setp.gt.u32 {}, %x, {};", made, below(16));
      break;
    case 1:
      line("setp.lt.u32 {}, %y, {};", made, 1 + below(8));
      break;
    case 2: {  // inside of a border
      const std::string other = predicate();
      line("setp.ge.u32 {}, %x, {};", made, 1 + below(3));
      line("setp.lt.u32 {}, %x, {};", other, 8 + below(24));
      line("and.pred {0}, {0}, {1};", made, other);
      break;
    }
    case 3:
      line("and.b32 %t0, %lane, {};", 1 + below(31));
      line("setp.ne.u32 {}, %t0, {};", made, below(4));
      break;
    case 4:
      line("and.b32 %t0, {}, {};", value(), 1 + below(7));
      line("setp.eq.u32 {}, %t0, 0;", made);
      break;
    case 5:
      line("setp.lt.u32 {}, %lane, {};", made, below(33));
      break;
    default:
      line("setp.gt.u32 {}, {}, {};", made, value(), value());
  }
  return made;
}

// %t0: a number below the elements of the input.
void MaskedWriter::index_of_load(uint32_t bytes) {
  const uint32_t elements = MaskedProgram::in_bytes / bytes;
  switch (below(7)) {
    case 0:
      line("mov.u32 %t0, %thread;");
      break;
    case 1:
      line("mad.lo.u32 %t0, %y, {}, %x;", 16 + below(100));
      break;
    case 2:
      line("mov.u32 %t0, {};", below(elements));
      break;
    case 3:
      line("mul.lo.u32 %t0, %thread, {};", 2 + below(9));
      break;
    case 4:
      line("mul.lo.u32 %t0, {}, 2654435761;", value());
      break;
    case 5:
      line("sub.u32 %t0, %all, %thread;");
      break;
    default:
      line("mul.lo.u32 %t0, %y, {};", 1 + below(80));
  }
  line("and.b32 %t0, %t0, {};", elements / 2 - 1);
}

void MaskedWriter::load() {
  static constexpr std::array<const char*, 6> types{"u8", "s8", "u16", "s16", "u32", "s32"};
  const std::string guard = below(5) == 0 ? "@" + condition() + " " : "";
  if (below(5) == 0) {
    index_of_load(8);
    line("mul.wide.u32 %d2, %t0, 8;");
    line("add.u64 %d2, %d2, %d0;");
    line("mov.u64 %d3, 1;");
    line("{}ld.global.u64 %d3, [%d2+{}];", guard, 8 * below(64));
    line("cvt.u32.u64 %t1, %d3;");
    line("shr.u64 %d3, %d3, 17;");
    line("cvt.u32.u64 %t2, %d3;");
    return line("add.u32 {}, %t1, %t2;", value());
  }
  const uint32_t type = below(types.size()), bytes = 1u << type / 2;
  index_of_load(bytes);
  line("mul.wide.u32 %d2, %t0, {};", bytes);
  line("add.u64 %d2, %d2, %d0;");
  line("{}ld.global.{} {}, [%d2+{}];", guard, types[type], value(), bytes * below(64));
}

// Each thread has eight places of eight bytes side by side with those of other threads, and behind all of
// these eight side by side with its own.
void MaskedWriter::store() {
  static constexpr std::array<const char*, 4> types{"u8", "u16", "u32", "u64"};
  const uint32_t type = below(types.size()), place = below(8);
  const std::string guard = below(5) == 0 ? "@" + condition() + " " : "";
  if (below(3) == 0) {
    line("add.u32 %t0, %all, %thread;");
    line("mul.wide.u32 %d2, %t0, 64;");
    line("add.u64 %d2, %d2, {};", 8 * place);
  } else {
    line("mad.lo.u32 %t0, %all, {}, %thread;", place);
    line("mul.wide.u32 %d2, %t0, 8;");
  }
  line("add.u64 %d2, %d2, %d1;");
  if (type == 3) line("cvt.u64.u32 %d3, {};", value());
  line("{}st.global.{} [%d2], {};", guard, types[type], type == 3 ? std::string("%d3") : value());
}

void MaskedWriter::load_shared() {
  const uint32_t bytes = 1u << below(4);
  switch (below(4)) {
    case 0:
      line("mov.u32 %t0, %index;");
      break;
    case 1:
      line("mul.lo.u32 %t0, %index, {};", 1 + below(33));
      break;
    case 2:
      line("mov.u32 %t0, {};", below(256));
      break;
    default:
      line("add.u32 %t0, {}, %index;", value());
  }
  line("and.b32 %t0, %t0, 255;");
  line("mad.lo.u32 %t0, %t0, 8, %tile;");
  if (bytes == 8) {
    line("ld.shared.u64 %d3, [%t0];");
    return line("cvt.u32.u64 {}, %d3;", value());
  }
  line("ld.shared.u{} {}, [%t0];", 8 * bytes, value());
}

void MaskedWriter::store_shared() {
  const uint32_t bytes = 1u << below(4);
  line("mad.lo.u32 %t0, %index, 8, %tile;");
  if (bytes == 8) {
    line("cvt.u64.u32 %d3, {};", value());
    return line("st.shared.u64 [%t0], %d3;");
  }
  line("st.shared.u{} [%t0], {};", 8 * bytes, value());
}

void MaskedWriter::branch(uint32_t depth) {
  const uint32_t label = m_labels++;
  const std::string on = condition();
  const bool has_else = below(2) == 0;
  line("@!{} bra {}{};", on, has_else ? "ELSE" : "END", label);
  block(depth + 1, 4);
  if (has_else) {
    line("bra END{};", label);
    m_text += fmt::format("ELSE{}:\n", label);
    block(depth + 1, 3);
  }
  m_text += fmt::format("END{}:\n", label);
}

void MaskedWriter::loop(uint32_t depth) {
  const uint32_t label = m_labels++, counter = m_loops++;
  const std::string again = predicate();
  line("and.b32 %n{}, {}, {};", counter, below(2) == 0 ? value() : "%lane", below(2) == 0 ? 7 : 3);
  m_text += fmt::format("LOOP{}:\n", label);
  block(depth + 1, 3);
  line("add.u32 %n{0}, %n{0}, 1;", counter);
  line("setp.lt.u32 {}, %n{}, {};", again, counter, 3 + below(5));
  line("@{} bra LOOP{};", again, label);
}

void MaskedWriter::statement(uint32_t depth) {
  const uint32_t kind = below(depth < 3 ? 12 : 9);
  if (kind < 2) return arithmetic();
  if (kind < 5) return load();
  if (kind < 7) return store();
  if (kind < 9) return m_may_store_shared ? store_shared() : load_shared();
  if (kind < 11 || m_loops > 6) return branch(depth);
  loop(depth);
}

void MaskedWriter::block(uint32_t depth, uint32_t most) {
  for (uint32_t n = 1 + below(most); n != 0; --n) statement(depth);
}

std::string MaskedWriter::write() {
  const uint32_t phases = 1 + below(4);
  for (uint32_t phase = 0; phase < phases; ++phase) {
    m_may_store_shared = phase % 2 == 0;
    block(0, 4);
    m_text += "  bar.sync 0;\n";
  }
  for (uint32_t i = 0; i < masked_values; ++i) {
    line("mad.lo.u32 %t0, %all, {}, %thread;", i);
    line("mul.wide.u32 %d2, %t0, 8;");
    line("add.u64 %d2, %d2, %d1;");
    line("st.global.u32 [%d2+4], %r{};", i);
  }
  std::string text =
      ".version 7.8\n.target sm_80\n.address_size 64\n"
      ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
      "  .reg .b64 %d<4>; .reg .b32 %r<6>, %t<3>, %n<9>, %x, %y, %lane, %thread, %all, %index, %tile;\n"
      "  .reg .f32 %f<2>;\n";
  text += fmt::format("  .reg .pred %p<{}>;\n", m_predicates + 1);
  text +=
      "  .shared .align 8 .b8 shared[2048];\n"
      "  ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out];\n"
      "  mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %lane, %laneid; mov.u32 %tile, shared;\n"
      "  mov.u32 %t0, %ntid.x; mad.lo.u32 %index, %y, %t0, %x;\n"
      "  mov.u32 %t1, %ntid.y; mul.lo.u32 %t0, %t0, %t1; mov.u32 %t1, %nctaid.x; mul.lo.u32 %all, %t0, %t1;\n"
      "  mov.u32 %t1, %ctaid.x; mad.lo.u32 %thread, %t1, %t0, %index;\n"
      "  mad.lo.u32 %t0, %index, 8, %tile; mov.u64 %d3, 0; st.shared.u64 [%t0], %d3; bar.sync 0;\n";
  for (uint32_t i = 0; i < masked_values; ++i)
    text += fmt::format("  mad.lo.u32 %r{0}, %thread, {1}, {0};\n", i, 7 * i + 1);
  return text + m_text + "  ret;\n}\n";
}

}  // namespace

MaskedProgram masked_program(uint32_t seed) { return {MaskedWriter(seed).write()}; }

}  // namespace warplens::exec::test
