// Reads of 1D and 2D textures that return one texel unchanged: reads without a filter, and filtered reads at
// the centre of a texel. Most reads are of this kind, and need none of the other work in sample.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/gpu/exec/state/texture.h"

namespace warplens::exec {

class Plane {
 public:
  // Nothing if reads of this texture by this instruction are never of that kind.
  static std::optional<Plane> of(const Texture& texture, const program::TextureAccess& access);

  // The texel. Null if several texels take part, or none.
  const std::byte* texel_at(float x, float y) const {
    int64_t column = 0, row = 0;
    if (!place(m_x, x, column) || (m_dimensions == 2 && !place(m_y, y, row))) return nullptr;
    return m_texels + static_cast<uint64_t>(row) * m_row_bytes +
           static_cast<uint64_t>(column) * m_texel_bytes;
  }

 private:
  struct Side {
    int64_t size = 1;
    TextureAddress mode = TextureAddress::clamp;
  };
  bool place(const Side& side, float coordinate, int64_t& at) const;

  const std::byte* m_texels = nullptr;
  uint64_t m_row_bytes = 0, m_texel_bytes = 0;
  uint32_t m_dimensions = 1;
  Side m_x, m_y;
  bool m_linear = false, m_normalized = false;
};

}  // namespace warplens::exec
