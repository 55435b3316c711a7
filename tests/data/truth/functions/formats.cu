// grid 1 block 1 words 64
// Everything that printf knows; what it returns.
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
extern "C" __global__ void run(int* out) {
  const char* text = "warp";
  char local[8] = {'l', 'o', 'c', 0};
  __shared__ char shared[8];
  shared[0] = 's';
  shared[1] = 'h';
  shared[2] = 0;
  int n = 0;
  out[n++] = printf("plain\n");
  out[n++] = printf("%%\n");
  out[n++] =
      printf("[%d] [%i] [%u] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", -5, 6, 7u, 8, 9, 10, 11, 12, 13);
  out[n++] = printf("[%x] [%X] [%#x] [%o] [%#o] [%08x]\n", 48879, 48879, 255, 8, 8, 0xbeef);
  out[n++] = printf("[%ld] [%lld] [%lu] [%llu] [%llx]\n", -1L, -2LL, 3UL, 1ull << 63, 0x123456789abcdefull);
  out[n++] = printf("[%hd] [%hu] [%c] [%5c] [%-3c]\n", 70000, 70000, 'A', 'B', 'C');
  out[n++] = printf("[%zu] [%zd]\n", (size_t)1 << 40, (size_t)7);
  out[n++] = printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%e] [%E] [%g] [%G] [%a]\n", 3.14159, 2.71828,
                    1.0 / 3, 99.95, 0.5, 12345.678, 0.00012, 1e20, 1e-5, 1.0);
  out[n++] = printf("[%f] [%f] [%f] [%g] [%5.1f]\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 1e-320, -0.0);
  out[n++] = printf("[%s] [%10s] [%-10s] [%.2s] [%s] [%s]\n", text, text, text, text, local, shared);
  out[n++] = printf("[%*d] [%-*d] [%*d] [%*f] [%*s]\n", 6, 42, 6, 43, -7, 44, 12, 0.5, 6, text);
  out[n++] = printf("[%p] [%p]\n", (void*)0x1234, (void*)0);
  out[n++] = printf("%s%c%d%s\n", "a", 'b', 3, "c");
  out[n++] = printf("no newline, ");
  out[n++] = printf("then one\n");
  out[n++] = printf("");
  const char* none = nullptr;
  out[n++] = printf(none);
  out[n++] = printf("[%y] [%d] [%5%]\n", 5, 6);
  out[n++] = printf("[%s] [%10s]\n", none, none);
  out[n++] = printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  out[n++] = printf("%d %lld %c %f %d %s %hd %llx\n", 1, 2ll, 'x', 0.5, 3, "y", 4, 5ull);
}
