// Another window beside the first, with a Dear ImGui context and fonts of its own: what the teacher sees on
// their own screen while the first is projected.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/widgets/look.h"
#include "core/image/image.h"

struct GLFWwindow;
struct ImGuiContext;

namespace warplens {

class SecondWindow {
 public:
  // Null where the system gives none. The first window must be there: it began GLFW.
  static std::unique_ptr<SecondWindow> open(const std::string& title, int width, int height, Theme theme,
                                            float text_scale);
  ~SecondWindow();
  SecondWindow(const SecondWindow&) = delete;
  SecondWindow& operator=(const SecondWindow&) = delete;

  // Draws a frame in its context, and comes back to that of the first window.
  void frame(const std::function<void()>& draw);
  bool should_close() const;
  // What it showed last, for tests.
  Image picture() const;

 private:
  explicit SecondWindow(GLFWwindow* window);
  void within(const std::function<void()>& work) const;  // its contexts are the current ones meanwhile

  GLFWwindow* m_window = nullptr;
  ImGuiContext* m_context = nullptr;
  Look m_look;
};

}  // namespace warplens
