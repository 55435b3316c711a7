#include "app/widgets/window_picture.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cmath>
#include <variant>

#include "app/host/gl.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/offscreen.h"
#include "app/widgets/texture.h"

namespace warplens {

namespace {

// A larger font is sharper than enlarged pixels, so the shapes grow and not the pixels.
class Enlarger {
 public:
  explicit Enlarger(float zoom) : m_zoom(zoom) {}

  void operator()(Rectangle& shape) const {
    enlarge(shape.box);
    shape.rounding *= m_zoom;
    shape.line_width *= m_zoom;
  }
  void operator()(Path& shape) const {
    for (Point& point : shape.points) enlarge(point);
    shape.line_width *= m_zoom;
  }
  void operator()(Text& shape) const {
    enlarge(shape.at);
    shape.size *= m_zoom;
  }
  void operator()(Bitmap& shape) const { enlarge(shape.box); }
  void operator()(Hatch& shape) const {
    enlarge(shape.box);
    shape.spacing *= m_zoom;
  }
  void operator()(BeginClip& shape) const { enlarge(shape.box); }
  void operator()(EndClip&) const {}

 private:
  void enlarge(Point& point) const { point = {point.x * m_zoom, point.y * m_zoom}; }
  void enlarge(Box& box) const {
    box = {box.x * m_zoom, box.y * m_zoom, box.width * m_zoom, box.height * m_zoom};
  }
  float m_zoom;
};

// The letters of these sizes may be new in the fonts' textures.
void upload_letters() {
  for (ImTextureData* texture : ImGui::GetIO().Fonts->TexList)
    if (texture->Status != ImTextureStatus_OK && texture->Status != ImTextureStatus_Destroyed)
      ImGui_ImplOpenGL3_UpdateTexture(texture);
}

void render(const Picture& picture, ImVec2 size, TextureCache& textures) {
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list._SetPixelDensity(1);
  list.PushTexture(ImGui::GetIO().Fonts->TexRef);
  list.PushClipRect({0, 0}, size);
  draw_picture(picture, {0, 0}, list, textures);
  list.PopClipRect();
  list.PopTexture();
  upload_letters();
  ImDrawData data;
  data.Valid = true;
  data.DisplaySize = size;
  data.FramebufferScale = {1, 1};
  data.AddDrawList(&list);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace

Result<Image> drawn_by_window(const Picture& picture, float zoom) {
  const ImVec2 size{std::ceil(picture.width * zoom), std::ceil(picture.height * zoom)};
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (size.x < 1 || size.y < 1 || size.x > static_cast<float>(largest) ||
      size.y > static_cast<float>(largest))
    return failed(
        fmt::format("A picture of {} × {} pixels is too large for the graphics driver, which draws {}.",
                    size.x, size.y, largest));
  Picture enlarged = picture;
  for (Shape& shape : enlarged.shapes) std::visit(Enlarger(zoom), shape);
  const Offscreen target(static_cast<int>(size.x), static_cast<int>(size.y));
  if (!target.is_complete()) return failed("The graphics driver cannot draw into memory.");
  const uint32_t rgb = picture.background.rgb;
  glDisable(GL_SCISSOR_TEST);
  glClearColor(static_cast<float>(rgb >> 16) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
               static_cast<float>(rgb & 255) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  TextureCache textures;
  render(enlarged, size, textures);
  return target.image();
}

}  // namespace warplens
