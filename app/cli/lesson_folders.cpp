#include "app/cli/lesson_folders.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {

Result<lesson::Folder> lesson_folder(std::string_view kind, const std::string& name) {
  if (name.empty())
    return bad_input(
        fmt::format("Write a folder, or a name: warplens {} list names those of the program.", kind));
  std::string names;
  for (lesson::Folder& folder : lesson::embedded_folders(kind)) {
    if (folder.name == name) return std::move(folder);
    names += (names.empty() ? "" : ", ") + folder.name;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) return lesson::load_folder(name);
  return bad_input(fmt::format("{} is no folder, and none of the {} of the program: {}.", name, kind,
                               names.empty() ? "there are none" : names));
}

Result<lesson::Lesson> lesson_in(const lesson::Folder& folder, const std::string& language) {
  lesson::ReadLesson read = lesson::read_lesson(folder, language);
  if (!read.ok())
    return bad_input(fmt::format("{}The lesson has mistakes: warplens lessons check says them.",
                                 to_text(read.diagnostics)));
  const bool translated = folder.files.contains("lesson." + language + ".md");
  if (!language.empty() && language != read.lesson.language && !translated)
    return bad_input(fmt::format("--language {}: {} has no lesson.{}.md; its texts are in {}.", language,
                                 folder.name, language, read.lesson.language));
  return std::move(read.lesson);
}

}  // namespace warplens
