// The marks of a translation: finds parts whose original words have changed since.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/text_line.h"
#include "core/lesson/format/texts.h"

namespace warplens::lesson {
namespace {

// Calls `then` with the parts of the original and of the translation, which live as long as the call.
void with_parts(const Folder& folder, std::string_view language,
                const std::function<void(const std::vector<TextPart>&, const std::vector<TextPart>&,
                                         const std::string& stem, const std::string& file)>& then) {
  const std::string stem = folder.files.contains("challenge.md") ? "challenge" : "lesson";
  const std::string file = fmt::format("{}.{}.md", stem, language);
  const auto original = folder.files.find(stem + ".md"), words = folder.files.find(file);
  if (original == folder.files.end() || words == folder.files.end()) return;
  if (stem == "lesson") {
    Lesson english = parse_lesson(original->second, "lesson.md").lesson;
    Lesson translation = parse_lesson(words->second, file).lesson;
    return then(texts_of(english), texts_of(translation), stem, file);
  }
  Challenge english = parse_challenge(original->second, "challenge.md").challenge;
  Challenge translation = parse_challenge(words->second, file).challenge;
  then(texts_of(english), texts_of(translation), stem, file);
}

const TextPart* original_of(const std::vector<TextPart>& english, const TextPart& part) {
  const auto found = std::ranges::find(english, part.id, &TextPart::id);
  return found == english.end() ? nullptr : &*found;
}

// "## Titel {#point}" → "## Titel {#point 3f2a}", "### Hint" → "### Hint {3f2a}"
std::string marked_heading(const std::string& line, const std::string& mark) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  const Heading heading = heading_in(std::string_view(line).substr(level));
  const std::string braces =
      heading.id.empty() ? fmt::format("{{{}}}", mark) : fmt::format("{{#{} {}}}", heading.id, mark);
  return fmt::format("{} {} {}", line.substr(0, level), heading.words, braces);
}

void mark_head(std::vector<std::string>& lines, const TextPart& head, const std::string& mark) {
  const std::string line = "mark: " + mark;
  if (head.line > 0 && head.line <= lines.size()) {
    lines[head.line - 1] = line;
    return;
  }
  const auto begin = std::ranges::find_if(lines, [](const std::string& l) { return trimmed(l) == "---"; });
  if (begin == lines.end()) return;
  const auto end =
      std::find_if(begin + 1, lines.end(), [](const std::string& l) { return trimmed(l) == "---"; });
  if (end != lines.end()) lines.insert(end, line);
}

}  // namespace

std::vector<Diagnostic> outdated_parts(const Folder& folder, std::string_view language) {
  std::vector<Diagnostic> said;
  with_parts(
      folder, language,
      [&](const auto& english, const auto& translation, const auto& stem, const auto& file) {
        std::vector<std::string> unmarked;
        for (const TextPart& part : translation) {
          const TextPart* original = original_of(english, part);
          if (original == nullptr) continue;
          if (part.mark.empty())
            unmarked.push_back(part.id);
          else if (const std::string mark = mark_of(*original); mark != part.mark)
            said.push_back(
                {Severity::warning, file, part.line, 0,
                 fmt::format("{}.md has other words now for {} than when it was translated: bring it up "
                             "to date, then --mark {} writes the new mark {}",
                             stem, part.title, part.id, mark)});
        }
        if (!unmarked.empty())
          said.push_back({Severity::warning, file, 0, 0,
                          fmt::format("without a mark, a later change of {}.md is not noticed: {}. Where the "
                                      "translation is up to date, --mark all writes them",
                                      stem, fmt::join(unmarked, ", "))});
      });
  return said;
}

Result<std::string> with_new_marks(const Folder& folder, std::string_view language, std::string_view part) {
  std::string text;
  bool found = false;
  with_parts(folder, language,
             [&](const auto& english, const auto& translation, const auto&, const auto& file) {
               const std::string& now = folder.files.at(file);
               const std::vector<std::string_view> split = lines_of_text(now);
               std::vector<std::string> lines(split.begin(), split.end());
               // The head's mark may be a new line, so it comes last.
               for (auto one = translation.rbegin(); one != translation.rend(); ++one) {
                 const TextPart* original = original_of(english, *one);
                 if (original == nullptr || (part != "all" && part != one->id)) continue;
                 found = true;
                 const std::string mark = mark_of(*original);
                 if (one->id == "head" && one + 1 == translation.rend())
                   mark_head(lines, *one, mark);
                 else if (one->line > 0 && one->line <= lines.size())
                   lines[one->line - 1] = marked_heading(lines[one->line - 1], mark);
               }
               text = fmt::format("{}{}", fmt::join(lines, "\n"), now.ends_with('\n') ? "\n" : "");
             });
  if (found) return text;
  return bad_input(
      fmt::format("--mark {}: the translation {} has no such part. Write all, or the id of a step; "
                  "the head is called head, the parts of a challenge task, hint_1, then and notes.",
                  part, language));
}

}  // namespace warplens::lesson
