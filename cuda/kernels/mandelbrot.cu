// One thread follows one point c of the complex plane: z = z*z + c, until z leaves the circle of radius 2.
// Neighbouring threads need different numbers of steps, and a warp works until its slowest lane is done.
//
// Every product that is added to something is written as fmaf, so that no compiler has a choice and the
// picture is the same, bit for bit, on every GPU and CPU.

extern "C" __global__ void mandelbrot(unsigned char* rgb, int width, int height, float center_x,
                                      float center_y, float scale, int max_iterations) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float c_x = fmaf(scale, x - width / 2, center_x);  // scale: the size of a pixel in the plane
  float c_y = fmaf(scale, height / 2 - y, center_y);
  float z_x = 0.f, z_y = 0.f;
  int iteration = 0;
  while (iteration < max_iterations && fmaf(z_x, z_x, z_y * z_y) <= 4.f) {
    float next_x = fmaf(z_x, z_x, fmaf(-z_y, z_y, c_x));
    z_y = fmaf(2.f * z_x, z_y, c_y);
    z_x = next_x;
    ++iteration;
  }

  float t = sqrtf((float)iteration / max_iterations);  // 0: left at once; 1: never left, and drawn black
  float s = 1.f - t;
  int pixel = y * width + x;
  rgb[3 * pixel + 0] = 255.f * 9.f * s * t * t * t;
  rgb[3 * pixel + 1] = 255.f * 15.f * s * s * t * t;
  rgb[3 * pixel + 2] = 255.f * 8.5f * s * s * s * t;
}
