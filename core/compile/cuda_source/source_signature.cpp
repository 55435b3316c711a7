#include "core/compile/cuda_source/source_signature.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens {

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Words and single characters, in order, without white space.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (is_in_name(text[at]))
      while (end < text.size() && is_in_name(text[end])) ++end;
    if (!is_space(text[at])) tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

bool is_name(std::string_view token) {
  return !token.empty() && is_in_name(token[0]) && std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

// The position after the bracket that closes the one at `open`. npos if there is none.
size_t behind_closing(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}') --depth;
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> split_parameters(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t at = 0; at < list.size(); ++at) {
    const char c = list[at];
    depth += c == '(' || c == '[' || c == '{' || c == '<';
    depth -= c == ')' || c == ']' || c == '}' || c == '>';
    if (c != ',' || depth != 0) continue;
    parts.push_back(list.substr(start, at - start));
    start = at + 1;
  }
  if (!trimmed(list.substr(start)).empty()) parts.push_back(list.substr(start));
  if (parts.size() == 1 && trimmed(parts[0]) == "void") parts.clear();
  return parts;
}

constexpr std::array<std::string_view, 12> qualifiers = {
    "const",      "volatile", "__restrict__", "__restrict",        "restrict", "struct",
    "__device__", "register", "std",          "__grid_constant__", "typename", "mutable"};
constexpr std::array<std::string_view, 10> basic_words = {"unsigned", "signed", "char",   "short", "int",
                                                          "long",     "float",  "double", "bool",  "void"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

struct NamedType {
  std::string_view name;
  DType dtype;
};
constexpr std::array<NamedType, 23> named_types = {
    {{"uint8_t", DType::u8},    {"int8_t", DType::i8},    {"uint16_t", DType::u16},
     {"int16_t", DType::i16},   {"uint32_t", DType::u32}, {"int32_t", DType::i32},
     {"uint64_t", DType::u64},  {"int64_t", DType::i64},  {"size_t", DType::u64},
     {"ptrdiff_t", DType::i64}, {"uchar", DType::u8},     {"ushort", DType::u16},
     {"uint", DType::u32},      {"ulong", DType::u64},    {"longlong", DType::i64},
     {"ulonglong", DType::u64}, {"half", DType::f16},     {"__half", DType::f16},
     {"uintptr_t", DType::u64}, {"intptr_t", DType::i64}, {"ssize_t", DType::i64},
     {"char8_t", DType::u8},    {"clock_t", DType::i64}}};

// The types of C. long has 64 bits in CUDA on Linux.
std::optional<DType> basic_type(const std::vector<std::string_view>& words) {
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  for (const std::string_view word : words)
    if (!contains(basic_words, word)) return std::nullopt;
  if (words.empty() || count("void")) return std::nullopt;
  if (count("float")) return DType::f32;
  if (count("double")) return DType::f64;
  if (count("bool")) return DType::u8;
  const bool without_sign = count("unsigned") > 0;
  if (count("char")) return without_sign ? DType::u8 : DType::i8;
  if (count("short")) return without_sign ? DType::u16 : DType::i16;
  if (count("long")) return without_sign ? DType::u64 : DType::i64;
  return without_sign ? DType::u32 : DType::i32;
}

// float4, uchar3, longlong2.
ValueType vector_type(std::string_view word) {
  if (word.size() < 4 || word.back() < '1' || word.back() > '4') return {};
  const std::string_view of = word.substr(0, word.size() - 1);
  std::optional<DType> dtype = basic_type({of});
  for (const NamedType& named : named_types)
    if (!dtype && named.name == of && !of.ends_with("_t")) dtype = named.dtype;
  return {dtype, static_cast<uint32_t>(word.back() - '0')};
}

SourceParameter parameter_of(std::string_view text) {
  text = text.substr(0, text.find('='));
  SourceParameter parameter;
  std::vector<std::string_view> words, type;
  bool before_star = true;
  for (const std::string_view token : tokens_of(text)) {
    if (token == "*" || token == "[" || token == "&") {
      parameter.pointer |= token != "&";
      before_star = false;
    }
    if (token == "[") break;
    if (token == "const" && before_star) parameter.to_const = true;
    if (is_name(token) && !contains(qualifiers, token)) words.push_back(token);
  }
  // The last word is the name, unless all words belong to the type.
  const bool named = words.size() > 1 && !contains(basic_words, words.back());
  if (named) parameter.name = std::string(words.back());
  std::string declaration;
  for (size_t i = 0; i < words.size() - (named ? 1 : 0); ++i) declaration += std::string(words[i]) + " ";
  const ValueType value = value_type_of(declaration);
  parameter.dtype = value.dtype;
  parameter.components = value.components;
  parameter.to_const &= parameter.pointer;
  return parameter;
}

// The attributes with parentheses that may be between __global__ and the name.
constexpr std::array<std::string_view, 6> with_brackets = {
    "__launch_bounds__", "__cluster_dims__", "__attribute__", "__declspec", "__maxnreg__", "__block_size__"};

// The kernel whose __global__ is at `at`; none for a declaration without a body.
std::optional<SourceKernel> kernel_at(std::string_view code, size_t at) {
  SourceKernel kernel;
  kernel.begin = at;
  std::string_view last;
  for (size_t i = at; i < code.size();) {
    if (is_in_name(code[i])) {
      size_t end = i;
      while (end < code.size() && is_in_name(code[end])) ++end;
      last = code.substr(i, end - i);
      i = end;
    } else if (code[i] == '(') {
      const size_t end = behind_closing(code, i);
      if (end == std::string_view::npos) return std::nullopt;
      if (contains(with_brackets, last)) {
        i = end;
        continue;
      }
      if (!is_name(last)) return std::nullopt;
      kernel.name = std::string(last);
      for (const std::string_view part : split_parameters(code.substr(i + 1, end - i - 2)))
        kernel.parameters.push_back(parameter_of(part));
      const size_t body = code.find_first_of("{;", end);
      if (body == std::string_view::npos || code[body] == ';') return std::nullopt;
      kernel.end = std::min(behind_closing(code, body), code.size());
      return kernel;
    } else if (code[i] == '{' || code[i] == ';' || code[i] == '}') {
      return std::nullopt;
    } else {
      ++i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string without_comments(std::string_view source) {
  std::string code(source);
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (size_t at = 0; at < source.size();) {
    size_t end = at + 1;
    if (source.substr(at, 2) == "//") {
      end = std::min(source.find('\n', at), source.size());
      blank(at, end);
    } else if (source.substr(at, 2) == "/*") {
      const size_t close = source.find("*/", at + 2);
      end = close == std::string_view::npos ? source.size() : close + 2;
      blank(at, end);
    } else if (source[at] == '"' || (source[at] == '\'' && (at == 0 || !is_in_name(source[at - 1])))) {
      while (end < source.size() && source[end] != source[at] && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, source.size());
      blank(at, end);
    }
    at = end;
  }
  return code;
}

ValueType value_type_of(std::string_view declaration) {
  std::vector<std::string_view> words;
  for (const std::string_view token : tokens_of(declaration))
    if (is_name(token) && !contains(qualifiers, token)) words.push_back(token);
  if (const std::optional<DType> basic = basic_type(words)) return {basic, 1};
  if (words.size() != 1) return {};
  for (const NamedType& named : named_types)
    if (named.name == words[0]) return {named.dtype, 1};
  return vector_type(words[0]);
}

std::vector<SourceKernel> kernels_of_source(std::string_view source) {
  const std::string code = without_comments(source);
  constexpr std::string_view marker = "__global__";
  std::vector<SourceKernel> kernels;
  for (size_t at = code.find(marker); at != std::string::npos; at = code.find(marker, at + 1)) {
    const bool whole = (at == 0 || !is_in_name(code[at - 1])) &&
                       (at + marker.size() >= code.size() || !is_in_name(code[at + marker.size()]));
    if (!whole) continue;
    std::optional<SourceKernel> kernel = kernel_at(code, at);
    if (!kernel) continue;
    kernel->line =
        1 + static_cast<uint32_t>(std::count(code.begin(), code.begin() + static_cast<ptrdiff_t>(at), '\n'));
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

std::string plain_entry_name(std::string_view entry) {
  if (!entry.starts_with("_Z")) return std::string(entry);
  std::string_view rest = entry.substr(2);
  if (rest.starts_with("N")) rest.remove_prefix(1);
  std::string_view name;
  while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
    size_t length = 0;
    while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0 && length < 10'000) {
      length = length * 10 + static_cast<size_t>(rest[0] - '0');
      rest.remove_prefix(1);
    }
    if (length > rest.size()) break;
    name = rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return std::string(name.empty() ? entry : name);
}

std::vector<std::string> index_lines(std::string_view source, const SourceKernel& kernel) {
  constexpr size_t most = 4;
  const std::string code = without_comments(source);
  std::vector<std::string> lines;
  size_t at = std::min(kernel.begin, code.size());
  const size_t end = std::min(kernel.end, code.size());
  while (at < end && lines.size() < most) {
    const size_t stop = std::min(code.find_first_of(";{}", at), end);
    const std::string_view statement = trimmed(std::string_view(code).substr(at, stop - at));
    at = stop + 1;
    const size_t equals = statement.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    const std::string_view left = trimmed(statement.substr(0, equals));
    const std::string_view right = trimmed(statement.substr(equals + 1));
    if (right.find("threadIdx.") == std::string_view::npos ||
        right.find_first_of("=?[\n") != std::string_view::npos)
      continue;
    size_t name = left.size();
    while (name > 0 && is_in_name(left[name - 1])) --name;
    if (name == left.size()) continue;  // a[i] = …, x += …
    lines.push_back(std::string(left.substr(name)) + " = " + std::string(right));
  }
  return lines;
}

}  // namespace warplens
