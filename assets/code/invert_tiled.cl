__kernel void invert_tiled(__global const uchar* in, __global uchar* out, int width, int height) {
  __local uchar tile[3 * 1024];  // three channels for the largest work-group
  int x = get_global_id(0);
  int y = get_global_id(1);
  int item = get_local_id(1) * get_local_size(0) + get_local_id(0);
  bool has_pixel = x < width && y < height;  // no early return: every work-item must reach the barrier

  int pixel = y * width + x;
  if (has_pixel)
    for (int channel = 0; channel < 3; ++channel) tile[3 * item + channel] = in[3 * pixel + channel];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (has_pixel)
    for (int channel = 0; channel < 3; ++channel) out[3 * pixel + channel] = 255 - tile[3 * item + channel];
}
