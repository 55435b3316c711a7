// How textures are laid out on a device, on a driver of the tests' own.
#include "cuda/device/run/textures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cuda/device/fake_driver.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::HasSubstr;

struct Seen {
  std::vector<CUDA_MEMCPY3D> copies;
  CUDA_TEXTURE_DESC texture{};
  CUDA_RESOURCE_DESC resource{};
  unsigned levels = 0;
  int open = 0;
  CUresult level = CUDA_SUCCESS;
} seen;

Driver driver_with_textures() {
  seen = {};
  Driver d = make_fake();
  d.cuMipmappedArrayCreate = [](CUmipmappedArray* m, const CUDA_ARRAY3D_DESCRIPTOR*, unsigned levels) {
    *m = reinterpret_cast<CUmipmappedArray>(uintptr_t{64});
    seen.levels = levels;
    ++seen.open;
    return CUDA_SUCCESS;
  };
  d.cuMipmappedArrayGetLevel = [](CUarray* array, CUmipmappedArray, unsigned level) {
    *array = reinterpret_cast<CUarray>(uintptr_t{100} + level);
    return seen.level;
  };
  d.cuMipmappedArrayDestroy = [](CUmipmappedArray) { return --seen.open, CUDA_SUCCESS; };
  d.cuMemcpy3DAsync = [](const CUDA_MEMCPY3D* copy, CUstream) {
    return seen.copies.push_back(*copy), CUDA_SUCCESS;
  };
  d.cuTexObjectCreate = [](CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC*) {
    *object = 7;
    seen.resource = *resource;
    seen.texture = *texture;
    ++seen.open;
    return CUDA_SUCCESS;
  };
  d.cuTexObjectDestroy = [](CUtexObject) { return --seen.open, CUDA_SUCCESS; };
  return d;
}

TextureSpec mipmap() {
  TextureSpec spec;
  spec.width = 12;
  spec.height = 5;
  spec.channels = 2;
  spec.levels = 3;
  spec.linear_levels = true;
  spec.level_bias = 0.5f;
  spec.max_level = 2;
  return spec;
}

TEST(DeviceTextures, AMipmapsLevelsLieOneBehindTheOther) {
  const auto context = Context::create(driver_with_textures(), 0);
  ASSERT_TRUE(context.ok());
  constexpr CUdeviceptr buffer = 0x1000;
  {
    const auto texture = make_texture(*context, mipmap(), buffer, nullptr, "t");
    ASSERT_TRUE(texture.ok()) << texture.error().message;
    EXPECT_EQ(texture->handle(), 7u);
    EXPECT_EQ(seen.levels, 3u);
    ASSERT_EQ(seen.copies.size(), 3u);
    const size_t widths[] = {12 * 8, 6 * 8, 3 * 8}, heights[] = {5, 2, 1};
    size_t offset = 0;
    for (size_t level = 0; level < 3; ++level) {
      const CUDA_MEMCPY3D& copy = seen.copies[level];
      EXPECT_EQ(copy.srcDevice, buffer + offset) << level;
      EXPECT_EQ(copy.WidthInBytes, widths[level]) << level;
      EXPECT_EQ(copy.srcPitch, widths[level]) << level;
      EXPECT_EQ(copy.Height, heights[level]) << level;
      EXPECT_EQ(copy.Depth, 1u) << level;
      EXPECT_EQ(copy.dstArray, reinterpret_cast<CUarray>(uintptr_t{100} + level));
      offset += widths[level] * heights[level];
    }
    EXPECT_EQ(offset, mipmap().bytes());
    EXPECT_EQ(seen.resource.resType, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
    EXPECT_EQ(seen.texture.mipmapFilterMode, CU_TR_FILTER_MODE_LINEAR);
    EXPECT_EQ(seen.texture.mipmapLevelBias, 0.5f);
    EXPECT_EQ(seen.texture.maxMipmapLevelClamp, 2.0f);
  }
  EXPECT_EQ(seen.open, 0);
}

TEST(DeviceTextures, AMipmapThatFailsIsGivenBack) {
  const auto context = Context::create(driver_with_textures(), 0);
  seen.level = CUDA_ERROR_INVALID_VALUE;
  const auto texture = make_texture(*context, mipmap(), 0x1000, nullptr, "t");
  ASSERT_FALSE(texture.ok());
  EXPECT_THAT(texture.error().message, HasSubstr("t: copying level 0"));
  EXPECT_EQ(seen.open, 0);
  TextureSpec surface = mipmap();
  surface.surface = true;
  EXPECT_FALSE(make_texture(*context, surface, 0x1000, nullptr, "s").ok());
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
