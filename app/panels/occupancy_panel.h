// The Occupancy view in the window.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/panels/built.h"
#include "app/panels/draw_picture.h"
#include "app/panels/panels.h"
#include "app/panels/save_popup.h"
#include "app/view_model/occupancy_view.h"

namespace warplens {

// What the kernel takes on each architecture (compute capability as a number); made beside the frames.
using ResourcesByArchitecture = std::map<uint32_t, Resources>;

struct OccupancyKey {
  std::string kernel, device;
  LaunchShape shape;
  std::optional<Resources> resources;
  bool refused = false;
  const ResourcesByArchitecture* others = nullptr;
  bool operator==(const OccupancyKey& other) const;
};

struct LinkKey {
  std::string kernel;
  size_t ptx = 0;  // its hash
  bool operator==(const LinkKey&) const = default;
};

struct OccupancyPanelState {
  Built<LinkKey, ResourcesByArchitecture> others;
  Built<OccupancyKey, OccupancyView> view;
  TextureCache textures;
  SavePopupState save;
};

void draw_occupancy(const AppState& state, OccupancyPanelState& own, Actions& actions);

}  // namespace warplens
