// Files that were opened, and requests to the world outside the state.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/frame.h"
#include "core/files/session_file.h"
#include "core/image/image.h"

namespace warplens {

struct FilesState {
  std::vector<std::string> recent;                 // newest first
  std::shared_ptr<const Session> opening_session;  // its code is being compiled
  std::shared_ptr<const Session> after_baseline;   // its run A runs first
  std::vector<SamplePhoto> samples;
};
constexpr size_t max_recent = 10;
// Puts the path at the front of the list, in which each path is once.
void remember_file(FilesState& files, const std::string& path);

// What update() requests from outside the state. The shell (app/window/shell.h) does it and clears the
// request.
struct Wishes {
  bool cancel = false;
  bool cancel_sweeps = false;
  bool quit = false;
  bool reset_layout = false;
  Dialog ask_file = Dialog::none;                         // show this dialog of app/state/file_dialogs.h
  std::optional<std::string> load_picture;                // path or sample name
  std::optional<std::string> save_picture, save_views;    // paths
  std::optional<std::string> open_session, save_session;  // path
  // Path and the recording's bytes.
  std::optional<std::pair<std::string, std::shared_ptr<const std::vector<std::byte>>>> save_recording;
  std::optional<std::pair<std::string, bool>> open_folder;     // path, and whether it is open already
  std::optional<std::pair<std::string, std::string>> hand_in;  // path and text
  bool forget_progress = false;
  std::optional<std::pair<std::string, std::string>> save_source;  // path and text
  std::optional<std::string> show_folder;                          // path of a folder
};

}  // namespace warplens
