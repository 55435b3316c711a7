__kernel void mandelbrot(__global uchar* rgb, int width, int height, float center_x, float center_y, float scale,
                         int max_iterations) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;
  float c_x = fma(scale, (float)(x - width / 2), center_x);
  float c_y = fma(scale, (float)(height / 2 - y), center_y);
  float z_x = 0.f, z_y = 0.f;
  int iteration = 0;
  while (iteration < max_iterations && fma(z_x, z_x, z_y * z_y) <= 4.f) {
    float next_x = fma(z_x, z_x, fma(-z_y, z_y, c_x));
    z_y = fma(2.f * z_x, z_y, c_y);
    z_x = next_x;
    ++iteration;
  }
  float t = sqrt((float)iteration / max_iterations);
  float s = 1.f - t;
  int pixel = y * width + x;
  rgb[3 * pixel + 0] = (uchar)(255.f * 9.f * s * t * t * t);
  rgb[3 * pixel + 1] = (uchar)(255.f * 15.f * s * s * t * t);
  rgb[3 * pixel + 2] = (uchar)(255.f * 8.5f * s * s * s * t);
}
