// The panels of all views (app/base/views.def) and their states.
#pragma once

#include <memory>
#include <vector>

#include "app/base/views.h"
#include "app/widgets/panel.h"

namespace warplens {

class Panels {
 public:
  Panels();

  ViewPanel& operator[](View view) { return *m_panels[static_cast<size_t>(view)]; }
  const ViewPanel& operator[](View view) const { return *m_panels[static_cast<size_t>(view)]; }

  void collect();
  bool busy() const;
  bool moves() const;

 private:
  std::vector<std::unique_ptr<ViewPanel>> m_panels;  // by View
};

}  // namespace warplens
