// A screen of the tests' own, so that pictures are the same anywhere and nobody's desktop is typed into.
#pragma once

#include <sys/types.h>

#include <string>

namespace warplens {

// Xvfb, drawn by the processor. It takes a number that is free by itself, so that any number of programs may
// begin at the same time, and goes with this process, however that ends.
class OwnScreen {
 public:
  OwnScreen() = default;
  ~OwnScreen();
  OwnScreen(const OwnScreen&) = delete;
  OwnScreen& operator=(const OwnScreen&) = delete;

  // Windows open on it from then on. Empty, or why there is none.
  std::string open();

 private:
  pid_t m_server = -1;
};

}  // namespace warplens
