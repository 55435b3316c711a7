// The Image view in a file.
#include "app/views/model/rendering.h"

#include "app/views/image/picture.h"

namespace warplens {
namespace {

Rendered make_image(const RenderChoice& choice, const RenderSource& source) {
  return {[&](Picture& picture, const Style& style, Box box) {
    const ImageSet set = build_image_set(*source.result, choice.array);
    ImageViewInput input;
    input.result = source.result;
    input.set = &set;
    ThreadElements elements;
    if (source.footprint != nullptr)
      elements = elements_of_thread(*source.result, set.shown, *source.footprint, source.pick);
    input.elements = &elements;
    input.mode = image_mode_from(choice.mode).value_or(ImageMode::split);
    input.chosen = source.pick;
    input.interactive = false;
    draw_image_view(picture, style, box, input);
    return box.bottom();
  }};
}

}  // namespace

std::span<const Rendering> image_renderings() {
  static constexpr Rendering rows[] = {{.name = "image",
                                        .with_inspector = true,
                                        .at_is_cell = true,
                                        .pick = pick_of_cell,
                                        .make = make_image}};
  return rows;
}

}  // namespace warplens
