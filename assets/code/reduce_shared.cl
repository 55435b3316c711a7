__kernel void reduce_shared(__global const float* x, __global float* sums, int n) {
  __local float values[1024];
  int i = get_global_id(0), t = get_local_id(0);
  values[t] = i < n ? x[i] : 0.f;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int active = get_local_size(0); active > 1;) {
    int half_of = (active + 1) / 2;  // if the number is odd, the middle one waits for the next round
    if (t + half_of < active) values[t] += values[t + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
    active = half_of;
  }
  if (t == 0) sums[get_group_id(0)] = values[0];
}
