// Hands on keyboard and mouse: real events of the X server, which take the same path as those of a person.
// The test engine's own events enter after the window system, so some effects of a key (a letter is a key and
// a character) cannot be tested with them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ui/driver.h"

namespace warplens {

// While it exists, the window gets the events of the X server and not those of the test engine.
class Hands {
 public:
  explicit Hands(Driver& driver);
  ~Hands();
  Hands(const Hands&) = delete;
  Hands& operator=(const Hands&) = delete;

  // Types the text with this time between two keys. "\n" is Return.
  void type(const std::string& text, int milliseconds = 10);
  // Presses keys one after the other, by their names in X: "Return", "ctrl+a", "Page_Down".
  void press(std::initializer_list<std::string> keys, int milliseconds = 10);
  void point(ImVec2 at);
  void click(ImVec2 at);
  // Clicks into the code and waits, as a person does, until the cursor is there.
  void click_editor();
  // Commands of xdotool one after the other, while frames pass.
  void run(std::vector<std::string> arguments);
  // The centre of a drawn item, by its path in the test engine ("//###code/**/##source").
  ImVec2 middle_of(const std::string& item) const;

 private:
  Driver& m_driver;
  float m_frame_seconds;
};

// Letters and digits of a text, without spaces and the marks of Markdown.
std::string letters_of(std::string_view text);
// Letters of all text drawn in a frame, without text that is scrolled out of sight.
std::string letters_in_sight(Driver& d);

}  // namespace warplens
