// Files that are part of the program: kernels, their PTX, device descriptions, pictures.
// The build writes the table (cmake/embed.cmake). Programs that need it link warplens_assets.
#pragma once

#include <span>
#include <string_view>

namespace warplens {

struct EmbeddedFile {
  std::string_view path;  // as in "kernels/grayscale.cu" or "devices/rtx_3060.json"
  std::string_view bytes;
};

std::span<const EmbeddedFile> embedded_files();  // sorted by path

// The bytes of the file at this path. Empty if there is no such file.
std::string_view find_embedded(std::string_view path);

}  // namespace warplens
