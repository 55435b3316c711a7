#include "app/state/files/several_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/state/open/file_kinds.h"

namespace warplens {
namespace {

struct Chosen {
  std::string shown, picture;
  std::string others;  // "b.cu (one at a time), notes.xyz (…)"
};

// Empty if the file is taken.
std::string take_file(Chosen& chosen, const std::string& path) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::picture && !has_ending_of(kind, path)) return "no file that opens here";
  std::string& place = kind == FileKind::picture ? chosen.picture : chosen.shown;
  if (!place.empty())
    return kind == FileKind::picture ? "one picture at a time" : "one kernel, session or recording at a time";
  place = path;
  return "";
}

}  // namespace

std::vector<Action> to_open(const std::vector<std::string>& paths) {
  if (paths.size() == 1) return {OpenFile{paths.front()}};  // which says itself what is wrong with it
  Chosen chosen;
  for (const std::string& path : paths)
    if (const std::string why = take_file(chosen, path); !why.empty())
      chosen.others += fmt::format("{}{} ({})", chosen.others.empty() ? "" : ", ",
                                   std::filesystem::path(path).filename().string(), why);
  std::vector<Action> actions;
  for (const std::string& path : {chosen.shown, chosen.picture})
    if (!path.empty()) actions.emplace_back(OpenFile{path});
  if (!chosen.others.empty())
    actions.emplace_back(Notify{ProblemLevel::note, "Some of the files were not opened", chosen.others + ".",
                                NoticeKind::opening});
  return actions;
}

}  // namespace warplens
