// Sectors of texture reads against what Nsight Compute counted on an H200
// (l1tex__t_sectors_pipe_tex_mem_texture.sum): one warp, one read.
#include "core/gpu/exec/texture/texture_sectors.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::exec::test {
namespace THIS_FILE {

using Place = std::array<float, 3> (*)(int lane);

std::array<float, 3> row(int i) { return {float(i) + .5f, .5f, .5f}; }
std::array<float, 3> between_rows(int i) { return {float(i) + 1, 1, 1}; }
std::array<float, 3> tile(int i) { return {float(i % 8) + 1, float(i / 8) + 1, 1}; }
std::array<float, 3> column(int i) { return {.5f, float(i) + .5f, 1}; }
std::array<float, 3> dense(int i) { return {float(i) * .5f + .75f, .75f, 2.25f}; }
std::array<float, 3> scattered(int i) {
  return {float(i * 37 % 61) + .7f, float(i * 23 % 59) + .3f, float(i * 7 % 13) + .4f};
}
constexpr Place patterns[] = {row, between_rows, tile, column, dense, scattered};

struct Recorded {
  const char* what;
  TextureShape shape;
  DType type;
  uint32_t channels;
  bool linear;
  std::array<size_t, std::size(patterns)> sectors;
};
constexpr Recorded recorded[] = {
    {"bytes, four channels", TextureShape::two, DType::u8, 4, true, {8, 16, 24, 16, 12, 56}},
    {"bytes", TextureShape::two, DType::u8, 1, true, {8, 10, 12, 16, 9, 50}},
    {"float pairs", TextureShape::two, DType::f32, 2, true, {16, 24, 36, 16, 16, 66}},
    {"float pairs, nearest", TextureShape::two, DType::f32, 2, false, {16, 24, 24, 16, 16, 32}},
    {"four halves", TextureShape::two, DType::f16, 4, true, {16, 24, 36, 16, 16, 66}},
    {"layers", TextureShape::layers_of_two, DType::f32, 1, true, {8, 16, 24, 16, 12, 56}},
    {"volume", TextureShape::three, DType::f32, 1, true, {16, 48, 72, 32, 40, 105}},
    {"volume, nearest", TextureShape::three, DType::f32, 1, false, {8, 16, 16, 16, 12, 32}},
    {"volume of four floats", TextureShape::three, DType::f32, 4, true, {64, 256, 384, 128, 256, 356}},
};

TEST(TextureSectors, AreThoseThatTheProfilerCounted) {
  for (const Recorded& each : recorded) {
    Texture texture;
    TextureSpec& spec = texture.spec;
    spec.shape = each.shape;
    spec.type = each.type;
    spec.channels = each.channels;
    spec.width = spec.height = 64;
    spec.depth = each.shape == TextureShape::two ? 1 : 16;
    spec.linear = each.linear;
    spec.normalized_read = each.type == DType::u8;
    std::vector<std::byte> texels(spec.bytes());
    texture.texels = texels.data();
    for (size_t p = 0; p < std::size(patterns); ++p) {
      TextureSectors sectors;
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        const auto at = patterns[p](static_cast<int>(lane));
        const bool volume = each.shape == TextureShape::three;
        const auto layer = each.shape == TextureShape::layers_of_two ? static_cast<uint32_t>(at[2]) : 0u;
        sectors.add(lane, texture, taps_of(texture, {at, volume ? 3u : 2u, layer}));
      }
      EXPECT_EQ(sectors.finish().size(), each.sectors[p]) << each.what << ", pattern " << p;
    }
  }
}

// Linear memory has no tiles, and eight lanes are taken together.
TEST(TextureSectors, OfLinearMemoryAreThoseOfItsAddresses) {
  Texture texture;
  texture.spec = {.shape = TextureShape::linear, .width = 1024};
  std::vector<std::byte> texels(texture.spec.bytes());
  texture.texels = texels.data();
  texture.address = 4096;
  TextureSectors sectors;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    sectors.add(lane, texture, fetch(texture, {static_cast<int32_t>(lane), 0, 0}, 1, 0, 0));
  const auto touched = sectors.finish();
  EXPECT_EQ(std::vector<uint64_t>(touched.begin(), touched.end()),
            (std::vector<uint64_t>{128, 129, 130, 131}));
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
