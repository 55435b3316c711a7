// The Profile view in a file.
#include "app/views/model/rendering.h"

#include "app/views/profile/picture.h"

namespace warplens {
namespace {

Rendered make_profile(const RenderChoice& choice, const RenderSource& source) {
  const auto view = std::make_shared<const ProfileView>(view_profile(*source.result, 0));
  return {[view, line = choice.line](Picture& picture, const Style& style, Box box) {
            ProfilePictureInput input;
            input.view = view.get();
            input.line = line;
            input.interactive = false;
            return draw_profile_page(picture, style, box, input);
          },
          [view] { return profile_table(*view); }};
}

}  // namespace

std::span<const Rendering> profile_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "profile", .needs = RenderNeeds::profiled_run, .has_table = true, .make = make_profile}};
  return rows;
}

}  // namespace warplens
