#include "app/views/renderings.h"

#include <algorithm>

namespace warplens {

const std::vector<Rendering>& all_renderings() {
  static const std::vector<Rendering> all = [] {
    std::vector<Rendering> list;
#define WARPLENS_VIEW(name, title, key, dock)
#define WARPLENS_DRAWN_VIEW(name, title, key, dock) \
  for (const Rendering& rendering : name##_renderings()) list.push_back(rendering);
#include "app/base/views.def"
    return list;
  }();
  return all;
}

const Rendering* rendering_of(std::string_view name) {
  const auto& all = all_renderings();
  const auto found = std::ranges::find(all, name, &Rendering::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warplens
