#include "app/window/second_window.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <utility>

#include "app/window/fonts.h"
#include "app/window/frame_data.h"
#include "app/window/theme.h"

namespace warplens {

std::unique_ptr<SecondWindow> SecondWindow::open(const std::string& title, int width, int height, Theme theme,
                                                 float text_scale) {
  auto window = host::Window::open_another({title, {width, height}, true, false});
  if (!window) return nullptr;
  return std::unique_ptr<SecondWindow>(new SecondWindow(std::move(window), theme, text_scale));
}

SecondWindow::SecondWindow(std::unique_ptr<host::Window> window, Theme theme, float text_scale)
    : m_window(std::move(window)) {
  ImGuiContext* first = ImGui::GetCurrentContext();
  m_context = ImGui::CreateContext();
  ImGui::SetCurrentContext(m_context);
  m_window->within([&] {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.IniFilename = io.LogFilename = nullptr;
    io.UserData = &m_look;
    ImGui::GetStyle().FontScaleDpi = std::clamp(m_window->content_scale(), 0.5f, 4.0f);
    m_window->attach_imgui();
    ImGui_ImplOpenGL3_Init(host::glsl_version);
    load_fonts(m_look);
    m_look.theme = theme;
    m_look.palette = palette_of(theme);
    apply_theme(m_look, text_scale);
  });
  ImGui::SetCurrentContext(first);
}

SecondWindow::~SecondWindow() {
  m_window->within([this] {
    ImGui_ImplOpenGL3_Shutdown();
    m_window->detach_imgui();
  });
  ImGui::DestroyContext(m_context);
}

void SecondWindow::frame(const std::function<void()>& draw) {
  m_window->within([&] {
    ImGui_ImplOpenGL3_NewFrame();
    m_window->new_imgui_frame(true);
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    const auto [width, height] = m_window->pixels();
    draw_frame_data(width, height);
    m_window->swap();
  });
}

bool SecondWindow::should_close() const { return m_window->should_close(); }

void SecondWindow::press(int key) {
  m_window->within([key] {
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), true);
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), false);
  });
}

Image SecondWindow::picture() const {
  Image image;
  m_window->within([&] {
    const auto [width, height] = m_window->pixels();
    image = drawn_picture(width, height);
  });
  return image;
}

}  // namespace warplens
