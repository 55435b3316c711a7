#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/lesson/format/words.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

using Kinds = std::initializer_list<QuestionKind>;

constexpr std::string_view kind_names[] = {"number", "choice", "click", "marker", "order", "formula"};
constexpr QuestionKind all_kinds[] = {QuestionKind::number, QuestionKind::choice, QuestionKind::click,
                                      QuestionKind::marker, QuestionKind::order,  QuestionKind::formula};

// The keys of a question, the kinds that have them, and whether a translation may have them.
struct Key {
  std::string_view name;
  uint8_t kinds = 0;  // a bit for each
  bool words = false;
};

constexpr uint8_t bits(Kinds kinds) {
  uint8_t all = 0;
  for (const QuestionKind kind : kinds) all = uint8_t(all | (1u << unsigned(kind)));
  return all;
}
constexpr uint8_t every = 0x3f;
constexpr uint8_t numeric = bits({QuestionKind::number, QuestionKind::marker});

constexpr Key keys[] = {
    {"kind", every},
    {"text", every, true},
    {"predict", uint8_t(every & ~bits({QuestionKind::formula}))},
    {"right", bits({QuestionKind::number, QuestionKind::marker, QuestionKind::choice, QuestionKind::click})},
    {"tolerance", numeric},
    {"unit", numeric, true},
    {"shows", numeric, true},
    {"A", bits({QuestionKind::choice}), true},
    {"B", bits({QuestionKind::choice}), true},
    {"C", bits({QuestionKind::choice}), true},
    {"D", bits({QuestionKind::choice}), true},
    {"if A", bits({QuestionKind::choice}), true},
    {"if B", bits({QuestionKind::choice}), true},
    {"if C", bits({QuestionKind::choice}), true},
    {"if D", bits({QuestionKind::choice}), true},
    {"what", bits({QuestionKind::click})},
    {"array", bits({QuestionKind::click})},
    {"find", bits({QuestionKind::click})},
    {"plot", bits({QuestionKind::marker})},
    {"from", bits({QuestionKind::marker})},
    {"to", bits({QuestionKind::marker})},
    {"scale", bits({QuestionKind::marker})},
    {"item", bits({QuestionKind::order}), true},
    {"by", bits({QuestionKind::order})},
    {"formula", bits({QuestionKind::formula})},
    {"tiles", bits({QuestionKind::formula})},
    {"else", every, true},
};

constexpr auto key_names = [] {
  std::array<std::string_view, std::size(keys)> names{};
  for (size_t i = 0; i < names.size(); ++i) names[i] = keys[i].name;
  return names;
}();

std::vector<FormulaPart> formula_parts(const Entry& entry, Mistakes& mistakes) {
  std::vector<FormulaPart> parts;
  std::string_view rest = entry.value;
  while (!rest.empty()) {
    const size_t open = rest.find('[');
    if (open != 0) parts.push_back({std::string(rest.substr(0, open)), false});
    if (open == rest.npos) break;
    const size_t close = rest.find(']', open);
    if (close == rest.npos || trimmed(rest.substr(open + 1, close - open - 1)).empty()) {
      mistakes.error(entry.line,
                     "formula: a box is [what belongs there], as in x = [blockIdx.x] * [blockDim.x]");
      return {};
    }
    parts.push_back({std::string(trimmed(rest.substr(open + 1, close - open - 1))), true});
    rest = rest.substr(close + 1);
  }
  if (std::ranges::none_of(parts, &FormulaPart::box))
    mistakes.error(entry.line, "formula: has no box: write what is to be filled in in square brackets");
  return parts;
}

class QuestionReader {
 public:
  QuestionReader(const Block& block, bool translation, Mistakes& mistakes)
      : m_block(block), m_translation(translation), m_mistakes(mistakes) {}

  Question read() {
    m_question.line = m_block.line;
    m_question.choices.resize(4);
    read_kind();
    for (const Entry& entry : m_block.entries)
      if (entry.key != "kind" && allowed(entry)) read_entry(entry);
    if (!m_translation) check();
    while (!m_translation && !m_question.choices.empty() && m_question.choices.back().text.empty())
      m_question.choices.pop_back();
    return std::move(m_question);
  }

 private:
  void fail(const Entry& entry, std::string_view how) {
    m_mistakes.error(entry.line, fmt::format("{}: \"{}\" is not understood: {}", entry.key,
                                             std::string_view(entry.value).substr(0, 60), how));
  }

  void read_kind() {
    const auto kind = std::ranges::find(m_block.entries, "kind", &Entry::key);
    if (m_translation) return;
    if (kind == m_block.entries.end())
      return m_mistakes.error(m_block.line,
                              "the question has no kind: write kind: number, choice, click, "
                              "marker, order or formula");
    const auto name = std::ranges::find(kind_names, kind->value);
    if (name == std::end(kind_names))
      return fail(*kind, "write number, choice, click, marker, order or formula");
    m_question.kind = all_kinds[name - std::begin(kind_names)];
    m_has_kind = true;
  }

  bool allowed(const Entry& entry) {
    const auto key = std::ranges::find(keys, entry.key, &Key::name);
    if (key == std::end(keys)) {
      m_mistakes.error(entry.line, fmt::format("\"{}\" is no key of ```ask{}", entry.key,
                                               did_you_mean(entry.key, key_names)));
      return false;
    }
    if (m_translation && !key->words) {
      m_mistakes.error(
          entry.line,
          fmt::format("{}: is no text: leave it to lesson.md, which a translation only rewords", entry.key));
      return false;
    }
    if (m_has_kind && (key->kinds & (1u << unsigned(m_question.kind))) == 0) {
      m_mistakes.error(
          entry.line,
          fmt::format("a question of the kind {} has no {}:", to_string(m_question.kind), entry.key));
      return false;
    }
    const bool second = entry.key != "item" && std::ranges::find(m_seen, entry.key) != m_seen.end();
    if (second) m_mistakes.error(entry.line, fmt::format("{}: is here a second time", entry.key));
    m_seen.push_back(entry.key);
    return !second;
  }

  void read_entry(const Entry& entry) {
    const std::string_view key = entry.key;
    const Placed placed{entry.value, entry.line};
    if (entry.value.empty()) return fail(entry, "it is empty");
    if (key == "text") m_question.text = placed;
    if (key == "right") m_question.right = placed;
    if (key == "unit") read_unit(entry, placed);
    if (key == "shows") m_question.shows = placed;
    if (key == "else") m_question.otherwise = placed;
    if (key == "from") m_question.from = placed;
    if (key == "to") m_question.to = placed;
    if (key == "array") m_question.array = entry.value;
    if (key == "find") read_find(placed);
    if (key == "item") read_item(placed);
    if (key.size() == 1) m_question.choices[size_t(key[0] - 'A')].text = placed;
    if (key.starts_with("if ")) m_question.choices[size_t(key[3] - 'A')].because = placed;
    if (key == "tiles")
      for (const std::string_view tile : parts_of(entry.value, ',')) m_question.tiles.emplace_back(tile);
    if (key == "formula") {
      m_question.formula_text = placed;
      m_question.formula = formula_parts(entry, m_mistakes);
    }
    read_chosen(entry);
  }

  void read_unit(const Entry& entry, const Placed& placed) {
    const std::vector<std::string_view> forms = parts_of(placed.text, '|');
    if (forms.size() > 2 || std::ranges::any_of(forms, &std::string_view::empty))
      return fail(entry, "write one unit, or one for 1 and one for all other numbers, as in block | blocks");
    m_question.unit = placed;
  }

  void read_chosen(const Entry& entry) {
    const std::string_view key = entry.key, value = entry.value;
    if (key == "predict") {
      const std::optional<bool> yes = yes_or_no(value);
      if (!yes) return fail(entry, "write yes or no");
      m_question.predict = *yes;
    }
    if (key == "tolerance") {
      const std::optional<Tolerance> tolerance = tolerance_in(value);
      if (!tolerance) return fail(entry, "write 2, 10 % or factor 2");
      m_question.tolerance = *tolerance;
    }
    if (key == "what") {
      constexpr std::string_view things[] = {"thread", "block", "warp", "lane", "bank", "element", "line"};
      const auto thing = std::ranges::find(things, value);
      if (thing == std::end(things))
        return fail(entry, "write thread, block, warp, lane, bank, element or line");
      m_question.what = Target::Kind(thing - std::begin(things) + 1);
    }
    if (key == "plot") {
      if (std::ranges::find(plot_names(), value) == plot_names().end())
        return fail(entry, fmt::format("write {}", fmt::join(plot_names(), ", ")));
      m_question.plot = value;
    }
    if (key == "scale") {
      if (value != "linear" && value != "log") return fail(entry, "write linear or log");
      m_question.log_scale = value == "log";
    }
    if (key == "by") {
      if (value != "largest first" && value != "smallest first")
        return fail(entry, "write largest first or smallest first");
      m_question.largest_first = value == "largest first";
    }
  }

  void read_find(const Placed& placed) {
    m_question.find_all = placed.text == "all";
    if (!m_question.find_all) m_question.find = placed;
  }

  void read_item(const Placed& placed) {
    const size_t equals = m_translation ? std::string::npos : placed.text.rfind(" = ");
    OrderItem item;
    item.text = {std::string(trimmed(std::string_view(placed.text).substr(0, equals))), placed.line};
    if (equals != std::string::npos)
      item.value = {std::string(trimmed(std::string_view(placed.text).substr(equals + 3))), placed.line};
    m_question.items.push_back(std::move(item));
  }

  void need(bool there, std::string_view what) {
    if (!there) m_mistakes.error(m_block.line, fmt::format("the question needs {}", what));
  }

  void check() {
    const Question& q = m_question;
    need(!q.text.empty(), "text:");
    if (!m_has_kind) return;
    const bool seeks = q.kind != QuestionKind::order && q.kind != QuestionKind::formula;
    if (seeks) need(!q.right.empty(), "right:");
    if (q.kind == QuestionKind::choice) check_choices();
    if (q.kind == QuestionKind::click) {
      need(std::ranges::find(m_seen, "what") != m_seen.end(), "what: thread, block, warp, …");
      if (!q.array.empty() && q.what != Target::Kind::element)
        m_mistakes.error(m_block.line, "array: goes with what: element");
    }
    if (q.kind == QuestionKind::marker) {
      need(!q.plot.empty(), "plot:");
      need(!q.from.empty() && !q.to.empty(), "from: and to:");
    }
    if (q.kind == QuestionKind::order) check_items();
    if (q.kind == QuestionKind::formula) {
      need(!q.formula_text.empty(), "formula:");
      if (!q.tiles.empty())
        for (const FormulaPart& part : q.formula)
          if (part.box && std::ranges::find(q.tiles, part.text) == q.tiles.end())
            m_mistakes.error(q.formula_text.line,
                             fmt::format("\"{}\" belongs into a box, but is no tile", part.text));
    }
  }

  void check_choices() {
    const Question& q = m_question;
    const auto there = [&](size_t i) { return !q.choices[i].text.empty(); };
    need(there(0) && there(1), "at least the answers A: and B:");
    if (there(3) && !there(2)) m_mistakes.error(m_block.line, "D: stands without C:");
    for (size_t i = 0; i < 4; ++i)
      if (!q.choices[i].because.empty() && !there(i))
        m_mistakes.error(q.choices[i].because.line, fmt::format("there is no answer {}", char('A' + i)));
    const bool letter = q.right.text.size() == 1 && q.right.text[0] >= 'A' && q.right.text[0] <= 'D' &&
                        there(size_t(q.right.text[0] - 'A'));
    if (!q.right.empty() && !letter)
      m_mistakes.error(q.right.line,
                       fmt::format("right: \"{}\" is none of the answers: write its letter", q.right.text));
  }

  void check_items() {
    const Question& q = m_question;
    if (q.items.size() < 2 || q.items.size() > 12) need(false, "2 to 12 lines item:");
    const auto valued = std::ranges::count_if(q.items, [](const OrderItem& i) { return !i.value.empty(); });
    const bool some = valued != 0 && size_t(valued) != q.items.size();
    for (const OrderItem& item : q.items)
      if (some && item.value.empty())
        m_mistakes.error(item.text.line, "this item has no value, others do: write item: words = expression");
  }

  const Block& m_block;
  bool m_translation;
  Mistakes& m_mistakes;
  Question m_question;
  bool m_has_kind = false;
  std::vector<std::string> m_seen;
};

}  // namespace

const char* to_string(QuestionKind kind) { return kind_names[size_t(kind)].data(); }

Question read_question(const Block& block, bool translation, Mistakes& mistakes) {
  return QuestionReader(block, translation, mistakes).read();
}

Moves read_moves(const Block& block, Mistakes& mistakes) {
  Moves moves;
  moves.line = block.line;
  for (const Entry& entry : block.entries) {
    const std::string_view key = entry.key;
    if (key == "answer") {
      moves.answers.push_back({entry.value, entry.line});
    } else if (key == "hide" || key == "change" || key == "warnings" || key == "keep" || key == "baseline") {
      mistakes.error(entry.line, fmt::format("{}: is nothing that a student does", key));
    } else if (!read_show_entry(entry, moves.changes, mistakes)) {
      mistakes.error(entry.line, fmt::format("\"{}\" is no key of ```{}: write answer:, or a key of ```show",
                                             key, block.name));
    }
  }
  return moves;
}

Condition condition_of(const Placed& line) {
  const std::string_view text = line.text;
  const size_t otherwise = text.find(" else ");
  if (text.starts_with("else ")) return {{"", line.line}, {std::string(trimmed(text.substr(5))), line.line}};
  if (otherwise == text.npos) return {line, {}};
  return {{std::string(trimmed(text.substr(0, otherwise))), line.line},
          {std::string(trimmed(text.substr(otherwise + 6))), line.line}};
}

std::vector<Condition> read_conditions(const Block& block, Mistakes& mistakes) {
  std::vector<Condition> conditions;
  for (const Placed& line : block.lines) conditions.push_back(condition_of(line));
  if (conditions.empty()) mistakes.error(block.line, fmt::format("the block ```{} is empty", block.name));
  return conditions;
}

}  // namespace warplens::lesson
