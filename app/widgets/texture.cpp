#include "app/widgets/texture.h"

#include <utility>

#include "app/host/gl.h"

namespace warplens {

namespace {

// Shrunk bitmaps are averaged (mipmaps); enlarged ones are smooth or show their pixels.
uint32_t upload(const Raster& raster) {
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(raster.width),
               static_cast<GLsizei>(raster.height), 0, GL_RGBA, GL_UNSIGNED_BYTE, raster.rgba.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  return name;
}

void set_sampling(uint32_t name, Sampling sampling) {
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                  sampling == Sampling::nearest ? GL_NEAREST : GL_LINEAR);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

}  // namespace

TextureCache::~TextureCache() { clear(); }

TextureCache::TextureCache(TextureCache&& other) noexcept : m_entries(std::exchange(other.m_entries, {})) {}

TextureCache& TextureCache::operator=(TextureCache&& other) noexcept {
  if (this == &other) return *this;
  clear();
  m_entries = std::exchange(other.m_entries, {});
  return *this;
}

void TextureCache::clear() {
  for (const auto& [raster, entry] : m_entries) free(entry);
  m_entries.clear();
}

void TextureCache::free(const Entry& entry) {
  if (entry.owned && entry.name != 0) glDeleteTextures(1, &entry.name);
}

void TextureCache::stand_in(const std::shared_ptr<const Raster>& raster, uint32_t name) {
  Entry& entry = m_entries[raster.get()];
  if (!entry.owned && entry.name == name && !entry.raster.expired()) return;
  free(entry);
  entry = {raster, name, Sampling::linear, false};
}

ImTextureID TextureCache::texture_of(const std::shared_ptr<const Raster>& raster, Sampling sampling) {
  Entry& entry = m_entries[raster.get()];
  if (entry.name != 0 && entry.raster.expired()) {  // another raster lives at the same address now
    free(entry);
    entry = {};
  }
  if (entry.name == 0) {
    entry.raster = raster;
    entry.name = upload(*raster);
    entry.sampling = Sampling::linear;
  }
  if (entry.sampling != sampling) set_sampling(entry.name, sampling);
  entry.sampling = sampling;
  return static_cast<ImTextureID>(entry.name);
}

void TextureCache::collect() {
  for (auto at = m_entries.begin(); at != m_entries.end();) {
    if (at->second.raster.expired()) {
      free(at->second);
      at = m_entries.erase(at);
    } else {
      ++at;
    }
  }
}

}  // namespace warplens
