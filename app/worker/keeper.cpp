#include "app/worker/keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/state/actions.h"
#include "app/state/files/drafts.h"
#include "core/base/system/files.h"
#include "core/system/files.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr int most_windows = 16;

std::string drafts_name(int place) { return fmt::format("drafts-{}.json", place); }
std::string lock_name(int place) { return fmt::format("drafts-{}.lock", place); }

fs::file_time_type time_of(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  return error ? fs::file_time_type::min() : time;
}

}  // namespace

struct Keeper::Disk {
  fs::path folder;
  std::mutex mutex;
  std::map<std::string, std::string> texts;  // as they were written last
  std::vector<std::string>
      taken;           // of other windows; they go as soon as this window's own drafts are written
  std::string drafts;  // name of the file of this window's; empty until it has a place
  bool failing = false;
  bool stopped = false;

  // Says only what is new: that it fails now, or no longer.
  std::optional<Action> write(const std::vector<KeptFile>& files) {
    const std::lock_guard lock(mutex);
    if (stopped) return std::nullopt;
    std::string why;
    for (const KeptFile& file : files) {
      const auto known = texts.find(file.name);
      if (known != texts.end() && known->second == file.text) continue;
      if (const Result<void> written = write_durably((folder / file.name).string(), file.text))
        texts[file.name] = file.text;
      else
        why = written.error().message;
    }
    remove_taken();
    if (std::exchange(failing, !why.empty()) == failing) return std::nullopt;
    if (!failing) return Notify{ProblemLevel::note, "Your work is kept again", "", NoticeKind::saving};
    return Notify{
        ProblemLevel::error, "What you type is not kept",
        why +
            ". Free some space, or make the folder writable. WarpLens tries again with each change; "
            "until then, leave this window open.",
        NoticeKind::saving};
  }

  void remove_taken() {
    if (!texts.contains(drafts)) return;
    std::error_code ignored;
    for (const std::string& name : std::exchange(taken, {})) fs::remove(folder / name, ignored);
  }

  bool is_written(const std::vector<KeptFile>& files) {
    const std::lock_guard lock(mutex);
    return std::ranges::all_of(files, [this](const KeptFile& file) {
      const auto known = texts.find(file.name);
      return known != texts.end() && known->second == file.text;
    });
  }
};

Keeper::Keeper(fs::path folder)
    : m_folder(std::move(folder)), m_lock(no_file), m_disk(std::make_shared<Disk>()) {
  m_disk->folder = m_folder;
  if (!m_folder.empty()) take_place();
}

Keeper::~Keeper() { close_file(m_lock); }

const std::string& Keeper::name_of_drafts() const { return m_disk->drafts; }

// The first place whose window is closed becomes this window's. The drafts of further ones are taken over.
void Keeper::take_place() {
  std::error_code error;
  fs::create_directories(m_folder, error);
  std::vector<std::string> closed, open;
  std::vector<int> locks;
  for (int place = 1; place <= most_windows; ++place) {
    const bool is_there = fs::exists(m_folder / drafts_name(place), error);
    if (!is_there && !m_disk->drafts.empty()) continue;
    const FileLock lock = lock_or_make((m_folder / lock_name(place)).string());
    if (lock.outcome == LockOutcome::of_another) {
      if (is_there) open.push_back(drafts_name(place));
      continue;
    }
    if (is_there) closed.push_back(drafts_name(place));
    if (m_disk->drafts.empty()) {
      m_disk->drafts = drafts_name(place);
      m_lock = lock.file;
      continue;
    }
    m_disk->taken.push_back(drafts_name(place));
    locks.push_back(lock.file);
  }
  if (m_disk->drafts.empty()) m_disk->drafts = drafts_name(most_windows + 1);
  std::ranges::sort(closed, {}, [this](const std::string& name) { return time_of(m_folder / name); });
  read_drafts(closed, open);
  std::ranges::for_each(locks, close_file);
}

void Keeper::read_drafts(const std::vector<std::string>& closed, const std::vector<std::string>& open) {
  OfferedPlace newest;
  bool any = false;
  const auto read = [&](const std::string& name) {
    const std::string path = (m_folder / name).string();
    const Result<std::string> text = read_text(path, max_drafts_bytes);
    auto drafts = text ? parse_drafts(*text, name) : Result<ReadDrafts>(text.error());
    if (!drafts || !drafts->problems.empty()) {
      // The file stays under another name: somebody may mend it.
      const std::string kept = name + ".unread";
      std::error_code ignored;
      fs::copy_file(m_folder / name, m_folder / kept, fs::copy_options::overwrite_existing, ignored);
      m_unread =
          fmt::format("{}. The whole file is {}.", drafts ? drafts->problems.front() : drafts.error().message,
                      (m_folder / kept).string());
    }
    if (!drafts) return;
    any = true;
    DraftsState all = std::move(newest.drafts);
    newest = std::move(drafts->offer);
    add_drafts(all, newest.drafts);
    newest.drafts = std::move(all);
  };
  std::ranges::for_each(closed, read);
  if (!any) {
    std::ranges::for_each(open, read);
    newest.in_other_window = any;
  }
  if (any) m_found = std::make_shared<const OfferedPlace>(std::move(newest));
}

std::optional<FileWorker::Work> Keeper::keep(std::vector<KeptFile> files) {
  if (m_folder.empty() || m_disk->is_written(files)) return std::nullopt;
  return [disk = m_disk, files = std::move(files)] { return disk->write(files); };
}

void Keeper::keep_now(const std::vector<KeptFile>& files) {
  if (!m_folder.empty()) (void)m_disk->write(files);
}

void Keeper::forget(const std::string& name) {
  const std::lock_guard lock(m_disk->mutex);
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove(m_folder / name, ignored);
}

void Keeper::forget_all() {
  const std::lock_guard lock(m_disk->mutex);
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
  m_disk->stopped = true;
}

}  // namespace warplens
