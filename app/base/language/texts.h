// The translations of one kind of text, and how that of a text is found among them (ADR 0097).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warplens {

// Amounts and places in the font of code, "48 of 48", are translated as a whole: what is code itself, and
// what people called something, must stay as it is. Words are also translated in parts: lines, sentences.
enum class TextKind : uint8_t { words, amounts };

// Is told an English text, or a part of one, that has no translation, by the thread that asks for it.
using ReportUntranslated = void (*)(std::string_view english, TextKind kind);

class Texts {
 public:
  // Views that live as long as this.
  struct Entry {
    std::string_view english, translated;
  };
  Texts(TextKind kind, const std::vector<Entry>& entries);

  // Whether an entry has exactly this English text.
  bool contains(std::string_view english) const { return m_whole.contains(english); }
  // The text with the parts translated that have a translation. `report` may be null.
  std::string translated(std::string_view english, ReportUntranslated report) const;

 private:
  class Search;
  // A text with places, such as "{n} of {}".
  struct Form {
    Entry entry;
    size_t letters = 0;      // outside of places
    bool has_words = false;  // whether a place stands for words
  };
  static Form form_of(const Entry& entry);

  TextKind m_kind;
  std::unordered_map<std::string_view, std::string_view> m_whole;
  std::vector<Form> m_forms;  // the closest first: those with most letters, then those without words
};

}  // namespace warplens
