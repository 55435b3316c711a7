#include "app/debug/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <istream>

#include "core/base/json/json_values.h"

namespace warplens::dap {

namespace {

constexpr size_t max_header_line = 256, max_header_lines = 16;

// One line without its end. Empty if the input ends before it does.
Result<std::optional<std::string>> read_line(std::istream& in) {
  std::string line;
  for (char c = 0; in.get(c);) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return std::optional(std::move(line));
    }
    line += c;
    if (line.size() > max_header_line) return bad_input("A line of a message's header is too long.");
  }
  return std::optional<std::string>();
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return made;
}

Result<size_t> length_of(std::string_view value) {
  while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
  while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
  size_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (error != std::errc() || end != value.data() + value.size())
    return bad_input(fmt::format("The header Content-Length is no number: \"{}\".", value.substr(0, 40)));
  if (length > max_message_bytes)
    return bad_input(
        fmt::format("A message of {} bytes is too long; {} are allowed.", length, max_message_bytes));
  return length;
}

}  // namespace

Result<std::optional<std::string>> read_frame(std::istream& in) {
  std::optional<size_t> length;
  for (size_t lines = 0; lines < max_header_lines; ++lines) {
    Result<std::optional<std::string>> line = read_line(in);
    if (!line) return line.error();
    if (!*line) return std::optional<std::string>();
    const std::string& text = **line;
    if (text.empty()) {
      if (length) break;
      continue;  // empty lines between two messages
    }
    const size_t colon = text.find(':');
    const std::string name = lower(std::string_view(text).substr(0, colon));
    if (colon == std::string::npos || (name != "content-length" && name != "content-type"))
      return bad_input(fmt::format(
          "\"{}\" is no header of the Debug Adapter Protocol: a message begins with Content-Length.",
          text.substr(0, 40)));
    if (name != "content-length") continue;
    const Result<size_t> given = length_of(std::string_view(text).substr(colon + 1));
    if (!given) return given.error();
    length = *given;
  }
  if (!length) return bad_input("A message has no header Content-Length.");
  std::string content(*length, '\0');
  in.read(content.data(), static_cast<std::streamsize>(*length));
  if (static_cast<size_t>(in.gcount()) != *length) return std::optional<std::string>();
  return std::optional(std::move(content));
}

std::string framed(const Json& message) {
  const std::string content = json_values::one_line(message);
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

}  // namespace warplens::dap
