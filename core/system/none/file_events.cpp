#include "core/system/file_events.h"

#include <algorithm>
#include <thread>

namespace warplens {

FileEvents::FileEvents() = default;
FileEvents::~FileEvents() = default;

bool FileEvents::watch(const std::string&) { return false; }

void FileEvents::sleep(std::chrono::milliseconds longest) {
  std::this_thread::sleep_for(std::min(longest, std::chrono::milliseconds(50)));
}

void FileEvents::wake() {}

}  // namespace warplens
