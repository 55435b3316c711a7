// The contents of a folder, for a file chooser.
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

// Folders first, each group sorted by name without regard to case. An error says what is wrong with the
// folder.
Result<std::vector<FolderEntry>> read_folder(const std::string& path);

// The entries that match the typed text: their names contain it, whatever their case. Files must have one of
// the extensions (".cu"), unless the list is empty. Names that begin with a dot are shown only if the typed
// text does.
std::vector<FolderEntry> entries_for(const std::vector<FolderEntry>& all, std::string_view typed,
                                     std::span<const std::string_view> endings);

// The path that the user typed, starting from this folder: absolute, relative, or beginning with ~ for the
// home folder.
std::string typed_path(const std::string& folder, const std::string& typed);
// The folder part of a typed path and the rest: "a/b" → "a/" and "b".
struct TypedParts {
  std::string folder, name;
};
TypedParts typed_parts(const std::string& typed);

std::string folder_above(const std::string& folder);  // the root itself if there is none

}  // namespace warplens
