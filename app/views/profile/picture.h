// Draws the Profile view: sections with their metrics and rules, and the kernel's lines next to them.
#pragma once

#include <cfloat>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/style.h"
#include "app/views/profile/model.h"

namespace warplens {

// As the profiler's pages: sections, or every metric by its name.
enum class ProfilePage : uint8_t { details, raw };

struct ProfilePictureInput {
  const ProfileView* view = nullptr;
  const std::vector<size_t>* found = nullptr;           // rows that a search has found; null: all
  const std::vector<ProfileChange>* changes = nullptr;  // against the pinned run; null if there is none
  std::string baseline_label;                           // "A"
  bool shown_is_baseline = false;                       // the shown run is the pinned one
  const std::set<std::string>* closed = nullptr;        // identifiers of sections; null: none
  const profile::Metric* chosen = nullptr;              // explained below its row
  ProfilePage page = ProfilePage::details;
  uint32_t line = 0;  // chosen line of the source
  bool interactive = true;
  float seen_top = 0, seen_bottom = FLT_MAX;  // what lies outside is laid out, but not drawn
};

// The positions of the parts, for scrolling and for tests.
struct ProfileLayout {
  struct Row {
    const profile::Metric* metric = nullptr;
    Box box;
  };
  struct Rule {
    size_t rule = 0;  // index in ProfileView::rules
    Box box;
  };
  std::vector<Row> rows;
  std::vector<Rule> rules;
  float bottom = 0;
};

ProfileLayout draw_profile_metrics(Picture& picture, const Style& style, Box box,
                                   const ProfilePictureInput& input);
// Returns the y below it.
float draw_profile_source(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input);

// The whole picture, as it is saved: the source next to the metrics if there is room, else below them.
float draw_profile_page(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input);

// Whether there is room for the source next to the metrics, and how wide the metrics are then.
bool has_source_beside(const Style& style, float width);
float metrics_width(float width);

// What a click on the page does.
enum class ProfileVerb : uint8_t { metric, section, rule, rests, fix, launch, page, copy, line, all, pin };
constexpr std::string_view name_of(ProfileVerb verb) {
  constexpr std::string_view names[] = {"metric:", "section:", "rule:", "rests:",   "fix:", "launch:",
                                        "page:",   "copy:",    "line:", "sections", "pin"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
