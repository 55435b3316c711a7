#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/kernels/own/annotation_text.h"

namespace warplens {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

TextSpan TextSpan::part(size_t from, size_t count) const {
  from = std::min(from, text.size());
  return {text.substr(from, count), line, column + static_cast<uint32_t>(from)};
}

TextSpan TextSpan::trimmed() const {
  size_t from = 0, to = text.size();
  while (from < to && is_blank(text[from])) ++from;
  while (to > from && is_blank(text[to - 1])) --to;
  return part(from, to - from);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, is_in_name);
}

size_t word_at_front(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_in_name) - text.begin());
}

std::vector<TextSpan> split(const TextSpan& piece) {
  std::vector<TextSpan> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < piece.text.size(); ++i) {
    const char c = piece.text[i];
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c != ',' || depth > 0) continue;
    parts.push_back(piece.part(start, i - start).trimmed());
    start = i + 1;
  }
  parts.push_back(piece.part(start).trimmed());
  return parts;
}

size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

void Reading::fail(const TextPosition& place, std::string message) {
  into.diagnostics.push_back(
      {Severity::error, std::string(file), place.line, place.column, std::move(message)});
}

}  // namespace warplens
