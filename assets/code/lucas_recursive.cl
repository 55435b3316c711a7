#define DEEPEST 96  // at most as many numbers wait as the recursion is deep

// OpenCL C knows no recursion, so the stack of what is still to be computed is an array of the work-item.
__kernel void lucas_recursive(__global long* out, int n) {
  int i = get_global_id(0);
  if (i > n || i >= DEEPEST) return;  // indices from 0 up to n: n + 1 numbers

  int waiting[DEEPEST];
  int depth = 0;
  waiting[depth++] = i;
  long sum = 0;
  while (depth > 0) {
    int next = waiting[--depth];
    if (next == 0) {
      sum += 2;
    } else if (next == 1) {
      sum += 1;
    } else {
      waiting[depth++] = next - 1;
      waiting[depth++] = next - 2;
    }
  }
  out[i] = sum;
}
