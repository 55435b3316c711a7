// A target of OpenGL in memory, for pictures that are not shown. It is bound while it lives, and the earlier
// target after it.
#pragma once

#include <cstdint>

#include "core/image/image.h"

namespace warplens {

class Offscreen {
 public:
  Offscreen(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  // Whether the driver can draw into it.
  bool is_complete() const;
  // What was drawn, in three channels.
  Image image() const;

 private:
  int m_width, m_height, m_before = 0;
  uint32_t m_colours = 0, m_buffer = 0;
};

}  // namespace warplens
