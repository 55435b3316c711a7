#define HALVE(v) v = (v) / 2
#define SWAP(a, b) \
  {                \
    int kept = a;  \
    a = b;         \
    b = kept;      \
  }
#define CLAMP_TO(v, low, high)    \
  do {                            \
    if ((v) < (low)) v = (low);   \
    if ((v) > (high)) v = (high); \
  } while (0)
#define STEP(x) (x += 3)
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = in[i];
  int b = i;
  HALVE(a);
  b += a;
  SWAP(a, b);
  a += 2;
  CLAMP_TO(a, -5, 20);
  int dead = a * 3;
  HALVE(dead);
  STEP(b);
  b -= 1;
  HALVE(b);
  dead = 7;
  out[i] = a + b;
}
