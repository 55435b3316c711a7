// What a panel is:
//
//   struct GridPanelState { … };  // its own scroll, zoom, textures
//   void draw_grid(const AppState& state, GridPanelState& own, Actions& actions);
//   std::unique_ptr<ViewPanel> make_grid_panel() { return make_panel<GridPanelState, draw_grid>(); }
//
// The function draws inside the ImGui window that the frame has begun. It keeps nothing outside `own`,
// requests changes through `actions`, and limits its work to what is visible. look.h has the colours and
// fonts, widgets.h the building blocks. `own` is made and destroyed while the GL context is current, so it
// may hold textures.
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
  // The text of its tab after the title: " 2".
  virtual std::string beside_title(const AppState&) const { return ""; }
  // Called before the panels are drawn, also for hidden panels: takes values that were made in the
  // background.
  virtual void collect() {}
  // Whether something is being made in the background. When it is ready, another frame is due.
  virtual bool busy() const { return false; }
  // Whether what it shows moves by itself, so that the next frame is due.
  virtual bool moves() const { return false; }
  // Whether the inspector's card belongs next to it where there is no room for a column.
  virtual bool shows_pins() const { return false; }
};

// If `Own` has values that take longer than a frame (built.h), it lists them:
//   static auto built(auto& own) { return std::tie(own.heat); }
// If it plays something, it has
//   bool moves() const;
// If it shows what is pinned, it says so:
//   static constexpr bool shows_pins = true;
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
  bool moves() const override {
    if constexpr (requires(const Own& some) { some.moves(); }) return own.moves();
    return false;
  }
  bool shows_pins() const override {
    return requires { Own::shows_pins; };
  }
};

template <class Own, void (*Draw)(const AppState&, Own&, Actions&)>
std::unique_ptr<ViewPanel> make_panel() {
  return std::make_unique<PanelOf<Own, Draw>>();
}

// Each view in views.def has one of these functions in its panel.cpp.
#define WARPLENS_VIEW(name, title, key, dock) std::unique_ptr<ViewPanel> make_##name##_panel();
#include "app/base/views.def"

}  // namespace warplens
