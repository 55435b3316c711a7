// The 32-byte sectors that a texture read of a warp requests from L1, as Nsight Compute counts them
// (l1tex__t_sectors_pipe_tex_mem_texture): the unit takes the lanes four at a time, and each four request
// every sector that they touch once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/gpu/exec/state/texture.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

class TextureSectors {
 public:
  TextureSectors();

  // Lanes must be added in ascending order.
  void add(uint32_t lane, const Texture& texture, const Taps& taps);
  void add(uint32_t lane, const Texture& texture, const std::byte* texel);
  // Numbers of sectors: addresses divided by 32.
  std::span<const uint64_t> finish();

 private:
  void begin(uint32_t lane, const Texture& texture);
  void close_group();

  static constexpr size_t most_taps = std::tuple_size_v<decltype(Taps::list)>;
  std::array<uint64_t, 8 * most_taps> m_group;
  size_t m_group_size = 0;
  uint32_t m_group_number = UINT32_MAX, m_repeats = 1;
  std::array<uint64_t, 2 * warp_lanes * most_taps> m_all;
  size_t m_count = 0;
};

}  // namespace warplens::exec
