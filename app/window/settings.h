// The settings that the window remembers between starts: preferences, its size, the layout. The files are in
// the user's configuration folder. Unreadable or broken files count as absent. The keeper writes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/state.h"

namespace warplens {

constexpr const char* settings_file = "window.json";
// It has another name than the layout of earlier frames, whose places are gone.
constexpr const char* layout_file = "layout-2.ini";
constexpr const char* progress_file = "progress.json";

struct WindowSettings {
  Preferences preferences;
  int width = 1600, height = 900;
  std::vector<std::string> recent = {};  // files, newest first
  bool welcomed = false;                 // the card of the first start was closed
  bool fetch_offered = false;            // a compiler was offered where there is none
};

// $XDG_CONFIG_HOME/warplens, or else ~/.config/warplens. Empty if neither is known.
std::filesystem::path config_folder();

WindowSettings load_settings(const std::filesystem::path& folder);
std::string settings_text(const WindowSettings& settings);

// The settings to keep if options of the command line changed something for this start only: of each
// preference that is still as the option made it (`started`), the one from `before`.
Preferences preferences_to_keep(const Preferences& before, const Preferences& started,
                                const Preferences& now);

// The layout as Dear ImGui's own text. Empty if none was saved.
std::string load_layout(const std::filesystem::path& folder);

// The user's progress (docs/manual). A file that cannot be read is ignored.
ProgressState load_progress(const std::filesystem::path& folder);

}  // namespace warplens
