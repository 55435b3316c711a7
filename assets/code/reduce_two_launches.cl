__kernel void reduce_blocks(__global const float* x, __global float* sums, int n) {
  __local float values[1024];
  int t = get_local_id(0);
  float sum = 0.f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
  values[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int active = get_local_size(0); active > 1;) {
    int half_of = (active + 1) / 2;
    if (t + half_of < active) values[t] += values[t + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
    active = half_of;
  }
  if (t == 0) sums[get_group_id(0)] = values[0];
}
