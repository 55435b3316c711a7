// What is in a folder, for people who choose a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  uint64_t bytes = 0;  // of a file
  bool operator==(const FolderEntry&) const = default;
};

// Folders first, each by name without regard to upper and lower case. An error says what is wrong with it.
Result<std::vector<FolderEntry>> read_folder(const std::string& path);

// The entries to show for what was typed: names that hold it, whatever their case. Files need one of the
// endings (".cu"), unless there are none. Names that begin with a dot are shown if the typed text does.
std::vector<FolderEntry> entries_for(const std::vector<FolderEntry>& all, std::string_view typed,
                                     std::span<const std::string_view> endings);

// A path as somebody typed it, in this folder: absolute, relative, or beginning with ~ for the home folder.
std::string typed_path(const std::string& folder, const std::string& typed);
// The folder part of a typed path and what comes after it: "a/b" → "a/" and "b".
struct TypedParts {
  std::string folder, name;
};
TypedParts typed_parts(const std::string& typed);

std::string folder_above(const std::string& folder);  // the root itself if there is none

}  // namespace warplens
