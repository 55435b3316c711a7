#include "app/base/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/base/json/json.h"
#include "core/base/system/embedded.h"
#include "core/base/system/variable.h"
#include "core/base/text.h"

namespace warplens {
namespace {

constexpr std::string_view any_place = "{}", number_place = "{n}";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// The length of the number that begins here: "262,144", "3.5", "7". 0 if none does.
size_t number_length(std::string_view text, size_t at) {
  if (at >= text.size() || !is_digit(text[at])) return 0;
  size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || ((text[end] == ',' || text[end] == '.') &&
                                                       end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  return end - at;
}

// A number within a name ("fp16", "r12") is a part of the name.
bool begins_number(std::string_view text, size_t at) {
  return is_digit(text[at]) && (at == 0 || (!is_letter(text[at - 1]) && !is_digit(text[at - 1])));
}

// Whether the number that begins here has its digits in groups of three: "114,688", "1,024.5".
bool is_grouped(std::string_view number) {
  number = number.substr(0, number.find('.'));
  const size_t first = number.find(',');
  if (first == std::string_view::npos || first == 0 || first > 3) return false;
  for (size_t at = first; at < number.size(); at += 4)
    if (number[at] != ',' || number.substr(at + 1, 3).find(',') != std::string_view::npos ||
        at + 4 > number.size())
      return false;
  return true;
}

// Whether it is one of several that are listed without spaces, as the positions in (100,200,0).
bool is_listed(std::string_view text, size_t at, size_t length) {
  const char before = at == 0 ? ' ' : text[at - 1];
  const char after = at + length < text.size() ? text[at + length] : ' ';
  constexpr std::string_view opens = "([{<,", closes = ")]}>,";
  return opens.find(before) != std::string_view::npos && closes.find(after) != std::string_view::npos;
}

std::string with_groups(std::string_view text, std::string_view between) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = begins_number(text, at) ? number_length(text, at) : 0;
    if (length == 0) {
      result += text[at++];
      continue;
    }
    const std::string_view number = text.substr(at, length);
    const bool grouped = is_grouped(number) && !is_listed(text, at, length);
    for (const char c : number) {
      if (grouped && c == ',')
        result += between;
      else
        result += c;
    }
    at += length;
  }
  return result;
}

struct Numbered {
  std::string key;
  std::vector<std::string_view> numbers;
};

Numbered with_places(std::string_view text) {
  Numbered result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = begins_number(text, at) ? number_length(text, at) : 0;
    if (length == 0) {
      result.key += text[at++];
      continue;
    }
    result.numbers.push_back(text.substr(at, length));
    result.key += number_place;
    at += length;
  }
  return result;
}

// A text cut at its places: literals[0] place literals[1] place …
struct Template {
  std::vector<std::string> literals;
  std::vector<size_t> places;   // of a translation: which value; of an English text: 0, 1, 2 …
  std::vector<bool> is_number;  // whether only a number may stand there
  size_t letters = 0;           // of the literals
};

Template cut(std::string_view text) {
  Template result;
  std::string literal;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const std::string_view inner =
        end == std::string_view::npos ? std::string_view() : text.substr(at + 1, end - at - 1);
    const bool numbered = inner.size() == 1 && is_digit(inner[0]) && inner[0] != '0';
    if (end == std::string_view::npos || !(inner.empty() || inner == "n" || numbered)) {
      if (is_letter(text[at])) ++result.letters;
      literal += text[at++];
      continue;
    }
    result.literals.push_back(std::exchange(literal, {}));
    result.places.push_back(numbered ? static_cast<size_t>(inner[0] - '1') : result.places.size());
    result.is_number.push_back(inner == "n");
    at = end + 1;
  }
  result.literals.push_back(std::move(literal));
  return result;
}

std::string filled(const Template& words, const std::vector<std::string>& values) {
  std::string text = words.literals.front();
  for (size_t i = 0; i < words.places.size(); ++i) {
    if (words.places[i] < values.size()) text += values[words.places[i]];
    text += words.literals[i + 1];
  }
  return text;
}

// What stands at the places, if the text has this form.
std::optional<std::vector<std::string_view>> matched(const Template& form, std::string_view text) {
  if (!text.starts_with(form.literals.front()) || !text.ends_with(form.literals.back())) return {};
  std::vector<std::string_view> values;
  size_t at = form.literals.front().size();
  for (size_t i = 0; i < form.places.size(); ++i) {
    const std::string& next = form.literals[i + 1];
    const bool last = i + 1 == form.places.size();
    size_t end = 0;
    if (form.is_number[i]) {
      end = at + number_length(text, at);
      if (text.substr(end, next.size()) != next) return {};
    } else {
      // An empty literal between two places: the second is a number or begins at once.
      end = last ? text.size() - std::min(text.size(), next.size()) : text.find(next, at + 1);
    }
    if (end == std::string_view::npos || end <= at || end > text.size()) return {};
    values.push_back(text.substr(at, end - at));
    // What ends with a sentence is no more than that sentence.
    if (next.starts_with('.') && values.back().find(". ") != std::string_view::npos) return {};
    at = end + next.size();
  }
  if (at != text.size()) return {};
  return values;
}

struct Form {
  Template english, translated;
};

// Texts with "{}", those with most letters first.
std::vector<Form> forms_of(const TextsByEnglish& texts) {
  std::vector<Form> forms;
  for (const auto& [english, translated] : texts)
    if (english.find(any_place) != std::string::npos && !translated.empty())
      forms.push_back({cut(english), cut(translated)});
  std::ranges::stable_sort(forms, std::greater<>(), [](const Form& of) { return of.english.letters; });
  return forms;
}

// A language, made ready to be looked up.
struct Ready {
  std::shared_ptr<const Language> language;
  std::vector<Form> words, amounts;
};

std::shared_ptr<const Ready> made_ready(std::shared_ptr<const Language> language) {
  auto ready = std::make_shared<Ready>();
  ready->words = forms_of(language->words);
  ready->amounts = forms_of(language->amounts);
  ready->language = std::move(language);
  return ready;
}

// Written between frames and read by the threads that draw: the window's thread, and those that save
// pictures.
struct Spoken {
  std::mutex mutex;
  std::shared_ptr<const Ready> ready;
  std::atomic<uint64_t> version = 0;  // counts the changes
  std::atomic<std::set<std::string>*> untranslated = nullptr;
};
Spoken& spoken_now() {
  static Spoken spoken;
  return spoken;
}

enum class Letters : uint8_t { words, code };

constexpr int most_nested = 3;
constexpr size_t most_bytes = 4096;  // of a text of ours: longer texts are not the program's
constexpr size_t most_texts = 8192;  // before the older half of what was found is dropped

class Translations {
 public:
  explicit Translations(Letters letters) : m_letters(letters) {}

  // The language that is spoken now.
  const Ready* ready() {
    Spoken& now = spoken_now();
    if (const uint64_t version = now.version.load(std::memory_order_acquire); version != m_version) {
      const std::scoped_lock lock(now.mutex);
      m_ready = now.ready;
      m_version = version;
      m_young.clear();
      m_old.clear();
    }
    return m_ready.get();
  }

  std::string_view find(std::string_view english) {
    if (const std::string* known = cached(english)) return *known;
    std::optional<std::string> found = translation(english, most_nested);
    if (!found) note(english);
    std::string text = found ? *std::move(found) : std::string(english);
    const std::string& between = m_ready->language->thousands;
    return keep(english, between.empty() ? std::move(text) : with_groups(text, between));
  }

  std::string_view keep(std::string_view english, std::string shown) {
    if (m_young.size() >= most_texts) m_old = std::exchange(m_young, {});
    return m_young.insert_or_assign(std::string(english), std::move(shown)).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Texts = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;

  const std::string* cached(std::string_view english) {
    if (const auto at = m_young.find(english); at != m_young.end()) return &at->second;
    const auto at = m_old.find(english);
    if (at == m_old.end()) return nullptr;
    // Moved, not copied: a string's own buffer moves with its node.
    m_young.insert(m_old.extract(at));
    return &m_young.find(english)->second;
  }

  std::string in_part(std::string_view english, int nested) {
    std::optional<std::string> found = translation(english, nested);
    return found ? *std::move(found) : std::string(english);
  }

  std::optional<std::string> translation(std::string_view english, int nested) {
    if (auto whole = whole_translation(english, nested)) return whole;
    if (nested == 0 || m_letters == Letters::code) return {};
    if (auto found = by_pieces(english, nested)) return found;
    return by_core(english, nested);
  }

  // By an entry of its own.
  std::optional<std::string> whole_translation(std::string_view english, int nested) {
    if (std::ranges::none_of(english, is_letter)) return std::string(english);
    const TextsByEnglish& words = texts();
    if (const auto at = words.find(english); at != words.end() && !at->second.empty()) return at->second;
    const Numbered numbered = with_places(english);
    if (!numbered.numbers.empty())
      if (const auto at = words.find(numbered.key); at != words.end() && !at->second.empty())
        return filled(cut(at->second), {numbered.numbers.begin(), numbered.numbers.end()});
    return nested == 0 ? std::nullopt : by_form(english, nested - 1);
  }

  std::optional<std::string> by_form(std::string_view english, int nested) {
    for (const Form& form : m_letters == Letters::words ? m_ready->words : m_ready->amounts) {
      const auto values = matched(form.english, english);
      if (!values) continue;
      std::vector<std::string> said;
      for (const std::string_view value : *values) said.push_back(in_part(value, nested));
      return filled(form.translated, said);
    }
    return {};
  }

  // Lines and the parts of a list are looked up one by one, then the sentences of each: every piece once, so
  // that a long text of others takes a time that grows with its length.
  std::optional<std::string> by_pieces(std::string_view english, int nested) {
    for (const std::string_view between : {"\n", " · "})
      if (english.find(between) != std::string_view::npos) return piece_by_piece(english, between, nested);
    return by_sentences(english, nested);
  }

  std::optional<std::string> piece_by_piece(std::string_view english, std::string_view between, int nested) {
    std::string text;
    bool found = false;
    for (size_t at = 0; at <= english.size();) {
      const size_t end = std::min(english.find(between, at), english.size());
      found |= add_piece(english.substr(at, end - at), nested, text);
      if (end == english.size()) break;
      text += between;
      at = end + between.size();
    }
    return found ? std::optional(std::move(text)) : std::nullopt;
  }

  // An entry may be of several sentences: what is left is looked up whole before its first one is.
  std::optional<std::string> by_sentences(std::string_view english, int nested) {
    std::string text;
    bool found = false;
    std::string_view rest = english;
    for (size_t at = rest.find(". "); at != std::string_view::npos && at + 2 < rest.size();
         at = rest.find(". ")) {
      found |= add_piece(rest.substr(0, at + 1), nested, text);
      text += ' ';
      rest = rest.substr(at + 2);
      if (auto whole = whole_translation(rest, nested)) return text + *whole;
    }
    if (rest.size() == english.size()) return {};
    found |= add_piece(rest, nested, text);
    return found ? std::optional(std::move(text)) : std::nullopt;
  }

  // Whether it has words in the language; without, it is added as it is.
  bool add_piece(std::string_view english, int nested, std::string& text) {
    const std::optional<std::string> found = translation(english, nested);
    if (!found) note(english);
    text += found ? std::string_view(*found) : english;
    return found && std::ranges::any_of(english, is_letter);
  }

  // Signs around the words stay: "✓ Right", "next ›", "threads:".
  std::optional<std::string> by_core(std::string_view english, int nested) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    size_t begin = 0, end = english.size();
    while (begin < end && !is_word(english[begin])) ++begin;
    while (end > begin && !is_word(english[end - 1])) --end;
    if (begin == 0 && end == english.size()) return {};
    if (begin == end) return std::string(english);
    auto core = translation(english.substr(begin, end - begin), nested - 1);
    if (!core) return {};
    return std::string(english.substr(0, begin)) + *core + std::string(english.substr(end));
  }

  void note(std::string_view english) {
    std::set<std::string>* into = spoken_now().untranslated.load();
    if (into == nullptr) return;
    const std::string key = with_places(english).key;
    const bool code = m_letters == Letters::code;
    if (code && key.find_first_of(";=&*<>\"[") != std::string::npos) return;  // a line of a program
    const std::scoped_lock lock(spoken_now().mutex);
    into->insert(code ? "amount: " + key : key);
  }

  const TextsByEnglish& texts() const {
    return m_letters == Letters::words ? m_ready->language->words : m_ready->language->amounts;
  }

  Letters m_letters;
  std::shared_ptr<const Ready> m_ready;
  uint64_t m_version = 0;
  Texts m_young, m_old;
};

Translations& translations_of_thread(Letters letters = Letters::words) {
  thread_local Translations words(Letters::words), code(Letters::code);
  return letters == Letters::words ? words : code;
}

std::string_view shown_in(Letters letters, std::string_view english) {
  Translations& of_thread = translations_of_thread(letters);
  const bool is_ours = !english.empty() && english.size() <= most_bytes;
  return is_ours && of_thread.ready() != nullptr ? of_thread.find(english) : english;
}

// What is wrong with a translation's places.
std::string wrong_places(const Template& english, const Template& translated) {
  std::vector<bool> used(english.places.size());
  for (const size_t place : translated.places) {
    if (place >= used.size())
      return fmt::format("has place {}, its English text has {}", place + 1, used.size());
    used[place] = true;
  }
  const auto left = std::ranges::find(used, false);
  if (left == used.end()) return {};
  return fmt::format("lacks place {} of its English text", left - used.begin() + 1);
}

// Reads one table of a file.
Result<TextsByEnglish> read_texts(const Json& table, const std::string& name) {
  TextsByEnglish texts;
  for (const auto& [english, translated] : table.items()) {
    if (!translated.is_string()) return bad_input(fmt::format("{}: \"{}\" needs a text.", name, english));
    const auto said = translated.get<std::string>();
    if (const std::string wrong = said.empty() ? "" : wrong_places(cut(english), cut(said)); !wrong.empty())
      return bad_input(fmt::format("{}: the translation of \"{}\" {}.", name, english, wrong));
    texts.emplace(english, said);
  }
  return texts;
}

}  // namespace

Result<Language> parse_language(std::string_view text, const std::string& name) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  Language language;
  const auto words = document->find("words");
  if (!document->is_object() || !document->contains("language") || !(*document)["language"].is_string() ||
      words == document->end() || !words->is_object())
    return bad_input(name +
                     R"(: needs {"language": "its own name", "words": {"English text": "translation"}}.)");
  language.name = (*document)["language"].get<std::string>();
  Result<TextsByEnglish> read = read_texts(*words, name);
  if (!read) return read.error();
  language.words = *std::move(read);
  if (const auto amounts = document->find("amounts"); amounts != document->end()) {
    if (!amounts->is_object()) return bad_input(name + ": \"amounts\" needs texts, as \"words\" has them.");
    read = read_texts(*amounts, name);
    if (!read) return read.error();
    language.amounts = *std::move(read);
  }
  if (const auto thousands = document->find("thousands"); thousands != document->end()) {
    if (!thousands->is_string()) return bad_input(name + ": \"thousands\" needs a text.");
    language.thousands = thousands->get<std::string>();
  }
  return language;
}

const std::vector<Language>& languages() {
  static const std::vector<Language> all = [] {
    std::vector<Language> found;
    constexpr std::string_view folder = "words/", ending = ".json";
    for (const EmbeddedFile& file : embedded_files()) {
      if (!file.path.starts_with(folder) || !file.path.ends_with(ending)) continue;
      Result<Language> language = parse_language(file.bytes, std::string(file.path));
      if (!language) continue;  // a test reads them all
      language->code = file.path.substr(folder.size(), file.path.size() - folder.size() - ending.size());
      found.push_back(*std::move(language));
    }
    return found;
  }();
  return all;
}

std::vector<std::string> language_codes() {
  std::vector<std::string> codes = {"en"};
  for (const Language& language : languages()) codes.push_back(language.code);
  return codes;
}

std::string language_of_system() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::string said = environment_variable(variable);
    if (said.empty()) continue;
    const std::string code = said.substr(0, said.find_first_of("_.@"));
    const auto found = std::ranges::find(languages(), code, &Language::code);
    return found == languages().end() ? std::string() : found->code;
  }
  return {};
}

std::string language_meant(std::string_view preference) {
  if (preference.empty()) return language_of_system();
  const auto found = std::ranges::find(languages(), preference, &Language::code);
  return found == languages().end() ? std::string() : found->code;
}

void speak(std::shared_ptr<const Language> language) {
  Spoken& now = spoken_now();
  const std::scoped_lock lock(now.mutex);
  now.ready = language == nullptr ? nullptr : made_ready(std::move(language));
  now.version.fetch_add(1, std::memory_order_release);
}

void speak(std::string_view code) {
  const auto found = std::ranges::find(languages(), code, &Language::code);
  // English texts that are collected are looked up too.
  if (found == languages().end() && spoken_now().untranslated.load() != nullptr)
    return speak(std::make_shared<const Language>());
  // Not owned: the list lives as long as the program.
  speak(found == languages().end() ? nullptr
                                   : std::shared_ptr<const Language>(std::shared_ptr<void>(), &*found));
}

std::string_view spoken() {
  const Ready* ready = translations_of_thread().ready();
  return ready == nullptr ? std::string_view() : std::string_view(ready->language->code);
}

std::string_view shown(std::string_view english) { return shown_in(Letters::words, english); }

std::string_view shown_amount(std::string_view english) { return shown_in(Letters::code, english); }

std::string shown_numbers(std::string_view text) {
  const Ready* ready = translations_of_thread().ready();
  if (ready == nullptr || ready->language->thousands.empty()) return std::string(text);
  return with_groups(text, ready->language->thousands);
}

std::string shown_label(std::string_view english) {
  const size_t hashes = english.find("##");
  const std::string_view words = english.substr(0, hashes), said = shown(words);
  if (said == words) return std::string(english);
  const std::string_view id = hashes == std::string_view::npos            ? english
                              : english.substr(hashes).starts_with("###") ? english.substr(hashes + 3)
                                                                          : english;
  return fmt::format("{}###{}", said, id);
}

void shown_already(std::string_view words) {
  Translations& of_thread = translations_of_thread();
  const Ready* ready = of_thread.ready();
  if (ready != nullptr && !ready->language->words.contains(words)) of_thread.keep(words, std::string(words));
}

void collect_untranslated(std::set<std::string>* into) { spoken_now().untranslated = into; }

}  // namespace warplens
