#include "app/views/image/panel/panel.h"

#include <algorithm>
#include <cmath>

#include "app/views/image/live_words.h"
#include "app/views/model/lesson_marks.h"
#include "app/widgets/card_room.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

constexpr uint64_t bytes_at_once = 4 << 20;  // larger results become pictures on another thread

std::shared_ptr<const ImagesOfRun> images_of(const AppState& state, ImagePanelState& own) {
  uint64_t bytes = 0;
  for (const BufferSpec& spec : state.runs.result->request->buffers) bytes += spec.bytes;
  const ImagesKey key{state.runs.result, own.array, any_hidden(state, "result")};
  return own.images.get(key, bytes <= bytes_at_once, [key] {
    ImagesOfRun images{key.result, build_image_set(*key.result, key.array)};
    if (key.masked) mask_result(images.set);
    return images;
  });
}

ImageViewInput input_for(const AppState& state, const ImagePanelState& own) {
  ImageViewInput input;
  input.mode = own.mode;
  input.split = own.split;
  input.show_blocks = own.show_blocks;
  input.hide_blocks = is_hidden(state, "launch.blocks") || is_hidden(state, "launch.grid");
  input.show_cost = own.show_cost;
  input.view = own.view;
  input.has_live = !state.frame.in_a_page;
  input.live = state.live.on;
  input.playing = state.live.playing;
  const bool listens =
      ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || ImGui::IsWindowHovered();
  input.flipped = listens && !is_typing() && ImGui::IsKeyDown(ImGuiKey_Space);
  return input;
}

ImageViewInput input_of_live(const AppState& state, ImagePanelState& own, const LiveShown& shown) {
  own.textures.stand_in(shown.set.result->raster, shown.texture);
  ImageViewInput input = input_for(state, own);
  input.result = shown.result.get();
  input.set = &shown.set;
  input.live_note = live_note(state.live);
  return input;
}

ImageViewInput input_of(const AppState& state, ImagePanelState& own,
                        const std::shared_ptr<const ImagesOfRun>& shown) {
  const ImagesOfRun& images = *shown;
  ImageViewInput input = input_for(state, own);
  input.result = images.result.get();
  input.set = &images.set;
  input.chosen = state.selection.pinned;
  input.hovered = state.selection.hover;
  if (images.result == state.runs.result && state.footprint.replayed && !images.set.masked) {
    const ElementsKey key{state.runs.result, state.footprint.replayed, state.selection.pinned};
    const auto elements = own.elements.get(key, true, [&] {
      return elements_of_thread(*key.result, images.set.shown, *key.footprint, key.chosen);
    });
    input.elements = elements.get();  // kept by `own`
    const CostKey cost_key{shown, state.footprint.replayed};
    const auto cost = own.cost.get(cost_key, true, [&] {
      return block_cost(*cost_key.images->result, cost_key.images->set, *cost_key.footprint);
    });
    if (cost && *cost && state.footprint.replayed->block == state.selection.pinned.block)
      input.cost = &**cost;  // kept by `own`
  }
  return input;
}

// The whole canvas, whatever pictures it holds.
Box canvas_of(const ImageViewLayout& layout) {
  if (!layout.plots.empty()) {
    const Box first = layout.plots.front().box, last = layout.plots.back().box;
    return {first.x, first.y, first.width, last.bottom() - first.y};
  }
  Box box = layout.frames.front().frame.canvas;
  for (const ImageFrame& frame : layout.frames) {
    const Box& other = frame.frame.canvas;
    const float right = std::max(box.right(), other.right()), bottom = std::max(box.bottom(), other.bottom());
    box = {std::min(box.x, other.x), std::min(box.y, other.y), 0, 0};
    box.width = right - box.x;
    box.height = bottom - box.y;
  }
  return box;
}

// The picture whose part of the canvas the pointer is over.
const ImageFrame& frame_at(const ImageViewLayout& layout, Point at) {
  for (const ImageFrame& frame : layout.frames)
    if (frame.frame.canvas.contains(at)) return frame;
  return layout.frames.front();
}

void drag_divider(ImagePanelState& own, const ImageViewLayout& layout, const Canvas& canvas) {
  const bool near = layout.divider && std::abs(canvas.at.x - *layout.divider) < scaled(8);
  if (canvas.hovered && near) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) own.splitting = canvas.hovered && near;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) own.splitting = false;
  if (!own.splitting || !layout.divider) return;
  const ImageFrame& frame = layout.frames.back();
  const Box whole = intersection(
      frame.frame.box_of({0, 0}, frame.raster->plane.columns, frame.raster->plane.rows), frame.frame.canvas);
  if (whole.width > 0) own.split = std::clamp((canvas.at.x - whole.x) / whole.width, 0.0f, 1.0f);
}

// Wheel and drag move the plane that the kernel computes. With Shift they move the picture, as usual.
bool navigate_live(const AppState& state, ImagePanelState& own, Actions& actions,
                   const ImageViewLayout& layout, const Canvas& canvas) {
  if (!own.live.takes_pointer(state) || ImGui::GetIO().KeyShift) return false;
  const MapFrame& frame = frame_at(layout, canvas.at).frame;
  const auto cell = static_cast<float>(frame.cell);
  if (!(cell > 0)) return true;
  const Point pixel{(canvas.at.x - static_cast<float>(frame.x)) / cell,
                    (canvas.at.y - static_cast<float>(frame.y)) / cell};
  if (canvas.wheel != 0)
    own.live.zoom(state, actions, pixel, std::pow(double{wheel_factor}, double{canvas.wheel}));
  if (!own.splitting && (canvas.dragged.x != 0 || canvas.dragged.y != 0))
    own.live.drag(state, actions, {canvas.dragged.x / cell, canvas.dragged.y / cell});
  return true;
}

void navigate(ImagePanelState& own, const ImageViewLayout& layout, const Canvas& canvas) {
  if (!layout.plots.empty()) {
    const VectorPlot& plot = layout.plots.front();
    const auto share = [&](float x) { return double{x / plot.box.width}; };
    if (canvas.wheel != 0)
      own.view = zoomed_series(plot.series->count, own.view, share(canvas.at.x - plot.box.x),
                               std::pow(wheel_factor, canvas.wheel));
    if (canvas.dragged.x != 0)
      own.view = panned_series(plot.series->count, own.view, share(canvas.dragged.x));
    return;
  }
  const ImageFrame& frame = frame_at(layout, canvas.at);
  const Plane& plane = frame.raster->plane;
  const Box box = frame.frame.canvas;
  if (canvas.wheel != 0)
    own.view = zoomed(plane.columns, plane.rows, box, own.view, scaled(largest_pixel), canvas.at,
                      std::pow(wheel_factor, canvas.wheel));
  if (!own.splitting && (canvas.dragged.x != 0 || canvas.dragged.y != 0))
    own.view = panned(plane.columns, plane.rows, box, own.view, scaled(largest_pixel), canvas.dragged);
}

void point(const AppState& state, ImagePanelState& own, Actions& actions, const ImageViewInput& input,
           const ImageViewLayout& layout, const Canvas& canvas) {
  const bool is_current = input.result == state.runs.result.get();
  const Pick pick =
      canvas.hovered && is_current && !own.splitting ? pick_at(input, layout, canvas.at) : Pick{};
  if (!pick.empty() && !(state.selection.hover == pick)) actions.push(Hover{pick});
  if (pick.empty() && own.hovering && !state.selection.hover.empty()) actions.push(Hover{});
  own.hovering = !pick.empty();
  if (canvas.clicked && !pick.empty()) actions.push(Pin{pick});
}

void follow(const Click& click, const AppState& state, ImagePanelState& own, Actions& actions) {
  if (click.is(ImageVerb::live)) actions.push(SetLive{!state.live.on});
  if (click.is(ImageVerb::play)) actions.push(PlayLive{!state.live.playing});
  if (click.is(SaveVerb::save)) ImGui::OpenPopup(save_popup_id);
  if (click.is(ImageVerb::array)) {
    own.array = click.about();
    own.view = {};
  }
  if (click.is(ImageVerb::cost)) own.show_cost = !own.show_cost;
  if (click.is(ImageVerb::raster)) own.show_blocks = !own.show_blocks;
  if (click.is(ImageVerb::mode)) own.mode = static_cast<ImageMode>(click.number());
}

// The cell, or the cells of the block, that an answer has found.
std::optional<Box> place_of(const lesson::Target& target, const ImageViewInput& input,
                            const ImageFrame& frame) {
  const ImageSet& set = *input.set;
  const std::optional<uint32_t> shown = frame.is_input ? set.shown.input : set.shown.output;
  const Plane& plane = frame.raster->plane;
  if (target.kind == lesson::Target::Kind::block) {
    const uint64_t linear = linear_index(target.block, set.grid);
    if (linear >= set.blocks.blocks.size() || !set.blocks.blocks[linear].exact()) return std::nullopt;
    const BlockRaster::Extent& extent = set.blocks.blocks[linear];
    return frame.frame.box_of({extent.x0, extent.y0}, extent.x1 - extent.x0 + 1, extent.y1 - extent.y0 + 1);
  }
  const bool here = target.kind == lesson::Target::Kind::element && shown &&
                    input.result->request->buffers[*shown].name == target.array;
  const uint64_t cell = target.index / std::max(1u, frame.raster->channels);
  if (!here || cell >= plane.extent.count()) return std::nullopt;
  Box box = frame.frame.box_of(cell_of(plane, position_at(cell, plane.extent)));
  const float least = scaled(12);  // a pixel of a photograph
  if (box.width < least) box = box.inset((box.width - least) / 2);
  return box;
}

void draw_clicked(const AppState& state, const ImageViewInput& input, const ImageViewLayout& layout,
                  ImVec2 origin) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const ImageFrame& frame : layout.frames)
    for (const ClickMark& mark : click_marks(state)) {
      const std::optional<Box> place = place_of(mark.target, input, frame);
      if (!place) continue;
      const Box seen = frame.visible;
      draw->PushClipRect({origin.x + seen.x, origin.y + seen.y},
                         {origin.x + seen.right(), origin.y + seen.bottom()}, true);
      click_mark({origin.x + place->x, origin.y + place->y},
                 {origin.x + place->right(), origin.y + place->bottom()}, mark.wrong);
      draw->PopClipRect();
    }
}

void draw_save(const AppState& state, ImagePanelState& own, Actions& actions, const ImageViewInput& shown) {
  const auto draw = [&](Picture& picture, const Style& style, Box box) {
    ImageViewInput input = shown;
    input.interactive = false;
    input.free_at_right = 0;
    ImageSet set = *shown.set;
    if (state.live.on)  // the pixels are on the GPU
      if (const auto raster = own.live.read_back(); raster && set.result) set.result->raster = raster;
    input.set = &set;
    draw_image_view(picture, style, box, input);
    return box.bottom();
  };
  draw_save_popup(own.save, {"image", draw}, state, actions);
}

}  // namespace

void draw_image(const AppState& state, ImagePanelState& own, Actions& actions) {
  own.textures.collect();
  follow_part(state, View::image, own.part, [&](std::string_view part) {
    if (const auto mode = image_mode_from(part)) own.mode = *mode;
  });
  tell_part(View::image, name_of(own.mode), own.part, actions);
  const LiveShown* live = own.live.frame(state, actions);
  if (live == nullptr && (!state.runs.result || !state.runs.result->request)) {
    quiet_text("No run yet: the picture appears with the first result.");
    return;
  }
  const auto images = live == nullptr ? images_of(state, own) : nullptr;
  if (live == nullptr && images == nullptr) {
    const std::string why = own.images.why_not("The picture");
    return quiet_text(why.empty() ? "Drawing the picture…" : why);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Picture picture;
  picture.width = room.x;
  picture.height = room.y;
  ImageViewInput input = live != nullptr ? input_of_live(state, own, *live) : input_of(state, own, images);
  input.free_at_right = room_of_expected_card();
  const ImageViewLayout layout = draw_image_view(picture, window_style(), {0, 0, room.x, room.y}, input);
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  if (live == nullptr) draw_clicked(state, input, layout, origin);
  if (!layout.frames.empty() || !layout.plots.empty()) {
    const Canvas canvas = canvas_item("##picture", canvas_of(layout), origin);
    drag_divider(own, layout, canvas);
    if (live == nullptr || !navigate_live(state, own, actions, layout, canvas)) navigate(own, layout, canvas);
    point(state, own, actions, input, layout, canvas);
  }
  follow(picture_areas(picture, origin), state, own, actions);
  const bool listens = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) && !is_typing();
  if (listens && ImGui::IsKeyPressed(ImGuiKey_F, false)) own.view = {};
  draw_save(state, own, actions, input);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(room);
}

std::unique_ptr<ViewPanel> make_image_panel() { return make_panel<ImagePanelState, draw_image>(); }

LiveView& live_view_of(ViewPanel& image_panel) {
  return static_cast<PanelOf<ImagePanelState, draw_image>&>(image_panel).own.live;
}

}  // namespace warplens
