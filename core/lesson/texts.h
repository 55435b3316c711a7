// The texts of a lesson or a challenge that people read, part by part. A translation gives them anew, and
// each of its parts carries a mark of the words that it was made from, so that a later change is noticed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/challenge.h"
#include "core/lesson/lesson.h"
#include "core/lesson/markdown.h"

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
  std::string mark;   // of a translation; empty if it carries none
  uint32_t line = 0;  // of its heading; of the head's mark
  std::vector<Text> texts;
};

// They point into what is given.
std::vector<TextPart> texts_of(Lesson& lesson);
std::vector<TextPart> texts_of(Challenge& challenge);

// Four letters for the words of a part. Line breaks count as blanks, so that a paragraph that is broken anew
// keeps its mark.
std::string mark_of(const TextPart& part);

// Puts the texts of a translation over those of the file `original` ("lesson.md"). What the original does not
// have is a mistake; what is left out is said as a warning.
void put_texts(std::vector<TextPart> original_parts, std::vector<TextPart> translation,
               std::string_view original, Mistakes& mistakes);

// "de" for each translation in the folder: lesson.de.md of "lesson".
std::vector<std::string> languages_in(const Folder& folder, std::string_view stem);
// The language of a file's name: "de" of lesson.de.md. Empty for lesson.md.
std::string_view language_in(std::string_view file);

// Which parts of a translation were made from other words than the original has now, or carry no mark. The
// folder has a lesson or a challenge.
std::vector<Diagnostic> outdated_parts(const Folder& folder, std::string_view language);
// The translation's file with the marks of the words as they are now, of one part by its id or of "all".
Result<std::string> with_new_marks(const Folder& folder, std::string_view language, std::string_view part);

}  // namespace warplens::lesson
