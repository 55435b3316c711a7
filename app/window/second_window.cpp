#include "app/window/second_window.h"

#include <glad/glad.h>
// glad comes first: it replaces the OpenGL header that GLFW would include.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "app/window/fonts.h"
#include "app/window/frame_data.h"
#include "app/window/theme.h"

namespace warplens {

std::unique_ptr<SecondWindow> SecondWindow::open(const std::string& title, int width, int height, Theme theme,
                                                 float text_scale) {
  glfwWindowHint(GLFW_VISIBLE, GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // keys and clicker stay with the first
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
  if (window == nullptr) return nullptr;
  std::unique_ptr<SecondWindow> second(new SecondWindow(window));
  second->within([&] {
    glfwSwapInterval(0);
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.IniFilename = io.LogFilename = nullptr;
    io.UserData = &second->m_look;
    float scale_x = 1, scale_y = 1;
    glfwGetWindowContentScale(window, &scale_x, &scale_y);
    ImGui::GetStyle().FontScaleDpi = std::clamp(scale_x, 0.5f, 4.0f);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330");
    load_fonts(second->m_look);
    second->m_look.theme = theme;
    second->m_look.palette = palette_of(theme);
    apply_theme(second->m_look, text_scale);
  });
  return second;
}

SecondWindow::SecondWindow(GLFWwindow* window) : m_window(window) {
  ImGuiContext* first = ImGui::GetCurrentContext();
  m_context = ImGui::CreateContext();
  ImGui::SetCurrentContext(first);
}

SecondWindow::~SecondWindow() {
  within([] {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  });
  ImGui::DestroyContext(m_context);
  glfwDestroyWindow(m_window);
}

void SecondWindow::within(const std::function<void()>& work) const {
  ImGuiContext* first = ImGui::GetCurrentContext();
  GLFWwindow* first_window = glfwGetCurrentContext();
  ImGui::SetCurrentContext(m_context);
  glfwMakeContextCurrent(m_window);
  work();
  glfwMakeContextCurrent(first_window);
  ImGui::SetCurrentContext(first);
}

void SecondWindow::frame(const std::function<void()>& draw) {
  within([&] {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(m_window, &width, &height);
    draw_frame_data(width, height);
    glfwSwapBuffers(m_window);
  });
}

bool SecondWindow::should_close() const { return glfwWindowShouldClose(m_window) != 0; }

Image SecondWindow::picture() const {
  Image image;
  within([&] {
    int width = 0, height = 0;
    glfwGetFramebufferSize(m_window, &width, &height);
    image = drawn_picture(width, height);
  });
  return image;
}

}  // namespace warplens
