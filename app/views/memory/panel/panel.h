// The Memory view in the window.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/views/memory/accesses.h"
#include "app/views/memory/heat.h"
#include "app/views/memory/model.h"
#include "app/views/model/incident_marks.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct AccessesKey {
  std::shared_ptr<const BlockFootprint> footprint;
  uint32_t warp = 0, line = 0;
  std::optional<size_t> chosen;
  bool operator==(const AccessesKey&) const = default;
};

// The recorded heat belongs to a request, since a result with further details is still the same run.
struct RecordedHeat {
  std::shared_ptr<const LaunchRequest> request;
  AddressHeat heat;
  std::string error;
};
struct HeatPictureKey {
  std::shared_ptr<const RecordedHeat> heat;
  std::optional<size_t> buffer;
  bool operator==(const HeatPictureKey&) const = default;
};

// Stops background work when the panel is destroyed or something newer is wanted.
struct Stopper {
  std::stop_source source;
  ~Stopper() { source.request_stop(); }
  std::stop_token renew() {
    source.request_stop();
    source = {};
    return source.get_token();
  }
};

struct MemoryPanelState {
  std::optional<AccessName> access;         // the chosen one
  std::optional<size_t> buffer;             // chosen for the heat map
  std::shared_ptr<const LaunchRequest> of;  // the request of these choices
  Built<std::shared_ptr<const RunResult>, MemoryView> view, baseline;
  Built<std::shared_ptr<const RunResult>, std::vector<IncidentMark>> incidents;
  Built<AccessesKey, MemoryAccesses> accesses;
  Built<std::shared_ptr<const LaunchRequest>, RecordedHeat> heat;
  Built<HeatPictureKey, HeatPicture> heat_picture;
  Stopper stopper;  // declared after `heat`, so that it is destroyed first
  ScrolledPictureState picture;
  ScrolledPart part;

  static auto built(auto& own) { return std::tie(own.heat); }
};

void draw_memory(const AppState& state, MemoryPanelState& own, Actions& actions);

}  // namespace warplens
