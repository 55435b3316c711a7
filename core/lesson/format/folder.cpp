// The files of lessons and challenges: in the program, and on disk.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/lesson/format/lesson.h"

namespace warplens::lesson {
namespace {

constexpr size_t most_files = 1000;
constexpr uint64_t most_bytes = uint64_t{64} << 20;

}  // namespace

Result<Folder> load_folder(const std::string& path) {
  std::error_code error;
  Folder folder;
  folder.path = std::filesystem::absolute(path, error).lexically_normal().string();
  while (folder.path.size() > 1 && folder.path.ends_with('/')) folder.path.pop_back();
  folder.name = std::filesystem::path(folder.path).filename().string();
  std::filesystem::directory_iterator at(path, error);
  if (error) return bad_input(fmt::format("{} cannot be read as a folder: {}.", path, error.message()));
  std::vector<std::filesystem::path> names;
  for (; !error && at != std::filesystem::directory_iterator() && names.size() < most_files;
       at.increment(error))
    if (at->is_regular_file(error)) names.push_back(at->path());
  std::sort(names.begin(), names.end());
  uint64_t bytes = 0;
  for (const std::filesystem::path& name : names) {
    const Result<std::string> text = read_text(name.string(), most_bytes - bytes);
    if (!text) continue;
    bytes += text->size();
    folder.files.emplace(name.filename().string(), *text);
  }
  return folder;
}

std::vector<Folder> embedded_folders(std::string_view kind) {
  std::vector<Folder> folders;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kind) || file.path.substr(kind.size(), 1) != "/") continue;
    const std::string_view rest = file.path.substr(kind.size() + 1);
    const size_t slash = rest.find('/');
    if (slash == rest.npos) continue;
    if (folders.empty() || folders.back().name != rest.substr(0, slash)) {
      folders.emplace_back();
      folders.back().name = std::string(rest.substr(0, slash));
    }
    folders.back().files.emplace(rest.substr(slash + 1), file.bytes);
  }
  return folders;
}

}  // namespace warplens::lesson
