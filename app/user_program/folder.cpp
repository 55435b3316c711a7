#include "app/user_program/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/system/files.h"
#include "core/system/paths.h"

namespace warplens::program_run {

namespace fs = std::filesystem;

namespace {

constexpr const char* folder_prefix = "warplens-";

// What a launcher says of itself in its folder; locked while it lives.
std::string note_in(const std::string& folder) { return folder + "/launcher.json"; }

bool is_free(const std::string& path) {
  const int lock = lock_file(path);
  close_file(lock);
  return lock != no_file;
}

bool has_files(const std::string& folder) {
  std::error_code error;
  return fs::directory_iterator(folder, error) != fs::directory_iterator();
}

}  // namespace

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Result<std::string> make_folder() {
  const std::string temporary = plain_temporary_folder();
  Result<std::string> made = make_folder_in(temporary, folder_prefix);
  if (made) return made;
  return failed(
      fmt::format("No folder could be made in {}: set TMPDIR to one that can be written.", temporary));
}

Result<int> write_note(const std::string& folder, const FolderNote& noted) {
  // It gets its name when it is locked: without the lock, another launcher would take the folder for a left
  // over one.
  const std::string path = note_in(folder), unnamed = path + ".new";
  const ReportJson note = {{"command", noted.command},
                           {"device", noted.device},
                           {"record", noted.record},
                           {"record_limit", noted.record_limit}};
  if (const auto written = write_text(unnamed, json_values::one_line(note) + "\n"); !written)
    return written.error();
  const int lock = lock_file(unnamed);
  std::error_code error;
  if (lock != no_file) fs::rename(unnamed, path, error);
  if (lock == no_file || !is_there(path)) {
    close_file(lock);
    return failed(fmt::format("{} could not be locked.", path));
  }
  return lock;
}

FolderGuard::~FolderGuard() {
  if (m_folder.empty()) return;
  std::error_code error;
  fs::remove_all(m_folder, error);
  close_file(m_lock);
}

Result<LeftOver> left_over_in(const std::string& folder) {
  const std::string path = note_in(folder);
  const Result<std::string> text = read_text(path, uint64_t{16} << 20);
  const Result<Json> note = text ? parse_json(*text, path) : Result<Json>(text.error());
  if (!note || !note->is_object())
    return bad_input(fmt::format(
        "{} is a folder: a recording is a FILE.warplens, or the folder warplens-… of one that was killed.",
        folder));
  if (!is_free(path))
    return bad_input(fmt::format("{}: its program still runs, and writes its recording itself.", folder));
  LeftOver found{folder, {}, {}, 0};
  const auto at = [&](const char* name) { return note->value(name, Json()); };
  if (const Json command = at("command"); command.is_array())
    for (const Json& word : command)
      if (word.is_string()) found.command.push_back(word.get<std::string>());
  if (const Json device = at("device"); device.is_string()) found.device = device.get<std::string>();
  if (const Json limit = at("record_limit"); limit.is_number_unsigned())
    found.record_limit = limit.get<uint64_t>();
  if (const Json record = at("record"); !record.is_boolean() || !record.get<bool>())
    return bad_input(fmt::format("{}: this program was started without --record.", folder));
  return found;
}

std::vector<std::string> left_overs() {
  std::vector<std::string> found;
  std::error_code error;
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(plain_temporary_folder(), error))
    if (entry.path().filename().string().starts_with(folder_prefix)) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) {
    if (!is_own_folder(folder) || !is_there(note_in(folder)) || !is_free(note_in(folder))) continue;
    if (left_over_in(folder) && has_files(folder + "/journals")) {
      found.push_back(folder);
    } else {
      fs::remove_all(folder, error);
    }
  }
  return found;
}

}  // namespace warplens::program_run
