#include "core/system/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "core/system/paths.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

bool has_ending(const std::string& name, std::span<const std::string_view> endings) {
  return endings.empty() ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

FolderEntry entry_of(const fs::directory_entry& found) {
  std::error_code ignored;  // a broken link, or a file that was just removed
  FolderEntry entry;
  entry.name = found.path().filename().string();
  entry.is_folder = found.is_directory(ignored);
  const auto bytes = entry.is_folder ? 0 : found.file_size(ignored);
  entry.bytes = ignored ? 0 : bytes;
  return entry;
}

}  // namespace

Result<std::vector<FolderEntry>> read_folder(const std::string& path) {
  std::error_code error;
  fs::directory_iterator at(path, error);
  if (error == std::errc::no_such_file_or_directory)
    return bad_input(fmt::format("{}: there is no such folder", path));
  if (error == std::errc::not_a_directory) return bad_input(fmt::format("{}: this is no folder", path));
  if (error == std::errc::permission_denied)
    return bad_input(fmt::format("{}: you have no permission to read this folder", path));
  if (error) return bad_input(fmt::format("{}: cannot be read: {}", path, error.message()));
  std::vector<std::pair<std::string, FolderEntry>> found;
  for (; at != fs::directory_iterator(); at.increment(error)) {
    FolderEntry entry = entry_of(*at);
    found.emplace_back(lower_case(entry.name), std::move(entry));
    if (error) break;
  }
  if (error) return bad_input(fmt::format("{}: cannot be read to its end: {}", path, error.message()));
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    if (a.second.is_folder != b.second.is_folder) return a.second.is_folder;
    return std::tie(a.first, a.second.name) < std::tie(b.first, b.second.name);
  });
  std::vector<FolderEntry> entries;
  entries.reserve(found.size());
  for (auto& [key, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

std::vector<FolderEntry> entries_for(const std::vector<FolderEntry>& all, std::string_view typed,
                                     std::span<const std::string_view> endings) {
  const std::string wanted = lower_case(typed);
  std::vector<FolderEntry> shown;
  for (const FolderEntry& entry : all) {
    const std::string name = lower_case(entry.name);
    if (name.starts_with('.') && !wanted.starts_with('.')) continue;
    if (name.find(wanted) == std::string::npos) continue;
    // A file with another extension is found by its whole name.
    if (!entry.is_folder && !has_ending(name, endings) && name != wanted) continue;
    shown.push_back(entry);
  }
  std::stable_partition(shown.begin(), shown.end(),
                        [&](const FolderEntry& entry) { return lower_case(entry.name) == wanted; });
  return shown;
}

std::string typed_path(const std::string& folder, const std::string& typed) {
  const std::string home = home_folder();
  if (!home.empty() && (typed == "~" || typed.starts_with("~/")))
    return (fs::path(home) / typed.substr(std::min<size_t>(typed.size(), 2))).lexically_normal().string();
  return (fs::path(folder) / typed).lexically_normal().string();
}

TypedParts typed_parts(const std::string& typed) {
  if (typed == "~") return {"~/", ""};
  const size_t slash = typed.rfind('/');
  if (slash == std::string::npos) return {"", typed};
  return {typed.substr(0, slash + 1), typed.substr(slash + 1)};
}

std::string folder_above(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "a/b/"
  return path.has_parent_path() ? path.parent_path().string() : path.string();
}

}  // namespace warplens
