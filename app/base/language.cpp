#include "app/base/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <unordered_map>
#include <utility>

#include "app/base/language/messages.h"
#include "app/base/language/numbers.h"
#include "core/base/system/embedded.h"
#include "core/base/system/variable.h"

namespace warplens {
namespace {

constexpr size_t most_bytes = 4096;  // of a text of ours: longer texts are not the program's
constexpr size_t most_texts = 8192;  // before the older half of what was found is dropped

const Language& english_language() {
  static const Language english;
  return english;
}

// Written between frames and read by the threads that draw: the window's thread, and those that save
// pictures.
std::atomic<const Language*> spoken_now = nullptr;
std::atomic<uint64_t> times_chosen = 0;
std::atomic<ReportUntranslated> reporting = nullptr;

// What was found for the texts of the last frames.
class Found {
 public:
  const std::string* find(std::string_view english) {
    if (const auto at = m_young.find(english); at != m_young.end()) return &at->second;
    const auto at = m_old.find(english);
    return at == m_old.end() ? nullptr : &keep(english, at->second);
  }
  const std::string& keep(std::string_view english, std::string text) {
    if (m_young.size() >= most_texts) m_old = std::exchange(m_young, {});
    return m_young.insert_or_assign(std::string(english), std::move(text)).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Map = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;
  Map m_young, m_old;
};

struct OfThread {
  uint64_t chosen = 0;
  const Language* language = &english_language();
  Found words, amounts;

  // Whether there is nothing to look up.
  bool is_english() const { return language == &english_language() && reporting.load() == nullptr; }
};

OfThread& of_thread() {
  thread_local OfThread mine;
  if (const uint64_t chosen = times_chosen.load(); chosen != mine.chosen)
    mine = {chosen, spoken_now.load(), {}, {}};
  return mine;
}

std::string shown_as(TextKind kind, std::string_view english) {
  OfThread& mine = of_thread();
  if (mine.is_english() || english.size() > most_bytes) return std::string(english);
  const bool is_words = kind == TextKind::words;
  Found& found = is_words ? mine.words : mine.amounts;
  if (const std::string* known = found.find(english)) return *known;
  const Texts& texts = is_words ? mine.language->words : mine.language->amounts;
  return found.keep(english,
                    with_thousands(texts.translated(english, reporting.load()), mine.language->thousands));
}

const Language* find_language(std::string_view code) {
  const auto found = std::ranges::find(languages(), code, &Language::code);
  return found == languages().end() ? nullptr : &*found;
}

// Empty for English and for what is not known.
std::string known_code(std::string_view code) {
  const Language* language = find_language(code);
  return language == nullptr ? std::string() : language->code;
}

}  // namespace

Result<Language> read_language(std::string_view table, const std::string& name) {
  const Result<std::vector<Message>> messages = read_messages(table, name);
  if (!messages) return messages.error();
  std::string_view header;
  std::vector<Texts::Entry> words, amounts;
  for (const Message& message : *messages) {
    if (message.english.empty()) {
      header = message.translated;
      continue;
    }
    std::vector<Texts::Entry>& entries = message.context == "amount" ? amounts : words;
    entries.push_back({message.english, message.translated});
    if (message.plural != message.english) entries.push_back({message.plural, message.translated_plural});
  }
  const std::string_view sign = header_value(header, "X-Thousands-Separator");  // between apostrophes
  Language language{std::string(header_value(header, "Language")),
                    std::string(header_value(header, "X-Language-Name")),
                    std::string(sign.size() < 3 ? "" : sign.substr(1, sign.size() - 2)),
                    {TextKind::words, words},
                    {TextKind::amounts, amounts}};
  if (language.code.empty() || language.name.empty())
    return bad_input(name + ": the header needs lines with Language and X-Language-Name.");
  return language;
}

const std::vector<Language>& languages() {
  static const std::vector<Language> all = [] {
    std::vector<Language> found;
    for (const EmbeddedFile& file : embedded_files()) {
      if (!file.path.starts_with("words/")) continue;
      Result<Language> language = read_language(file.bytes, std::string(file.path));
      if (language) found.push_back(*std::move(language));  // a test reads them all
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
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const std::string said = environment_variable(variable); !said.empty())
      return known_code(std::string_view(said).substr(0, said.find_first_of("_.@")));
  return {};
}

std::string language_meant(std::string_view preference) {
  return preference.empty() ? language_of_system() : known_code(preference);
}

void speak(const Language& language) {
  spoken_now = &language;
  ++times_chosen;
}

void speak(std::string_view code) {
  const Language* language = find_language(code);
  speak(language == nullptr ? english_language() : *language);
}

std::string_view spoken() { return of_thread().language->code; }

std::string shown(std::string_view english) { return shown_as(TextKind::words, english); }

std::string shown_amount(std::string_view english) { return shown_as(TextKind::amounts, english); }

std::string shown_numbers(std::string_view text) {
  return with_thousands(text, of_thread().language->thousands);
}

std::string shown_label(std::string_view english) {
  const size_t hashes = english.find("##");
  const std::string_view words = english.substr(0, hashes);
  const std::string said = shown(words);
  if (said == words) return std::string(english);
  const std::string_view id = hashes == std::string_view::npos            ? english
                              : english.substr(hashes).starts_with("###") ? english.substr(hashes + 3)
                                                                          : english;
  return fmt::format("{}###{}", said, id);
}

void shown_already(std::string_view words) {
  OfThread& mine = of_thread();
  if (!mine.is_english() && !mine.language->words.contains(words)) mine.words.keep(words, std::string(words));
}

void report_untranslated(ReportUntranslated report) { reporting = report; }

}  // namespace warplens
