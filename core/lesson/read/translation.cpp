// Translations: lesson.de.md and challenge.de.md, whose words replace those of lesson.md and challenge.md.
#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/format/texts.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr size_t most_named = 4;

TextPart* part_called(std::vector<TextPart>& parts, std::string_view id) {
  const auto found = std::ranges::find(parts, id, &TextPart::id);
  return found == parts.end() ? nullptr : &*found;
}

void put_part(TextPart& part, const TextPart& words, std::string_view original, Mistakes& mistakes) {
  for (const Text& text : words.texts) {
    if (text.text->empty()) continue;
    const auto found = std::ranges::find(part.texts, text.name, &Text::name);
    if (found == part.texts.end()) {
      mistakes.error(text.line != nullptr ? *text.line : words.line,
                     fmt::format("{}: {} has none in {}", text.name, original, part.title));
      continue;
    }
    *found->text = *text.text;
    if (found->line != nullptr && text.line != nullptr) *found->line = *text.line;
  }
}

// Reports what the original has and the translation does not. Each version has its own authors.
void say_missing(const TextPart& part, const TextPart& words, Mistakes& mistakes) {
  std::vector<std::string> missing;
  for (const Text& text : part.texts) {
    if (text.text->empty() || text.name == "author") continue;
    const auto found = std::ranges::find(words.texts, text.name, &Text::name);
    if (found == words.texts.end() || found->text->empty()) missing.push_back(text.name);
  }
  if (missing.empty()) return;
  const size_t more = missing.size() - std::min(missing.size(), most_named);
  missing.resize(std::min(missing.size(), most_named));
  mistakes.warning(words.line, fmt::format("not translated in {}: {}{}", part.title, fmt::join(missing, ", "),
                                           more == 0 ? "" : fmt::format(", and {} more", more)));
}

}  // namespace

void put_texts(std::vector<TextPart> original_parts, std::vector<TextPart> translation,
               std::string_view original, Mistakes& mistakes) {
  for (const TextPart& words : translation)
    if (part_called(original_parts, words.id) == nullptr)
      mistakes.error(words.line, fmt::format("{} does not have {}", original, words.title));
  for (TextPart& part : original_parts) {
    const TextPart* words = part_called(translation, part.id);
    if (words == nullptr) {
      mistakes.warning(0, fmt::format("{} is not translated", part.title));
      continue;
    }
    say_missing(part, *words, mistakes);
    put_part(part, *words, original, mistakes);
  }
}

std::string_view language_in(std::string_view file) {
  const std::string_view stem = file.substr(0, file.rfind('.'));
  const size_t dot = stem.rfind('.');
  return dot == stem.npos ? std::string_view() : stem.substr(dot + 1);
}

std::vector<std::string> languages_in(const Folder& folder, std::string_view stem) {
  std::vector<std::string> languages;
  for (const auto& [name, text] : folder.files) {
    const std::string_view language = language_in(name);
    if (!language.empty() && name == fmt::format("{}.{}.md", stem, language))
      languages.emplace_back(language);
  }
  return languages;
}

Placed mark_in(const Entry& entry, bool translation, Mistakes& mistakes) {
  const Heading heading = heading_in(fmt::format("{{{}}}", entry.value));
  if (!translation)
    mistakes.error(entry.line,
                   "mark: belongs in a translation: it identifies the words that were translated");
  else if (heading.mark.empty())
    mistakes.error(entry.line,
                   fmt::format("mark: \"{}\" is none: leave the line out, and let check --mark write it",
                               entry.value.substr(0, 60)));
  return {std::string(heading.mark.empty() ? "" : entry.value), entry.line};
}

void check_mark(const Section& section, bool translation, Mistakes& mistakes) {
  if (!translation && !section.mark.empty())
    mistakes.error(
        section.line,
        fmt::format("the mark {} belongs in a translation: it identifies the words that were translated",
                    section.mark));
}

}  // namespace warplens::lesson
