#include "core/recording/parameter_names.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <utility>

#include "core/base/text.h"
#include "core/recording/launch_source.h"
#include "core/recording/numba_name.h"

namespace warplens::recording {

namespace {

bool opens(char c) { return c == '(' || c == '[' || c == '<' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '>' || c == '}'; }

std::string_view without_ends(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// The parts of a list between commas, except those inside brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    const char c = i == list.size() ? ',' : list[i];
    depth += opens(c) ? 1 : closes(c) ? -1 : 0;
    if (c != ',' || (depth != 0 && i != list.size())) continue;
    if (const std::string_view part = without_ends(list.substr(begin, i - begin)); !part.empty())
      parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// The text between the bracket at `open` and its partner; empty if it has none.
std::optional<std::string_view> bracketed(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return std::nullopt;
}

std::string_view word_before(std::string_view text, size_t end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  size_t begin = end;
  while (begin > 0 && is_in_name(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::optional<std::string_view> python_parameters(std::string_view text) {
  const size_t def = text.find("def ");
  const size_t open = def == text.npos ? def : text.find('(', def);
  return open == text.npos ? std::nullopt : bracketed(text, open);
}

// The kernel's name is preceded by attributes with their own brackets.
std::optional<std::string_view> cpp_parameters(std::string_view text) {
  constexpr std::array attributes{"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                  "__block_size__",    "__attribute__",    "alignas"};
  size_t at = text.find("__global__");
  while (at != text.npos && (at = text.find('(', at)) != text.npos) {
    const auto list = bracketed(text, at);
    if (!list) return std::nullopt;
    if (std::find(attributes.begin(), attributes.end(), word_before(text, at)) == attributes.end())
      return list;
    at += list->size() + 2;
  }
  return std::nullopt;
}

// The name in "const float (&x)[4] = …": the last word before a size or a value.
std::string cpp_name(std::string_view parameter) {
  parameter = without_ends(parameter.substr(0, parameter.find_first_of("=[")));
  while (!parameter.empty() && !is_in_name(parameter.back())) parameter.remove_suffix(1);
  const std::string_view name = word_before(parameter, parameter.size());
  const bool is_alone = name.size() == parameter.size();  // a type without a name
  return is_alone ? std::string() : std::string(name);
}

std::string without_comments(const SourceText& source, std::string_view mark) {
  std::string text;
  for (const std::string& line : source.lines) text += line.substr(0, line.find(mark)) + "\n";
  return text;
}

constexpr std::pair<std::string_view, uint32_t> element_types[] = {
    {"char", 1},          {"signed char", 1},
    {"unsigned char", 1}, {"bool", 1},
    {"short", 2},         {"unsigned short", 2},
    {"int", 4},           {"unsigned int", 4},
    {"float", 4},         {"double", 8},
    {"long", 8},          {"unsigned long", 8},
    {"long long", 8},     {"unsigned long long", 8},
};

std::string demangled(std::string_view mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : "";
}

// "[2, 5]" for byte 84 of float32 in the shape (4, 8). Past the end, only the first index is too large.
std::string index_text(uint64_t element, const std::vector<uint64_t>& shape) {
  std::vector<uint64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = i == 0 || shape[i] == 0 ? element : element % shape[i];
    if (i != 0 && shape[i] != 0) element /= shape[i];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

struct Found {
  size_t parameter = 0;
  uint64_t data = 0;
  uint32_t element_bytes = 0;
  std::vector<uint64_t> shape;
};

bool lies_in(uint64_t value, const ElementQuery& query) {
  return value != 0 && value >= query.begin && value <= query.address && value < query.end;
}

// Of Numba's arrays, those whose elements are contiguous.
std::vector<Found> numba_arrays(const ElementQuery& query) {
  std::vector<Found> found;
  const std::vector<NumbaArgument> arguments = numba_arguments(query.mangled);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const NumbaArgument& argument = arguments[i];
    if (!argument.is_array || argument.first + argument.parameters() > query.values.size()) continue;
    const auto value = [&](size_t at) { return query.values[argument.first + at]; };
    if (!lies_in(value(data_of_array), query)) continue;
    const auto item = static_cast<uint32_t>(value(item_size_of_array));
    Found array{i, value(data_of_array), item, {}};
    uint64_t stride = item;
    bool in_order = item != 0;
    for (uint32_t d = argument.dimensions; d-- > 0;) {
      const uint64_t extent = value(shape_of_array + d);
      in_order = in_order && value(shape_of_array + argument.dimensions + d) == stride;
      stride *= extent;
      array.shape.insert(array.shape.begin(), extent);
    }
    if (in_order) found.push_back(std::move(array));
  }
  return found;
}

std::vector<Found> pointers(const ElementQuery& query) {
  std::vector<Found> found;
  for (size_t i = 0; i < query.values.size(); ++i) {
    if (!lies_in(query.values[i], query)) continue;
    const auto type = pointed_type(query.mangled, i);
    if (type) found.push_back({i, query.values[i], type->bytes, {0}});
  }
  return found;
}

}  // namespace

std::vector<std::string> parameter_names(const SourceText& source) {
  std::vector<std::string> names;
  const std::string python = without_comments(source, "#"), cpp = without_comments(source, "//");
  if (const auto list = cpp_parameters(cpp)) {
    for (const std::string_view part : parts_of(*list)) names.push_back(cpp_name(part));
  } else if (const auto given = python_parameters(python)) {
    for (const std::string_view part : parts_of(*given)) {
      const std::string_view name = without_ends(part.substr(0, part.find_first_of(":=")));
      if (!std::all_of(name.begin(), name.end(), is_in_name)) return {};  // a star or a bar
      names.emplace_back(name);
    }
  }
  return names;
}

std::optional<PointedType> pointed_type(std::string_view mangled, size_t parameter) {
  const std::string text = demangled(mangled);
  // The list is the last bracket of the name.
  const size_t close = text.rfind(')');
  size_t open = close;
  for (int depth = 0; close != text.npos;) {
    depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
    if (depth == 0) break;
    if (open == 0) return std::nullopt;
    --open;
  }
  if (close == text.npos) return std::nullopt;
  const auto types = parts_of(std::string_view(text).substr(open + 1, close - open - 1));
  if (parameter >= types.size()) return std::nullopt;
  std::string_view type = types[parameter];
  if (type.ends_with(" __restrict__")) type.remove_suffix(std::string_view(" __restrict__").size());
  if (!type.ends_with('*')) return std::nullopt;
  type = without_ends(type.substr(0, type.size() - 1));
  for (const std::string_view word : {" const", " volatile"})
    if (type.ends_with(word)) type.remove_suffix(word.size());
  for (const auto& [name, bytes] : element_types)
    if (type == name) return PointedType{std::string(name), bytes};
  return std::nullopt;
}

std::string element_text(const ElementQuery& query) {
  std::vector<Found> found = numba_arrays(query);
  if (found.empty()) found = pointers(query);
  // If two parameters point to the same allocation, both could be meant.
  if (found.size() != 1) return {};
  const Found& array = found.front();
  if (array.parameter >= query.names.size() || query.names[array.parameter].empty()) return {};
  return query.names[array.parameter] +
         index_text((query.address - array.data) / array.element_bytes, array.shape);
}

}  // namespace warplens::recording
