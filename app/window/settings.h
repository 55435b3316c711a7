// What the window remembers between starts: preferences, its size, the layout. In the user's configuration
// folder; unreadable or broken files count as absent, and one that cannot be written loses nothing but
// itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/state.h"

namespace warplens {

struct WindowSettings {
  Preferences preferences;
  int width = 1600, height = 900;
  std::vector<std::string> recent = {};  // files, newest first
  bool found = false;                    // there were settings: this is no first start
};

// $XDG_CONFIG_HOME/warplens, else ~/.config/warplens; empty where neither is known.
std::filesystem::path config_folder();

WindowSettings load_settings(const std::filesystem::path& folder);
void save_settings(const std::filesystem::path& folder, const WindowSettings& settings);

// Dear ImGui's own text; empty: none was kept.
std::string load_layout(const std::filesystem::path& folder);
void save_layout(const std::filesystem::path& folder, const std::string& text);
void forget_layout(const std::filesystem::path& folder);

}  // namespace warplens
