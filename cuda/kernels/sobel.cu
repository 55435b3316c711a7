// Finds edges: how fast does the gray change from left to right, and from top to bottom? One thread reads the
// eight neighbours of its pixel and writes the length of that change.

extern "C" __global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int left = max(x - 1, 0), right = min(x + 1, width - 1);  // pixels at the edge replace those beyond it
  const unsigned char* above = in + max(y - 1, 0) * width;
  const unsigned char* here = in + y * width;
  const unsigned char* below = in + min(y + 1, height - 1) * width;
  int across = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
  int down = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
  out[y * width + x] = min(sqrtf(across * across + down * down), 255.f);
}
