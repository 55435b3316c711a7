// Reads the annotation of one argument: a number, an expression, or a buffer with its size and fill.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/own/annotation_text.h"

namespace warplens {

namespace {

std::string type_names() {
  std::string names;
  for (int i = 0; i <= static_cast<int>(DType::f64); ++i)
    names += (names.empty() ? "" : ", ") + std::string(numpy_name(static_cast<DType>(i)));
  return names;
}

bool read_random(const TextSpan& list, AnnotatedArgument& argument) {
  std::vector<double> numbers;
  if (list.trimmed().text.empty()) return true;
  for (const TextSpan& part : split(list)) {
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

// "random(1)", "zero output", "".
bool read_fill(Reading& reading, TextSpan rest, AnnotatedArgument& argument) {
  while (!rest.text.empty()) {
    const size_t word = word_at_front(rest.text);
    const TextSpan name = rest.part(0, word);
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
      reading.fail(name.place(),
                   fmt::format("\"{}\" is no way to fill a buffer: write zero, index, random(seed), "
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
      if (name.text == "formula") {
        reading.fail(rest.place(), "formula needs an expression in brackets, as in formula(10 * i)");
        return false;
      }
      if (name.text != "random" || close == std::string_view::npos ||
          !read_random(rest.part(1, close - 1), argument)) {
        reading.fail(rest.place(),
                     "write random(seed) or random(seed, low, high), with numbers, as in random(1, -1, 1)");
        return false;
      }
      rest = rest.part(close + 1);
    }
    rest = rest.trimmed();
  }
  if ((argument.fill == Fill::formula) == argument.formula.empty()) {
    reading.fail(rest.place(),
                 "write formula(expression), where i is the element's index, as in formula(2 * i)");
    return false;
  }
  return true;
}

bool read_extents(Reading& reading, const TextSpan& from, AnnotatedArgument& argument) {
  const size_t close = closing(from.text, 0);
  if (close == std::string_view::npos) {
    reading.fail(from.place(), "the bracket [ is not closed: write the size and then ], as in float32[n]");
    return false;
  }
  for (const TextSpan& extent : split(from.part(1, close - 1))) {
    if (extent.text.empty()) {
      reading.fail(extent.place(), "a size is missing: write a number or an expression, as in float32[n]");
      return false;
    }
    argument.extents.push_back({std::string(extent.text), extent.place()});
  }
  if (argument.extents.size() > 3) {
    reading.fail(argument.extents[3].place, "there are at most three sizes: [width, height, channels]");
    return false;
  }
  return read_fill(reading, from.part(close + 1).trimmed(), argument);
}

// Reads "10000" or "10000 in 0..1000000". Returns false if it is not a number; then it is an expression.
bool read_number(Reading& reading, const TextSpan& value, AnnotatedArgument& argument) {
  const size_t blank = std::min(value.text.find(' '), value.text.size());
  const std::optional<double> number = number_of(value.text.substr(0, blank));
  if (!number) return false;
  TextSpan rest = value.part(blank).trimmed();
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
    reading.fail(
        rest.place(),
        fmt::format("\"{}\" is no range with {} in it: write {} in low..high, as in 10000 in 0..1000000",
                    rest.text, *number, *number));
  }
  return true;
}

}  // namespace

void read_argument(Reading& reading, const TextSpan& name, const TextSpan& value) {
  AnnotatedArgument argument;
  argument.name = std::string(name.text);
  argument.place = name.place();
  const size_t word = word_at_front(value.text);
  const std::string_view type = value.text.substr(0, word);
  const TextSpan behind = value.part(word);
  if (const std::optional<uint32_t> channels = picture_format(type)) {
    argument.is_buffer = true;
    argument.dtype = DType::u8;
    argument.extents = {{"image_width", value.place()},
                        {"image_height", value.place()},
                        {std::to_string(*channels), value.place()}};
    argument.fill = Fill::image;
    if (name.text == "image") {
      reading.into.picture_channels = channels;
      reading.into.picture_place = value.place();
    }
    if (!read_fill(reading, behind.trimmed(), argument)) return;
  } else if (behind.text.starts_with('[')) {
    const std::optional<DType> dtype = dtype_from_numpy(type);
    if (!dtype)
      return reading.fail(value.place(),
                          fmt::format("\"{}\" is no type: write one of {}, or a picture: gray8, rgb8, rgba8",
                                      type, type_names()));
    argument.is_buffer = true;
    argument.dtype = *dtype;
    if (!read_extents(reading, behind, argument)) return;
  } else if (dtype_from_numpy(type)) {
    return reading.fail(
        behind.place(),
        fmt::format("{} needs a size: write {}[n] for n elements, {}[width, height] for a picture or matrix",
                    name.text, type, type));
  } else if (!read_number(reading, value, argument)) {
    argument.expression = {std::string(value.text), value.place()};
  }
  reading.into.arguments.push_back(std::move(argument));
}

}  // namespace warplens
