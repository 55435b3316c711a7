// The SM view in a file.
#include "app/views/model/rendering.h"
#include "app/views/sm/picture.h"

namespace warplens {
namespace {

Rendered make_sm(const RenderChoice& choice, const RenderSource& source) {
  const auto view = std::make_shared<const SmView>(view_sm(*source.result, source.stop));
  return {[view, line = choice.line](Picture& picture, const Style& style, Box box) {
            SmPictureInput input;
            input.view = view.get();
            input.line = line;
            input.interactive = false;
            return draw_sm_view(picture, style, box, input).bottom;
          },
          [view] { return sm_table(*view); }};
}

}  // namespace

std::span<const Rendering> sm_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "sm", .needs = RenderNeeds::timed_run, .has_table = true, .make = make_sm}};
  return rows;
}

}  // namespace warplens
