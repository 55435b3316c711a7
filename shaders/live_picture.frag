#version 330 core
// The kernel's bytes, row after row, as a texture: gray, RGB or RGBA by the number of channels.
uniform usamplerBuffer kernel_bytes;
uniform int width;
uniform int channels;
out vec4 colour;

float channel(int at) { return float(texelFetch(kernel_bytes, at).r) / 255.0; }

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int at = (pixel.y * width + pixel.x) * channels;
  if (channels == 1) {
    colour = vec4(vec3(channel(at)), 1.0);
  } else {
    colour = vec4(channel(at), channel(at + 1), channel(at + 2), channels == 4 ? channel(at + 3) : 1.0);
  }
}
