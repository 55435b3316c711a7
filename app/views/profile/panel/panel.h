// The Profile view in the window: a search, the metrics, and the kernel's lines next to them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/views/profile/picture.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct ProfileKey {
  std::shared_ptr<const RunResult> result;
  size_t launch = 0;
  bool operator==(const ProfileKey&) const = default;
};
struct FoundKey {
  std::shared_ptr<const ProfileView> view;
  std::string search;
  bool operator==(const FoundKey&) const = default;
};
struct FoundMetrics {
  std::vector<size_t> rows;
  std::vector<std::string> nearest;  // names, where no row is found
};
struct ChangesKey {
  std::shared_ptr<const ProfileView> view, baseline;
  bool operator==(const ChangesKey&) const = default;
};

struct ProfilePanelState {
  Built<std::shared_ptr<const RunResult>, RunResult> modelled, baseline_modelled;  // with the states of warps
  Built<ProfileKey, ProfileView> view, baseline;
  Built<FoundKey, FoundMetrics> found;
  Built<ChangesKey, std::vector<ProfileChange>> changes;
  std::string search;
  std::set<std::string> closed;             // sections
  bool opened_once = false;                 // `closed` has what is closed at first
  const profile::Metric* chosen = nullptr;  // of the table, which is there for good
  ProfilePage page = ProfilePage::details;
  size_t launch = 0;
  const profile::Metric* to_metric = nullptr;  // where to scroll to, as soon as it is drawn
  std::optional<size_t> to_rule;
  ScrolledPictureState metrics, source;
  ShownPart part;

  static auto built(auto& own) {
    return std::tie(own.modelled, own.baseline_modelled, own.view, own.baseline);
  }
};

void draw_profile(const AppState& state, ProfilePanelState& own, Actions& actions);

}  // namespace warplens
