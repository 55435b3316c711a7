__kernel void count_grays(__global const uchar* gray, __global uint* bins, int n) {
  int i = get_global_id(0);
  if (i < n) atomic_inc(&bins[gray[i]]);
}

// One work-group of 256.
__kernel void make_table(__global const uint* bins, __global uchar* table, int n) {
  __local uint sums[256];
  __local uint darkest;  // how many pixels have the darkest value
  int v = get_local_id(0);
  sums[v] = bins[v];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 256; distance *= 2) {
    uint other = v >= distance ? sums[v - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read before any of them writes
    sums[v] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (bins[v] > 0 && sums[v] == bins[v]) darkest = bins[v];  // no pixel is darker: one work-item at most
  barrier(CLK_LOCAL_MEM_FENCE);
  uint range = n - darkest;
  ulong rank = sums[v] > darkest ? sums[v] - darkest : 0;
  table[v] = range == 0 ? (uchar)v : (uchar)((rank * 255 + range / 2) / range);
}

__kernel void apply_table(__global const uchar* gray, __global const uchar* table, __global uchar* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = table[gray[i]];
}
