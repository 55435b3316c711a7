// The Occupancy view in the window.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/views/occupancy/model.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

// The kernel's resources on each architecture (compute capability as a number). They are made in the
// background.
using ResourcesByArchitecture = std::map<uint32_t, Resources>;

struct OccupancyKey {
  std::string kernel, device;
  LaunchShape shape;
  std::optional<Resources> resources;
  bool refused = false;
  std::shared_ptr<const ResourcesByArchitecture> others;
  std::shared_ptr<const RunResult> run = nullptr;  // of this launch; null while there is none
  bool will_run = false;
  bool operator==(const OccupancyKey& other) const;
};

// A built-in kernel never changes, so its name identifies it. An own kernel is a new object after each
// compilation.
struct LinkKey {
  std::string kernel;
  std::shared_ptr<const KernelDescription> own;
  uint32_t max_registers = 0;  // as in AssemblyOptions
  bool operator==(const LinkKey&) const = default;
};

struct OccupancyPanelState {
  Built<LinkKey, ResourcesByArchitecture> others;
  Built<OccupancyKey, OccupancyView> view;
  ScrolledPictureState picture;
  ScrolledPart part;

  static auto built(auto& own) { return std::tie(own.others); }
};

void draw_occupancy(const AppState& state, OccupancyPanelState& own, Actions& actions);

}  // namespace warplens
