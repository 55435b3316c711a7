#include "core/kernels/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace warplens {

namespace {

constexpr std::string_view marker = "warplens:";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A part of one line of the source, with its place in it.
struct Piece {
  std::string_view text;
  uint32_t line = 0;
  uint32_t column = 0;  // of text[0], 1-based
  Place place() const { return {line, column}; }
  Piece part(size_t from, size_t count = std::string_view::npos) const {
    from = std::min(from, text.size());
    return {text.substr(from, count), line, column + static_cast<uint32_t>(from)};
  }
  Piece trimmed() const {
    size_t from = 0, to = text.size();
    while (from < to && is_blank(text[from])) ++from;
    while (to > from && is_blank(text[to - 1])) --to;
    return part(from, to - from);
  }
};

// Where top-level commas (outside of brackets) divide it.
std::vector<Piece> split(const Piece& piece) {
  std::vector<Piece> parts;
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

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
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

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, is_word);
}

std::string type_names() {
  std::string names;
  for (int i = 0; i <= static_cast<int>(DType::f64); ++i)
    names += (names.empty() ? "" : ", ") + std::string(numpy_name(static_cast<DType>(i)));
  return names;
}

class Reader {
 public:
  Reader(std::string_view file, Annotation& into) : m_file(file), m_into(into) {}

  void read(const Piece& line) {
    m_into.found = true;
    for (const Piece& entry : split(line))
      if (!entry.text.empty()) read_entry(entry);
  }

 private:
  void fail(const Place& place, std::string message) {
    m_into.diagnostics.push_back(
        {Severity::error, std::string(m_file), place.line, place.column, std::move(message)});
  }

  void read_entry(const Piece& entry) {
    const size_t equals = entry.text.find('=');
    const Piece name = entry.part(0, equals).trimmed();
    if (equals == std::string_view::npos || !is_name(name.text))
      return fail(entry.place(), fmt::format("\"{}\" gives nothing a value: write name=value, as in n=10000",
                                             entry.text.substr(0, 60)));
    const Piece value = entry.part(equals + 1).trimmed();
    if (value.text.empty())
      return fail(
          value.place(),
          fmt::format(
              "{} has no value: write a number, an expression, or a type with its size, as in {}=float32[n]",
              name.text, name.text));
    if (name.text == "block") return read_block(value);
    if (name.text == "grid") return read_axes(value, m_into.grid);
    if (name.text == "threads") return read_axes(value, m_into.threads);
    for (const AnnotatedArgument& known : m_into.arguments)
      if (known.name == name.text)
        return fail(name.place(), fmt::format("{} has a value already, in line {}: leave one of them away",
                                              name.text, known.place.line));
    read_argument(name, value);
  }

  void read_argument(const Piece& name, const Piece& value) {
    AnnotatedArgument argument;
    argument.name = std::string(name.text);
    argument.place = name.place();
    size_t word = 0;
    while (word < value.text.size() && is_word(value.text[word])) ++word;
    const std::string_view type = value.text.substr(0, word);
    const Piece behind = value.part(word);
    if (const std::optional<uint32_t> channels = picture_format(type)) {
      argument.is_buffer = true;
      argument.dtype = DType::u8;
      argument.extents = {{"image_width", value.place()},
                          {"image_height", value.place()},
                          {std::to_string(*channels), value.place()}};
      argument.fill = Fill::image;
      if (name.text == "image") {
        m_into.picture_channels = channels;
        m_into.picture_place = value.place();
      }
      if (!read_fill(behind.trimmed(), argument)) return;
    } else if (behind.text.starts_with('[')) {
      const std::optional<DType> dtype = dtype_from_numpy(type);
      if (!dtype)
        return fail(value.place(),
                    fmt::format("\"{}\" is no type: write one of {}, or a picture: gray8, rgb8, rgba8", type,
                                type_names()));
      argument.is_buffer = true;
      argument.dtype = *dtype;
      if (!read_extents(behind, argument)) return;
    } else if (dtype_from_numpy(type)) {
      return fail(
          behind.place(),
          fmt::format(
              "{} needs a size: write {}[n] for n elements, {}[width, height] for a picture or matrix",
              name.text, type, type));
    } else if (!read_number(value, argument)) {
      argument.expression = {std::string(value.text), value.place()};
    }
    m_into.arguments.push_back(std::move(argument));
  }

  bool read_extents(const Piece& from, AnnotatedArgument& argument) {
    const size_t close = closing(from.text, 0);
    if (close == std::string_view::npos) {
      fail(from.place(), "the bracket [ is not closed: write the size and then ], as in float32[n]");
      return false;
    }
    for (const Piece& extent : split(from.part(1, close - 1))) {
      if (extent.text.empty()) {
        fail(extent.place(), "a size is missing: write a number or an expression, as in float32[n]");
        return false;
      }
      argument.extents.push_back({std::string(extent.text), extent.place()});
    }
    if (argument.extents.size() > 3) {
      fail(argument.extents[3].place, "there are at most three sizes: [width, height, channels]");
      return false;
    }
    return read_fill(from.part(close + 1).trimmed(), argument);
  }

  // "random(1)", "zero output", "".
  bool read_fill(Piece rest, AnnotatedArgument& argument) {
    while (!rest.text.empty()) {
      size_t word = 0;
      while (word < rest.text.size() && is_word(rest.text[word])) ++word;
      const Piece name = rest.part(0, word);
      rest = rest.part(word);
      if (name.text == "zero")
        argument.fill = Fill::zero;
      else if (name.text == "index")
        argument.fill = Fill::index;
      else if (name.text == "image")
        argument.fill = Fill::image;
      else if (name.text == "random")
        argument.fill = Fill::random;
      else if (name.text == "formula")
        argument.fill = Fill::formula;
      else if (name.text == "input")
        argument.output = false;
      else if (name.text == "output")
        argument.output = true;
      else {
        fail(name.place(), fmt::format("\"{}\" is no way to fill a buffer: write zero, index, random(seed), "
                                       "random(seed, low, high) or image; then, if you like, input or output",
                                       name.text.empty() ? rest.text.substr(0, 20) : name.text));
        return false;
      }
      if (rest.text.starts_with('(')) {
        const size_t close = closing(rest.text, 0);
        if (name.text == "formula" && close != std::string_view::npos && close > 1) {
          argument.formula = std::string(rest.part(1, close - 1).trimmed().text);
          rest = rest.part(close + 1).trimmed();
          continue;
        }
        if (name.text != "random" || close == std::string_view::npos ||
            !read_random(rest.part(1, close - 1), argument)) {
          fail(rest.place(),
               "write random(seed) or random(seed, low, high), with numbers, as in random(1, -1, 1)");
          return false;
        }
        rest = rest.part(close + 1);
      }
      rest = rest.trimmed();
    }
    if ((argument.fill == Fill::formula) == argument.formula.empty()) {
      fail(rest.place(), "write formula(expression), where i is the element's index, as in formula(2 * i)");
      return false;
    }
    return true;
  }

  static bool read_random(const Piece& list, AnnotatedArgument& argument) {
    std::vector<double> numbers;
    if (list.trimmed().text.empty()) return true;
    for (const Piece& part : split(list)) {
      const std::optional<double> number = number_of(part.text);
      if (!number) return false;
      numbers.push_back(*number);
    }
    if (numbers.size() != 1 && numbers.size() != 3) return false;
    constexpr double largest_seed = 9007199254740992.0;  // 2^53: the whole numbers that a double holds
    if (numbers[0] < 0 || numbers[0] > largest_seed || numbers[0] != std::floor(numbers[0])) return false;
    argument.seed = static_cast<uint64_t>(numbers[0]);
    if (numbers.size() == 1) return true;
    argument.low = numbers[1];
    argument.high = numbers[2];
    return argument.low < argument.high;
  }

  // "10000", "10000 in 0..1000000". False: it is no number, so it is an expression.
  bool read_number(const Piece& value, AnnotatedArgument& argument) {
    const size_t blank = std::min(value.text.find(' '), value.text.size());
    const std::optional<double> number = number_of(value.text.substr(0, blank));
    if (!number) return false;
    Piece rest = value.part(blank).trimmed();
    if (!rest.text.empty() && !rest.text.starts_with("in ")) return false;
    argument.value = number;
    if (rest.text.empty()) return true;
    rest = rest.part(3).trimmed();
    const size_t dots = rest.text.find("..");
    const std::optional<double> low = number_of(rest.part(0, dots).trimmed().text);
    const std::optional<double> high =
        dots == std::string_view::npos ? std::nullopt : number_of(rest.part(dots + 2).trimmed().text);
    if (low && high && *low <= *number && *number <= *high) {
      argument.range = {*low, *high};
    } else {
      fail(rest.place(),
           fmt::format("\"{}\" is no range with {} in it: write {} in low..high, as in 10000 in 0..1000000",
                       rest.text, *number, *number));
    }
    return true;
  }

  static std::vector<Piece> axes_of(const Piece& value) {
    if (value.text.starts_with('(') && closing(value.text, 0) == value.text.size() - 1)
      return split(value.part(1, value.text.size() - 2));
    return {value};
  }

  void read_axes(const Piece& value, std::array<PlacedText, 3>& axes) {
    const std::vector<Piece> parts = axes_of(value);
    const bool twice = !m_into.grid[0].empty() || !m_into.threads[0].empty();
    if (twice) return fail(value.place(), "the grid is given already: write grid= or threads=, once");
    if (parts.size() > 3 || std::ranges::any_of(parts, [](const Piece& part) { return part.text.empty(); }))
      return fail(value.place(),
                  "write one expression, or up to three in brackets: (ceil(width/16), ceil(height/16))");
    for (size_t i = 0; i < parts.size(); ++i) axes[i] = {std::string(parts[i].text), parts[i].place()};
  }

  // 256, 16x16, (16, 16).
  void read_block(const Piece& value) {
    std::vector<std::string_view> parts;
    for (const Piece& axis : axes_of(value)) {
      std::string_view text = axis.text;
      for (size_t x = text.find_first_of("xX"); x != std::string_view::npos; x = text.find_first_of("xX")) {
        parts.push_back(text.substr(0, x));
        text.remove_prefix(x + 1);
      }
      parts.push_back(text);
    }
    std::array<uint32_t, 3> axes{1, 1, 1};
    bool good = parts.size() <= 3 && !m_into.block;
    for (size_t i = 0; i < parts.size() && good; ++i) {
      const std::optional<double> number = number_of(parts[i]);
      good = number && *number >= 1 && *number <= 4294967295.0 && *number == std::floor(*number);
      if (good) axes[i] = static_cast<uint32_t>(*number);
    }
    if (!good)
      return fail(
          value.place(),
          m_into.block
              ? std::string("the block is given already: write it once")
              : fmt::format(
                    "\"{}\" is no block: write its threads as whole numbers, as in 256, 16x16 or (8, 8, 4)",
                    value.text));
    m_into.block = Dim3{axes[0], axes[1], axes[2]};
  }

  std::string_view m_file;
  Annotation& m_into;
};

// The text behind "// warplens:" of a line; empty where it is none of ours.
std::optional<Piece> annotation_of(std::string_view line, uint32_t number) {
  const size_t slashes = line.find("//");
  if (slashes == std::string_view::npos) return std::nullopt;
  size_t at = slashes;
  while (at < line.size() && (line[at] == '/' || is_blank(line[at]))) ++at;
  if (!line.substr(at).starts_with(marker)) return std::nullopt;
  at += marker.size();
  return Piece{line.substr(at), number, static_cast<uint32_t>(at + 1)};
}

template <class Use>
void for_each_annotation(std::string_view source, size_t begin, size_t end, Use use) {
  uint32_t number = 1;
  for (size_t at = 0; at < source.size() && at < end; ++number) {
    const size_t stop = std::min(source.find('\n', at), source.size());
    if (at >= begin)
      if (const std::optional<Piece> piece = annotation_of(source.substr(at, stop - at), number)) use(*piece);
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
  for_each_annotation(source, begin, end, [&](const Piece&) { found = true; });
  return found;
}

Annotation parse_annotation(std::string_view source, std::string_view file, size_t begin, size_t end) {
  Annotation annotation;
  Reader reader(file, annotation);
  for_each_annotation(source, begin, end, [&](const Piece& piece) { reader.read(piece); });
  return annotation;
}

}  // namespace warplens
