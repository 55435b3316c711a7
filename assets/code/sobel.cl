__kernel void sobel(__global const uchar* in, __global uchar* out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  int left = max(x - 1, 0), right = min(x + 1, width - 1);  // pixels at the edge replace those beyond it
  __global const uchar* above = in + max(y - 1, 0) * width;
  __global const uchar* here = in + y * width;
  __global const uchar* below = in + min(y + 1, height - 1) * width;
  int across = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
  int down = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
  out[y * width + x] = (uchar)min(sqrt((float)(across * across + down * down)), 255.f);
}
