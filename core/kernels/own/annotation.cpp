#include "core/kernels/own/annotation.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/kernels/own/annotation_text.h"

namespace warplens {

namespace {

constexpr std::string_view marker = "warplens:";

void read_entry(Reading& reading, const TextSpan& entry) {
  const size_t equals = entry.text.find('=');
  const TextSpan name = entry.part(0, equals).trimmed();
  if (equals == std::string_view::npos || !is_name(name.text))
    return reading.fail(entry.place(),
                        fmt::format("\"{}\" gives nothing a value: write name=value, as in n=10000",
                                    entry.text.substr(0, 60)));
  const TextSpan value = entry.part(equals + 1).trimmed();
  if (value.text.empty())
    return reading.fail(
        value.place(),
        fmt::format(
            "{} has no value: write a number, an expression, or a type with its size, as in {}=float32[n]",
            name.text, name.text));
  if (name.text == "block") return read_block(reading, value);
  if (name.text == "grid") return read_axes(reading, value, reading.into.grid);
  if (name.text == "threads") return read_axes(reading, value, reading.into.threads);
  for (const AnnotatedArgument& known : reading.into.arguments)
    if (known.name == name.text)
      return reading.fail(name.place(), fmt::format("{} has a value already, in line {}: remove one of them",
                                                    name.text, known.place.line));
  read_argument(reading, name, value);
}

// The text after "// warplens:" in a line. Empty if there is no such comment.
std::optional<TextSpan> annotation_of(std::string_view line, uint32_t number) {
  const size_t slashes = line.find("//");
  if (slashes == std::string_view::npos) return std::nullopt;
  size_t at = slashes;
  while (at < line.size() && (line[at] == '/' || is_blank(line[at]))) ++at;
  if (!line.substr(at).starts_with(marker)) return std::nullopt;
  at += marker.size();
  return TextSpan{line.substr(at), number, static_cast<uint32_t>(at + 1)};
}

template <class Use>
void for_each_annotation(std::string_view source, size_t begin, size_t end, Use use) {
  uint32_t number = 1;
  for (size_t at = 0; at < source.size() && at < end; ++number) {
    const size_t stop = std::min(source.find('\n', at), source.size());
    if (at >= begin)
      if (const std::optional<TextSpan> piece = annotation_of(source.substr(at, stop - at), number))
        use(*piece);
    at = stop + 1;
  }
}

}  // namespace

std::optional<uint32_t> picture_format(std::string_view name) {
  if (name == "gray8") return 1;
  if (name == "rgb8") return 3;
  if (name == "rgba8") return 4;
  return std::nullopt;
}

bool has_annotation(std::string_view source, size_t begin, size_t end) {
  bool found = false;
  for_each_annotation(source, begin, end, [&](const TextSpan&) { found = true; });
  return found;
}

Annotation parse_annotation(std::string_view source, std::string_view file, size_t begin, size_t end) {
  Annotation annotation;
  Reading reading{file, annotation};
  for_each_annotation(source, begin, end, [&](const TextSpan& line) {
    annotation.found = true;
    for (const TextSpan& entry : split(line))
      if (!entry.text.empty()) read_entry(reading, entry);
  });
  return annotation;
}

}  // namespace warplens
