#include "app/base/language/texts.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "app/base/language/numbers.h"
#include "core/base/text.h"

namespace warplens {
namespace {

// A place in a text: "{n}" stands for a number, "{}" for any words, and in a translation "{2}" for the second
// place of the English text.
struct Place {
  size_t begin, end;  // in the text
  char kind;          // what stands between the braces; 0 for nothing
};

// The first place at or after `from`. It begins at the text's end if there is none.
Place next_place(std::string_view text, size_t from) {
  for (size_t at = text.find('{', from); at != text.npos; at = text.find('{', at + 1)) {
    if (text.substr(at + 1, 1) == "}") return {at, at + 2, 0};
    const char kind = at + 2 < text.size() && text[at + 2] == '}' ? text[at + 1] : '\0';
    if (kind == 'n' || (kind >= '1' && kind <= '9')) return {at, at + 3, kind};
  }
  return {text.size(), text.size(), 0};
}

// Where the value at this place ends: it begins at `at`, and `next` follows it.
size_t end_of_value(const Place& place, bool last, std::string_view text, size_t at, std::string_view next) {
  if (place.kind == 'n') return at + number_length(text, at);
  return last ? text.size() - std::min(text.size(), next.size()) : text.find(next, at + 1);
}

// What stands at the places of an English text, if `text` has its form.
std::optional<std::vector<std::string_view>> values_at_places(std::string_view form, std::string_view text) {
  Place place = next_place(form, 0);
  if (!text.starts_with(form.substr(0, place.begin))) return {};
  std::vector<std::string_view> values;
  size_t at = place.begin;
  while (place.begin < form.size()) {
    const Place following = next_place(form, place.end);
    const std::string_view next = form.substr(place.end, following.begin - place.end);
    const size_t end = end_of_value(place, following.begin == form.size(), text, at, next);
    if (end == text.npos || end <= at || text.substr(end, next.size()) != next) return {};
    values.push_back(text.substr(at, end - at));
    // What ends with a sentence is no more than that sentence.
    if (next.starts_with('.') && values.back().find(". ") != text.npos) return {};
    at = end + next.size();
    place = following;
  }
  if (at != text.size()) return {};
  return values;
}

// The translation with the values of the English text's places.
std::string filled(std::string_view translated, const std::vector<std::string>& values) {
  std::string text;
  size_t done = 0;
  for (size_t i = 0; done < translated.size(); ++i) {
    const Place place = next_place(translated, done);
    text += translated.substr(done, place.begin - done);
    const size_t value = is_digit(place.kind) ? static_cast<size_t>(place.kind - '1') : i;
    if (place.begin < translated.size() && value < values.size()) text += values[value];
    done = place.end;
  }
  return text;
}

constexpr int most_nested = 3;  // values at places, and signs around words

bool has_letters(std::string_view text) { return std::ranges::any_of(text, is_letter); }

// Most forms differ from a text at one of its ends.
bool may_have_form(std::string_view text, std::string_view form) {
  return (form.front() == '{' || form.front() == text.front()) &&
         (form.back() == '}' || form.back() == text.back());
}

bool is_sign(char c) { return !is_letter(c) && !is_digit(c); }

}  // namespace

class Texts::Search {
 public:
  Search(const Texts& texts, ReportUntranslated report) : m_texts(texts), m_report(report) {}

  // Adds the translation, or else the English text. Returns whether any words were translated.
  bool add(std::string_view english, int nested, std::string& text) const {
    const std::optional<std::string> found = translation(english, nested);
    if (!found && m_report != nullptr) m_report(english, m_texts.m_kind);
    text += found ? std::string_view(*found) : english;
    return found && has_letters(english);
  }

 private:
  std::optional<std::string> translation(std::string_view english, int nested) const {
    if (auto whole = by_entry(english, nested)) return whole;
    if (nested == 0 || m_texts.m_kind == TextKind::amounts) return {};
    if (auto parts = by_parts(english, nested)) return parts;
    return without_signs(english, nested);
  }

  std::optional<std::string> by_entry(std::string_view english, int nested) const {
    if (!has_letters(english)) return std::string(english);
    if (const auto whole = m_texts.m_whole.find(english); whole != m_texts.m_whole.end())
      return std::string(whole->second);
    for (const Form& form : m_texts.m_forms) {
      if ((form.has_words && nested == 0) || !may_have_form(english, form.entry.english)) continue;
      const auto values = values_at_places(form.entry.english, english);
      if (!values) continue;
      std::vector<std::string> said;
      for (const std::string_view value : *values)
        said.push_back(translation(value, nested - 1).value_or(std::string(value)));
      return filled(form.entry.translated, said);
    }
    return {};
  }

  std::optional<std::string> by_parts(std::string_view english, int nested) const {
    for (const std::string_view between : {"\n", " · "})
      if (english.find(between) != english.npos) return part_by_part(english, between, false, nested);
    return part_by_part(english, ". ", true, nested);
  }

  // Each part is looked up once, so the time grows only with the length of the text.
  std::optional<std::string> part_by_part(std::string_view english, std::string_view between, bool sentences,
                                          int nested) const {
    const size_t stays = sentences ? 1 : 0;  // the full stop belongs to the sentence
    std::string text;
    bool found = false;
    std::string_view rest = english;
    for (size_t end = rest.find(between); end != rest.npos; end = rest.find(between)) {
      if (sentences && end + between.size() == rest.size()) break;
      found |= add(rest.substr(0, end + stays), nested, text);
      text += between.substr(stays);
      rest.remove_prefix(end + between.size());
      // An entry may be of several sentences: what is left is looked up whole before its first one is.
      if (!sentences) continue;
      if (const auto whole = by_entry(rest, nested)) return text + *whole;
    }
    if (rest.size() == english.size()) return {};
    found |= add(rest, nested, text);
    return found ? std::optional(std::move(text)) : std::nullopt;
  }

  // Signs around the words stay: "✓ Right", "next ›", "threads:".
  std::optional<std::string> without_signs(std::string_view english, int nested) const {
    std::string_view words = english;
    while (!words.empty() && is_sign(words.front())) words.remove_prefix(1);
    const size_t begin = english.size() - words.size();
    while (!words.empty() && is_sign(words.back())) words.remove_suffix(1);
    if (words.size() == english.size()) return {};
    const std::optional<std::string> found = translation(words, nested - 1);
    if (!found) return {};
    return std::string(english.substr(0, begin)) + *found + std::string(english.substr(begin + words.size()));
  }

  const Texts& m_texts;
  ReportUntranslated m_report;
};

Texts::Form Texts::form_of(const Entry& entry) {
  const std::string without_numbers = replace_all(std::string(entry.english), "{n}", "");
  const auto letters = std::ranges::count_if(without_numbers, is_letter);
  return {entry, static_cast<size_t>(letters), without_numbers.find("{}") != std::string::npos};
}

Texts::Texts(TextKind kind, const std::vector<Entry>& entries) : m_kind(kind) {
  for (const Entry& entry : entries) {
    m_whole.emplace(entry.english, entry.translated);
    if (next_place(entry.english, 0).begin < entry.english.size()) m_forms.push_back(form_of(entry));
  }
  std::ranges::sort(m_forms, {}, [](const Form& form) {
    return std::tuple(-static_cast<int64_t>(form.letters), form.has_words, form.entry.english);
  });
}

std::string Texts::translated(std::string_view english, ReportUntranslated report) const {
  std::string text;
  Search(*this, report).add(english, most_nested, text);
  return text;
}

}  // namespace warplens
