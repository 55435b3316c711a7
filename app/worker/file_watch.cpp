#include "app/worker/file_watch.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/base/system/between_frames.h"
#include "core/base/system/files.h"
#include "core/files/own_kernel_file.h"
#include "core/system/capabilities.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr auto interval = std::chrono::milliseconds(30);
constexpr int rest = 8;  // intervals

struct Stamp {
  fs::file_time_type time;
  uintmax_t bytes = 0;
  bool operator==(const Stamp&) const = default;
};

std::optional<Stamp> stamp_of(const std::string& path) {
  std::error_code error;
  const Stamp stamp{fs::last_write_time(path, error), fs::file_size(path, error)};
  return error ? std::nullopt : std::optional(stamp);
}

}  // namespace

FileWatch::FileWatch(std::function<void()> on_change, Tells tells)
    : m_on_change(std::move(on_change)), m_tells(tells) {
  if (is_a_page()) return;  // it has no files that an editor could save
  // Without a thread nothing is noticed.
  if (auto thread = try_thread([this](std::stop_token quit) { work(quit); })) m_thread = *std::move(thread);
}

FileWatch::~FileWatch() {
  m_thread.request_stop();
  m_wake.notify_all();
}

void FileWatch::watch(const std::string& path) {
  {
    std::lock_guard lock(m_mutex);
    if (path == m_path) return;
    m_path = path;
    m_new_path = true;
    m_changed.reset();
  }
  m_wake.notify_all();
}

std::optional<std::pair<std::string, std::string>> FileWatch::take() {
  std::lock_guard lock(m_mutex);
  return std::exchange(m_changed, std::nullopt);
}

void FileWatch::work(std::stop_token quit) {
  std::optional<Stamp> known;
  int unchanged = rest;
  std::unique_lock lock(m_mutex);
  while (!quit.stop_requested()) {
    if (m_path.empty()) {
      m_wake.wait(lock, quit, [this] { return !m_path.empty(); });
      continue;
    }
    const std::string path = m_path;
    const bool first = std::exchange(m_new_path, false);
    lock.unlock();
    const std::optional<Stamp> now = stamp_of(path);
    std::optional<std::string> text;
    // A file that is missing for a moment is being replaced.
    const bool changed = now && !first && !(now == known);
    if (m_tells == Tells::text && changed) {
      if (Result<std::string> read = read_text(path, max_own_source_bytes)) text = std::move(read).value();
    } else if (m_tells == Tells::that_it_rests) {
      unchanged = first ? rest : changed ? 0 : std::min(unchanged + 1, rest);
      if (now && !first && !changed && unchanged == rest - 1) text = "";
    }
    if (now) known = now;
    lock.lock();
    if (text && path == m_path) {
      m_changed = {path, *std::move(text)};
      lock.unlock();
      if (m_on_change) m_on_change();
      lock.lock();
    }
    m_wake.wait_for(lock, quit, interval, [this] { return m_new_path; });
  }
}

}  // namespace warplens
