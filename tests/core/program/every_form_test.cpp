// Every row of opcodes.def, each of its alternatives at least once: what the parser takes, decode takes too,
// but for the forms in `refused`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "core/ptx/check/forms.h"
#include "core/ptx/modifier.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::program {
namespace THIS_FILE {

using exec::test::decode;
using ptx::FormPattern;
using ptx::Modifier;
using ptx::ModifierKind;
using ptx::Opcode;
using ptx::OperandSpec;
using ptx::OperandType;

// Alternatives of some of a form's groups, by the group's number.
using Choice = std::map<size_t, Modifier>;

// Modifiers of a form: the first alternative of each mandatory group, but for the groups of `choice`.
std::vector<Modifier> choose(const FormPattern& pattern, const Choice& choice) {
  std::vector<Modifier> chosen;
  for (size_t i = 0; i < pattern.groups.size(); ++i) {
    if (const auto found = choice.find(i); found != choice.end()) {
      chosen.push_back(found->second);
      continue;
    }
    // Groups that come together, as in [.xorsign.abs].
    const bool joined = (choice.contains(i + 1) && pattern.groups[i + 1].with_previous) ||
                        (i != 0 && choice.contains(i - 1) && pattern.groups[i].with_previous);
    if (pattern.groups[i].optional && !joined) continue;
    for (size_t m = 0; m < pattern.groups[i].alternatives.size(); ++m) {
      if (!pattern.groups[i].alternatives.test(m)) continue;
      chosen.push_back(static_cast<Modifier>(m));
      break;
    }
  }
  return chosen;
}

// Each alternative by itself, and none; with `pairs`, those of any two groups together as well.
std::vector<Choice> choices_of(const FormPattern& pattern, bool pairs) {
  std::vector<Choice> choices{{}};
  for (size_t group = 0; group < pattern.groups.size(); ++group) {
    const size_t before = choices.size();
    for (size_t m = 0; m < pattern.groups[group].alternatives.size(); ++m) {
      if (!pattern.groups[group].alternatives.test(m)) continue;
      for (size_t i = 0; i < (pairs ? before : 1); ++i) {
        Choice choice = choices[i];
        if (choice.size() > 1) continue;
        choice.emplace(group, static_cast<Modifier>(m));
        choices.push_back(std::move(choice));
      }
    }
  }
  return choices;
}

class Writer {
 public:
  explicit Writer(const std::vector<Modifier>& modifiers) {
    for (const Modifier m : modifiers) {
      if (ptx::kind_of(m) == ModifierKind::type) m_types.push_back(m);
      if (m == Modifier::v2) m_vector = 2;
      if (m == Modifier::v4) m_vector = 4;
      if (m == Modifier::v8) m_vector = 8;
    }
  }
  std::string operand(const OperandSpec& spec) {
    switch (spec.letter) {
      case 'p':
        return "%p0";
      case 'P':
        return "%p0|%p1";
      case 'R':
        return value(spec) + "|%p0";
      case 'n':
        return "!%p2";
      case 'i':
        return "8";
      case 'A':
        return "[%address]";
      case 'V':
      case 'v':
        return m_vector == 0 ? value(spec) : vector(spec);
      case 'L':
        return "PLACE";
      case 'T':
        return "TABLE";
      default:
        if (spec.source == OperandType::barrier) return "1";
        if (spec.source == OperandType::threads) return "64";
        return value(spec);
    }
  }

 private:
  uint32_t bits_of(const OperandSpec& spec) const {
    const Modifier first = m_types.empty() ? Modifier::b32 : m_types[0];
    switch (spec.source) {
      case OperandType::second:
        return ptx::bits_of(m_types.size() > 1 ? m_types[1] : first);
      case OperandType::wide:
        return 2 * ptx::bits_of(first);
      case OperandType::fixed:
        return ptx::bits_of(spec.type);
      case OperandType::address:
        return 64;
      default:
        return ptx::bits_of(first);
    }
  }
  std::string value(const OperandSpec& spec) {
    const uint32_t bits = bits_of(spec);
    if (bits == 1) return fmt::format("%p{}", 3 + m_count++ % 4);
    return fmt::format("%r{}_{}", std::max(bits, 16u), m_count++ % 10);
  }
  std::string vector(const OperandSpec& spec) {
    std::string text;
    for (uint32_t i = 0; i < m_vector; ++i) text += (i == 0 ? "{" : ", ") + value(spec);
    return text + "}";
  }

  std::vector<Modifier> m_types;
  uint32_t m_vector = 0, m_count = 0;
};

std::string module_of(const std::string& instruction) {
  return ".version 8.8\n.target sm_90\n.address_size 64\n.entry test()\n{\n  .reg .b16 %r16_<10>;\n"
         "  .reg .b32 %r32_<10>;\n  .reg .b64 %r64_<10>, %address;\n  .reg .b128 %r128_<10>;\n  .reg .pred "
         "%p<8>;\n"
         "PLACE:\n  " +
         instruction + ";\n  ret;\n}\n";
}

// Opcodes whose operands are no single instruction's: jump tables, calls.
// Matrices take registers by shape, textures coordinates by theirs, and what copies in the background
// addresses of two spaces.
bool has_own_tests(Opcode opcode) {
  return opcode == Opcode::call || opcode == Opcode::brx || opcode == Opcode::cp ||
         opcode == Opcode::mbarrier || ptx::unit_of(opcode) == ptx::Unit::tensor ||
         ptx::unit_of(opcode) == ptx::Unit::texture;
}

// Forms that are taken apart and then refused, with a sentence that says why.
bool is_refused(const std::string& instruction) {
  const bool narrow_address =
      instruction.starts_with("cvta") && instruction.find(".u32 ") != std::string::npos;
  const bool argument = instruction.starts_with("st.") && instruction.find(".param") != std::string::npos;
  return narrow_address || argument || instruction.starts_with("brkpt");
}

// `visit` gets each instruction, and the opcode.
template <class Visit>
void for_each_instruction(bool pairs, Visit visit) {
  for (uint16_t form = 0; form < ptx::forms().size(); ++form) {
    const Opcode opcode = ptx::forms()[form].opcode;
    const FormPattern& pattern = ptx::pattern_of(form);
    for (const Choice& choice : choices_of(pattern, pairs)) {
      const std::vector<Modifier> modifiers = choose(pattern, choice);
      if (ptx::match_form(opcode, modifiers, pattern.operand_count) != form) continue;
      Writer writer(modifiers);
      std::string text(ptx::text_of(opcode));
      for (const Modifier each : modifiers) text += fmt::format(".{}", ptx::text_of(each));
      for (uint32_t i = 0; i < pattern.operand_count; ++i)
        text += (i == 0 ? " " : ", ") + writer.operand(pattern.operands[i]);
      visit(opcode, text);
    }
  }
}

TEST(EveryForm, DecodesWhereItParses) {
  std::set<std::string> failures;
  for_each_instruction(false, [&](Opcode opcode, const std::string& text) {
    if (has_own_tests(opcode)) return;
    const auto decoded = decode(module_of(text), "test", exec::ops_baseline());
    if (decoded.program == nullptr && !is_refused(text)) failures.insert(text + ": " + decoded.errors);
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
}

// A table that asks all families of the real one whenever decode asks one of them.
class Listener {
 public:
  explicit Listener(const OpsTable& real) {
    s_real = &real;
    s_asked = 0;
    s_failures.clear();
    m_table = real;
    listen(std::make_index_sequence<families>());
  }
  const OpsTable& table() const { return m_table; }
  static size_t asked() { return s_asked; }
  static const std::set<std::string>& failures() { return s_failures; }

 private:
  template <size_t... F>
  void listen(std::index_sequence<F...>) {
    m_table.family = {&ask<F>...};
  }
  template <size_t F>
  static Handlers ask(const Selector& selector) {
    ++s_asked;
    EXPECT_EQ(static_cast<size_t>(family_of(selector)), F);
    for (size_t other = 0; other < families; ++other) {
      if (other == F || !s_real->family[other](selector)) continue;
      s_failures.insert(fmt::format("{} of {} and {}: families {} and {}", ptx::text_of(selector.opcode),
                                    ptx::text_of(selector.type), ptx::text_of(selector.source_type), F,
                                    other));
    }
    return s_real->family[F](selector);
  }

  OpsTable m_table;
  static inline const OpsTable* s_real = nullptr;
  static inline size_t s_asked = 0;
  static inline std::set<std::string> s_failures;
};

// The table of instructions says which family has an instruction's handlers; no other has any for it.
TEST(EveryForm, IsOfOneFamily) {
  for (const exec::InstructionSet& set : exec::test::instruction_sets()) {
    const Listener listener(*set.table);
    for_each_instruction(
        true, [&](Opcode, const std::string& text) { decode(module_of(text), "test", listener.table()); });
    // Matrices and copies, for which there is no instruction above.
    const auto folder = exec::test::source_file("tests/data/golden/ptx");
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const ptx::ParseResult parsed = ptx::parse(exec::test::read_text(file.path()), "test.ptx");
      if (parsed.module == nullptr) continue;
      for (const ptx::Function& function : parsed.module->functions) {
        if (function.is_entry) program::decode(parsed.module, function.name, listener.table());
      }
    }
    EXPECT_GT(Listener::asked(), 1000u) << set.name;
    for (const std::string& failure : Listener::failures()) ADD_FAILURE() << set.name << ": " << failure;
  }
}

// What the truth tests of tests/data/ptx cannot hold, since it ends the run or belongs to several functions:
// tests/data/truth/functions and tests/core/gpu/engine have them.
TEST(EveryForm, HasItsTests) {
  const std::set<std::string> elsewhere{"alloca",     "barrier",      "brkpt",     "brx", "call", "mapa",
                                        "getctarank", "stackrestore", "stacksave", "suq", "trap", "txq"};
  for (const Opcode opcode : ptx::opcodes()) {
    const std::string name(ptx::text_of(opcode));
    if (elsewhere.contains(name)) continue;
    const std::filesystem::path table = exec::test::source_file("tests/data/ptx/" + name);
    EXPECT_TRUE(std::filesystem::exists(table.string() + ".cases") ||
                std::filesystem::exists(table.string() + ".warp"))
        << name;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::program
