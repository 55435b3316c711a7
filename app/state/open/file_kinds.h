// The kinds of files: the one table of the kinds that the window opens, by drop, dialog, list of recent files
// and command line. A new kind is a row here, and what opens it is a case of apply(OpenFile) in
// app/state/files/files.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

enum class FileKind : uint8_t { link, lesson, session, recording, program, kernel, picture };

struct FileKindRow {
  FileKind kind;
  std::string_view words;                     // "kernels"
  std::span<const std::string_view> endings;  // in small letters; a dialog offers these
  bool (*is)(const std::string& path);        // what else it is known by; may read the file
};

// The kinds in the order in which they are tried. A file of no other kind is taken as a picture.
std::span<const FileKindRow> file_kinds();
FileKind kind_of_file(const std::string& path);
const FileKindRow& row_of(FileKind kind);

// "Kernels (.cu, .ptx), programs (.py)" and [".cu", ".ptx", ".py"], of those kinds.
std::string words_of(std::span<const FileKind> kinds);
std::vector<std::string_view> endings_of(std::span<const FileKind> kinds);

// Whether the name has an ending of this kind, in whatever letters. No file is read.
bool has_ending_of(FileKind kind, std::string_view path);

}  // namespace warplens
