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
  std::shared_ptr<const ResourcesByArchitecture> others;
  bool operator==(const OccupancyKey& other) const;
};

// A built-in kernel never changes under its name; an own one is another object each time it is compiled.
struct LinkKey {
  std::string kernel;
  std::shared_ptr<const KernelDescription> own;
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
