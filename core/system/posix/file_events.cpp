#include "core/system/file_events.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

namespace warplens {

namespace {

namespace fs = std::filesystem;

void read_all(int descriptor) {
  std::array<char, 4096> bytes{};
  while (::read(descriptor, bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace

FileEvents::FileEvents()
    : m_events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      m_waker(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

FileEvents::~FileEvents() {
  for (const int descriptor : {m_events, m_waker})
    if (descriptor >= 0) ::close(descriptor);
}

bool FileEvents::watch(const std::string& path) {
  if (m_folder >= 0) {
    ::inotify_rm_watch(m_events, m_folder);
    read_all(m_events);  // what was told of the other folder, and that it is told no longer
  }
  m_folder = -1;
  if (path.empty() || m_events < 0) return false;
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(path, error).parent_path();
  m_folder = ::inotify_add_watch(m_events, folder.empty() ? "." : folder.c_str(),
                                 IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_ATTRIB);
  return m_folder >= 0;
}

void FileEvents::sleep(std::chrono::milliseconds longest) {
  std::array<pollfd, 2> entries{pollfd{m_events, POLLIN, 0}, pollfd{m_waker, POLLIN, 0}};
  if (m_waker < 0) longest = std::min(longest, std::chrono::milliseconds(50));  // nobody can end it
  ::poll(entries.data(), entries.size(), static_cast<int>(longest.count()));
  for (const pollfd& entry : entries)
    if ((entry.revents & POLLIN) != 0) read_all(entry.fd);
}

void FileEvents::wake() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(m_waker, &one, sizeof one);
}

}  // namespace warplens
