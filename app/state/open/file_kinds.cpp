#include "app/state/open/file_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/user_program/program_file.h"
#include "core/base/text.h"
#include "core/job/files/link.h"

namespace warplens {

namespace {

constexpr std::string_view lesson_endings[] = {".md"}, session_endings[] = {".json"},
                           recording_endings[] = {".warplens"}, program_endings[] = {".py"},
                           kernel_endings[] = {".cu", ".ptx"},
                           picture_endings[] = {".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif",
                                                ".psd", ".ppm", ".pgm",  ".pic", ".hdr"};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}
bool is_a_link(const std::string& path) { return is_link(path); }
bool is_nothing_else(const std::string&) { return true; }

// A .cu file with a main() is a program, so programs come before kernels.
constexpr FileKindRow rows[] = {
    {FileKind::link, "links", {}, is_a_link},
    {FileKind::lesson, "lessons and challenges", lesson_endings, is_folder},
    {FileKind::session, "sessions", session_endings, nullptr},
    {FileKind::recording, "recordings", recording_endings, nullptr},
    {FileKind::program, "Python programs", program_endings, program_run::is_program_file},
    {FileKind::kernel, "kernels", kernel_endings, nullptr},
    {FileKind::picture, "pictures", picture_endings, is_nothing_else},
};

bool has_ending(const FileKindRow& row, std::string_view path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  return std::ranges::find(row.endings, ending) != row.endings.end();
}

}  // namespace

std::span<const FileKindRow> file_kinds() { return rows; }

const FileKindRow& row_of(FileKind kind) { return *std::ranges::find(rows, kind, &FileKindRow::kind); }

FileKind kind_of_file(const std::string& path) {
  return std::ranges::find_if(rows,
                              [&](const FileKindRow& row) {
                                return has_ending(row, path) || (row.is != nullptr && row.is(path));
                              })
      ->kind;
}

std::string words_of(std::span<const FileKind> kinds) {
  std::string words;
  for (const FileKind kind : kinds) {
    const FileKindRow& row = row_of(kind);
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", row.words, fmt::join(row.endings, ", "));
  }
  return capitalised(std::move(words));
}

std::vector<std::string_view> endings_of(std::span<const FileKind> kinds) {
  std::vector<std::string_view> endings;
  for (const FileKind kind : kinds)
    endings.insert(endings.end(), row_of(kind).endings.begin(), row_of(kind).endings.end());
  return endings;
}

bool has_ending_of(FileKind kind, std::string_view path) { return has_ending(row_of(kind), path); }

}  // namespace warplens
