__device__ __noinline__ int twice(int x) {
  int result = x * 2;
  return result;
}
__device__ __noinline__ int shifted(int x) {
  int by = x & 3;
  int result = x << by;
  return result;
}
struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area() const {
    int square = size * size;
    return square;
  }
};
struct Half : Shape {
  int part;
  __device__ Half(int s, int p) : Shape(s), part(p) {}
  __device__ int area() const override {
    int whole = Shape::area();
    int half = whole / part;
    return half;
  }
};
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int (*chosen)(int) = i % 2 == 0 ? twice : shifted;
  int a = chosen(in[i]);
  Shape plain(i % 7);
  Half half(i % 5, 2);
  const Shape* shape = i % 3 == 0 ? &plain : static_cast<const Shape*>(&half);
  int b = shape->area();
  int both = a + b;
  out[i] = both;
}
