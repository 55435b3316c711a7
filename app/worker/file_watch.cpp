#include "app/worker/file_watch.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/base/system/between_frames.h"
#include "core/base/system/files.h"
#include "core/job/files/own_kernel_file.h"
#include "core/system/capabilities.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds rest{240};          // so long unchanged, a file is whole
constexpr milliseconds between_looks{10};  // a writer's many events become one look
// How long it sleeps without an event: while the file changes, where the system tells of changes, where not.
constexpr milliseconds while_changing{30}, where_told{1000}, where_not{250};

}  // namespace

std::optional<FileWatch::Stamp> FileWatch::stamp_of(const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::error_code error;
  const Stamp stamp{fs::last_write_time(path, error), fs::file_size(path, error)};
  return error ? std::nullopt : std::optional(stamp);
}

FileWatch::FileWatch(std::function<void()> on_change, Tells tells)
    : m_on_change(std::move(on_change)), m_tells(tells) {
  if (is_a_page()) return;  // it has no files that an editor could save
  // Without a thread nothing is noticed.
  if (auto thread = try_thread([this](std::stop_token quit) { work(quit); })) m_thread = *std::move(thread);
}

FileWatch::~FileWatch() {
  m_thread.request_stop();
  m_events.wake();
}

void FileWatch::watch(const std::string& path) {
  {
    std::lock_guard lock(m_mutex);
    if (path == m_path) return;
    m_path = path;
    m_new_path = true;
    m_at_first = stamp_of(path);  // now: the thread may look only after the next change
    m_changed.reset();
  }
  m_events.wake();
}

std::optional<std::pair<std::string, std::string>> FileWatch::take() {
  std::lock_guard lock(m_mutex);
  return std::exchange(m_changed, std::nullopt);
}

void FileWatch::work(std::stop_token quit) {
  std::optional<Stamp> known;
  std::optional<Clock::time_point> changing;  // since when the file has its size and time, until it rests
  bool is_told = false;
  std::unique_lock lock(m_mutex);
  while (!quit.stop_requested()) {
    const std::string path = m_path;
    const bool first = std::exchange(m_new_path, false);
    if (first) known = m_at_first;
    lock.unlock();
    if (first) is_told = m_events.watch(path);
    const std::optional<Stamp> now = stamp_of(path);
    std::optional<std::string> text;
    // A file that is missing for a moment is being replaced.
    const bool changed = now && now != known;
    if (first) changing.reset();
    if (changed) changing = Clock::now();
    const bool rests = changing && now && Clock::now() - *changing >= rest;
    if (m_tells == Tells::text && changed) {
      if (Result<std::string> read = read_text(path, max_own_source_bytes)) text = std::move(read).value();
    } else if (m_tells == Tells::that_it_rests && rests) {
      text = "";
    }
    if (rests) changing.reset();
    if (now) known = now;
    lock.lock();
    if (text && path == m_path) {
      m_changed = {path, *std::move(text)};
      lock.unlock();
      if (m_on_change) m_on_change();
      lock.lock();
    }
    if (m_new_path || quit.stop_requested()) continue;
    lock.unlock();
    const bool nothing = path.empty() || is_told;
    m_events.sleep(changing ? while_changing : nothing ? where_told : where_not);
    std::this_thread::sleep_for(between_looks);
    lock.lock();
  }
}

}  // namespace warplens
