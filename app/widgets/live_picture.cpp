#include "app/widgets/live_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/host/gl.h"
#include "core/base/system/embedded.h"

namespace warplens {

namespace {

std::string text_of(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

void clear_errors() {
  for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
  }
}

Result<GLuint> compile_shader(GLenum kind, const std::string& path) {
  const std::string_view source = find_embedded(path);
  if (source.empty()) return failed("The program lacks its shader " + path + ": build it again.");
  const GLuint shader = glCreateShader(kind);
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  GLint good = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good == GL_TRUE) return shader;
  std::string log(1024, '\0');
  GLsizei written = 0;
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &written, log.data());
  glDeleteShader(shader);
  log.resize(static_cast<size_t>(std::max(written, 0)));
  return failed("This OpenGL does not take the shader " + path + ": " + log);
}

// The OpenGL state that drawing a picture changes. It is restored afterwards.
class KeptState {
 public:
  KeptState() {
    glGetIntegerv(GL_VIEWPORT, m_viewport.data());
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &m_frame);
    glGetIntegerv(GL_CURRENT_PROGRAM, &m_program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &m_triangle);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &m_unit);
    for (auto& [capability, on] : m_switches) {
      on = glIsEnabled(capability) == GL_TRUE;
      glDisable(capability);
    }
    glActiveTexture(GL_TEXTURE0);
  }
  ~KeptState() {
    for (const auto& [capability, on] : m_switches)
      if (on) glEnable(capability);
    glActiveTexture(static_cast<GLenum>(m_unit));
    glBindVertexArray(static_cast<GLuint>(m_triangle));
    glUseProgram(static_cast<GLuint>(m_program));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(m_frame));
    glViewport(m_viewport[0], m_viewport[1], m_viewport[2], m_viewport[3]);
  }
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;

 private:
  struct Switch {
    GLenum capability;
    bool on = false;
  };
  std::array<GLint, 4> m_viewport{};
  GLint m_frame = 0, m_program = 0, m_triangle = 0, m_unit = GL_TEXTURE0;
  std::array<Switch, 4> m_switches{{{GL_BLEND}, {GL_SCISSOR_TEST}, {GL_DEPTH_TEST}, {GL_CULL_FACE}}};
};

}  // namespace

Result<std::unique_ptr<LivePicture>> LivePicture::open() {
  if (!host::has_buffer_textures)
    return missing("Live pictures need OpenGL 3.3. A web page has WebGL 2, without textures of buffers.");
  std::unique_ptr<LivePicture> picture(new LivePicture);
  clear_errors();
  if (const Result<void> compiled = picture->compile(); !compiled) return compiled.error();
  glGenVertexArrays(1, &picture->m_triangle);
  glGenFramebuffers(1, &picture->m_frame);
  for (Slot& slot : picture->m_slots) glGenTextures(1, &slot.view);
  return picture;
}

LivePicture::~LivePicture() {
  forget_fences();
  for (const Slot& slot : m_slots) {
    if (slot.buffer != 0) glDeleteBuffers(1, &slot.buffer);
    if (slot.view != 0) glDeleteTextures(1, &slot.view);
  }
  if (m_texture != 0) glDeleteTextures(1, &m_texture);
  if (m_frame != 0) glDeleteFramebuffers(1, &m_frame);
  if (m_triangle != 0) glDeleteVertexArrays(1, &m_triangle);
  if (m_program != 0) glDeleteProgram(m_program);
}

Result<void> LivePicture::compile() {
  const Result<GLuint> vertex = compile_shader(GL_VERTEX_SHADER, "shaders/live_picture.vert");
  if (!vertex) return vertex.error();
  const Result<GLuint> fragment = compile_shader(GL_FRAGMENT_SHADER, "shaders/live_picture.frag");
  if (!fragment) {
    glDeleteShader(*vertex);
    return fragment.error();
  }
  m_program = glCreateProgram();
  for (const GLuint shader : {*vertex, *fragment}) glAttachShader(m_program, shader);
  glLinkProgram(m_program);
  for (const GLuint shader : {*vertex, *fragment}) glDeleteShader(shader);
  GLint good = GL_FALSE;
  glGetProgramiv(m_program, GL_LINK_STATUS, &good);
  if (good != GL_TRUE) return failed("This OpenGL does not link the shader of live pictures.");
  m_width = glGetUniformLocation(m_program, "width");
  m_channels = glGetUniformLocation(m_program, "channels");
  return {};
}

void LivePicture::forget_fences() {
  for (Slot& slot : m_slots) {
    if (slot.fence != nullptr) glDeleteSync(static_cast<GLsync>(slot.fence));
    slot.fence = nullptr;
  }
}

Result<void> LivePicture::reshape(PictureShape shape) {
  GLint texels = 0, side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  if (shape.bytes() > static_cast<uint64_t>(texels) ||
      std::max(shape.width, shape.height) > static_cast<uint32_t>(side))
    return bad_input(fmt::format("A picture of {} × {} is too large to be drawn live by this OpenGL.",
                                 shape.width, shape.height));
  forget_fences();
  clear_errors();
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &bound);
  for (Slot& slot : m_slots) {
    // A buffer of another size gets a new name, so that no old sharing of it remains.
    if (slot.buffer != 0) glDeleteBuffers(1, &slot.buffer);
    glGenBuffers(1, &slot.buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, slot.buffer);
    glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(shape.bytes()), nullptr, GL_DYNAMIC_COPY);
    glBindTexture(GL_TEXTURE_BUFFER, slot.view);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R8UI, slot.buffer);
  }
  glBindTexture(GL_TEXTURE_BUFFER, static_cast<GLuint>(bound));
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
  if (glGetError() != GL_NO_ERROR) {
    clear_errors();
    m_shape = {};
    return failed("There is not enough graphics memory for a live picture of this size.");
  }
  m_shape = shape;
  return {};
}

OpenGlBuffers LivePicture::buffers() const {
  OpenGlBuffers buffers{text_of(GL_VENDOR), text_of(GL_RENDERER), {}, m_shape.bytes()};
  for (const Slot& slot : m_slots) buffers.names.push_back(slot.buffer);
  return buffers;
}

void LivePicture::upload(size_t slot, std::span<const std::byte> bytes) {
  const uint64_t count = std::min<uint64_t>(bytes.size(), m_shape.bytes());
  glBindBuffer(GL_TEXTURE_BUFFER, m_slots.at(slot).buffer);
  glBufferSubData(GL_TEXTURE_BUFFER, 0, static_cast<GLsizeiptr>(count), bytes.data());
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
  ++m_traffic.copies;
  m_traffic.bytes += count;
}

void LivePicture::make_texture() {
  if (m_texture != 0 && m_texture_shape.width == m_shape.width && m_texture_shape.height == m_shape.height)
    return;
  if (m_texture == 0) glGenTextures(1, &m_texture);
  glBindTexture(GL_TEXTURE_2D, m_texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(m_shape.width),
               static_cast<GLsizei>(m_shape.height), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  m_texture_shape = m_shape;
}

void LivePicture::show(size_t slot) {
  if (m_shape.bytes() == 0) return;
  Slot& own = m_slots.at(slot);
  const KeptState kept;
  GLint bound = 0, buffer_bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &buffer_bound);
  make_texture();
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_frame);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_texture, 0);
  glViewport(0, 0, static_cast<GLsizei>(m_shape.width), static_cast<GLsizei>(m_shape.height));
  glBindTexture(GL_TEXTURE_BUFFER, own.view);
  glUseProgram(m_program);
  glUniform1i(m_width, static_cast<GLint>(m_shape.width));
  glUniform1i(m_channels, static_cast<GLint>(m_shape.channels));
  glBindVertexArray(m_triangle);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  if (own.fence != nullptr) glDeleteSync(static_cast<GLsync>(own.fence));
  own.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glBindTexture(GL_TEXTURE_BUFFER, static_cast<GLuint>(buffer_bound));
  glBindTexture(GL_TEXTURE_2D, m_texture);
  glGenerateMipmap(GL_TEXTURE_2D);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

bool LivePicture::is_read(size_t slot) {
  Slot& own = m_slots.at(slot);
  if (own.fence == nullptr) return true;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(own.fence), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state == GL_TIMEOUT_EXPIRED) return false;
  glDeleteSync(static_cast<GLsync>(own.fence));
  own.fence = nullptr;
  return true;
}

Raster LivePicture::read_back() const {
  if (m_texture == 0) return {};
  Raster raster = make_raster(m_texture_shape.width, m_texture_shape.height);
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, m_texture);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, raster.rgba.data());
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  return raster;
}

}  // namespace warplens
