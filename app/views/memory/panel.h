// The Memory view in the window.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "app/views/memory/accesses.h"
#include "app/views/memory/heat.h"
#include "app/views/memory/model.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct AccessesKey {
  std::shared_ptr<const BlockFootprint> footprint;
  uint32_t warp = 0, line = 0;
  std::optional<size_t> chosen;
  bool operator==(const AccessesKey&) const = default;
};

// Made from the request: a result of which more has become known is the same run.
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

// Stops what is made beside the frames when the panel goes or something newer is wanted.
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
  std::optional<size_t> access;             // chosen, in the footprint
  std::optional<size_t> buffer;             // of the heat map, chosen
  std::shared_ptr<const LaunchRequest> of;  // what the choices belong to
  Built<std::shared_ptr<const RunResult>, MemoryView> view;
  Built<AccessesKey, MemoryAccesses> accesses;
  Built<std::shared_ptr<const LaunchRequest>, RecordedHeat> heat;
  Built<HeatPictureKey, HeatPicture> heat_picture;
  Stopper stopper;  // behind `heat`, so that it goes first
  ScrolledPictureState picture;

  static auto built(auto& own) { return std::tie(own.heat); }
};

void draw_memory(const AppState& state, MemoryPanelState& own, Actions& actions);

}  // namespace warplens
