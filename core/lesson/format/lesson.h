// A lesson as plain values (docs/lessons.md). load_lesson() reads it from a folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/lesson/format/question.h"
#include "core/lesson/format/show.h"

namespace warplens::lesson {

struct Condition {
  Placed expression;
  Placed otherwise;   // the text for the student if it does not hold; may be empty
  Placed words = {};  // for a goal: what it requires, in the teacher's words; may be empty
};

// What a student does: changes of the state, then answers to the questions in their order.
struct Moves {
  Show changes;
  std::vector<Placed> answers;
  uint32_t line = 0;
};

struct LessonStep {
  std::string id;
  Placed title, text;
  Show own;   // as written
  Show show;  // complete: including what earlier steps declared
  std::vector<Question> questions;
  Show reveal;
  bool has_reveal = false;
  std::vector<Condition> done;
  Moves solution, wrong;
  std::vector<Placed> hints;
  Placed then, notes;
  uint32_t line = 0;
  std::string mark = {};  // for a translated step: the mark of the words that were translated (texts.h)
};

struct Lesson {
  std::string name;  // of its folder
  uint32_t number = 0;
  std::string title, about, language = "en", device, author;
  Placed mark = {};  // for a translation: the mark of the words of the head
  uint32_t minutes = 0;
  std::vector<std::string> after;
  std::vector<LessonStep> steps;
};

// The files of a folder, by name. Those of the program are embedded; load_folder() reads a teacher's.
struct Folder {
  std::string name;                          // "who_am_i"
  std::string path;                          // of the folder on disk; empty for an embedded one
  std::map<std::string, std::string> files;  // name → bytes
};

struct LoadedLesson {
  Lesson lesson;
  std::vector<Diagnostic>
      diagnostics;  // every mistake, with file and line; the lesson is used if none is an error
  bool ok() const;
};

constexpr size_t max_lesson_bytes = size_t{1} << 20;
constexpr size_t max_steps = 60, max_questions = 8, max_hints = 5, max_text = 20'000;

// Reads the text of one lesson.md. It never fails: mistakes are left out and reported.
LoadedLesson parse_lesson(std::string_view text, std::string_view file);
// Also does what depends on the folder and the program: kernels, files, names in expressions. With a
// language, the translation lesson.LANGUAGE.md is applied, if there is one.
LoadedLesson load_lesson(const Folder& folder, std::string_view language = {});

// Up to 1,000 files, 64 MiB together; others are left out.
Result<Folder> load_folder(const std::string& path);
// The folders of the program: "lessons" or "challenges".
std::vector<Folder> embedded_folders(std::string_view kind);

}  // namespace warplens::lesson
