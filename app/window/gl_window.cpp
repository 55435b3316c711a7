#include "app/window/gl_window.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/host/gl.h"
#include "app/window/frame_data.h"

namespace warplens {
namespace {

void set_imgui_config() {
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigDockingTransparentPayload = true;
  io.IniFilename = nullptr;  // the shell keeps the layout
  io.LogFilename = nullptr;
  io.ConfigDebugHighlightIdConflicts = false;           // tests turn it on, and fail
  ImGuiContext& context = *ImGui::GetCurrentContext();  // Ctrl+Tab goes by the order of the frame
  context.ConfigNavWindowingKeyNext = context.ConfigNavWindowingKeyPrev = 0;
}

// Takes what a frame should not hear yet out of its queue. Of keys that do something (End, Return, Ctrl+V;
// not letters) a frame gets one, with the modifiers that were held, and the next frame none: the code editor
// asks for its keys one after the other as far as the one that was pressed, and those after it are its own
// again only in the frame after the next. `rests` says that the last frame had one, and then whether this one
// has.
std::vector<ImGuiInputEvent> not_yet(bool& rests) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  auto& queue = g.InputEventsQueue;
  bool held = g.IO.KeyCtrl || g.IO.KeyAlt;  // a modifier that makes a letter a command
  int heard = std::exchange(rests, false) ? 1 : 0;
  for (int i = 0; i < queue.Size; ++i) {
    if (queue[i].Type != ImGuiInputEventType_Key) continue;
    const ImGuiKey key = queue[i].Key.Key;
    const bool modifier =
        (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) || (key & ImGuiMod_Mask_) != 0;
    if (key == ImGuiMod_Ctrl || key == ImGuiMod_Alt) held = queue[i].Key.Down;
    const bool prints = !modifier && !held && g.KeysMayBeCharInput.TestBit(key);
    const bool command = queue[i].Key.Down && !modifier && !prints;
    if (command && heard == 0) {
      heard = 1;
      rests = true;
    } else if (command || (modifier && rests)) {
      std::vector<ImGuiInputEvent> later(queue.begin() + i, queue.end());
      queue.resize(i);
      return later;
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<GlWindow>> GlWindow::open(const GlWindowOptions& options) {
  auto window =
      host::Window::open({options.title, {options.width, options.height}, options.visible, options.vsync});
  if (!window) return window.error();
  return std::unique_ptr<GlWindow>(new GlWindow(std::move(*window), options.visible));
}

GlWindow::GlWindow(std::unique_ptr<host::Window> window, bool visible)
    : m_window(std::move(window)), m_draws(visible) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  set_imgui_config();
  // A hidden window is drawn into pictures, which have the same size everywhere.
  ImGui::GetStyle().FontScaleDpi = visible ? std::clamp(m_window->content_scale(), 0.5f, 4.0f) : 1.0f;
  m_window->attach_imgui();
  ImGui_ImplOpenGL3_Init(host::glsl_version);
}

GlWindow::~GlWindow() {
  ImGui_ImplOpenGL3_Shutdown();
  m_window->detach_imgui();
  ImGui::DestroyContext();
}

bool GlWindow::rescaled() {
  const float scale = m_draws ? std::clamp(m_window->content_scale(), 0.5f, 4.0f) : 1.0f;
  return std::exchange(ImGui::GetStyle().FontScaleDpi, scale) != scale;
}

bool GlWindow::should_close() const { return m_window->should_close(); }

bool GlWindow::wait_for_events(double seconds) {
  const uint64_t before = m_window->events();
  if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) seconds = 0;  // left by the frame before
  // Dear ImGui queues the events of its callbacks. For other events, the wait ended early.
  const bool early = host::wait_for_events(seconds);
  const bool heard = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  return heard || m_window->events() != before || early;
}

void GlWindow::wake() { host::wake(); }

void GlWindow::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  m_window->new_imgui_frame(m_draws);
  const std::vector<ImGuiInputEvent> later = not_yet(m_rests);
  ImGui::NewFrame();
  auto& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

void GlWindow::end_frame() {
  ImGui::Render();
  const auto [width, height] = m_window->pixels();
  if (m_take && width > 0 && height > 0) std::exchange(m_take, nullptr)(drawn_picture(width, height));
  if (!m_draws) return update_textures();
  draw_frame_data(width, height);
  m_window->swap();
}

// What drawing and showing a frame do besides: letters that are new go to OpenGL, and what was asked of it
// begins.
void GlWindow::update_textures() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
  glFlush();
}

void GlWindow::fill_screen(bool on) {
  if (m_draws && std::exchange(m_fills_screen, on) != on) m_window->fill_screen(on);
}

void GlWindow::resize(int width, int height) { m_window->resize({width, height}); }

int GlWindow::width() const { return m_window->size().width; }

int GlWindow::height() const { return m_window->size().height; }

double GlWindow::seconds() const { return host::seconds(); }

bool GlWindow::lost() { return m_window->lost(); }

std::string GlWindow::driver() const {
  const auto text = [](GLenum name) {
    const GLubyte* bytes = glGetString(name);
    return bytes == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(bytes));
  };
  const std::string version = text(GL_VERSION);  // the number first, then words of the vendor's own
  return "OpenGL " + version.substr(0, version.find(' ')) + ", " + text(GL_RENDERER);
}

std::vector<std::string> GlWindow::dropped_files() { return m_window->dropped_files(); }

}  // namespace warplens
