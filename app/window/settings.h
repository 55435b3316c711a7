// The settings that the window remembers between starts: preferences, its size, the layout. The files are in
// the user's configuration folder. Unreadable or broken files count as absent. If a file cannot be written,
// only its own contents are lost.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/files/link.h"
#include "app/state/state.h"

namespace warplens {

struct WindowSettings {
  Preferences preferences;
  int width = 1600, height = 900;
  std::vector<std::string> recent = {};  // files, newest first
  bool welcomed = false;                 // the card of the first start was closed
  bool fetch_offered = false;            // a compiler was offered where there is none
  CoursePlace open = {};                 // of a page, which may be loaded again in the midst of a lesson
};

// $XDG_CONFIG_HOME/warplens, or else ~/.config/warplens. Empty if neither is known.
std::filesystem::path config_folder();

WindowSettings load_settings(const std::filesystem::path& folder);
void save_settings(const std::filesystem::path& folder, const WindowSettings& settings);

// The settings to keep if options of the command line changed something for this start only: of each
// preference that is still as the option made it (`started`), the one from `before`.
Preferences preferences_to_keep(const Preferences& before, const Preferences& started,
                                const Preferences& now);

// The layout as Dear ImGui's own text. Empty if none was saved.
std::string load_layout(const std::filesystem::path& folder);
void save_layout(const std::filesystem::path& folder, const std::string& text);
void forget_layout(const std::filesystem::path& folder);

// The user's progress (docs/manual). A file that cannot be read is ignored.
ProgressState load_progress(const std::filesystem::path& folder);
void save_progress(const std::filesystem::path& folder, const ProgressState& progress);
void forget_progress(const std::filesystem::path& folder);

}  // namespace warplens
