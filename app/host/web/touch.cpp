#include "app/host/web/touch.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

// touch.js
extern "C" void warplens_fingers_are_no_mouse();

namespace warplens::host {
namespace {

constexpr float still_pixels = 10;    // in units of the page, because a finger is wide
constexpr double rest_ms = 500;       // after this it is a long press
constexpr float wheel_of_octave = 5;  // notches when the distance of the fingers doubles
constexpr float em_of_notch = 5;      // by which Dear ImGui scrolls

enum class Gesture { none, down, scroll, drag, pinned, pinch };

struct Touch {
  Gesture gesture = Gesture::none;
  GLFWwindow* window = nullptr;
  ImVec2 from, at;  // in pixels of the canvas
  double since = 0;
  float apart = 0;
};
Touch& touch() {
  static Touch only;
  return only;
}

float pixels_of_unit() { return static_cast<float>(emscripten_get_device_pixel_ratio()); }

ImVec2 place_of(const EmscriptenTouchPoint& point) {
  const float scale = pixels_of_unit();
  return {static_cast<float>(point.targetX) * scale, static_cast<float>(point.targetY) * scale};
}

void move_to(ImVec2 place) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
  io.AddMousePosEvent(place.x, place.y);
}

void press(bool down) { ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down); }

void click(ImVec2 place) {
  move_to(place);
  press(true);
  press(false);
}

// A list under the finger scrolls, if the finger is not on one of its controls.
bool is_on_a_list() {
  const ImGuiContext* imgui = ImGui::GetCurrentContext();
  const ImGuiWindow* window = imgui->HoveredWindow;
  return window != nullptr && window->ScrollMax.y > 0 && imgui->ActiveId == 0;
}

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

void begin_pinch(ImVec2 first, ImVec2 second) {
  Touch& now = touch();
  if (now.gesture == Gesture::drag) press(false);
  now.gesture = Gesture::pinch;
  now.apart = std::max(distance(first, second), 1.0f);
  move_to({(first.x + second.x) / 2, (first.y + second.y) / 2});
}

void go_on_pinching(ImVec2 first, ImVec2 second) {
  Touch& now = touch();
  const float apart = std::max(distance(first, second), 1.0f);
  move_to({(first.x + second.x) / 2, (first.y + second.y) / 2});
  ImGui::GetIO().AddMouseWheelEvent(0, std::log2(apart / now.apart) * wheel_of_octave);
  now.apart = apart;
}

void go_on(ImVec2 place) {
  Touch& now = touch();
  if (now.gesture == Gesture::down && distance(place, now.from) > still_pixels * pixels_of_unit()) {
    now.gesture = is_on_a_list() ? Gesture::scroll : Gesture::drag;
    if (now.gesture == Gesture::drag) {
      move_to(now.from);
      press(true);
    }
  }
  if (now.gesture == Gesture::scroll)
    ImGui::GetIO().AddMouseWheelEvent(0, (place.y - now.at.y) / (em_of_notch * ImGui::GetFontSize()));
  if (now.gesture == Gesture::drag) move_to(place);
  now.at = place;
}

void end() {
  Touch& now = touch();
  if (now.gesture == Gesture::down) click(now.from);
  if (now.gesture == Gesture::drag) press(false);
  now.gesture = Gesture::none;
}

EM_BOOL on_touch(int kind, const EmscriptenTouchEvent* event, void*) {
  Touch& now = touch();
  if (kind == EMSCRIPTEN_EVENT_TOUCHEND || kind == EMSCRIPTEN_EVENT_TOUCHCANCEL) {
    // Emscripten also lists the fingers that have left the screen.
    const bool cancelled = kind == EMSCRIPTEN_EVENT_TOUCHCANCEL;
    if (cancelled && now.gesture == Gesture::down) now.gesture = Gesture::none;
    end();
    return EM_TRUE;
  }
  const ImVec2 first = place_of(event->touches[0]);
  // Otherwise Dear ImGui reads the position of a mouse that does not exist, each frame.
  if (kind == EMSCRIPTEN_EVENT_TOUCHSTART) ImGui_ImplGlfw_CursorEnterCallback(now.window, true);
  if (event->numTouches >= 2) {
    const ImVec2 second = place_of(event->touches[1]);
    if (now.gesture == Gesture::pinch)
      go_on_pinching(first, second);
    else
      begin_pinch(first, second);
  } else if (kind == EMSCRIPTEN_EVENT_TOUCHSTART) {
    now = {Gesture::down, now.window, first, first, emscripten_get_now(), 0};
    move_to(first);  // the pointer hovers from here on
  } else {
    go_on(first);
  }
  return EM_TRUE;
}

}  // namespace

void hear_touch(const char* canvas, GLFWwindow* window) {
  touch().window = window;
  warplens_fingers_are_no_mouse();
  emscripten_set_touchstart_callback(canvas, nullptr, false, on_touch);
  emscripten_set_touchmove_callback(canvas, nullptr, false, on_touch);
  emscripten_set_touchend_callback(canvas, nullptr, false, on_touch);
  emscripten_set_touchcancel_callback(canvas, nullptr, false, on_touch);
}

void watch_touch() {
  Touch& now = touch();
  if (now.gesture != Gesture::down || emscripten_get_now() - now.since < rest_ms) return;
  click(now.from);
  now.gesture = Gesture::pinned;
}

}  // namespace warplens::host
