#include "tests/core/gpu/exec/ptx_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "tests/paths.h"

namespace warplens::exec::test {

namespace {

class TableReader {
 public:
  explicit TableReader(const std::string& file) : m_file(file) {}

  Result<std::vector<PtxCase>> read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; m_problem.empty() && std::getline(lines, line);) {
      ++m_number;
      read_line(line);
    }
    end_form();
    if (m_problem.empty() && m_cases.empty()) report(m_number, "the table has no 'form NAME'");
    if (!m_problem.empty()) return bad_input(m_problem);
    return std::move(m_cases);
  }

 private:
  void report(uint32_t line, const std::string& what) {
    if (m_problem.empty()) m_problem = fmt::format("{}:{}: {}", m_file, line, what);
  }
  void fail(const std::string& what) {
    report(m_number, fmt::format("form {}: {}", m_cases.back().name, what));
  }

  void read_line(const std::string& line) {
    // "~": an answer that the virtual GPU does not reproduce.
    if (line.empty() || line[0] == '#' || line.starts_with("~ ")) return;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "form") return begin_form(words);
    if (m_cases.empty()) return report(m_number, "this stands before the first 'form NAME'");
    PtxCase& test = m_cases.back();
    if (word == ":") return read_row(test, line);
    if (!test.in.empty()) return fail("rows come last in a form");
    if (line.starts_with("  ")) {
      test.code += line + "\n";
    } else {
      read_note(test, word, words);
    }
  }

  void begin_form(std::istringstream& words) {
    end_form();
    std::string name;
    words >> name;
    if (name.empty()) return report(m_number, "'form' lacks a name");
    for (const PtxCase& test : m_cases) {
      if (test.name == name)
        return report(m_number, fmt::format("line {} has a form {} already", test.form_line, name));
    }
    m_cases.emplace_back().name = name;
    m_cases.back().form_line = m_number;
  }

  void end_form() {
    if (m_cases.empty()) return;
    const PtxCase& test = m_cases.back();
    if (test.code.empty())
      report(test.form_line, fmt::format("form {} has no code: lines that begin with two spaces", test.name));
    if (test.in.empty())
      report(test.form_line,
             fmt::format("form {} has no rows: lines such as ': OPERANDS = RESULTS'", test.name));
  }

  void read_note(PtxCase& test, const std::string& word, std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (word == "in" || word == "out") {
      read_sizes(word == "in" ? test.in_bytes : test.out_bytes, rest);
    } else if (word == "target") {
      std::istringstream target(rest);
      if (!(target >> test.version >> test.target))
        fail("'target' takes two words, such as 'target 8.6 sm_90'");
    } else if (word == "declare") {
      test.declarations += rest + "\n";
    } else if (word == "texture") {
      test.texture = rest;
    } else if (word == "variants") {
      if (rest != "alone" && rest != "plain divergent")
        fail(fmt::format("'variants {}': there are 'alone' and 'plain divergent'", rest));
      test.can_be_guarded = false;
      test.alone = rest == "alone";
    } else if (word == "within") {
      read_nearness(test.nearness, rest);
    } else {
      fail(fmt::format("no line begins with '{}'; code begins with two spaces", word));
    }
  }

  void read_sizes(std::vector<uint32_t>& bytes, const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word != "2" && word != "4" && word != "8")
        return fail(fmt::format("a value has 2, 4 or 8 bytes, not '{}'", word));
      bytes.push_back(static_cast<uint32_t>(word[0] - '0'));
    }
    if (bytes.empty()) fail("'in' and 'out' take the bytes of each value, such as 'in 4 4'");
  }

  void read_nearness(Nearness& nearness, const std::string& text) {
    nearness.exact = false;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "or") continue;
      double* amount = word == "ulp"        ? &nearness.ulp
                       : word == "absolute" ? &nearness.absolute
                       : word == "relative" ? &nearness.relative
                       : word == "f16"      ? &nearness.f16
                       : word == "bf16"     ? &nearness.bf16
                                            : nullptr;
      if (amount == nullptr || !(words >> *amount))
        return fail("'within' takes ulp, absolute, relative, f16 or bf16, each with a number");
    }
  }

  void read_row(PtxCase& test, const std::string& line) {
    if (test.in_bytes.empty() || test.out_bytes.empty()) return fail("'in' and 'out' come before the rows");
    const size_t equals = line.find(" =");
    if (equals == std::string::npos) return fail("a row is ': OPERANDS = RESULTS'");
    test.in.push_back(read_values("operands", line.substr(1, equals - 1), test.in_bytes));
    test.out.push_back(read_values("results", line.substr(equals + 2), test.out_bytes));
    test.line.push_back(m_number);
  }

  std::vector<uint64_t> read_values(std::string_view what, const std::string& text,
                                    const std::vector<uint32_t>& bytes) {
    std::vector<uint64_t> values;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "?") fail("the row has no results yet; README.md there says how they are recorded");
      const size_t digits = values.size() < bytes.size() ? size_t{2} * bytes[values.size()] : word.size();
      const auto end = std::from_chars(word.data(), word.data() + word.size(), values.emplace_back(), 16).ptr;
      if (end != word.data() + word.size() || word.size() != digits)
        fail(fmt::format("'{}' is no number of {} hexadecimal digits", word, digits));
    }
    if (values.size() != bytes.size())
      fail(fmt::format("{} {}, but the form has {}", values.size(), what, bytes.size()));
    return values;
  }

  const std::string& m_file;
  std::vector<PtxCase> m_cases;
  std::string m_problem;
  uint32_t m_number = 0;
};

std::string registers(const PtxCase& test, uint32_t bytes, std::vector<std::string> helpers) {
  std::vector<std::string> names;
  for (const auto& [letter, sizes] : {std::pair{'x', &test.in_bytes}, std::pair{'y', &test.out_bytes}}) {
    for (size_t i = 0; i < sizes->size(); ++i) {
      if ((*sizes)[i] == bytes) names.push_back(fmt::format("%{}{}", letter, i));
    }
  }
  names.insert(names.end(), helpers.begin(), helpers.end());
  return fmt::format("  .reg .b{} {};\n", 8 * bytes, fmt::join(names, ", "));
}

// The code before the tested one: thread n gets row n as %x0, %x1, …, and the contents of memory in %y0, %y1,
// …; %guard says whether the thread takes part.
std::string head_of(const PtxCase& test) {
  const LaneLayout in = layout_of(test.in_bytes), out = layout_of(test.out_bytes);
  const bool has_texture = !test.texture.empty();
  std::string text =
      fmt::format(".version {}\n.target {}\n.address_size 64\n\n{}", test.version, test.target,
                  test.declarations) +
      fmt::format(".visible .entry test(.param .u64 in, .param .u64 out, .param .u32 mask{})\n{{\n",
                  has_texture ? ", .param .u64 texture" : "") +
      registers(test, 2, {"%h"}) + registers(test, 4, {"%thread", "%bit", "%t", "%u", "%w"}) +
      registers(test, 8, {"%in", "%out", "%z"}) +
      R"(  .reg .pred %guard, %p, %q, %c;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  ld.param.u32 %bit, [mask];
  mov.u32 %thread, %tid.x;
  and.b32 %t, %thread, 31;
  shr.u32 %bit, %bit, %t;
  and.b32 %bit, %bit, 1;
  setp.ne.u32 %guard, %bit, 0;
)" +
      fmt::format("  mad.wide.u32 %in, %thread, {}, %in;\n  mad.wide.u32 %out, %thread, {}, %out;\n",
                  in.stride, out.stride);
  for (size_t i = 0; i < in.at.size(); ++i)
    text += fmt::format("  ld.global.b{} %x{}, [%in+{}];\n", 8 * test.in_bytes[i], i, in.at[i]);
  for (size_t i = 0; i < out.at.size(); ++i)
    text += fmt::format("  ld.global.b{} %y{}, [%out+{}];\n", 8 * test.out_bytes[i], i, out.at[i]);
  if (has_texture) text += "  ld.param.u64 %z, [texture];\n";
  return text;
}

std::string tail_of(const PtxCase& test) {
  const LaneLayout out = layout_of(test.out_bytes);
  std::string text;
  for (size_t i = 0; i < out.at.size(); ++i)
    text += fmt::format("  st.global.b{} [%out+{}], %y{};\n", 8 * test.out_bytes[i], out.at[i], i);
  return text + "  ret;\n}\n";
}

// Floats in the order of their values, so that neighbours differ by one.
int64_t ordered(uint64_t bits, uint32_t bytes) {
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

// NaNs are equal to one another, and infinity follows the largest number.
bool is_near_16(uint64_t got, uint64_t wanted, uint32_t bytes, uint64_t infinity, double ulp) {
  for (uint32_t i = 0; i < bytes; i += 2) {
    const uint64_t a = got >> (8 * i) & 0xffff, b = wanted >> (8 * i) & 0xffff;
    const bool nan_a = (a & 0x7fff) > infinity, nan_b = (b & 0x7fff) > infinity;
    if (nan_a != nan_b) return false;
    if (!nan_a && std::abs(double(ordered(a, 2) - ordered(b, 2))) > ulp) return false;
  }
  return true;
}

}  // namespace

LaneLayout layout_of(const std::vector<uint32_t>& bytes) {
  LaneLayout layout;
  for (const uint32_t size : bytes) {
    layout.stride = (layout.stride + size - 1) / size * size;
    layout.at.push_back(layout.stride);
    layout.stride += size;
  }
  layout.stride = (layout.stride + 7) / 8 * 8;
  return layout;
}

Result<std::vector<PtxCase>> parse_ptx_cases(const std::string& text, const std::string& file) {
  return TableReader(file).read(text);
}

Result<std::vector<PtxCase>> read_ptx_cases(const std::string& opcode) {
  std::ifstream file(test_files::source_dir() / table_of(opcode), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return parse_ptx_cases(text.str(), table_of(opcode));
}

std::vector<std::string> opcodes_with_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test_files::source_dir() / "tests/data/ptx")) {
    if (entry.path().extension() == ".cases") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string table_of(const std::string& opcode) { return "tests/data/ptx/" + opcode + ".cases"; }

std::string text_of(const PtxCase& test, Variant variant) {
  const std::string head = head_of(test), tail = tail_of(test);
  if (variant == Variant::plain) return head + test.code + tail;
  if (variant == Variant::divergent) return head + "  @!%guard bra SKIP;\n" + test.code + "SKIP:\n" + tail;
  std::string guarded;
  std::istringstream lines(test.code);
  for (std::string line; std::getline(lines, line);) guarded += "  @%guard" + line.substr(1) + "\n";
  return head + guarded + tail;
}

bool is_near(uint64_t got, uint64_t wanted, uint32_t bytes, const Nearness& nearness) {
  if (got == wanted) return true;
  if (nearness.exact) return false;
  if (nearness.f16 > 0) return is_near_16(got, wanted, bytes, 0x7c00, nearness.f16);
  if (nearness.bf16 > 0) return is_near_16(got, wanted, bytes, 0x7f80, nearness.bf16);
  const auto value = [&](uint64_t bits) {
    return bytes == 8 ? std::bit_cast<double>(bits)
                      : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
  };
  const double a = value(got), b = value(wanted);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::abs(double(ordered(got, bytes) - ordered(wanted, bytes))) <= nearness.ulp) return true;
  return std::abs(a - b) <= std::max(nearness.absolute, nearness.relative * std::abs(b));
}

}  // namespace warplens::exec::test
