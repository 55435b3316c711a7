#include "app/window/settings.h"

#include <algorithm>
#include <utility>

#include "app/state/files/session.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/compile/choice.h"
#include "core/system/paths.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t most_bytes = 1 << 20;

// Settings are optional: a file that cannot be read counts as absent.
std::string kept_text(const fs::path& path) {
  Result<std::string> text = read_text(path.string(), most_bytes);
  return text ? std::move(text).value() : std::string();
}

template <class T>
T value_or(const Json& json, const char* key, T fallback) {
  const auto at = json.find(key);
  if (at == json.end()) return fallback;
  if constexpr (std::is_same_v<T, bool>) {
    return at->is_boolean() ? at->get<bool>() : fallback;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return at->is_string() ? at->get<std::string>() : fallback;
  } else {
    return at->is_number() ? at->get<T>() : fallback;
  }
}

}  // namespace

fs::path config_folder() {
  const fs::path settings = folder_of_settings();
  return settings.empty() ? settings : settings / "warplens";
}

static const char* name_of(Looking looking) {
  return looking == Looking::off ? "off" : looking == Looking::always ? "always" : "small_runs";
}

WindowSettings load_settings(const fs::path& folder) {
  WindowSettings settings;
  if (folder.empty()) return settings;
  const Result<Json> document = parse_json(kept_text(folder / settings_file), settings_file);
  if (!document || !document->is_object()) return settings;
  const Json& json = *document;
  settings.welcomed = value_or(json, "welcomed", true);  // older files have no such key
  settings.fetch_offered = value_or(json, "fetch_offered", false);
  Preferences& preferences = settings.preferences;
  preferences.theme = value_or<std::string>(json, "theme", "dark") == "light" ? Theme::light : Theme::dark;
  preferences.text_scale =
      std::clamp(value_or(json, "text_scale", preferences.text_scale), min_text_scale, max_text_scale);
  preferences.reduce_motion = value_or(json, "reduce_motion", false);
  preferences.language = value_or<std::string>(json, "language", "");
  preferences.bottom_open = value_or(json, "bottom_open", false);
  preferences.spotlight = value_or(json, "spotlight", false);
  preferences.answer_lock = value_or<uint32_t>(json, "answer_lock", 0);
  const std::string looking = value_or<std::string>(json, "look_for_mistakes", "small_runs");
  preferences.looking = looking == "off"      ? Looking::off
                        : looking == "always" ? Looking::always
                                              : Looking::small_runs;
  preferences.compiler =
      compiler_named(value_or<std::string>(json, "compiler", "")).value_or(CompilerKind::what_is_there);
  if (const auto recent = json.find("recent"); recent != json.end() && recent->is_array())
    for (const auto& path : *recent)
      if (path.is_string() && settings.recent.size() < max_recent)
        settings.recent.push_back(path.get<std::string>());
  settings.width = std::clamp(value_or(json, "width", settings.width), 320, 16384);
  settings.height = std::clamp(value_or(json, "height", settings.height), 240, 16384);
  return settings;
}

std::string settings_text(const WindowSettings& settings) {
  const Json json = {{"theme", settings.preferences.theme == Theme::light ? "light" : "dark"},
                     {"text_scale", settings.preferences.text_scale},
                     {"reduce_motion", settings.preferences.reduce_motion},
                     {"language", settings.preferences.language},
                     {"bottom_open", settings.preferences.bottom_open},
                     {"spotlight", settings.preferences.spotlight},
                     {"answer_lock", settings.preferences.answer_lock},
                     {"welcomed", settings.welcomed},
                     {"fetch_offered", settings.fetch_offered},
                     {"look_for_mistakes", name_of(settings.preferences.looking)},
                     {"compiler", to_string(settings.preferences.compiler)},
                     {"recent", settings.recent},
                     {"width", settings.width},
                     {"height", settings.height}};
  return json_values::indented(json);
}

Preferences preferences_to_keep(const Preferences& before, const Preferences& started,
                                const Preferences& now) {
  Preferences kept = now;
  if (now.theme == started.theme) kept.theme = before.theme;
  if (now.text_scale == started.text_scale) kept.text_scale = before.text_scale;
  if (now.language == started.language) kept.language = before.language;
  if (now.answer_lock == started.answer_lock) kept.answer_lock = before.answer_lock;
  return kept;
}

std::string load_layout(const fs::path& folder) {
  return folder.empty() ? std::string() : kept_text(folder / layout_file);
}

ProgressState load_progress(const fs::path& folder) {
  if (folder.empty()) return {};
  auto progress = parse_progress(kept_text(folder / progress_file), progress_file);
  return progress ? *std::move(progress) : ProgressState{};
}

}  // namespace warplens
