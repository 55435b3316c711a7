#include "app/debug/stops.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/compile/cuda_source/source_signature.h"
#include "core/recording/kernel_name.h"

namespace warplens::dap {

namespace {

using stepping::BlockStepper;
using stepping::Breakpoint;

bool is_file(std::string_view file, std::string_view asked) {
  if (asked.empty() || file == asked) return true;
  return file.ends_with(asked) && file[file.size() - asked.size() - 1] == '/';
}

// The name in the PTX of a function that people call by its name in the source.
std::string name_in_ptx(const BlockStepper& stepper, const std::string& asked) {
  for (const program::FunctionCode& code : stepper.table().program().functions) {
    std::string name(code.function->name);
    if (name == asked) return name;
    const std::string readable = recording::readable_kernel_name(name);
    if (readable == asked || recording::short_kernel_name(readable) == asked) return name;
  }
  return asked;
}

// Whether a kernel begins after the first line and up to the second one.
bool leaves_its_kernel(const BlockStepper& stepper, uint32_t from, uint32_t to) {
  if (from == to) return false;
  for (const SourceKernel& kernel : kernels_of_source(stepper.request().module->source))
    if (kernel.line > from && kernel.line <= to) return true;
  return false;
}

std::optional<int64_t> whole(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<HitRule> HitRule::parse(std::string_view text) {
  const std::string_view whole_text = text;
  const auto skip = [&] {
    while (text.starts_with(' ')) text.remove_prefix(1);
  };
  HitRule rule;
  skip();
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return rule;
  rule.m_kind = Kind::equal;
  for (const auto& [sign, kind] : {std::pair{std::string_view("=="), Kind::equal},
                                   {">=", Kind::from},
                                   {">", Kind::above},
                                   {"%", Kind::each},
                                   {"=", Kind::equal}}) {
    if (!text.starts_with(sign)) continue;
    rule.m_kind = kind;
    text.remove_prefix(sign.size());
    break;
  }
  skip();
  const auto number = whole(text);
  if (!number || *number < 1)
    return bad_input(
        fmt::format("The hit count \"{}\" is not understood: write 5 for the fifth hit, > 5, >= 5, or % 5 "
                    "for every fifth.",
                    whole_text.substr(0, 40)));
  rule.m_number = static_cast<uint64_t>(*number);
  return rule;
}

bool HitRule::stops(uint64_t hits) const {
  switch (m_kind) {
    case Kind::equal:
      return hits == m_number;
    case Kind::above:
      return hits > m_number;
    case Kind::from:
      return hits >= m_number;
    case Kind::each:
      return hits % m_number == 0;
    case Kind::all:
      break;
  }
  return true;
}

std::vector<uint32_t> lines_with_code(const BlockStepper& stepper, std::string_view file) {
  std::vector<uint32_t> lines;
  const stepping::ProgramTable& table = stepper.table();
  for (uint32_t i = 0; i < table.instructions(); ++i) {
    const stepping::InstructionInfo& info = table.instruction(i);
    if (info.line != 0 && is_file(table.files()[info.file], file)) lines.push_back(info.line);
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

void add_stop(BlockStepper& stepper, WantedStop& wanted) {
  wanted.number = 0;
  wanted.problem.clear();
  wanted.passed.clear();
  wanted.filter.reset();
  wanted.line = wanted.place.line;
  const auto refuse = [&](const Error& error) { wanted.problem = error.message; };
  Result<HitRule> rule = HitRule::parse(wanted.hit_rule);
  if (!rule) return refuse(rule.error());
  wanted.hits = *rule;
  if (const auto parts = message_parts(wanted.message); !parts) return refuse(parts.error());
  Breakpoint place = wanted.place;
  if (place.kind == Breakpoint::Kind::function) place.function = name_in_ptx(stepper, place.function);
  if (place.kind == Breakpoint::Kind::source_line) {
    const std::vector<uint32_t> lines = lines_with_code(stepper, place.file);
    const auto next = std::ranges::lower_bound(lines, place.line);
    if (next != lines.end() && !leaves_its_kernel(stepper, place.line, *next))
      wanted.line = place.line = *next;
  }
  Result<stepping::BlockFilter> filter =
      stepping::BlockFilter::make(place.condition, stepper.launch().grid, stepper.launch().block);
  if (!filter) return refuse(filter.error());
  wanted.filter = std::move(filter).value();
  const Result<uint32_t> added = stepper.add(place);
  if (!added) return refuse(added.error());
  wanted.number = *added;
}

Result<std::vector<std::string>> message_parts(std::string_view message) {
  std::vector<std::string> parts(1);
  bool inside = false;
  for (const char c : message) {
    if (c == '{' && !inside) {
      inside = true;
      parts.emplace_back();
    } else if (c == '}' && inside) {
      inside = false;
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (inside) return bad_input("The message of a log point has a { without its }.");
  return parts;
}

std::string folded(const std::vector<std::string>& values) {
  if (values.empty()) return "";
  if (std::ranges::all_of(values, [&](const std::string& value) { return value == values.front(); }))
    return values.front();
  bool grows = values.size() > 2;
  for (size_t i = 1; i < values.size() && grows; ++i) {
    const auto before = whole(values[i - 1]), here = whole(values[i]);
    grows = before && here && *here - *before == 1;
  }
  if (grows) return values.front() + " … " + values.back();
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

}  // namespace warplens::dap
