// Rings run over the picture as over water: each pixel shows what lies a little further in or out, as the
// wave at its place says. The number `time` moves them.
//
// The wave is a parabola instead of a sine, from it by 6 % at most: additions, products and one square root,
// which every GPU and CPU rounds alike.

extern "C" __global__ void ripple(const unsigned char* in, unsigned char* out, int width, int height,
                                  float time, float wavelength, float amplitude) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float dx = x - width / 2, dy = y - height / 2;
  float distance = sqrtf(fmaf(dx, dx, dy * dy));
  float turns = distance / wavelength - time;                // one wave a second
  float phase = turns - floorf(turns) - 0.5f;                // from -0.5 to 0.5
  float wave = 8.f * phase * fmaf(-2.f, fabsf(phase), 1.f);  // from -1 to 1
  float shift = distance > 0.f ? amplitude * wave / distance : 0.f;

  int from_x = min(max(x + (int)floorf(fmaf(dx, shift, 0.5f)), 0), width - 1);
  int from_y = min(max(y + (int)floorf(fmaf(dy, shift, 0.5f)), 0), height - 1);
  int from = from_y * width + from_x, to = y * width + x;
  for (int channel = 0; channel < 3; ++channel) out[3 * to + channel] = in[3 * from + channel];
}
