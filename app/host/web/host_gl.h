#pragma once

#include <GLES3/gl3.h>

namespace warplens::host {
constexpr bool has_buffer_textures = false;
}

// Functions that OpenGL has and WebGL 2 does not. They are only called if there are buffer textures.
constexpr GLenum GL_TEXTURE_BUFFER = 0x8C2A, GL_MAX_TEXTURE_BUFFER_SIZE = 0x8C2B,
                 GL_TEXTURE_BINDING_BUFFER = 0x8C2C;
inline void glTexBuffer(GLenum, GLenum, GLuint) {}
inline void glGetTexImage(GLenum, GLint, GLenum, GLenum, void*) {}
