// Variables of every shape, for what reads where a compiler put them.
struct Point {
  float x;
  float y[3];
  int tag;
};
struct Base {
  int b;
};
struct Derived : Base {
  double d;
  unsigned char c;
  unsigned low : 3, high : 5;
};
enum Color { red, green = 5 };
namespace ns {
__device__ int counter = 4;
}
__constant__ float weights[3] = {1, 2, 3};

__device__ int square(int v) {
  int t = v * v;
  return t + 1;
}

__device__ __forceinline__ float mix(float a, float b, const Point& p) {
  float m = a * p.x;
  float q = m + b;
  return q;
}

__device__ int factorial(int n) {
  if (n <= 1) return 1;
  int below = factorial(n - 1);
  return n * below;
}

template <class T>
__device__ T clamped(T a, T lo, T hi) {
  T r = a < lo ? lo : a;
  T s = r > hi ? hi : r;
  return s;
}

extern "C" __global__ void shapes(Point* points, Point byval, int* out, int n, Color color) {
  __shared__ float tile[4][8];
  extern __shared__ int dynamic[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point p = points[i];
  Point& ref = points[i + 1];
  Derived d;
  d.b = i;
  d.d = 2.5;
  int list[5];
  for (int j = 0; j < 5; ++j) {
    list[j] = j * i;
  }
  float m = mix(p.x, 2.0f, byval);
  int f = factorial(i % 5);
  auto add = [&](int z) {
    int w = z + list[1];
    return w + n;
  };
  int l = add(3);
  const int seven = 7;
  bool big = i > 3;
  tile[i % 4][i % 8] = m;
  dynamic[i] = square(i);
  __syncthreads();
  if (big) f += clamped(i, 5, 9);
  out[i] =
      f + l + seven + color + ref.tag + d.b + ns::counter + (int)weights[1] + (int)tile[0][0] + list[i % 5];
}
