#include "app/window/frame/panels.h"

#include <algorithm>

namespace warplens {

Panels::Panels() {
#define WARPLENS_VIEW(name, title, key, dock) m_panels.push_back(make_##name##_panel());
#include "app/base/views.def"
}

void Panels::collect() {
  for (const auto& panel : m_panels) panel->collect();
}

bool Panels::busy() const {
  return std::ranges::any_of(m_panels, [](const auto& panel) { return panel->busy(); });
}

bool Panels::moves() const {
  return std::ranges::any_of(m_panels, [](const auto& panel) { return panel->moves(); });
}

}  // namespace warplens
