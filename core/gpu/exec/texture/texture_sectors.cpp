#include "core/gpu/exec/texture/texture_sectors.h"

#include <algorithm>

namespace warplens::exec {

namespace {

// Arrays are stored in blocks of 64 bytes × 8 rows, of which a sector is 16 bytes × 2 rows (NVIDIA, Tegra X1
// Technical Reference Manual, "Block Linear": the order of bytes in a GOB). The order of the blocks is not
// public, and does not change the number of sectors that a warp requests.
constexpr uint64_t block_bytes = 512, block_width = 64, block_rows = 8;

uint64_t place_in_block(uint64_t x, uint64_t y) {
  return x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

uint64_t address_of(const Texture& texture, const std::byte* texel) {
  const TextureSpec& spec = texture.spec;
  auto offset = static_cast<uint64_t>(texel - texture.texels);
  if (spec.shape == TextureShape::linear || spec.pitch != 0) return texture.address + offset;
  uint64_t address = texture.address;
  for (uint32_t level = 0; level < spec.levels; ++level) {
    const uint64_t row_bytes = spec.row_bytes(level), rows = spec.height_of(level);
    const uint64_t across = (row_bytes + block_width - 1) / block_width;
    const uint64_t down = (rows + block_rows - 1) / block_rows;
    if (offset < spec.level_bytes(level)) {
      const uint64_t x = offset % row_bytes, y = offset / row_bytes % rows, z = offset / row_bytes / rows;
      const uint64_t block = (z * down + y / block_rows) * across + x / block_width;
      return address + block * block_bytes + place_in_block(x, y);
    }
    offset -= spec.level_bytes(level);
    address += across * down * spec.depth_of(level) * block_bytes;
  }
  return address;
}

// Measured on an H200: in linear memory, eight lanes are taken together if a texel has at most 8 bytes. The
// linear filter takes half as many lanes in three dimensions. For texels of 16 bytes it takes half as many,
// twice.
bool is_slow(const TextureSpec& spec) { return spec.linear && spec.texel_bytes() == 16; }
uint32_t lanes_together(const TextureSpec& spec) {
  if (spec.linear) return 4u >> (is_slow(spec) ? 1 : 0) >> (spec.shape == TextureShape::three ? 1 : 0);
  return spec.shape == TextureShape::linear && spec.texel_bytes() <= 8 ? 8 : 4;
}

}  // namespace

// Not defaulted in the class, which would zero 9 KiB for each instruction of a warp.
TextureSectors::TextureSectors() = default;

void TextureSectors::begin(uint32_t lane, const Texture& texture) {
  const uint32_t group = lane / lanes_together(texture.spec);
  if (group != m_group_number) close_group();
  m_group_number = group;
  m_repeats = is_slow(texture.spec) ? 2 : 1;
}

void TextureSectors::add(uint32_t lane, const Texture& texture, const std::byte* texel) {
  begin(lane, texture);
  if (m_group_size != m_group.size()) m_group[m_group_size++] = address_of(texture, texel) / 32;
}

void TextureSectors::add(uint32_t lane, const Texture& texture, const Taps& taps) {
  begin(lane, texture);
  for (uint32_t i = 0; i < taps.count; ++i) {
    const Tap& tap = taps.list[i];
    if (tap.texel == nullptr || tap.weight == 0 || m_group_size == m_group.size()) continue;
    m_group[m_group_size++] = address_of(texture, tap.texel) / 32;
  }
}

void TextureSectors::close_group() {
  const auto begin = m_group.begin();
  std::sort(begin, begin + static_cast<std::ptrdiff_t>(m_group_size));
  const auto end = std::unique(begin, begin + static_cast<std::ptrdiff_t>(m_group_size));
  for (uint32_t repeat = 0; repeat < m_repeats; ++repeat) {
    for (auto sector = begin; sector != end && m_count < m_all.size(); ++sector) m_all[m_count++] = *sector;
  }
  m_group_size = 0;
}

std::span<const uint64_t> TextureSectors::finish() {
  close_group();
  return {m_all.data(), m_count};
}

}  // namespace warplens::exec
