// Watches the time and size of one file on a thread of its own, which sleeps while nothing changes. It
// notices within some tens of milliseconds that an editor saved or replaced the file; within a second on a
// file system whose changes the system does not tell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/system/file_events.h"

namespace warplens {

class FileWatch {
 public:
  enum class Tells : uint8_t {
    text,           // its text, as soon as it has changed
    that_it_rests,  // no text, once it has changed and then not for a while: a program may take long to be
                    // written
  };
  // `on_change` is called on the watcher's thread when take() has something new.
  explicit FileWatch(std::function<void()> on_change, Tells tells = Tells::text);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Watches this file, or none if the path is empty. The current contents are not reported.
  void watch(const std::string& path);
  // The path and text of the file if it has changed since the last call. Otherwise empty.
  std::optional<std::pair<std::string, std::string>> take();

 private:
  struct Stamp {
    std::filesystem::file_time_type time;
    uintmax_t bytes = 0;
    bool operator==(const Stamp&) const = default;
  };
  static std::optional<Stamp> stamp_of(const std::string& path);
  void work(std::stop_token quit);

  std::function<void()> m_on_change;
  Tells m_tells;
  std::mutex m_mutex;
  FileEvents m_events;
  std::string m_path;
  bool m_new_path = false;
  std::optional<Stamp> m_at_first;
  std::optional<std::pair<std::string, std::string>> m_changed;
  std::jthread m_thread;  // last member: it uses all of the above
};

}  // namespace warplens
