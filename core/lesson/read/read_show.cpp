#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/format/words.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr std::string_view show_keys[] = {
    "kernel", "code",     "entry",  "values", "block", "grid",    "shared", "seed",     "order",
    "image",  "device",   "view",   "part",   "pin",   "step",    "lane",   "baseline", "text",
    "hide",   "warnings", "change", "keep",   "edit",  "program", "prints"};

struct Line {
  const Entry& entry;
  Show& show;
  Mistakes& mistakes;

  void fail(std::string_view how) const {
    mistakes.error(entry.line, fmt::format("{}: \"{}\" is not understood: {}", entry.key,
                                           std::string_view(entry.value).substr(0, 60), how));
  }
  template <class T, class U>
  void take(std::optional<T> value, U& into, std::string_view how) const {
    if (value)
      into = *value;
    else
      fail(how);
  }
};

void read_launch(const Line& line) {
  const std::string_view key = line.entry.key, value = line.entry.value;
  Show& show = line.show;
  constexpr std::string_view sizes = "write 4, 16x16 or (8, 8, 4), each 1 or more";
  if (key == "block") return line.take(dim3_in(value), show.block, sizes);
  if (value == "fit") {
    show.fit_grid = true;
    show.grid.reset();
  } else if (const std::optional<Dim3> grid = dim3_in(value)) {
    show.grid = grid;
    show.fit_grid = false;
  } else {
    line.fail("write fit, 4, 16x16 or (8, 8, 4), each 1 or more");
  }
}

void read_pin(const Line& line) {
  const std::optional<Target> target = target_in(line.entry.value);
  const bool known = target && target->kind != Target::Kind::lane && target->kind != Target::Kind::bank &&
                     target->kind != Target::Kind::warp;
  if (!known || (target->kind == Target::Kind::element && target->array.empty()))
    return line.fail(
        "write thread (1, 0, 0) of block (2, 0, 0), block (2, 0, 0), out[69], line 6 or nothing");
  if (!line.show.pins) line.show.pins.emplace();
  if (target->kind != Target::Kind::nothing) line.show.pins->push_back(*target);
}

void read_edit(const Line& line) {
  const std::string& value = line.entry.value;
  const size_t colon = value.find(':');
  const std::optional<uint64_t> number = whole_number_in(value.substr(0, colon), 100'000);
  if (colon == value.npos || !number || *number == 0)
    return line.fail("write the line and its new text, as in 7: if (x < n) x_of[x] = x;");
  std::string_view text = std::string_view(value).substr(colon + 1);
  if (text.starts_with(' ')) text.remove_prefix(1);
  line.show.edits[static_cast<uint32_t>(*number)] = std::string(text);
}

void read_baseline(const Line& line) {
  Show baseline;
  for (const std::string_view part : parts_of(line.entry.value, ';')) {
    const size_t colon = part.find(':');
    const Entry entry{std::string(trimmed(part.substr(0, colon))),
                      colon == part.npos ? "" : std::string(trimmed(part.substr(colon + 1))),
                      line.entry.line};
    const bool allowed = entry.key == "kernel" || entry.key == "values" || entry.key == "block" ||
                         entry.key == "grid" || entry.key == "shared" || entry.key == "device" ||
                         entry.key == "seed" || entry.key == "order" || entry.key == "image";
    if (!allowed) return line.fail("write differences, as in block: 64; values: n = 1000");
    read_show_entry(entry, baseline, line.mistakes);
  }
  line.show.baseline = {baseline};
}

std::vector<std::string> words_in(std::string_view value) {
  std::vector<std::string> words;
  for (const std::string_view part : parts_of(value, ','))
    if (!part.empty()) words.emplace_back(part);
  return words;
}

void read_words(const Line& line) {
  Show& show = line.show;
  const std::string& value = line.entry.value;
  if (line.entry.key == "hide") show.hide = words_in(value);
  if (line.entry.key == "warnings") show.warnings = words_in(value);
  if (line.entry.key == "change") {
    const std::vector<Change> changes = read_changes(line.entry, line.mistakes);
    if (!show.change) show.change.emplace();
    show.change->insert(show.change->end(), changes.begin(), changes.end());
  }
  if (line.entry.key == "values")
    for (const auto& [name, number] : read_numbers(value, line.entry.line, line.mistakes))
      show.values[name] = number;
}

void read_name(const Line& line, std::optional<std::string>& into) {
  if (line.entry.value.empty()) return line.fail("write a name");
  into = line.entry.value;
}

void read_number(const Line& line) {
  const std::string_view key = line.entry.key, value = line.entry.value;
  Show& show = line.show;
  if (key == "shared") line.take(whole_number_in(value, UINT32_MAX), show.shared_bytes, "write bytes");
  if (key == "seed") line.take(whole_number_in(value, UINT64_MAX), show.seed, "write a whole number");
  if (key == "order") line.take(whole_number_in(value, UINT64_MAX), show.order, "write a whole number");
  if (key == "lane") line.take(whole_number_in(value, 31), show.lane, "write 0 to 31");
  if (key == "text") {
    const std::optional<uint64_t> percent = whole_number_in(value, 250);
    if (!percent || *percent < 80) return line.fail("write percent from 80 to 250");
    show.text_percent = static_cast<uint32_t>(*percent);
  }
}

void read_place(const Line& line) {
  line.take(step_place_in(line.entry.value), line.show.step,
            "write line 9, line 9 of warp 1, position 120, barrier, divergence, conflict or end");
}

bool names_a_text(std::string_view key) {
  return key == "kernel" || key == "code" || key == "entry" || key == "image" || key == "device" ||
         key == "view" || key == "part" || key == "program" || key == "prints";
}

std::optional<std::string>& text_member(Show& show, std::string_view key) {
  if (key == "kernel") return show.kernel;
  if (key == "code") return show.code;
  if (key == "entry") return show.entry;
  if (key == "image") return show.image;
  if (key == "device") return show.device;
  if (key == "program") return show.program;
  if (key == "prints") return show.prints;
  return key == "view" ? show.view : show.part;
}

}  // namespace

bool is_show_key(std::string_view key) { return std::ranges::find(show_keys, key) != std::end(show_keys); }

std::map<std::string, double> read_numbers(std::string_view text, uint32_t line, Mistakes& mistakes) {
  std::map<std::string, double> numbers;
  for (const std::string_view part : parts_of(text, ',')) {
    const size_t equals = part.find('=');
    const std::string name(trimmed(part.substr(0, equals)));
    const std::optional<double> number =
        equals == part.npos ? std::nullopt : number_in(part.substr(equals + 1));
    if (!number || name.empty())
      mistakes.error(line, fmt::format("\"{}\" is no number with a name: write n = 12, and commas between",
                                       part.substr(0, 60)));
    else if (!numbers.emplace(name, *number).second)
      mistakes.error(line, fmt::format("{} has two values in this line", name));
  }
  return numbers;
}

std::vector<Change> read_changes(const Entry& entry, Mistakes& mistakes) {
  std::vector<Change> changes;
  for (const std::string_view part : parts_of(entry.value, ',')) {
    if (part.empty()) continue;
    const size_t blank = std::min(part.find(' '), part.size());
    Change change{std::string(part.substr(0, blank)), std::nullopt, entry.line};
    const std::string_view rest = trimmed(part.substr(blank));
    if (!rest.empty()) {
      change.range = range_in(rest);
      if (!change.range)
        mistakes.error(entry.line,
                       fmt::format("\"{}\" is no range: write low..high, as in {} 1..40", rest, change.name));
    }
    changes.push_back(std::move(change));
  }
  if (changes.empty())
    mistakes.error(entry.line, "change: names nothing: leave the line out, or name something");
  return changes;
}

bool read_show_entry(const Entry& entry, Show& show, Mistakes& mistakes) {
  const std::string_view key = entry.key;
  if (!is_show_key(key)) return false;
  const bool repeated = key == "pin" || key == "edit" || key == "change";
  if (!show.lines.emplace(entry.key, entry.line).second && !repeated)
    mistakes.error(entry.line, fmt::format("{}: is here a second time", key));
  const Line line{entry, show, mistakes};
  if (names_a_text(key)) {
    read_name(line, text_member(show, key));
  } else if (key == "block" || key == "grid") {
    read_launch(line);
  } else if (key == "pin") {
    read_pin(line);
  } else if (key == "edit") {
    read_edit(line);
  } else if (key == "step") {
    read_place(line);
  } else if (key == "baseline") {
    read_baseline(line);
  } else if (key == "keep") {
    line.take(yes_or_no(entry.value), show.keep, "write yes or no");
  } else if (key == "hide" || key == "warnings" || key == "change" || key == "values") {
    read_words(line);
  } else {
    read_number(line);
  }
  return true;
}

Show read_show(const Block& block, Mistakes& mistakes) {
  Show show;
  for (const Entry& entry : block.entries) {
    if (entry.key == "edit")
      mistakes.error(entry.line, "edit: is for what a student does; let code: name a file that says it");
    else if (!read_show_entry(entry, show, mistakes))
      mistakes.error(entry.line, fmt::format("\"{}\" is no key of ```{}{}", entry.key, block.name,
                                             did_you_mean(entry.key, show_keys)));
  }
  if (int{show.kernel.has_value()} + int{show.code.has_value()} + int{show.program.has_value()} > 1)
    mistakes.error(
        block.line,
        "of kernel:, code: and program: only one can stand here: a step has one kernel or program");
  return show;
}

Show with_changes(Show base, const Show& changes) {
  const auto take = [](auto& into, const auto& from) {
    if (from) into = from;
  };
  if (changes.names_kernel()) {
    base.kernel = changes.kernel;
    base.code = changes.code;
    base.program = changes.program;
    base.prints.reset();
    base.entry.reset();
    base.values.clear();
    base.block.reset();
    base.grid.reset();
    base.fit_grid.reset();
    base.shared_bytes.reset();
    base.pins.reset();
    base.image.reset();
    base.edits.clear();
  }
  take(base.entry, changes.entry);
  take(base.image, changes.image);
  take(base.prints, changes.prints);
  take(base.device, changes.device);
  if (changes.view && changes.view != base.view) base.part.reset();
  take(base.view, changes.view);
  take(base.part, changes.part);
  for (const auto& [name, value] : changes.values) base.values[name] = value;
  take(base.block, changes.block);
  if (changes.fit_grid) base.grid = changes.grid;
  take(base.fit_grid, changes.fit_grid);
  take(base.shared_bytes, changes.shared_bytes);
  take(base.seed, changes.seed);
  take(base.order, changes.order);
  take(base.pins, changes.pins);
  take(base.step, changes.step);
  take(base.lane, changes.lane);
  take(base.text_percent, changes.text_percent);
  take(base.hide, changes.hide);
  take(base.warnings, changes.warnings);
  take(base.change, changes.change);
  for (const auto& [line, text] : changes.edits) base.edits[line] = text;
  if (!changes.baseline.empty()) base.baseline = changes.baseline;
  for (const auto& [key, line] : changes.lines) base.lines[key] = line;
  return base;
}

Show inherited(const Show& before, const Show& own) {
  Show base = before;
  base.hide.reset();
  base.change.reset();
  base.pins.reset();
  base.step.reset();
  base.lane.reset();
  base.baseline.clear();
  base.edits.clear();
  base.lines.clear();
  if (own.names_kernel()) {
    base.view.reset();
    base.part.reset();
    base.seed.reset();
    base.order.reset();
  }
  Show whole = with_changes(std::move(base), own);
  whole.keep = own.keep;
  return whole;
}

}  // namespace warplens::lesson
