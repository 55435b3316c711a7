#include "app/cli/shared/lesson_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/system/files.h"
#include "core/lesson/format/challenge.h"
#include "core/lesson/format/texts.h"

namespace warplens {

Result<lesson::Folder> lesson_folder(std::string_view kind, const std::string& name) {
  std::string names;
  for (lesson::Folder& folder : lesson::embedded_folders(kind)) {
    if (folder.name == name) return std::move(folder);
    names += (names.empty() ? "" : ", ") + folder.name;
  }
  if (name.empty()) return bad_input(fmt::format("Write a folder, or one of the {}: {}.", kind, names));
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) return lesson::load_folder(name);
  return bad_input(fmt::format("{} is no folder, and none of the {} of the program: {}.", name, kind,
                               names.empty() ? "there are none" : names));
}

Result<lesson::Lesson> lesson_in(const lesson::Folder& folder, const std::string& language) {
  lesson::LoadedLesson read = lesson::load_lesson(folder, language);
  if (!read.ok())
    return bad_input(fmt::format("{}The lesson has mistakes: warplens lessons check lists them.",
                                 to_text(read.diagnostics)));
  const bool translated = folder.files.contains("lesson." + language + ".md");
  if (!language.empty() && language != read.lesson.language && !translated)
    return bad_input(fmt::format("--language {}: {} has no lesson.{}.md; its texts are in {}.", language,
                                 folder.name, language, read.lesson.language));
  return std::move(read.lesson);
}

static std::string_view stem_of(const lesson::Folder& folder) {
  return folder.files.contains("challenge.md") ? "challenge" : "lesson";
}

std::vector<Diagnostic> check_translations(const lesson::Folder& folder) {
  std::vector<Diagnostic> all;
  const std::string_view stem = stem_of(folder);
  for (const std::string& language : lesson::languages_in(folder, stem)) {
    const std::string file = fmt::format("{}.{}.md", stem, language);
    std::vector<Diagnostic> said = stem == "lesson" ? lesson::load_lesson(folder, language).diagnostics
                                                    : lesson::load_challenge(folder, language).diagnostics;
    std::erase_if(said, [&](const Diagnostic& one) { return one.file != file; });
    const std::vector<Diagnostic> old = lesson::outdated_parts(folder, language);
    said.insert(said.end(), old.begin(), old.end());
    std::ranges::stable_sort(said, {}, &Diagnostic::line);
    all.insert(all.end(), said.begin(), said.end());
  }
  return all;
}

Result<void> write_marks(const lesson::Folder& folder, const std::string& language, const std::string& part) {
  if (folder.path.empty())
    return bad_input(fmt::format("--mark: {} is part of the program. Give the folder that its files are in.",
                                 folder.name));
  const std::string_view stem = stem_of(folder);
  std::vector<std::string> languages = lesson::languages_in(folder, stem);
  if (!language.empty()) std::erase_if(languages, [&](const std::string& one) { return one != language; });
  if (languages.empty())
    return bad_input(fmt::format("--mark: {} has no translation {}.{}.md.", folder.path, stem,
                                 language.empty() ? "LANGUAGE" : language));
  for (const std::string& one : languages) {
    const Result<std::string> text = lesson::with_new_marks(folder, one, part);
    if (!text) return text.error();
    const std::string file =
        (std::filesystem::path(folder.path) / fmt::format("{}.{}.md", stem, one)).string();
    if (const Result<void> written = write_text(file, *text); !written) return written.error();
  }
  return {};
}

Result<lesson::Folder> folder_to_check(std::string_view kind, const std::string& name,
                                       const std::string& language, const std::string& mark) {
  Result<lesson::Folder> folder = lesson_folder(kind, name);
  if (!folder || mark.empty()) return folder;
  if (const Result<void> written = write_marks(*folder, language, mark); !written) return written.error();
  return lesson_folder(kind, name);
}

}  // namespace warplens
