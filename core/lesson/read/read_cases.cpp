#include "core/lesson/read/read_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/launch/run_result.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr size_t most_cases = 1000;

void set_size(Case& at, std::string_view name, Dim3 size) { (name == "block" ? at.block : at.grid) = size; }

bool names_a_size(std::string_view name) { return name == "block" || name == "grid"; }

// "n = 1, 31, 33": each value makes a copy of every case so far. "n = 10, block = 4" are two numbers.
struct Numbers {
  std::string_view name;
  std::vector<std::string_view> values;
};

std::vector<Numbers> numbers_in(std::string_view text) {
  std::vector<Numbers> all;
  for (const std::string_view group : parts_of(text, ';'))
    for (const std::string_view part : parts_of(group, ',')) {
      const size_t equals = part.find('=');
      if (equals != part.npos)
        all.push_back({trimmed(part.substr(0, equals)), {trimmed(part.substr(equals + 1))}});
      else if (all.empty())
        return {};
      else
        all.back().values.push_back(part);
    }
  return all;
}

void read_hidden(const Placed& line, Challenge& challenge, Mistakes& mistakes) {
  const auto fail = [&] {
    mistakes.error(line.line,
                   fmt::format("\"{}\" is not understood: write hidden 6: n = 1..5000; block = 32 | 64",
                               std::string_view(line.text).substr(0, 60)));
  };
  const size_t colon = line.text.find(':');
  if (colon == std::string::npos) return fail();
  std::string_view head = trimmed(std::string_view(line.text).substr(6, colon - 6));
  HiddenCases hidden;
  hidden.line = line.line;
  if (head.ends_with("even")) {
    hidden.even = true;
    head = trimmed(head.substr(0, head.size() - 4));
  }
  const std::optional<uint64_t> count = whole_number_in(head, 100);
  if (!count || *count == 0) return fail();
  hidden.count = static_cast<uint32_t>(*count);
  for (const std::string_view part : parts_of(std::string_view(line.text).substr(colon + 1), ';')) {
    const size_t equals = part.find('=');
    if (equals == part.npos) return fail();
    Draw draw;
    draw.name = std::string(trimmed(part.substr(0, equals)));
    const std::string_view values = trimmed(part.substr(equals + 1));
    draw.range = range_in(values);
    if (draw.range && names_a_size(draw.name)) return fail();
    for (const std::string_view value :
         draw.range ? std::vector<std::string_view>{} : parts_of(values, '|')) {
      const std::optional<double> number = number_in(value);
      const std::optional<Dim3> size = dim3_in(value);
      if (names_a_size(draw.name) ? !size : !number) return fail();
      if (names_a_size(draw.name))
        draw.sizes.push_back(*size);
      else
        draw.numbers.push_back(*number);
    }
    hidden.draws.push_back(std::move(draw));
  }
  challenge.hidden.push_back(std::move(hidden));
}

// The generator and its conversion to a number are fixed, so that a seed gives the same cases on every
// machine.
double unit(std::mt19937_64& random) { return double(random() >> 11) * 0x1.0p-53; }

double drawn_number(const Draw& draw, bool even, std::mt19937_64& random) {
  if (!draw.range) return draw.numbers[random() % draw.numbers.size()];
  const auto [low, high] = *draw.range;
  const double u = unit(random);
  if (even || low < 0) return std::floor(low + u * (high - low + 1));
  // Uniform in the logarithm, so that 1 to 10 is as frequent as 1,000 to 10,000.
  const double value = std::exp(std::log(low + 1) + u * (std::log(high + 2) - std::log(low + 1))) - 1;
  return std::clamp(std::floor(value), low, high);
}

}  // namespace

std::vector<Case> cases_in(const Placed& line, Mistakes& mistakes) {
  const std::vector<Numbers> numbers = numbers_in(line.text);
  std::vector<Case> cases(1);
  if (numbers.empty()) {
    mistakes.error(line.line,
                   fmt::format("\"{}\" is no case: write n = 1, 31, 33 or width = 5; height = 1, 7",
                               std::string_view(line.text).substr(0, 60)));
    return {};
  }
  for (const Numbers& one : numbers) {
    std::vector<Case> next;
    for (const Case& at : cases)
      for (const std::string_view value : one.values) {
        Case more = at;
        const std::optional<double> number = number_in(value);
        const std::optional<Dim3> size = dim3_in(value);
        if (names_a_size(one.name) ? !size : !number) {
          mistakes.error(line.line,
                         fmt::format("\"{}\" is no {}", value,
                                     names_a_size(one.name) ? "size: write 32 or 16x16" : "number"));
          return {};
        }
        if (names_a_size(one.name))
          set_size(more, one.name, *size);
        else if (!more.values.emplace(std::string(one.name), *number).second)
          mistakes.error(line.line, fmt::format("{} has two values in this line", one.name));
        next.push_back(std::move(more));
        if (next.size() > most_cases) {
          mistakes.error(line.line, fmt::format("these are more than {} cases", most_cases));
          return {};
        }
      }
    cases = std::move(next);
  }
  return cases;
}

void read_case_line(const Placed& line, Challenge& challenge, Mistakes& mistakes) {
  const std::string_view text = line.text;
  if (text.starts_with("hidden ")) return read_hidden(line, challenge, mistakes);
  if (text.starts_with("orders:")) {
    challenge.orders.clear();
    for (const std::string_view part : parts_of(text.substr(7), ',')) {
      const std::optional<uint64_t> order = whole_number_in(part, UINT64_MAX);
      if (!order) return mistakes.error(line.line, fmt::format("orders: \"{}\" is no whole number", part));
      challenge.orders.push_back(*order);
    }
    if (challenge.orders.size() > 100) mistakes.error(line.line, "orders: names more than 100");
    return;
  }
  if (text.starts_with("data:")) {
    const std::optional<uint64_t> sets = whole_number_in(text.substr(5), 100);
    if (!sets || *sets == 0) return mistakes.error(line.line, "data: is a number of sets from 1 to 100");
    challenge.data_sets = static_cast<uint32_t>(*sets);
    return;
  }
  const std::vector<Case> cases = cases_in(line, mistakes);
  challenge.cases.insert(challenge.cases.end(), cases.begin(), cases.end());
  if (challenge.cases.size() > most_cases)
    mistakes.error(line.line, fmt::format("there are more than {} cases", most_cases));
}

std::vector<Case> all_cases(const Challenge& challenge, uint64_t seed) {
  std::vector<Case> cases = challenge.cases;
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + 1);
  for (const HiddenCases& hidden : challenge.hidden)
    for (uint32_t i = 0; i < hidden.count; ++i) {
      Case at;
      for (const Draw& draw : hidden.draws) {
        if (names_a_size(draw.name))
          set_size(at, draw.name, draw.sizes[random() % draw.sizes.size()]);
        else
          at.values[draw.name] = drawn_number(draw, hidden.even, random);
      }
      cases.push_back(std::move(at));
    }
  return cases;
}

std::string text_of(const Case& at) {
  std::string text;
  for (const auto& [name, value] : at.values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  const auto size = [&](const char* name, const std::optional<Dim3>& d) {
    if (d) text += fmt::format("{}{} ({}, {}, {})", text.empty() ? "" : ", ", name, d->x, d->y, d->z);
  };
  size("block", at.block);
  size("grid", at.grid);
  return text.empty() ? "the usual size" : text;
}

bool is_incident_kind(std::string_view name) {
  for (int i = 0; i < int(IncidentKind::unknown); ++i)
    if (name == to_string(IncidentKind(i))) return true;
  return false;
}

}  // namespace warplens::lesson
