// The list of views (views.def) as data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warplens {

enum class View : uint8_t {
#define WARPLENS_VIEW(name, title, key, dock) name,
#include "app/base/views.def"
};

enum class Dock : uint8_t { left, centre, right, bottom_left, bottom_right };

struct ViewRow {
  View view;
  const char *name, *title, *key;
  Dock dock;
  bool is_tab() const { return dock == Dock::centre; }
  bool is_at_bottom() const { return dock == Dock::bottom_left || dock == Dock::bottom_right; }
};

std::span<const ViewRow> all_views();
const ViewRow& row_of(View view);

// "grid" → View::grid. Empty if no tab has this name.
std::optional<View> tab_from(std::string_view name);

}  // namespace warplens
