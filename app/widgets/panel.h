// What a panel is:
//
//   struct GridPanelState { … };  // its own scroll, zoom, textures
//   void draw_grid(const AppState& state, GridPanelState& own, Actions& actions);
//   std::unique_ptr<ViewPanel> make_grid_panel() { return make_panel<GridPanelState, draw_grid>(); }
//
// It draws inside the ImGui window that the frame has begun, keeps nothing outside `own`, pushes intents into
// `actions`, and does work bounded by what is visible. Colours, fonts: look.h; building blocks: widgets.h.
// `own` is made and destroyed while the GL context is current, so it may hold textures.
#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// The panel of one view with its state, as the frame knows it.
class ViewPanel {
 public:
  virtual ~ViewPanel() = default;
  virtual void draw(const AppState& state, Actions& actions) = 0;
  // What its tab says after the title: " 2".
  virtual std::string beside_title(const AppState&) const { return ""; }
  // Before the panels are drawn: takes what was made beside the frames, also for a panel that is hidden by
  // now.
  virtual void collect() {}
  // Something is being made beside the frames; another frame is due when it is ready.
  virtual bool busy() const { return false; }
};

// Where `Own` has values that take longer than a frame (built.h), it names them:
//   static auto built(auto& own) { return std::tie(own.heat); }
template <class Own, void (*Draw)(const AppState&, Own&, Actions&)>
class PanelOf : public ViewPanel {
 public:
  Own own;

  void draw(const AppState& state, Actions& actions) override { Draw(state, own, actions); }
  void collect() override {
    if constexpr (requires(Own & some) { Own::built(some); })
      std::apply([](auto&... built) { (built.collect(), ...); }, Own::built(own));
  }
  bool busy() const override {
    if constexpr (requires(const Own& some) { Own::built(some); })
      return std::apply([](const auto&... built) { return (built.busy() || ...); }, Own::built(own));
    return false;
  }
};

template <class Own, void (*Draw)(const AppState&, Own&, Actions&)>
std::unique_ptr<ViewPanel> make_panel() {
  return std::make_unique<PanelOf<Own, Draw>>();
}

// Each view of the list has one of these in its panel.cpp.
#define WARPLENS_VIEW(name, title, key, dock) std::unique_ptr<ViewPanel> make_##name##_panel();
#include "app/base/views.def"

}  // namespace warplens
