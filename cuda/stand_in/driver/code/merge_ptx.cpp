#include "cuda/stand_in/driver/code/merge_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <vector>

#include "core/base/text.h"

namespace warplens::driver {

namespace {

// A statement between braces of level 0: a directive, a declaration with its semicolon, or a function with
// its body.
struct Statement {
  std::string_view text;
  std::string_view symbol;  // that it declares or defines; empty: none
  bool is_extern = false, is_weak = false, has_body = false, is_function = false;
  bool is_header = false;   // .version, .target, .address_size
  bool is_file = false;     // .file
  bool is_section = false;  // debugging information: its numbers are of its own text
};

bool is_word(char c) { return is_in_name(c) || c == '$' || c == '.' || c == '%'; }

// Skips blanks and comments.
size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

size_t skip_string(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    at = skip_blanks(text, at);
    if (at >= text.size()) break;
    if (text[at] == '"') {
      const size_t end = skip_string(text, at);
      words.push_back(text.substr(at, end - at));
      at = end;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// The name that a function or variable has: after the results in parentheses, or before [, =, ; or the end.
void find_symbol(Statement& statement) {
  std::string_view head = statement.text.substr(0, statement.text.find('{'));
  const std::vector<std::string_view> words = words_of(head);
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  statement.is_extern = has(".extern");
  statement.is_weak = has(".weak");
  const auto function =
      std::find_if(words.begin(), words.end(), [](auto w) { return w == ".func" || w == ".entry"; });
  if (function != words.end()) {
    statement.is_function = true;
    auto at = function + 1;
    while (at != words.end() && (*at == ".noreturn" || *at == ".attribute")) ++at;
    if (at != words.end() && *at == "(") {
      at = std::find(at, words.end(), ")");
      if (at != words.end()) ++at;
    }
    if (at != words.end()) statement.symbol = *at;
    return;
  }
  const bool variable = has(".global") || has(".const") || has(".shared");
  if (!variable) return;
  const auto end = std::find_if(words.begin(), words.end(),
                                [](auto w) { return w == "[" || w == "=" || w == ";" || w == ","; });
  if (end != words.begin()) statement.symbol = *std::prev(end);
}

size_t end_of_statement(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t at = begin; at < text.size();) {
    const size_t next = skip_blanks(text, at);
    if (next != at) {
      at = next;
      continue;
    }
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
      continue;
    }
    ++at;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) {
      // The end of a body; of an initialiser, a semicolon follows.
      const size_t behind = skip_blanks(text, at);
      if (behind < text.size() && text[behind] == ';') return behind + 1;
      return at;
    }
    if (c == ';' && depth == 0) return at;
  }
  return text.size();
}

std::vector<Statement> statements_of(std::string_view text) {
  std::vector<Statement> all;
  for (size_t at = skip_blanks(text, 0); at < text.size(); at = skip_blanks(text, at)) {
    Statement statement;
    size_t word = at;
    while (word < text.size() && is_word(text[word])) ++word;
    const std::string_view first = text.substr(at, word - at);
    statement.is_header = first == ".version" || first == ".target" || first == ".address_size";
    statement.is_file = first == ".file";
    statement.is_section = first == ".section";
    const bool by_line = statement.is_header || statement.is_file || first == ".pragma" || first == ".loc";
    const size_t end = by_line ? std::min(text.find('\n', at), text.size()) : end_of_statement(text, at);
    statement.text = text.substr(at, end - at);
    if (!statement.is_header && !statement.is_file && !statement.is_section) find_symbol(statement);
    statement.has_body = statement.is_function ? statement.text.find('{') != std::string_view::npos
                                               : !statement.is_extern && !statement.symbol.empty();
    all.push_back(statement);
    at = end;
  }
  return all;
}

// "8.4" → 804, "sm_86" → 86.
unsigned number_of(std::string_view text) {
  unsigned value = 0;
  const size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return 0;
  std::from_chars(text.data() + digit, text.data() + text.size(), value);
  return value;
}

struct Header {
  std::string version = ".version 6.0", target = ".target sm_50";
  unsigned version_number = 0, target_number = 0;

  void take(std::string_view line) {
    const std::string_view plain = line.substr(0, line.find("//"));
    if (line.starts_with(".version")) {
      const size_t dot = plain.find('.', 1);
      const unsigned number =
          100 * number_of(plain) + (dot == std::string_view::npos ? 0 : number_of(plain.substr(dot)));
      if (number >= version_number) version = plain;
      version_number = std::max(version_number, number);
    } else if (line.starts_with(".target")) {
      const unsigned number = number_of(plain);
      if (number >= target_number) target = plain;
      target_number = std::max(target_number, number);
    }
  }
};

// Renames what only its own text sees (no .visible, .extern, .weak or .common) where another part has the
// same name, and gives the files of .loc numbers of their own.
std::string renamed(std::string_view text, const std::set<std::string_view>& names, const std::string& suffix,
                    unsigned first_file) {
  std::string made;
  made.reserve(text.size() + 64);
  bool file_follows = false;
  for (size_t at = 0; at < text.size();) {
    const size_t next = skip_blanks(text, at);
    made.append(text.substr(at, next - at));
    at = next;
    if (at >= text.size()) break;
    if (text[at] == '"') {
      const size_t end = skip_string(text, at);
      made.append(text.substr(at, end - at));
      at = end;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (file_follows && number_of(word) != 0) {
      made += std::to_string(number_of(word) + first_file);
    } else {
      made.append(word);
      // The names of inlined functions, which each text counts from 0.
      if (names.contains(word) || word.starts_with("$L__info_string")) made += suffix;
    }
    file_follows = first_file != 0 && (word == ".loc" || word == ".file" || word == "inlined_at");
    at = end;
  }
  return made;
}

// The text before the body of a function, as a declaration.
std::string head_of_definition(const std::vector<Statement>& part, std::string_view symbol) {
  for (const Statement& statement : part) {
    if (statement.symbol != symbol || !statement.is_function || !statement.has_body) continue;
    return std::string(statement.text.substr(0, statement.text.find('{'))) + "\n;";
  }
  return {};
}

constexpr std::string_view grid_barrier = R"(
// The barrier of a cooperative grid. %envreg1 and %envreg2 hold the address of a word that is 0 when the grid starts.
// Each block adds 1 when it has come; the first adds what makes all of them together 2^31, so that the top bit changes
// when the last one comes.
.visible .func (.param .b64 warplens_cg_result) cudaCGGetIntrinsicHandle(.param .b32 warplens_cg_scope)
{
  .reg .b32 %warplens_h<3>;
  .reg .b64 %warplens_w<2>;
  mov.u32 %warplens_h1, %envreg1;
  mov.u32 %warplens_h2, %envreg2;
  mov.b64 %warplens_w1, {%warplens_h2, %warplens_h1};
  st.param.b64 [warplens_cg_result], %warplens_w1;
  ret;
}
.visible .func (.param .b32 warplens_cg_status) cudaCGSynchronize(.param .b64 warplens_cg_handle, .param .b32 warplens_cg_flags)
{
  .reg .pred %warplens_p<6>;
  .reg .b32 %warplens_r<16>;
  .reg .b64 %warplens_d<3>;
  ld.param.b64 %warplens_d1, [warplens_cg_handle];
  mov.u32 %warplens_r1, 1;
  setp.eq.u64 %warplens_p1, %warplens_d1, 0;
  @%warplens_p1 bra warplens_cg_end;
  bar.sync 0;
  mov.u32 %warplens_r2, %tid.x;
  mov.u32 %warplens_r3, %tid.y;
  mov.u32 %warplens_r4, %tid.z;
  or.b32 %warplens_r2, %warplens_r2, %warplens_r3;
  or.b32 %warplens_r2, %warplens_r2, %warplens_r4;
  setp.ne.u32 %warplens_p2, %warplens_r2, 0;
  @%warplens_p2 bra warplens_cg_wait;
  mov.u32 %warplens_r5, %ctaid.x;
  mov.u32 %warplens_r6, %ctaid.y;
  mov.u32 %warplens_r7, %ctaid.z;
  or.b32 %warplens_r5, %warplens_r5, %warplens_r6;
  or.b32 %warplens_r5, %warplens_r5, %warplens_r7;
  mov.u32 %warplens_r8, %nctaid.x;
  mov.u32 %warplens_r9, %nctaid.y;
  mov.u32 %warplens_r10, %nctaid.z;
  mul.lo.u32 %warplens_r8, %warplens_r8, %warplens_r9;
  mul.lo.u32 %warplens_r8, %warplens_r8, %warplens_r10;
  sub.u32 %warplens_r8, -2147483647, %warplens_r8;
  setp.eq.u32 %warplens_p3, %warplens_r5, 0;
  selp.b32 %warplens_r11, %warplens_r8, 1, %warplens_p3;
  membar.gl;
  atom.global.add.u32 %warplens_r12, [%warplens_d1], %warplens_r11;
warplens_cg_spin:
  ld.volatile.global.u32 %warplens_r13, [%warplens_d1];
  xor.b32 %warplens_r14, %warplens_r12, %warplens_r13;
  setp.ge.s32 %warplens_p4, %warplens_r14, 0;
  @%warplens_p4 bra warplens_cg_spin;
  membar.gl;
warplens_cg_wait:
  bar.sync 0;
  mov.u32 %warplens_r1, 0;
warplens_cg_end:
  st.param.b32 [warplens_cg_status], %warplens_r1;
  ret;
}
)";

}  // namespace

std::string with_grid_barrier(std::string ptx) {
  if (ptx.find("cudaCG") == std::string::npos) return ptx;
  bool asked = false;
  std::string made;
  for (const Statement& statement : statements_of(ptx)) {
    const bool ours =
        statement.symbol == "cudaCGGetIntrinsicHandle" || statement.symbol == "cudaCGSynchronize";
    if (ours && statement.has_body) return ptx;
    if (ours) {
      asked = true;
      continue;
    }
    // Before the functions, after the header.
    if (asked && statement.is_function && made.find("warplens_cg_spin") == std::string::npos)
      made += grid_barrier;
    made += statement.text;
    made += "\n";
  }
  if (!asked) return ptx;
  if (made.find("warplens_cg_spin") == std::string::npos) made += grid_barrier;
  return made;
}

Result<std::string> merge_ptx(std::span<const PtxPart> parts) {
  if (parts.empty()) return bad_input("There is nothing to link: no PTX was added.");
  if (parts.size() == 1) return std::string(parts[0].text);
  std::vector<std::vector<Statement>> all;
  Header header;
  std::map<std::string_view, size_t> defined;  // that others see → part
  std::map<std::string_view, size_t> own;      // names of one text → how many have them
  for (size_t p = 0; p < parts.size(); ++p) {
    all.push_back(statements_of(parts[p].text));
    std::set<std::string_view> here;
    for (const Statement& s : all.back()) {
      if (s.is_header) header.take(s.text);
      if (s.symbol.empty() || !s.has_body) continue;
      const std::string_view head = s.text.substr(0, s.text.find('{'));
      const bool seen = head.find(".visible") != std::string_view::npos || s.is_weak ||
                        head.find(".common") != std::string_view::npos;
      if (!seen) {
        if (here.insert(s.symbol).second) ++own[s.symbol];
        continue;
      }
      const auto [at, is_new] = defined.emplace(s.symbol, p);
      if (!is_new && at->second != p && !s.is_weak && head.find(".common") == std::string_view::npos)
        return bad_input(fmt::format("{} is defined in {} and in {}: rename one.", s.symbol,
                                     parts[at->second].name, parts[p].name));
    }
  }
  std::string made = header.version + "\n" + header.target + "\n.address_size 64\n";
  std::string bodies, strings;
  std::set<std::string_view> declared, written;
  unsigned files = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    std::set<std::string_view> clashing;
    unsigned most_files = 0;
    for (const Statement& s : all[p]) {
      const bool is_own = s.has_body && !s.symbol.empty() && !defined.contains(s.symbol);
      const auto at = own.find(s.symbol);
      if (is_own && at != own.end() && at->second > 1) clashing.insert(s.symbol);
      if (s.is_file) most_files = std::max(most_files, number_of(s.text));
    }
    const std::string suffix = fmt::format("__part{}", p);
    for (const Statement& s : all[p]) {
      if (s.is_section && s.text.substr(0, s.text.find('{')).find(".debug_str") != std::string_view::npos) {
        const size_t begin = s.text.find('{') + 1, end = s.text.rfind('}');
        if (end != std::string_view::npos && begin <= end)
          strings += renamed(s.text.substr(begin, end - begin), {}, suffix, 0) + "\n";
      }
      if (s.is_header || s.is_section) continue;
      if (!s.symbol.empty() && !s.has_body) {
        if (defined.contains(s.symbol) || !declared.insert(s.symbol).second) {
          // A definition follows, perhaps after its use: its own head declares it. That of the part which
          // only calls it may write its parameters otherwise, as a linker allows that goes by names.
          if (!defined.contains(s.symbol) || !written.insert(s.symbol).second) continue;
          if (s.is_function) made += head_of_definition(all[defined[s.symbol]], s.symbol) + "\n";
          continue;
        }
      }
      if (s.has_body && defined.contains(s.symbol) && defined[s.symbol] != p)
        continue;  // weak, and there already
      (s.is_function && s.has_body ? bodies : made) += renamed(s.text, clashing, suffix, files) + "\n";
    }
    files += most_files;
  }
  if (!strings.empty()) bodies += ".section .debug_str\n{\n" + strings + "}\n";
  return made + bodies;
}

}  // namespace warplens::driver
