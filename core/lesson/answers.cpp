#include "core/lesson/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/lesson/read_parts.h"

namespace warplens::lesson {
namespace {

Error not_understood(std::string_view text, std::string_view how) {
  return bad_input(fmt::format("the answer \"{}\" is not understood: write {}", text.substr(0, 60), how));
}

Result<Answer> clicks_in(std::string_view text, const Question& question) {
  ClickAnswer answer;
  for (const std::string_view part : parts_of(text, ';')) {
    if (part.empty()) continue;
    const std::optional<Target> target = target_in(part);
    if (!target || target->kind != question.what)
      return not_understood(part,
                            "what was clicked, as in thread (2, 0, 0) of block (1, 0, 0), block (1, 0, 0), "
                            "warp 3 of block (1, 0, 0), lane 5, bank 17, element 42 or line 6");
    answer.clicked.push_back(*target);
  }
  return Answer(answer);
}

Result<Answer> order_in(std::string_view text, const Question& question) {
  OrderAnswer answer;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::optional<uint64_t> number = whole_number_in(part, question.items.size());
    const bool known = number && *number > 0;
    if (!known || std::ranges::find(answer.items, *number - 1) != answer.items.end())
      return not_understood(text, "the items' numbers in the file from first to last place, as in 2, 1, 3");
    answer.items.push_back(static_cast<uint32_t>(*number - 1));
  }
  if (answer.items.size() != question.items.size())
    return not_understood(text, fmt::format("all {} items", question.items.size()));
  return Answer(answer);
}

Result<Answer> boxes_in(std::string_view text, const Question& question) {
  FormulaAnswer answer;
  for (const std::string_view part : parts_of(text, ';')) answer.boxes.emplace_back(part);
  const auto boxes = std::ranges::count_if(question.formula, &FormulaPart::box);
  if (answer.boxes.size() != size_t(boxes))
    return not_understood(text, fmt::format("what stands in the {} boxes, with ; between them", boxes));
  for (const std::string& box : answer.boxes)
    if (!question.tiles.empty() && std::ranges::find(question.tiles, box) == question.tiles.end())
      return not_understood(box, fmt::format("one of the tiles: {}", fmt::join(question.tiles, ", ")));
  return Answer(answer);
}

// --- numbers

bool within(double guess, double truth, const Tolerance& tolerance) {
  const double off = std::abs(guess - truth);
  switch (tolerance.kind) {
    case Tolerance::Kind::exact:
      return off <= 1e-9 * std::abs(truth);
    case Tolerance::Kind::absolute:
      return off <= tolerance.value * (1 + 1e-12);
    case Tolerance::Kind::percent:
      return off <= std::abs(truth) * tolerance.value / 100 * (1 + 1e-12);
    case Tolerance::Kind::factor:
      break;
  }
  if (guess == truth) return true;
  return guess * truth > 0 && std::max(guess / truth, truth / guess) <= tolerance.value * (1 + 1e-12);
}

Result<Verdict> judge_number(const Question& question, const NumberAnswer& answer, const Facts& facts) {
  const Result<std::optional<double>> truth = value_of(question.right.text, facts);
  if (!truth) return truth.error();
  Verdict verdict;
  verdict.known = truth->has_value();
  if (!verdict.known) return verdict;
  verdict.truth = **truth;
  verdict.truth_text = number_text(**truth);
  if (!question.unit.empty()) verdict.truth_text += " " + question.unit.text;
  verdict.right = within(answer.value, **truth, question.tolerance);
  return verdict;
}

// --- choice

Verdict judge_choice(const Question& question, const ChoiceAnswer& answer, const Facts& facts) {
  Verdict verdict;
  const size_t right = question.right.text.empty() ? 0 : size_t(question.right.text[0] - 'A');
  verdict.right = answer.letter == right;
  if (right < question.choices.size())
    verdict.truth_text = question.right.text + ": " + question.choices[right].text.text;
  if (!verdict.right && answer.letter < question.choices.size())
    verdict.because = filled_in(question.choices[answer.letter].because.text, facts);
  return verdict;
}

// --- clicks

std::optional<double> block_count(const std::vector<uint32_t>& counts, const BlockStats& stats, Dim3 block) {
  if (block.x >= stats.grid.x || block.y >= stats.grid.y || block.z >= stats.grid.z) return std::nullopt;
  const uint64_t bin = linear_index(block, stats.grid) / std::max<uint64_t>(1, stats.blocks_per_bin);
  return bin < counts.size() ? std::optional<double>(counts[bin]) : std::nullopt;
}

std::optional<double> largest(const std::vector<uint32_t>& counts) {
  return counts.empty() ? std::nullopt : std::optional<double>(*std::ranges::max_element(counts));
}

void add_block_counts(Facts& facts, const Target& clicked, const RunResult* result) {
  const BlockStats* stats = result ? result->blocks.get() : nullptr;
  const auto set = [&](const char* name, const std::vector<uint32_t> BlockStats::*counts) {
    facts.set(std::string("click.") + name,
              stats ? block_count(stats->*counts, *stats, clicked.block) : std::nullopt);
    facts.set(std::string("most.") + name, stats ? largest(stats->*counts) : std::nullopt);
  };
  set("instructions", &BlockStats::warp_instructions);
  set("divergent", &BlockStats::divergent_branches);
  set("sectors", &BlockStats::global_sectors);
}

// How many things there are that could be clicked, and the i-th of them. None for what has no end.
struct Domain {
  uint64_t count = 0;
  Dim3 grid, block;
  Target at(Target::Kind kind, uint64_t i) const {
    Target target;
    target.kind = kind;
    target.index = i;
    if (kind == Target::Kind::thread) {
      target.thread = position_at(i % block.count(), block);
      target.block = position_at(i / block.count(), grid);
    } else if (kind == Target::Kind::block) {
      target.block = position_at(i, grid);
    } else if (kind == Target::Kind::warp) {
      const uint64_t warps = ceil_div(block.count(), warp_lanes);
      target.index = i % warps;
      target.block = position_at(i / warps, grid);
    }
    return target;
  }
};

constexpr uint64_t most_clickable = 20'000;  // for each, the condition is evaluated

std::optional<Domain> domain_of(const Question& question, const Facts& facts, const RunResult* result) {
  const auto number = [&](const char* name) {
    const auto found = facts.known.find(name);
    return found == facts.known.end() ? 0u : uint32_t(found->second);
  };
  Domain domain;
  domain.grid = {number("launch.grid.x"), number("launch.grid.y"), number("launch.grid.z")};
  domain.block = {number("launch.block.x"), number("launch.block.y"), number("launch.block.z")};
  switch (question.what) {
    case Target::Kind::thread:
      domain.count = domain.grid.count() * domain.block.count();
      break;
    case Target::Kind::block:
      domain.count = domain.grid.count();
      break;
    case Target::Kind::warp:
      domain.count = domain.grid.count() * ceil_div(domain.block.count(), warp_lanes);
      break;
    case Target::Kind::lane:
    case Target::Kind::bank:
      domain.count = 32;
      break;
    case Target::Kind::line:
      domain.count = 1000;
      break;
    case Target::Kind::element:
      if (!result || !result->request) return std::nullopt;
      for (const BufferSpec& buffer : result->request->buffers)
        if (buffer.name == question.array || (question.array.empty() && buffer.output))
          domain.count = buffer.bytes / bytes_of(buffer.dtype);
      break;
    case Target::Kind::nothing:
      break;
  }
  if (domain.count == 0) return std::nullopt;
  return domain;
}

Result<Verdict> judge_clicks(const Question& question, const ClickAnswer& answer, const Facts& facts,
                             const RunResult* result) {
  Verdict verdict;
  const auto fulfils = [&](const Target& target) {
    Facts more = facts;
    add_click(more, target, result);
    return value_of(question.right.text, more);
  };
  std::vector<Target> found;
  for (uint32_t i = 0; i < answer.clicked.size(); ++i) {
    const Result<std::optional<double>> value = fulfils(answer.clicked[i]);
    if (!value) return value.error();
    if (!*value) verdict.known = false;
    const bool right = *value && **value != 0;
    const bool twice = std::ranges::find(found, answer.clicked[i]) != found.end();
    if (!right) {
      verdict.wrong_parts.push_back(i);
      Facts more = facts;
      add_click(more, answer.clicked[i], result);
      if (verdict.because.empty()) verdict.because = filled_in(question.otherwise.text, more);
    } else if (!twice) {
      found.push_back(answer.clicked[i]);
    }
  }
  verdict.found = uint32_t(found.size());
  verdict.wanted = 1;
  if (!question.find.empty()) {
    const Result<std::optional<double>> wanted = value_of(question.find.text, facts);
    if (!wanted) return wanted.error();
    if (!*wanted) verdict.known = false;
    verdict.wanted = uint32_t(std::clamp(wanted->value_or(1), 1.0, 1e6));
  } else if (question.find_all) {
    const std::optional<Domain> domain = domain_of(question, facts, result);
    verdict.known = verdict.known && domain.has_value();
    if (domain && domain->count > most_clickable)
      return bad_input(
          fmt::format("find: all counts at most {} things, and there are {}: write find: and a number",
                      most_clickable, domain->count));
    verdict.wanted = 0;
    // One copy of the facts for all of them: only the names of a click change.
    Facts more = facts;
    for (uint64_t i = 0; domain && i < domain->count; ++i) {
      add_click(more, domain->at(question.what, i), result);
      const Result<std::optional<double>> value = value_of(question.right.text, more);
      if (value && *value && **value != 0) ++verdict.wanted;
    }
  }
  verdict.right =
      verdict.known && verdict.wrong_parts.empty() && verdict.found > 0 && verdict.found >= verdict.wanted;
  verdict.truth_text = question.right.text;
  return verdict;
}

// --- order

Result<Verdict> judge_order(const Question& question, const OrderAnswer& answer, const Facts& facts) {
  Verdict verdict;
  verdict.right = true;
  std::vector<double> values;
  for (size_t i = 0; i < question.items.size(); ++i) {
    const OrderItem& item = question.items[i];
    if (item.value.empty()) {
      values.push_back(-double(i));
      continue;
    }
    const Result<std::optional<double>> value = value_of(item.value.text, facts);
    if (!value) return value.error();
    if (!*value) verdict.known = false;
    values.push_back(value->value_or(0) * (question.largest_first ? 1 : -1));
  }
  std::vector<uint32_t> best(values.size());
  std::iota(best.begin(), best.end(), 0u);
  std::stable_sort(best.begin(), best.end(), [&](uint32_t a, uint32_t b) { return values[a] > values[b]; });
  for (uint32_t place = 0; place < answer.items.size() && place < best.size(); ++place) {
    if (values[answer.items[place]] != values[best[place]]) verdict.wrong_parts.push_back(place);
    verdict.truth_text += (place == 0 ? "" : " · ") + question.items[best[place]].text.text;
  }
  verdict.right = verdict.known && verdict.wrong_parts.empty() && answer.items.size() == values.size();
  return verdict;
}

// --- formula

// The text of the formula with these boxes, each in brackets.
std::string formula_with(const Question& question, const std::vector<std::string>* boxes) {
  std::string text;
  size_t box = 0;
  for (const FormulaPart& part : question.formula) {
    if (!part.box) {
      text += part.text;
    } else {
      text += "(" + (boxes ? (*boxes)[box] : part.text) + ")";
      ++box;
    }
  }
  return text;
}

// The sides of "x = a * b = c" that are expressions. A side that is one word is what the formula is of.
std::vector<std::string_view> sides_of(std::string_view text) {
  std::vector<std::string_view> sides;
  for (const std::string_view side : parts_of(text, '='))
    if (side.find('(') != side.npos) sides.push_back(side);
  return sides;
}

bool is_symbol(std::string_view tile) {
  return !tile.empty() && ((tile[0] >= 'a' && tile[0] <= 'z') || (tile[0] >= 'A' && tile[0] <= 'Z')) &&
         tile.find_first_of("()+-*/ ") == tile.npos;
}

bool same_for_all_values(const Question& question, std::string_view given, std::string_view right,
                         const Facts& facts, std::string& mistake) {
  std::mt19937_64 random(16);
  for (int turn = 0; turn < 16; ++turn) {
    Facts values = facts;
    for (const std::string& tile : question.tiles)
      if (is_symbol(tile)) values.set(tile, double(random() % 9973 + 2));
    const Result<std::optional<double>> a = value_of(given, values), b = value_of(right, values);
    if (!b) mistake = b.error().message;
    if (!a || !b || !*a || !*b) return false;
    if (std::abs(**a - **b) > 1e-9 * std::max(1.0, std::abs(**b))) return false;
  }
  return true;
}

Result<Verdict> judge_symbols(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  Verdict verdict;
  const std::string given = formula_with(question, &answer.boxes), right = formula_with(question, nullptr);
  const std::vector<std::string_view> given_sides = sides_of(given), right_sides = sides_of(right);
  std::string mistake;
  verdict.right = given_sides.size() == right_sides.size();
  for (size_t i = 0; verdict.right && i < right_sides.size(); ++i)
    verdict.right = same_for_all_values(question, given_sides[i], right_sides[i], facts, mistake);
  if (!mistake.empty()) return bad_input(mistake);
  return verdict;
}

Result<Verdict> judge_boxes(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  Verdict verdict;
  verdict.right = true;
  uint32_t box = 0;
  for (const FormulaPart& part : question.formula) {
    if (!part.box) continue;
    const Result<std::optional<double>> truth = value_of(part.text, facts);
    if (!truth) return truth.error();
    const std::optional<double> given = number_in(answer.boxes[box]);
    if (!*truth) verdict.known = false;
    if (!given || !*truth || !within(*given, **truth, {})) {
      verdict.right = false;
      verdict.wrong_parts.push_back(box);
    }
    ++box;
  }
  verdict.right = verdict.right && verdict.known;
  return verdict;
}

std::string right_formula(const Question& question, const Facts& facts) {
  std::string text;
  for (const FormulaPart& part : question.formula) {
    if (part.box && question.tiles.empty()) {
      const Result<std::optional<double>> value = value_of(part.text, facts);
      text += value && *value ? number_text(**value) : "?";
    } else {
      text += part.text;
    }
  }
  return text;
}

Result<Verdict> judge_formula(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  const auto boxes = std::ranges::count_if(question.formula, &FormulaPart::box);
  if (answer.boxes.size() != size_t(boxes)) return Verdict{};
  Result<Verdict> verdict =
      question.tiles.empty() ? judge_boxes(question, answer, facts) : judge_symbols(question, answer, facts);
  if (verdict) verdict->truth_text = right_formula(question, facts);
  return verdict;
}

}  // namespace

Result<Answer> answer_in(std::string_view text, const Question& question) {
  text = trimmed(text);
  switch (question.kind) {
    case QuestionKind::number:
    case QuestionKind::marker: {
      const std::optional<double> number = number_in(text);
      if (!number) return not_understood(text, "a number, as in 157");
      return Answer(NumberAnswer{*number});
    }
    case QuestionKind::choice: {
      const bool letter =
          text.size() == 1 && text[0] >= 'A' && size_t(text[0] - 'A') < question.choices.size();
      if (!letter) return not_understood(text, "the letter of an answer");
      return Answer(ChoiceAnswer{uint32_t(text[0] - 'A')});
    }
    case QuestionKind::click:
      return clicks_in(text, question);
    case QuestionKind::order:
      return order_in(text, question);
    case QuestionKind::formula:
      return boxes_in(text, question);
  }
  return Answer();
}

std::string text_of(const Answer& answer, const Question& question) {
  std::string text;
  const auto add = [&](std::string_view part, std::string_view between) {
    if (!text.empty()) text += between;
    text += part;
  };
  if (const auto* number = std::get_if<NumberAnswer>(&answer)) {
    add(number_text(number->value), "");
    if (!question.unit.empty()) add(question.unit.text, " ");
  }
  if (const auto* choice = std::get_if<ChoiceAnswer>(&answer)) text = char('A' + choice->letter);
  if (const auto* clicks = std::get_if<ClickAnswer>(&answer))
    for (const Target& target : clicks->clicked) add(text_of(target), "; ");
  if (const auto* order = std::get_if<OrderAnswer>(&answer))
    for (const uint32_t item : order->items) add(question.items.at(item).text.text, " · ");
  if (const auto* formula = std::get_if<FormulaAnswer>(&answer)) {
    size_t box = 0;
    for (const FormulaPart& part : question.formula)
      text += part.box ? (box < formula->boxes.size() ? formula->boxes[box++] : "?") : part.text;
  }
  return text;
}

void add_click(Facts& facts, const Target& clicked, const RunResult* result) {
  constexpr Target::Kind in_block[] = {Target::Kind::thread, Target::Kind::block, Target::Kind::warp};
  const bool placed = std::ranges::find(in_block, clicked.kind) != std::end(in_block);
  const auto set = [&](const char* name, bool has, double value) {
    facts.set(name, has ? std::optional(value) : std::nullopt);
  };
  set("click.block.x", placed, clicked.block.x);
  set("click.block.y", placed, clicked.block.y);
  set("click.block.z", placed, clicked.block.z);
  const bool thread = clicked.kind == Target::Kind::thread;
  set("click.thread.x", thread, clicked.thread.x);
  set("click.thread.y", thread, clicked.thread.y);
  set("click.thread.z", thread, clicked.thread.z);
  std::optional<double> warp, lane;
  if (clicked.kind == Target::Kind::warp) warp = double(clicked.index);
  if (clicked.kind == Target::Kind::lane) lane = double(clicked.index);
  if (thread && facts.known.contains("launch.block.x")) {
    const Dim3 block{uint32_t(facts.known["launch.block.x"]), uint32_t(facts.known["launch.block.y"]),
                     uint32_t(facts.known["launch.block.z"])};
    const uint64_t index = linear_index(clicked.thread, block);
    warp = double(index / warp_lanes);
    lane = double(index % warp_lanes);
  }
  facts.set("click.warp", warp);
  facts.set("click.lane", lane);
  set("click.bank", clicked.kind == Target::Kind::bank, double(clicked.index));
  set("click.line", clicked.kind == Target::Kind::line, double(clicked.index));
  const bool element = clicked.kind == Target::Kind::element;
  set("click.index", element, double(clicked.index));
  Dim3 at{0, 0, 0};
  bool plane = false;
  if (element && result && result->request)
    for (const BufferSpec& buffer : result->request->buffers)
      if ((buffer.name == clicked.array || (clicked.array.empty() && buffer.output)) && buffer.width > 0) {
        const uint64_t pixel = clicked.index / std::max(1u, buffer.channels);
        at = {uint32_t(pixel % buffer.width), uint32_t(pixel / buffer.width % std::max(1u, buffer.height)),
              uint32_t(clicked.index % std::max(1u, buffer.channels))};
        plane = true;
      }
  set("click.x", plane, at.x);
  set("click.y", plane, at.y);
  set("click.z", plane, at.z);
  add_block_counts(facts, clicked, result);
}

Result<Verdict> judge_answer(const Question& question, const Answer& answer, const Facts& facts,
                             const RunResult* result) {
  Result<Verdict> verdict = Verdict{};
  if (const auto* number = std::get_if<NumberAnswer>(&answer))
    verdict = judge_number(question, *number, facts);
  else if (const auto* choice = std::get_if<ChoiceAnswer>(&answer))
    verdict = judge_choice(question, *choice, facts);
  else if (const auto* clicks = std::get_if<ClickAnswer>(&answer))
    verdict = judge_clicks(question, *clicks, facts, result);
  else if (const auto* order = std::get_if<OrderAnswer>(&answer))
    verdict = judge_order(question, *order, facts);
  else if (const auto* formula = std::get_if<FormulaAnswer>(&answer))
    verdict = judge_formula(question, *formula, facts);
  if (verdict && !verdict->right && verdict->because.empty() && verdict->known)
    verdict->because = filled_in(question.otherwise.text, facts);
  return verdict;
}

std::vector<uint32_t> offered_order(const Question& question, uint64_t seed) {
  std::vector<uint32_t> order(question.items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937_64 random(seed + question.line);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  if (order.size() > 1 && std::ranges::is_sorted(order)) std::swap(order[0], order[1]);
  return order;
}

Result<std::optional<std::pair<double, double>>> scale_of(const Question& question, const Facts& facts) {
  using Scale = std::optional<std::pair<double, double>>;
  const Result<std::optional<double>> from = value_of(question.from.text, facts),
                                      to = value_of(question.to.text, facts);
  if (!from) return from.error();
  if (!to) return to.error();
  if (!*from || !*to || **from >= **to) return Scale();
  return Scale(std::pair{**from, **to});
}

}  // namespace warplens::lesson
