// lucas_repeated.cu in OpenCL C.
__kernel void lucas_repeated(__global long* out, int n, int times, int threads) {
  int thread = get_global_id(0);
  if (thread >= threads) return;
  long total = 0;
  for (int t = 0; t < times; ++t) {
    long current = 2, next = 1;
    for (int k = 0; k < n; ++k) {
      long sum = current + next;
      current = next;
      next = sum;
    }
    total ^= current + t;
  }
  out[thread] = total;
}
