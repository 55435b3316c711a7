// Rasters as textures of the window: uploaded once, thrown away when nobody holds the raster any more.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "app/draw/picture.h"

namespace warplens {

// Made, used and destroyed while the window's OpenGL context is current.
class TextureCache {
 public:
  TextureCache() = default;
  ~TextureCache();
  TextureCache(TextureCache&& other) noexcept;
  TextureCache& operator=(TextureCache&& other) noexcept;
  TextureCache(const TextureCache&) = delete;
  TextureCache& operator=(const TextureCache&) = delete;

  // Uploads on first use. One sampling a frame for one raster: the last one asked for.
  ImTextureID texture_of(const std::shared_ptr<const Raster>& raster, Sampling sampling);
  // This raster is drawn from a texture of somebody else's, who keeps it as long as the raster: its own
  // pixels are not looked at.
  void stand_in(const std::shared_ptr<const Raster>& raster, uint32_t name);
  // Frees the textures of rasters that are gone; call once a frame.
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
