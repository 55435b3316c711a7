#include "core/ptx/print/reference_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "core/ptx/check/forms.h"

namespace warplens::ptx {

namespace {

struct Chapter {
  uint32_t number;  // 9.7.number
  std::string_view title;
};

// PTX ISA 8.8, chapter 9.7.
constexpr std::array chapters{Chapter{1, "Integer arithmetic"},
                              Chapter{2, "Extended precision"},
                              Chapter{3, "Floating point"},
                              Chapter{4, "Half-precision floating point"},
                              Chapter{5, "Mixed precision"},
                              Chapter{6, "Comparison and selection"},
                              Chapter{7, "Half-precision comparison"},
                              Chapter{8, "Logic and shifts"},
                              Chapter{9, "Data movement and conversion"},
                              Chapter{10, "Textures"},
                              Chapter{11, "Surfaces"},
                              Chapter{12, "Control flow"},
                              Chapter{13, "Synchronisation and communication"},
                              Chapter{14, "Matrices"},
                              Chapter{15, "Matrices of a warpgroup"},
                              Chapter{16, "Tensor cores of the fifth generation"},
                              Chapter{17, "Stack"},
                              Chapter{18, "Video"},
                              Chapter{19, "Miscellaneous"}};

// "9.7.13.5" → {9, 7, 13, 5}
std::vector<uint32_t> numbers_of(std::string_view section) {
  std::vector<uint32_t> numbers{0};
  for (const char c : section) {
    if (c == '.') {
      numbers.push_back(0);
    } else if (c >= '0' && c <= '9') {
      numbers.back() = numbers.back() * 10 + static_cast<uint32_t>(c - '0');
    }
  }
  return numbers;
}

// The operand as the manual writes it.
std::string operand_text(const OperandSpec& spec) {
  switch (spec.letter) {
    case 'D':
    case 'V':
    case 'M':
    case 'X':
    case 'Q':
      return "d";
    case 'P':
      return "p|q";
    case 'R':
      return "d|p";
    case 's':
    case 'v':
    case 'm':
    case 'x':
    case 'y':
    case 'S':
      return "a";
    case 'Z':
      return "{-}a";
    case 'i':
      return "imm";
    case 'n':
      return "{!}c";
    case 'A':
      return "[a]";
    case 'U':
      return "[handle, {c}]";
    case 'W':
      return "{gradient}";
    case 'L':
      return "label";
    case 'T':
      return "targets";
    case 'F':
      return "(results)";
    case 'G':
      return "function";
    case 'H':
      return "(arguments)";
    case 'K':
      return "prototype";
    default:
      return std::string(1, spec.letter);
  }
}

std::string form_text(uint16_t form) {
  const FormPattern& pattern = pattern_of(form);
  std::string text = fmt::format("{}{}", text_of(forms()[form].opcode), forms()[form].syntax);
  std::vector<std::string> used;
  for (uint32_t i = 0; i < pattern.operand_count; ++i) {
    std::string operand = operand_text(pattern.operands[i]);
    // A second source with the same letter takes the next one.
    while (operand.size() == 1 && std::ranges::find(used, operand) != used.end())
      operand[0] = operand[0] == 'c' ? 'e' : static_cast<char>(operand[0] + 1);
    text += (i == 0 ? " " : ", ") + operand;
    used.push_back(std::move(operand));
  }
  return text;
}

std::string instruction_text(Opcode opcode) {
  std::string text = fmt::format("\n### {}\n\nPTX ISA {}.\n\n```\n", text_of(opcode), section_of(opcode));
  const FormRange range = forms_of(opcode);
  for (uint16_t form = range.first; form < range.last; ++form) text += form_text(form) + ";\n";
  return text + "```\n";
}

}  // namespace

std::string reference_page() {
  std::map<std::vector<uint32_t>, std::vector<Opcode>> by_section;
  for (const Opcode opcode : opcodes()) by_section[numbers_of(section_of(opcode))].push_back(opcode);
  std::string page =
      "# What the virtual GPU runs\n\n"
      "This page lists every form of every supported PTX instruction, from `core/ptx/opcodes.def`.\n"
      "`tests/data/golden/remake_reference.sh` makes the page, and a test compares it. Section numbers are\n"
      "those of the PTX ISA manual 8.8. Braces contain alternatives, brackets contain an optional group,\n"
      "and modifiers may be in any order. Other forms are refused when a kernel is loaded, and so are a\n"
      "few of these: [limits.md](limits.md).\n";
  uint32_t chapter = 0;
  for (const auto& [section, instructions] : by_section) {
    if (section[2] != chapter) {
      chapter = section[2];
      const auto row = std::ranges::find(chapters, chapter, &Chapter::number);
      page += fmt::format("\n## {} (9.7.{})\n", row == chapters.end() ? "More" : row->title, chapter);
    }
    for (const Opcode opcode : instructions) page += instruction_text(opcode);
  }
  return page;
}

}  // namespace warplens::ptx
