__kernel void index_map_2d(__global int* x_of, __global int* y_of, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  int element = y * width + x;  // rows lie one after the other in memory
  x_of[element] = x;
  y_of[element] = y;
}
