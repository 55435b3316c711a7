// Rasters as textures of the window. Each is uploaded once and freed when the raster no longer exists.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "app/base/draw/picture.h"

namespace warplens {

// Make, use and destroy it while the window's OpenGL context is current.
class TextureCache {
 public:
  TextureCache() = default;
  ~TextureCache();
  TextureCache(TextureCache&& other) noexcept;
  TextureCache& operator=(TextureCache&& other) noexcept;
  TextureCache(const TextureCache&) = delete;
  TextureCache& operator=(const TextureCache&) = delete;

  // Uploads on first use. A raster has only one sampling in each frame: the last one that was requested.
  ImTextureID texture_of(const std::shared_ptr<const Raster>& raster, Sampling sampling);
  // This raster is drawn from another texture instead of its own pixels. The owner of that texture must keep
  // it as long as the raster.
  void stand_in(const std::shared_ptr<const Raster>& raster, uint32_t name);
  // Frees the textures of rasters that no longer exist. Call it once in each frame.
  void collect();

 private:
  struct Entry {
    std::weak_ptr<const Raster> raster;
    uint32_t name = 0;
    Sampling sampling = Sampling::linear;
    bool owned = true;
  };
  static void free(const Entry& entry);
  void clear();
  std::unordered_map<const Raster*, Entry> m_entries;
};

}  // namespace warplens
