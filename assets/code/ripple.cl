__kernel void ripple(__global const uchar* in, __global uchar* out, int width, int height, float time,
                     float wavelength, float amplitude) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;
  float dx = x - width / 2, dy = y - height / 2;
  float distance = sqrt(fma(dx, dx, dy * dy));
  float turns = distance / wavelength - time;  // one wave a second
  float phase = turns - floor(turns) - 0.5f;
  float wave = 8.f * phase * fma(-2.f, fabs(phase), 1.f);  // nearly a sine
  float shift = distance > 0.f ? amplitude * wave / distance : 0.f;
  int from_x = min(max(x + (int)floor(fma(dx, shift, 0.5f)), 0), width - 1);
  int from_y = min(max(y + (int)floor(fma(dy, shift, 0.5f)), 0), height - 1);
  int from = from_y * width + from_x, to = y * width + x;
  for (int channel = 0; channel < 3; ++channel) out[3 * to + channel] = in[3 * from + channel];
}
