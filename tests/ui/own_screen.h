// A separate screen for the tests, so that pictures are the same anywhere and the user's desktop gets no
// input.
#pragma once

#include <sys/types.h>

#include <string>

namespace warplens {

// Xvfb, drawn by the processor. It finds a free display number itself, so any number of programs may start at
// the same time. It ends with this process, however that ends.
class OwnScreen {
 public:
  OwnScreen() = default;
  ~OwnScreen();
  OwnScreen(const OwnScreen&) = delete;
  OwnScreen& operator=(const OwnScreen&) = delete;

  // From then on, windows open on it. Returns an empty text, or the reason of a failure.
  std::string open();

 private:
  pid_t m_server = -1;
};

}  // namespace warplens
