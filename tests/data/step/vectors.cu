union Word {
  float f;
  unsigned u;
};
struct Flags {
  unsigned low : 4;
  unsigned high : 6;
  int sign : 3;
};
struct Node {
  int2 place;
  float4 color;
  short name[3];
};
__device__ float4 blend(float4 a, float4 b, float t) {
  float4 c = make_float4(a.x + t, a.y * t, b.z - t, b.w);
  c.x += b.x;
  return c;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 first = make_float4(i, i + 1, i + 2, 0.5f);
  float4 second = blend(first, make_float4(1, 2, 3, 4), 0.25f);
  uint3 where = make_uint3(i, 2 * i, 7);
  Word word;
  word.f = second.x;
  unsigned bits = word.u >> 16;
  Flags flags;
  flags.low = i & 15;
  flags.high = i;
  flags.sign = -2;
  Node node = {make_int2(i, -i), second, {1, 2, 3}};
  node.name[i % 3] = static_cast<short>(bits);
  const int* walk = in;
  int sum = 0;
  while (walk < in + 4) {
    int value = *walk++;
    sum += value;
  }
  volatile int kept = sum;
  kept += 1;
  int last = kept + where.y;
  out[i] = last + static_cast<int>(node.color.x) + node.name[0] + flags.low;
}
