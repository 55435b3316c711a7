#include "app/window/gl_window.h"

#include <glad/glad.h>
// glad comes first: it replaces the OpenGL header that GLFW would include.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/window/frame_data.h"

namespace warplens {
namespace {

std::string glfw_reason() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? std::string(" (") + words + ")" : std::string();
}

constexpr const char* without_a_window =
    "Everything else works without one: try \"warplens run grayscale --out gray.png\".";

Error no_display() {
  return missing("There is no display to open a window on" + glfw_reason() +
                 ". Start the program from a desktop session, or over ssh with -X. " + without_a_window);
}

Error no_opengl() {
  return missing("This display offers no OpenGL 3.3" + glfw_reason() +
                 ". Install a graphics driver, or libgl1-mesa-dri for drawing on the processor. " +
                 without_a_window);
}

void set_hints(const GlWindowOptions& options, bool robust) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (robust) glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.visible ? GLFW_TRUE : GLFW_FALSE);
}

void set_imgui_config() {
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigDockingTransparentPayload = true;
  io.IniFilename = nullptr;  // the shell keeps the layout
  io.LogFilename = nullptr;
  ImGuiContext& context = *ImGui::GetCurrentContext();  // Ctrl+Tab goes by the order of the frame
  context.ConfigNavWindowingKeyNext = context.ConfigNavWindowingKeyPrev = 0;
}

// Takes what a frame should not hear yet out of its queue. Of keys that do something (End, Return, Ctrl+V;
// not letters) a frame hears one, with the modifiers that were held, and the frame behind it none: the code
// editor asks for its keys one after the other as far as the one that was pressed, and those behind it are
// its own again only in the frame after the next. `rests` says that the last frame had one, and then whether
// this one has.
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
  if (!glfwInit()) return no_display();
  GLFWwindow* window = nullptr;
  for (const bool robust : {true, false}) {
    if (window != nullptr) break;
    set_hints(options, robust);
    window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  }
  if (!window) {
    Error error = no_opengl();
    glfwTerminate();
    return error;
  }
  glfwMakeContextCurrent(window);
  if (gladLoadGLLoader(reinterpret_cast<GLADloadproc>(glfwGetProcAddress)) == 0) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return no_opengl();
  }
  glfwSwapInterval(options.vsync ? 1 : 0);
  std::unique_ptr<GlWindow> opened(new GlWindow(window, options.visible));
  for (const char* name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusARB"})
    if (opened->m_reset_status == nullptr && glfwGetWindowAttrib(window, GLFW_CONTEXT_ROBUSTNESS) != 0)
      opened->m_reset_status = reinterpret_cast<unsigned (*)()>(glfwGetProcAddress(name));
  return opened;
}

// These callbacks are installed first, since Dear ImGui's backend calls those that it finds.
GlWindow::GlWindow(GLFWwindow* window, bool visible) : m_window(window), m_draws(visible) {
  glfwSetWindowUserPointer(window, this);
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    auto* self = static_cast<GlWindow*>(glfwGetWindowUserPointer(w));
    for (int i = 0; i < count; ++i) self->m_dropped.emplace_back(paths[i]);
    ++self->m_events;
  });
  glfwSetWindowRefreshCallback(
      window, [](GLFWwindow* w) { ++static_cast<GlWindow*>(glfwGetWindowUserPointer(w))->m_events; });
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  set_imgui_config();
  float scale_x = 1, scale_y = 1;
  glfwGetWindowContentScale(window, &scale_x, &scale_y);
  // A hidden window is drawn into pictures, which have the same size everywhere.
  ImGui::GetStyle().FontScaleDpi = visible ? std::clamp(scale_x, 0.5f, 4.0f) : 1.0f;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 330");
}

GlWindow::~GlWindow() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(m_window);
  glfwTerminate();
}

bool GlWindow::should_close() const { return glfwWindowShouldClose(m_window) != 0; }

bool GlWindow::wait_for_events(double seconds) {
  const uint64_t before = m_events;
  if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) seconds = 0;  // left by the frame before
  const double start = glfwGetTime();
  if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  // Dear ImGui queues the events of its callbacks. For other events, the wait ended early.
  const bool heard = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  return heard || m_events != before || (seconds > 0 && glfwGetTime() - start < seconds * 0.98);
}

void GlWindow::wake() { glfwPostEmptyEvent(); }

void GlWindow::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  const std::vector<ImGuiInputEvent> later = not_yet(m_rests);
  ImGui::NewFrame();
  auto& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

void GlWindow::end_frame() {
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(m_window, &width, &height);
  if (m_take && width > 0 && height > 0) std::exchange(m_take, nullptr)(drawn_picture(width, height));
  if (!m_draws) return update_textures();
  draw_frame_data(width, height);
  glfwSwapBuffers(m_window);
}

// What drawing and showing a frame do besides: letters that are new go to OpenGL, and what was asked of it
// begins.
void GlWindow::update_textures() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
  glFlush();
}

void GlWindow::resize(int width, int height) { glfwSetWindowSize(m_window, width, height); }

int GlWindow::width() const {
  int width = 0, height = 0;
  glfwGetWindowSize(m_window, &width, &height);
  return width;
}

int GlWindow::height() const {
  int width = 0, height = 0;
  glfwGetWindowSize(m_window, &width, &height);
  return height;
}

double GlWindow::seconds() const { return glfwGetTime(); }

bool GlWindow::lost() {
  if (!m_lost && m_reset_status != nullptr) m_lost = m_reset_status() != GL_NO_ERROR;
  return m_lost;
}

std::string GlWindow::driver() const {
  const auto text = [](GLenum name) {
    const GLubyte* bytes = glGetString(name);
    return bytes == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(bytes));
  };
  const std::string version = text(GL_VERSION);  // the number first, then words of the vendor's own
  return "OpenGL " + version.substr(0, version.find(' ')) + ", " + text(GL_RENDERER);
}

std::vector<std::string> GlWindow::dropped_files() { return std::exchange(m_dropped, {}); }

}  // namespace warplens
