#include "app/base/views.h"

#include <cstddef>

namespace warplens {
namespace {

constexpr ViewRow view_rows[] = {
#define WARPLENS_VIEW(name, title, key, dock) {View::name, #name, title, key, Dock::dock},
#include "app/base/views.def"
};

}  // namespace

std::span<const ViewRow> all_views() { return view_rows; }

const ViewRow& row_of(View view) { return view_rows[static_cast<size_t>(view)]; }

std::optional<View> tab_from(std::string_view name) {
  for (const ViewRow& row : view_rows)
    if (row.is_tab() && name == row.name) return row.view;
  return std::nullopt;
}

}  // namespace warplens
