// grid 1 block 64 words 1024
// Values of all sizes by value and back, and many arguments at once.
struct One {
  unsigned char a;
};
struct Three {
  unsigned char a[3];
};
struct Six {
  short a[3];
};
struct Twelve {
  float x, y, z;
};
struct __align__(16) Sixteen {
  unsigned a, b;
  unsigned long long c;
};
struct Mixed {
  char a;
  double b;
  short c;
  int d[5];
  bool e;
};
struct Big {
  int a[33];
};
union Either {
  float f;
  unsigned u;
};

__device__ __noinline__ One next(One v) { return {(unsigned char)(v.a + 1)}; }
__device__ __noinline__ Three turn(Three v) { return {{v.a[2], v.a[0], v.a[1]}}; }
__device__ __noinline__ Six twice(Six v) {
  return {{(short)(2 * v.a[0]), (short)(2 * v.a[1]), (short)(2 * v.a[2])}};
}
__device__ __noinline__ Twelve cross(Twelve a, Twelve b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ __noinline__ Sixteen mix(Sixteen v, unsigned k) { return {v.b + k, v.a ^ k, v.c * k}; }
__device__ __noinline__ Mixed shift(Mixed v, int k) {
  v.a += k;
  v.b *= k;
  v.c -= k;
  v.d[k % 5] += 1000;
  v.e = !v.e;
  return v;
}
__device__ __noinline__ Big rotate(Big v, int k) {
  Big r;
  for (int i = 0; i < 33; ++i) r.a[i] = v.a[(i + k) % 33];
  return r;
}
__device__ __noinline__ Either flip(Either e) {
  e.u ^= 0x80000000u;
  return e;
}
__device__ __noinline__ double many(char a, unsigned char b, short c, unsigned short d, int e, unsigned f,
                                    long long g, unsigned long long h, float i, double j, bool k, Twelve l,
                                    const int* m, char n) {
  return a + 2.0 * b + 3.0 * c + 4.0 * d + 5.0 * e + 6.0 * f + 7.0 * g + 8.0 * h + 9.0 * i + 10.0 * j + k +
         l.x + l.y * 2 + l.z * 4 + *m + n;
}
__device__ __noinline__ Big build(int depth, Big v) {
  if (depth == 0) return v;
  v.a[depth] += depth;
  Big r = build(depth - 1, v);
  r.a[32 - depth] ^= v.a[depth];
  return r;
}

extern "C" __global__ void run(unsigned* out) {
  int t = threadIdx.x;
  unsigned* mine = out + t * 16;
  mine[0] = next({(unsigned char)(t + 250)}).a;
  Three three = turn({{(unsigned char)t, 20, (unsigned char)(t * 3)}});
  mine[1] = three.a[0] | three.a[1] << 8 | three.a[2] << 16;
  Six six = twice({{(short)t, (short)-t, (short)(t * 1000)}});
  mine[2] = (unsigned short)six.a[0] | (unsigned)(unsigned short)six.a[1] << 16;
  mine[3] = (unsigned short)six.a[2];
  Twelve v = cross({1.0f + t, 2.0f, 3.0f}, {4.0f, 5.0f + t, 6.0f});
  mine[4] = __float_as_uint(v.x);
  mine[5] = __float_as_uint(v.y);
  mine[6] = __float_as_uint(v.z);
  Sixteen s = t & 1 ? mix({1, 2, 3ull << 33}, t) : mix({5, 6, 7}, t + 1);
  mine[7] = s.a + s.b;
  mine[8] = (unsigned)(s.c >> 32) ^ (unsigned)s.c;
  Mixed m = shift({'a', 1.5 * t, (short)t, {1, 2, 3, 4, t}, t % 2 == 0}, t + 1);
  mine[9] = m.a + m.c + m.d[0] + m.d[1] + m.d[2] + m.d[3] + m.d[4] + m.e;
  mine[10] = (unsigned)(m.b * 8);
  Big big;
  for (int i = 0; i < 33; ++i) big.a[i] = i * t;
  big = t % 3 ? rotate(big, t) : build(t % 5, big);
  unsigned hash = 0;
  for (int i = 0; i < 33; ++i) hash = hash * 33 + big.a[i];
  mine[11] = hash;
  Either e;
  e.f = 1.25f * t;
  mine[12] = flip(e).u;
  double sum = many(-t, t, -300 * t, 60000 + t, -70000, 4000000000u, -5000000000ll, 1ull << 40, 0.5f, 0.25,
                    t & 1, v, &t, 'x');
  mine[13] = (unsigned)(long long)sum;
  mine[14] = (unsigned)((long long)sum >> 32);
  mine[15] = 0;
}
