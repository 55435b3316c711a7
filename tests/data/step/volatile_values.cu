__device__ __noinline__ void split(int value, int* high, int* low) {
  *high = value / 10;
  *low = value % 10;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int watched = in[i];
  int tens = 0, ones = 0;
  split(watched, &tens, &ones);
  watched = tens;
  int limit = i % 9 + 1;
  int found = -1;
  for (int a = 0; a < limit && found < 0; ++a) {
    for (int b = a; b < limit; ++b) {
      if (a * b == ones) {
        found = a * 10 + b;
        goto done;
      }
      if (b > 6) {
        break;
      }
      if ((a + b) % 2 == 0) {
        continue;
      }
      watched = watched + 1;
    }
  }
done:
  const char* word = found < 0 ? "none" : "some";
  char first = word[0];
  out[i] = found + watched + first;
}
