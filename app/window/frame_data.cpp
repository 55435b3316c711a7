#include "app/window/frame_data.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstring>

#include "app/host/gl.h"

namespace warplens {

void draw_frame_data(int width, int height) {
  glViewport(0, 0, width, height);
  const ImVec4 ground = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glClearColor(ground.x, ground.y, ground.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Image drawn_picture(int width, int height) {
  GLuint buffer = 0, colours = 0;
  glGenFramebuffers(1, &buffer);
  glGenRenderbuffers(1, &colours);
  glBindRenderbuffer(GL_RENDERBUFFER, colours);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours);
  draw_frame_data(width, height);
  Image image;
  image.width = static_cast<uint32_t>(width);
  image.height = static_cast<uint32_t>(height);
  image.channels = 3;
  image.name = "window";
  const size_t row = size_t{image.width} * 3;
  std::vector<uint8_t> upside_down(row * image.height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteRenderbuffers(1, &colours);
  glDeleteFramebuffers(1, &buffer);
  image.pixels.resize(upside_down.size());
  for (size_t y = 0; y < image.height; ++y) {
    std::memcpy(&image.pixels[y * row], &upside_down[(image.height - 1 - y) * row], row);
  }
  return image;
}

}  // namespace warplens
