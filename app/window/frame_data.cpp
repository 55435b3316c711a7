#include "app/window/frame_data.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include "app/host/gl.h"
#include "app/widgets/offscreen.h"

namespace warplens {

void draw_frame_data(int width, int height) {
  glViewport(0, 0, width, height);
  const ImVec4 ground = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glClearColor(ground.x, ground.y, ground.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Image drawn_picture(int width, int height) {
  const Offscreen target(width, height);
  draw_frame_data(width, height);
  Image image = target.image();
  image.name = "window";
  return image;
}

}  // namespace warplens
