#include "app/widgets/draw_picture.h"

#include <imgui_internal.h>

#include <cfloat>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "app/widgets/look.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

namespace {

ImFont* font_of(Font font) {
  const Look& current = look();
  return font == Font::mono ? current.mono : font == Font::strong ? current.strong : current.words;
}

class Painter {
 public:
  Painter(ImVec2 origin, ImDrawList& list, TextureCache& textures)
      : m_origin(origin), m_list(list), m_textures(textures) {}

  void operator()(const Rectangle& shape) const {
    const ImVec2 from = at({shape.box.x, shape.box.y}), to = at({shape.box.right(), shape.box.bottom()});
    if (shape.fill.visible()) m_list.AddRectFilled(from, to, tint(shape.fill), shape.rounding);
    if (!shape.line.visible()) return;
    const float half = shape.line_width / 2;
    m_list.AddRect({from.x + half, from.y + half}, {to.x - half, to.y - half}, tint(shape.line),
                   shape.rounding, 0, shape.line_width);
  }

  void operator()(const Path& shape) const {
    for (const Point& point : shape.points) m_list.PathLineTo(at(point));
    if (shape.fill.visible()) {
      m_list.PathFillConvex(tint(shape.fill));
      for (const Point& point : shape.points) m_list.PathLineTo(at(point));
    }
    if (shape.line.visible()) {
      m_list.PathStroke(tint(shape.line), shape.closed ? ImDrawFlags_Closed : 0, shape.line_width);
    } else {
      m_list.PathClear();
    }
  }

  void operator()(const Text& shape) const {
    ImFont* font = font_of(shape.font);
    const float size = shape.size * line_share;
    ImVec2 from = at(shape.at);
    const char* begin = shape.words.data();
    const char* end = begin + shape.words.size();
    if (shape.align_x != AlignX::left || shape.align_y == AlignY::middle) {
      const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, begin, end);
      if (shape.align_x == AlignX::centre) from.x -= extent.x / 2;
      if (shape.align_x == AlignX::right) from.x -= extent.x;
      if (shape.align_y == AlignY::middle) from.y -= extent.y / 2;
    }
    // Whole pixels keep small letters sharp.
    m_list.AddText(font, size, {std::round(from.x), std::round(from.y)}, tint(shape.colour), begin, end);
  }

  void operator()(const Bitmap& shape) const {
    if (!shape.raster || shape.raster->rgba.empty()) return;
    const ImTextureID texture = m_textures.texture_of(shape.raster, shape.sampling);
    // The backend binds a linear sampler, which would override the sampling that the texture has.
    const ImGuiPlatformIO& backend = ImGui::GetPlatformIO();
    m_list.AddCallback(backend.DrawCallback_SetSamplerFromTex, nullptr);
    m_list.AddImage(texture, at({shape.box.x, shape.box.y}), at({shape.box.right(), shape.box.bottom()}),
                    {shape.part.x, shape.part.y}, {shape.part.right(), shape.part.bottom()},
                    tint(solid(0xffffff, shape.alpha)));
    m_list.AddCallback(backend.DrawCallback_ResetRenderState, nullptr);
  }

  void operator()(const Hatch& shape) const {
    for (const auto& [from, to] : hatch_lines(shape)) m_list.AddLine(at(from), at(to), tint(shape.line), 1);
  }

  void operator()(const BeginClip& shape) const {
    m_list.PushClipRect(at({shape.box.x, shape.box.y}), at({shape.box.right(), shape.box.bottom()}), true);
  }

  void operator()(const EndClip&) const { m_list.PopClipRect(); }

 private:
  ImVec2 at(Point point) const { return {m_origin.x + point.x, m_origin.y + point.y}; }
  static ImU32 tint(Colour value) { return colour(value.rgb, value.alpha); }

  ImVec2 m_origin;
  ImDrawList& m_list;
  TextureCache& m_textures;
};

// Then it is a drag and no click.
bool moved_while_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

}  // namespace

Style window_style() {
  Style style;
  style.palette = look().palette;
  style.theme = look().theme;
  style.scale = scaled(1.0f);
  style.measure = [](std::string_view words, Font font, float size) {
    return font_of(font)
        ->CalcTextSizeA(size * line_share, FLT_MAX, 0, words.data(), words.data() + words.size())
        .x;
  };
  return style;
}

void draw_picture(const Picture& picture, ImVec2 origin, ImDrawList& list, TextureCache& textures) {
  const Painter painter(origin, list, textures);
  for (const Shape& shape : picture.shapes) std::visit(painter, shape);
}

Click picture_areas(const Picture& picture, ImVec2 origin, const Area** focused) {
  Click clicked;
  std::unordered_set<std::string_view> seen;
  for (const Area& area : picture.areas) {
    if (area.box.empty()) continue;
    const bool clipped = !area.clip.empty();
    if (clipped)
      ImGui::PushClipRect({origin.x + area.clip.x, origin.y + area.clip.y},
                          {origin.x + area.clip.right(), origin.y + area.clip.bottom()}, true);
    const auto end_clip = [&] {
      if (clipped) ImGui::PopClipRect();
    };
    const ImVec2 from{origin.x + area.box.x, origin.y + area.box.y};
    const ImVec2 to{from.x + area.box.width, from.y + area.box.height};
    if (area.click.empty()) {
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to) && !area.hint.empty() &&
          !clicked_here())
        show_tip(area.hint);
      end_clip();
      continue;
    }
    ImGui::SetCursorScreenPos(from);
    // A launch, for example, may be in several rows of a time line.
    const bool again = !seen.insert(area.click.id()).second;
    if (again) ImGui::PushID(static_cast<int>(&area - picture.areas.data()));
    if (ImGui::InvisibleButton(area.click.id().c_str(), {area.box.width, area.box.height},
                               ImGuiButtonFlags_EnableNav) &&
        !(ImGui::IsMouseReleased(ImGuiMouseButton_Left) && moved_while_pressed()))
      clicked = area.click;
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (focused != nullptr && ImGui::IsItemFocused()) *focused = &area;
    if (!area.hint.empty()) hover_text(area.hint);
    if (again) ImGui::PopID();
    end_clip();
  }
  return clicked;
}

Canvas canvas_item(const char* id, Box box, ImVec2 origin) {
  Canvas canvas;
  if (box.width < 1 || box.height < 1) return canvas;
  ImGui::SetCursorScreenPos({origin.x + box.x, origin.y + box.y});
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton(id, {box.width, box.height},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_EnableNav);
  const ImGuiIO& io = ImGui::GetIO();
  const auto in_picture = [&](ImVec2 at) { return Point{at.x - origin.x, at.y - origin.y}; };
  canvas.hovered = ImGui::IsItemHovered();
  canvas.at = in_picture(io.MousePos);
  canvas.pressed_at = in_picture(io.MouseClickedPos[0]);
  const bool moved = moved_while_pressed();
  // Areas lie over it, and come and go while they are dragged: what counts is where the button went down.
  const bool pointed_at = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenOverlappedByItem);
  bool* const pressed = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetItemID());
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) *pressed = pointed_at;
  if (*pressed && moved && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    canvas.dragged = {io.MouseDelta.x, io.MouseDelta.y};
  // The end of a double click is none: what the double click opened may already be under the pointer.
  const bool once = io.MouseClickedLastCount[0] < 2;
  canvas.clicked = canvas.hovered && ImGui::IsItemDeactivated() && !moved && once;
  canvas.double_clicked = canvas.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (pointed_at) {
    canvas.wheel = io.MouseWheel;
    // The panel does not scroll while the picture zooms.
    ImGui::SetKeyOwner(ImGuiKey_MouseWheelY, ImGui::GetItemID());
  }
  return canvas;
}

}  // namespace warplens
