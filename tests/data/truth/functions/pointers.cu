// grid 1 block 96 words 480
// Functions by address: tables, pointers that differ within a warp, virtual functions, member functions, and
// recursion through a pointer.
typedef int (*Function)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int largest(int a, int b) { return a > b ? a : b; }
__device__ Function table[4] = {add, subtract, multiply, largest};
__constant__ Function fixed = multiply;

struct Shape {
  int scale;
  __device__ Shape(int s) : scale(s) {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return scale; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ Square(int s) : Shape(2), side(s) {}
  __device__ int area() const override { return side * side * scale; }
};
struct Box : Shape {
  int a, b, c;
  __device__ Box(int x) : Shape(3), a(x), b(x + 1), c(x + 2) {}
  __device__ int area() const override { return 2 * (a * b + b * c + a * c); }
  __device__ int corners() const override { return 8 + scale; }
};
struct Point : Shape {
  __device__ Point() : Shape(0) {}
  __device__ int area() const override { return 0; }
};

struct Node {
  int value;
  __device__ int plus(int x) { return value + x; }
  __device__ int times(int x) { return value * x; }
};

__device__ int climb(Function f, int n, int so_far);
typedef int (*Climber)(Function, int, int);
__device__ Climber climber = climb;
__device__ int climb(Function f, int n, int so_far) {
  return n == 0 ? so_far : climber(f, n - 1, f(so_far, n)) + 1;
}

__device__ __noinline__ int total(const Shape* shape) { return shape->area() * 100 + shape->corners(); }

extern "C" __global__ void run(int* out) {
  int t = threadIdx.x;
  int* mine = out + t * 5;
  mine[0] = table[t & 3](t, 7);
  mine[1] = fixed(t, t) + table[t / 32](t, 3);
  Square square(t);
  Box box(t);
  Point point;
  const Shape* shape = t % 3 == 0 ? (const Shape*)&square : t % 3 == 1 ? (const Shape*)&box : &point;
  mine[2] = total(shape);
  Node node{t};
  int (Node::*member)(int) = t & 1 ? &Node::plus : &Node::times;
  mine[3] = (node.*member)(11);
  mine[4] = t % 5 == 4 ? -1 : climber(table[t % 4], t % 6, t);
}
