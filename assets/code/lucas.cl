__kernel void lucas(__global long* out, int n) {
  int i = get_global_id(0);
  if (i > n) return;  // indices from 0 up to n: n + 1 numbers

  long current = 2, next = 1;
  for (int k = 0; k < i; ++k) {
    long sum = current + next;
    current = next;
    next = sum;
  }
  out[i] = current;
}
