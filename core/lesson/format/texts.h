// The texts of a lesson or a challenge that students read, part by part. A translation replaces them, and
// each of its parts has a mark of the words that were translated, so that a later change is noticed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/format/markdown.h"

namespace warplens::lesson {

struct Text {
  std::string name;          // "hint 2", "question 1: if A": the same in a translation
  std::string* text;         // in the lesson or challenge
  uint32_t* line = nullptr;  // where it begins; null for a value of the head
};

// A step, the head, or a part of a challenge.
struct TextPart {
  std::string id;     // of the step; "head"; in challenges also "task", "hint_1", "then", "notes"
  std::string title;  // as messages call it: "the step {#point}", "the head"
  std::string mark;   // for a translation; empty if it has none
  uint32_t line = 0;  // of its heading; of the head's mark
  std::vector<Text> texts;
};

// The parts point into the argument.
std::vector<TextPart> texts_of(Lesson& lesson);
std::vector<TextPart> texts_of(Challenge& challenge);

// A hash of four letters for the words of a part. Line breaks count as blanks, so a paragraph with new line
// breaks keeps its mark.
std::string mark_of(const TextPart& part);

// Replaces the texts of the file `original` ("lesson.md") by those of a translation. Texts that the original
// does not have are mistakes; missing texts give a warning.
void put_texts(std::vector<TextPart> original_parts, std::vector<TextPart> translation,
               std::string_view original, Mistakes& mistakes);

// "de" for each translation in the folder: lesson.de.md of "lesson".
std::vector<std::string> languages_in(const Folder& folder, std::string_view stem);
// The language of a file's name: "de" of lesson.de.md. Empty for lesson.md.
std::string_view language_in(std::string_view file);

// The parts of a translation whose original words have changed since, or that have no mark. The folder has a
// lesson or a challenge.
std::vector<Diagnostic> outdated_parts(const Folder& folder, std::string_view language);
// The text of the translation with the marks updated to the current words, for one part by its id or for
// "all".
Result<std::string> with_new_marks(const Folder& folder, std::string_view language, std::string_view part);

}  // namespace warplens::lesson
