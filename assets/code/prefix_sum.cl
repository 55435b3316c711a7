__kernel void scan_blocks(__global const int* x, __global int* out, __global int* sums, int n) {
  __local int values[1024];
  int i = get_global_id(0), t = get_local_id(0), size = get_local_size(0);
  values[t] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < size; distance *= 2) {
    int other = t >= distance ? values[t - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read before any of them writes
    values[t] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = values[t];
  if (t == size - 1) sums[get_group_id(0)] = values[t];
}

// One work-group scans any number of sums.
__kernel void scan_sums(__global int* sums, int count) {
  __local int values[1024];
  int t = get_local_id(0), size = get_local_size(0), before = 0;
  for (int start = 0; start < count; start += size) {
    int i = start + t;
    values[t] = i < count ? sums[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < size; distance *= 2) {
      int other = t >= distance ? values[t - distance] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      values[t] += other;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < count) sums[i] = before + values[t];
    before += values[size - 1];
    barrier(CLK_LOCAL_MEM_FENCE);  // no work-item overwrites what another still adds
  }
}

__kernel void add_sums(__global int* out, __global const int* sums, int n) {
  int i = get_global_id(0);
  if (i < n && get_group_id(0) > 0) out[i] += sums[get_group_id(0) - 1];
}
