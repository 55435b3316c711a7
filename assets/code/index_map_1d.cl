__kernel void index_map_1d(__global int* x_of, int n) {
  int x = get_group_id(0) * get_local_size(0) + get_local_id(0);  // get_global_id(0) is short for it
  if (x < n) x_of[x] = x;
}
