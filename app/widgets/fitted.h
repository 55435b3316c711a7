// Text that is made smaller until it fits its place, so that nobody has to scroll to what is asked.
#pragma once

#include <cstdint>

namespace warplens {

// Text and lengths are smaller by this factor while it lives.
class SmallerText {
 public:
  explicit SmallerText(float factor);
  ~SmallerText();
  SmallerText(const SmallerText&) = delete;
  SmallerText& operator=(const SmallerText&) = delete;

 private:
  float m_scale;
};

// The factor for a part of a window. It is found within a few frames, in which the part is not shown.
class FittedText {
 public:
  // Begins again with full size if any of these changes: what is shown (any number), its room, the text size.
  void begin(uint64_t content, float width, float height);
  // The height that the part needed in this frame.
  void note(float needed);
  float factor() const { return m_factor; }
  float needed() const { return m_needed; }
  bool is_settled() const { return m_settled; }
  // Whether the part has to scroll, since it would be too small.
  bool overflows() const;

 private:
  uint64_t m_content = 0;
  float m_width = -1, m_height = -1, m_text = 0;
  float m_factor = 1, m_needed = 0;
  bool m_settled = false;
};

}  // namespace warplens
