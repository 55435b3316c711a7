// The OpenGL part of a live picture: a buffer for each slot, to which a GPU or the host writes the bytes of
// a frame, and the texture that a shader makes from a buffer. It works in the same way for both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "app/base/draw/raster.h"
#include "core/base/result.h"
#include "core/gpu/live/live_engine.h"

namespace warplens {

struct PictureShape {
  uint32_t width = 0, height = 0, channels = 0;
  uint64_t bytes() const { return uint64_t{width} * height * channels; }
  bool operator==(const PictureShape&) const = default;
};

// Make, use and destroy it while the window's OpenGL context is current.
class LivePicture {
 public:
  static Result<std::unique_ptr<LivePicture>> open();
  ~LivePicture();
  LivePicture(const LivePicture&) = delete;
  LivePicture& operator=(const LivePicture&) = delete;

  // Makes new buffers for pictures of this shape. An engine that was lent the old ones must give them back
  // first. The texture stays the same until the next show().
  Result<void> reshape(PictureShape shape);
  PictureShape shape() const { return m_shape; }
  OpenGlBuffers buffers() const;

  // Copies a picture from host memory into the slot's buffer.
  void upload(size_t slot, std::span<const std::byte> bytes);
  // From now on the texture shows the picture in the slot. The buffer is being read until is_read() returns
  // true.
  void show(size_t slot);
  bool is_read(size_t slot);

  uint32_t texture() const { return m_texture; }  // 0 before the first show()
  BusTraffic traffic() const { return m_traffic; }
  // The pixels of the texture, top row first. It waits for the drawing.
  Raster read_back() const;

 private:
  LivePicture() = default;
  Result<void> compile();
  void make_texture();
  void forget_fences();

  struct Slot {
    uint32_t buffer = 0, view = 0;  // the buffer, and a texture to read its bytes in the shader
    void* fence = nullptr;          // GLsync
  };
  PictureShape m_shape, m_texture_shape;
  std::array<Slot, live_slots> m_slots{};
  uint32_t m_program = 0, m_triangle = 0, m_frame = 0, m_texture = 0;
  int m_width = -1, m_channels = -1;  // uniforms
  BusTraffic m_traffic;
};

}  // namespace warplens
