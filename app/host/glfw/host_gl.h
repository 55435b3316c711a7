#pragma once

#include <glad/glad.h>

namespace warplens::host {
constexpr bool has_buffer_textures = true;  // a texture that is a buffer: the live picture
}
