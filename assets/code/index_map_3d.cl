__kernel void index_map_3d(__global int* x_of, __global int* y_of, __global int* z_of, int width, int height,
                           int depth) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int z = get_global_id(2);
  if (x >= width || y >= height || z >= depth) return;

  int element = (z * height + y) * width + x;  // layer after layer, row after row
  x_of[element] = x;
  y_of[element] = y;
  z_of[element] = z;
}
