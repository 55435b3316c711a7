// Another window next to the first, with a Dear ImGui context and fonts of its own: what the teacher sees on
// their own screen while the first is projected.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/host/window.h"
#include "app/widgets/look.h"
#include "core/image/image.h"

struct ImGuiContext;

namespace warplens {

class SecondWindow {
 public:
  // Null if the system gives none. The first window must exist.
  static std::unique_ptr<SecondWindow> open(const std::string& title, int width, int height, Theme theme,
                                            float text_scale);
  ~SecondWindow();
  SecondWindow(const SecondWindow&) = delete;
  SecondWindow& operator=(const SecondWindow&) = delete;

  // Draws a frame in its context, and comes back to that of the first window.
  void frame(const std::function<void()>& draw);
  bool should_close() const;
  // The contents that it showed last, for tests.
  Image picture() const;
  // A key goes down and up, as if it were pressed in this window. For tests.
  void press(int key);

 private:
  SecondWindow(std::unique_ptr<host::Window> window, Theme theme, float text_scale);

  std::unique_ptr<host::Window> m_window;
  ImGuiContext* m_context = nullptr;
  Look m_look;
};

}  // namespace warplens
