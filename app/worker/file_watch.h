// Watches one file from a thread of its own, by its time and size: an editor that saves it, also by replacing
// it, is noticed within some tens of milliseconds, on every file system.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace warplens {

class FileWatch {
 public:
  // `on_change` is called on the watcher's thread when take() has something new.
  explicit FileWatch(std::function<void()> on_change);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Empty: none. The file as it is now is not news.
  void watch(const std::string& path);
  // Path and text of the file since it changed last; empty: it did not.
  std::optional<std::pair<std::string, std::string>> take();

 private:
  void work(std::stop_token quit);

  std::function<void()> m_on_change;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::string m_path;
  bool m_new_path = false;
  std::optional<std::pair<std::string, std::string>> m_changed;
  std::jthread m_thread;  // last: it uses all of the above
};

}  // namespace warplens
