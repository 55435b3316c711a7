#include "app/widgets/offscreen.h"

#include <cstring>

#include "app/host/gl.h"

namespace warplens {

Offscreen::Offscreen(int width, int height) : m_width(width), m_height(height) {
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &m_before);
  glGenRenderbuffers(1, &m_colours);
  glBindRenderbuffer(GL_RENDERBUFFER, m_colours);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glGenFramebuffers(1, &m_buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, m_buffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, m_colours);
}

Offscreen::~Offscreen() {
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(m_before));
  glDeleteRenderbuffers(1, &m_colours);
  glDeleteFramebuffers(1, &m_buffer);
}

bool Offscreen::is_complete() const {
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// WebGL promises only four channels. OpenGL's first row is the lowest.
Image Offscreen::image() const {
  Image image;
  image.width = static_cast<uint32_t>(m_width);
  image.height = static_cast<uint32_t>(m_height);
  image.channels = 4;
  const size_t row = size_t{image.width} * image.channels;
  std::vector<uint8_t> upside_down(row * image.height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  image.pixels.resize(upside_down.size());
  for (size_t y = 0; y < image.height; ++y)
    std::memcpy(&image.pixels[y * row], &upside_down[(image.height - 1 - y) * row], row);
  return with_channels(image, 3);
}

}  // namespace warplens
