// Files that were opened.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/image/image.h"
#include "core/job/files/link.h"
#include "core/job/files/session_file.h"

namespace warplens {

struct FilesState {
  std::vector<std::string> recent;                 // newest first
  std::shared_ptr<const Session> opening_session;  // its code is being compiled
  std::shared_ptr<const Session> after_baseline;   // its run A runs first
  std::shared_ptr<const Link> offered_link;        // that waits for a click
  std::vector<SamplePhoto> samples;
};
constexpr size_t max_recent = 10;
// Puts the path at the front of the list, in which each path is once.
void remember_file(FilesState& files, const std::string& path);
// Those of the recent files that are pictures, newest first.
std::vector<std::string> recent_pictures(const FilesState& files);

}  // namespace warplens
