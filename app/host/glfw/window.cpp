#include "app/host/window.h"

#include <glad/glad.h>
// glad comes first: it replaces the OpenGL header that GLFW would include.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <cstdlib>
#include <utility>

namespace warplens::host {
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

GLFWwindow* create(const WindowOptions& options, bool robust) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (robust) glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.visible ? GLFW_TRUE : GLFW_FALSE);
  return glfwCreateWindow(options.size.width, options.size.height, options.title.c_str(), nullptr, nullptr);
}

// Null if the driver has none.
using ResetStatus = unsigned (*)();
ResetStatus find_reset_status(GLFWwindow* window) {
  if (glfwGetWindowAttrib(window, GLFW_CONTEXT_ROBUSTNESS) == 0) return nullptr;
  for (const char* name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusARB"})
    if (const auto found = reinterpret_cast<ResetStatus>(glfwGetProcAddress(name))) return found;
  return nullptr;
}

}  // namespace

const char* const glsl_version = "#version 330";

struct Window::Impl {
  GLFWwindow* window = nullptr;
  bool first = false;             // it began GLFW, and ends it
  ImGuiContext* imgui = nullptr;  // that hears it
  ResetStatus reset_status = nullptr;
  bool lost = false;  // the driver reports it only once
  std::vector<std::string> dropped;
  uint64_t events = 0;
};

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  if (!glfwInit()) return no_display();
  auto impl = std::make_unique<Impl>();
  impl->first = true;
  impl->window = create(options, true);
  if (impl->window == nullptr) impl->window = create(options, false);
  if (impl->window == nullptr) {
    Error error = no_opengl();
    glfwTerminate();
    return error;
  }
  std::unique_ptr<Window> opened(new Window(std::move(impl)));
  GLFWwindow* window = opened->m_impl->window;
  glfwMakeContextCurrent(window);
  if (gladLoadGLLoader(reinterpret_cast<GLADloadproc>(glfwGetProcAddress)) == 0) return no_opengl();
  glfwSwapInterval(options.vsync ? 1 : 0);
  opened->m_impl->reset_status = find_reset_status(window);
  return opened;
}

std::unique_ptr<Window> Window::open_another(const WindowOptions& options) {
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // keys and clicker stay with the first
  auto impl = std::make_unique<Impl>();
  impl->window =
      glfwCreateWindow(options.size.width, options.size.height, options.title.c_str(), nullptr, nullptr);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
  if (impl->window == nullptr) return nullptr;
  std::unique_ptr<Window> second(new Window(std::move(impl)));
  second->within([&] { glfwSwapInterval(options.vsync ? 1 : 0); });
  return second;
}

// These callbacks are installed first, since Dear ImGui's backend calls those that it finds.
Window::Window(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {
  glfwSetWindowUserPointer(m_impl->window, m_impl.get());
  glfwSetDropCallback(m_impl->window, [](GLFWwindow* window, int count, const char** paths) {
    auto* self = static_cast<Impl*>(glfwGetWindowUserPointer(window));
    for (int i = 0; i < count; ++i) self->dropped.emplace_back(paths[i]);
    ++self->events;
  });
  glfwSetWindowRefreshCallback(m_impl->window, [](GLFWwindow* window) {
    ++static_cast<Impl*>(glfwGetWindowUserPointer(window))->events;
  });
}

Window::~Window() {
  glfwDestroyWindow(m_impl->window);
  if (m_impl->first) glfwTerminate();
}

void Window::within(const std::function<void()>& work) const {
  ImGuiContext* imgui_before = ImGui::GetCurrentContext();
  GLFWwindow* before = glfwGetCurrentContext();
  if (m_impl->imgui != nullptr) ImGui::SetCurrentContext(m_impl->imgui);
  glfwMakeContextCurrent(m_impl->window);
  work();
  glfwMakeContextCurrent(before);
  ImGui::SetCurrentContext(imgui_before);
}

void Window::attach_imgui() {
  m_impl->imgui = ImGui::GetCurrentContext();
  ImGui_ImplGlfw_InitForOpenGL(m_impl->window, true);
}

void Window::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

void Window::new_imgui_frame() { ImGui_ImplGlfw_NewFrame(); }

bool Window::should_close() const { return glfwWindowShouldClose(m_impl->window) != 0; }

void Window::swap() { glfwSwapBuffers(m_impl->window); }

void Window::resize(Size size) { glfwSetWindowSize(m_impl->window, size.width, size.height); }

Size Window::size() const {
  Size size;
  glfwGetWindowSize(m_impl->window, &size.width, &size.height);
  return size;
}

Size Window::pixels() const {
  Size size;
  glfwGetFramebufferSize(m_impl->window, &size.width, &size.height);
  return size;
}

float Window::content_scale() const {
  float across = 1, down = 1;
  glfwGetWindowContentScale(m_impl->window, &across, &down);
  return across;
}

uint64_t Window::events() const { return m_impl->events; }

std::vector<std::string> Window::dropped_files() { return std::exchange(m_impl->dropped, {}); }

bool Window::lost() {
  if (!m_impl->lost && m_impl->reset_status != nullptr) m_impl->lost = m_impl->reset_status() != GL_NO_ERROR;
  return m_impl->lost;
}

void run(const std::function<bool()>& frame) {
  while (frame()) {
  }
}

bool wait_for_events(double longest) {
  if (longest <= 0) {
    glfwPollEvents();
    return false;
  }
  const double start = seconds();
  glfwWaitEventsTimeout(longest);
  return seconds() - start < longest * 0.98;
}

void wake() { glfwPostEmptyEvent(); }

double seconds() { return glfwGetTime(); }

std::string address_of_page() {
  const char* named = std::getenv("WARPLENS_PAGE");
  return named == nullptr ? "" : named;
}

void begin_again() {}

}  // namespace warplens::host
