// Hands on keyboard and mouse: real events of the X server, which go the whole way that a person's go. The
// test engine's own come in behind the window system, and some of what a key does (a letter is a key and a
// character) is not seen with them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ui/driver.h"

namespace warplens {

// While it lives, the window hears the X server and not the test engine.
class Hands {
 public:
  explicit Hands(Driver& driver);
  ~Hands();
  Hands(const Hands&) = delete;
  Hands& operator=(const Hands&) = delete;

  // Types the text, this long between two keys. "\n" is Return.
  void type(const std::string& text, int milliseconds = 10);
  // Keys by their names in X, one after the other: "Return", "ctrl+a", "Page_Down".
  void press(std::initializer_list<std::string> keys, int milliseconds = 10);
  void point(ImVec2 at);
  void click(ImVec2 at);
  // Into the code, until its cursor is there, as a person waits.
  void click_editor();
  // The middle of an item that is drawn, by its path in the test engine ("//###code/**/##source").
  ImVec2 middle_of(const std::string& item) const;

 private:
  void run(std::vector<std::string> arguments);  // xdotool, while frames pass

  Driver& m_driver;
  float m_frame_seconds;
};

// Letters and digits of a text, without spaces and the marks of Markdown.
std::string letters_of(std::string_view text);
// Letters of all text that is drawn in a frame: what is scrolled out of sight is not.
std::string letters_in_sight(Driver& d);

}  // namespace warplens
