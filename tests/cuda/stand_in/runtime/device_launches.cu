// nvcc: -rdc=true
// Kernels that launch kernels: order, tail launches, depth, errors, copies, and programs that need them.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "expect.h"

namespace {

// Managed arrays of the tests.
template <class T>
T* managed(size_t count) {
  T* made = nullptr;
  EXPECT_OK(cudaMallocManaged(&made, count * sizeof(T)));
  std::fill_n(made, count, T{});
  return made;
}

struct Mixed {
  char first;
  double middle;
  short last;
};

__global__ void take_mixed(double* out, Mixed value, char more, const double* factor) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = (value.first + value.middle + value.last + more) * *factor;
}

__global__ void give_mixed(double* out, const double* factor) {
  take_mixed<<<dim3(2, 1, 1), dim3(8, 4, 1)>>>(out, Mixed{1, 0.5, -3}, 'a', factor);
}

void parameters() {
  auto* values = managed<double>(2);
  values[1] = 2;
  give_mixed<<<1, 1>>>(values, values + 1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(values[0] == 2 * (1 + 0.5 - 3 + 'a'));
}

__global__ void append(int* number, int digit) { *number = *number * 10 + digit; }

__global__ void append_after(int* number, int digit, int after) {
  *number = *number * 10 + digit;
  append<<<1, 1>>>(number, after);
}

// The null stream of a block keeps the order, also among its threads; a child ends when those that it
// launched have ended; a tail launch comes after all of them.
__global__ void in_turn(int* number) {
  if (threadIdx.x == 0) append<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 9);
  if (threadIdx.x == 0) append<<<1, 1>>>(number, 1);
  __syncthreads();
  if (threadIdx.x == 40) append_after<<<1, 1>>>(number, 2, 3);
  __syncthreads();
  if (threadIdx.x == 7) append<<<1, 1>>>(number, 4);
}

__global__ void two_tails(int* number) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 5);
  append_after<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 6, 7);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 8);
  append_after<<<1, 1, 0, cudaStreamFireAndForget>>>(number, 1, 2);
}

void order() {
  auto* number = managed<int>(1);
  in_turn<<<1, 64>>>(number);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*number == 12349);
  *number = 0;
  two_tails<<<1, 1>>>(number);
  append<<<1, 1>>>(number, 3);  // in the same stream of the host: after all of them
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*number == 1256783);
}

// What a parent wrote before the launch is there for the child; blocks and threads launch by themselves.
__global__ void add_own(const int* seeds, int* sum) { atomicAdd(sum, seeds[threadIdx.x]); }

__global__ void many(int* seeds, int* sum) {
  const int mine = blockIdx.x * blockDim.x + threadIdx.x;
  seeds[2 * mine] = mine;
  seeds[2 * mine + 1] = 1;
  if (mine % 3 == 0)
    add_own<<<1, 2, 0, mine % 2 ? cudaStreamFireAndForget : nullptr>>>(seeds + 2 * mine, sum);
}

void many_launches() {
  auto* seeds = managed<int>(1024);
  auto* sum = managed<int>(1);
  many<<<8, 64>>>(seeds, sum);
  EXPECT_OK(cudaDeviceSynchronize());
  int expected_sum = 0;
  for (int i = 0; i < 512; i += 3) expected_sum += i + 1;
  EXPECT(*sum == expected_sum);
}

__global__ void descend(int depth, int* deepest, int* error) {
  *deepest = depth;
  descend<<<1, 1>>>(depth + 1, deepest, error);
  if (const cudaError_t is = cudaGetLastError()) *error = is;
}

__global__ void sum_down(int n, unsigned long long* sum) {
  *sum += n;
  if (n > 0) sum_down<<<1, 1>>>(n - 1, sum);
}

void depth() {
  auto* found = managed<int>(2);
  descend<<<1, 1>>>(0, found, found + 1);
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("the deepest kernel has depth %d, and then the error is %d\n", found[0], found[1]);
  EXPECT(found[0] == 2048);  // all of them wait for the last one
  EXPECT(found[1] == cudaErrorLaunchPendingCountExceeded);
  auto* sum = managed<unsigned long long>(1);
  sum_down<<<1, 1>>>(20, sum);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*sum == 210);
}

__global__ void count_one(int* count) { atomicAdd(count, 1); }

// Tail launches wait until the grid ends, so all of them are pending.
__global__ void too_many(int launches, int* count, int* refused, int* error) {
  for (int i = 0; i < launches; ++i) {
    count_one<<<1, 1, 0, cudaStreamTailLaunch>>>(count);
    const cudaError_t is = cudaGetLastError();
    if (is != cudaSuccess) {
      ++*refused;
      *error = is;
    }
  }
}

void pending() {
  size_t limit = 0;
  EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT(limit == 2048);
  auto* found = managed<int>(3);
  too_many<<<1, 1>>>(2100, found, found + 1, found + 2);
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("of 2100 launches %d were refused\n", found[1]);
  EXPECT(found[1] > 0);
  EXPECT(found[0] + found[1] == 2100);
  EXPECT(found[2] == cudaErrorLaunchPendingCountExceeded);
}

__global__ void nothing() {}

__device__ bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

__global__ void wrong_shapes(int* codes) {
  nothing<<<1, 2000>>>();
  codes[0] = cudaPeekAtLastError();
  codes[1] = cudaGetLastError();
  codes[2] = cudaGetLastError();
  nothing<<<0, 32>>>();
  codes[3] = cudaGetLastError();
  nothing<<<dim3(1, 70000), 32>>>();
  codes[4] = cudaGetLastError();
  nothing<<<1, 32, 1 << 20>>>();
  codes[5] = cudaGetLastError();
  nothing<<<1, 32>>>();
  codes[6] = cudaGetLastError();
  codes[7] = same(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
  codes[8] = same(cudaGetErrorString(cudaSuccess), "no error");
}

// Each thread has its own error.
__global__ void own_errors(int* codes) {
  if (threadIdx.x == 3) nothing<<<1, 4000>>>();
  __syncwarp();
  codes[threadIdx.x] = cudaGetLastError();
}

void errors() {
  auto* codes = managed<int>(32);
  wrong_shapes<<<1, 1>>>(codes);
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("errors of wrong shapes:");
  for (int i = 0; i < 7; ++i) std::printf(" %d", codes[i]);
  std::printf("\n");
  EXPECT(codes[0] == cudaErrorInvalidConfiguration);
  EXPECT(codes[1] == cudaErrorInvalidConfiguration);
  EXPECT(codes[2] == cudaSuccess);
  EXPECT(codes[3] == cudaErrorInvalidConfiguration);
  EXPECT(codes[4] == cudaErrorInvalidConfiguration);
  EXPECT(codes[5] == cudaErrorInvalidConfiguration);
  EXPECT(codes[6] == cudaSuccess);
  EXPECT(codes[7] == 1);
  EXPECT(codes[8] == 1);
  own_errors<<<1, 32>>>(codes);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(codes[i] == (i == 3 ? cudaErrorInvalidConfiguration : cudaSuccess));
}

__global__ void with_streams(int* number, int* codes) {
  cudaStream_t first, second;
  cudaEvent_t event;
  codes[0] = cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  codes[1] = cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  codes[2] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  append<<<1, 1, 0, first>>>(number, 1);
  append<<<1, 1, 0, first>>>(number, 2);
  codes[3] = cudaEventRecord(event, first);
  codes[4] = cudaStreamWaitEvent(second, event, 0);
  append<<<1, 1, 0, second>>>(number, 3);
  codes[5] = cudaEventDestroy(event);
  codes[6] = cudaStreamDestroy(first);
  codes[7] = cudaStreamDestroy(second);
  codes[8] = first != second;
}

void streams() {
  auto* found = managed<int>(16);
  with_streams<<<1, 1>>>(found, found + 1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(found[0] == 123);
  for (int i = 1; i < 9; ++i) EXPECT(found[i] == cudaSuccess);
  EXPECT(found[9] == 1);
}

__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

__global__ void with_copies(int* values, int* copied, unsigned char* bytes, int* codes) {
  codes[0] = cudaMemsetAsync(values, 0, 32 * sizeof(int), 0);
  add_one<<<1, 32>>>(values);
  codes[1] = cudaMemcpyAsync(copied, values, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  add_one<<<1, 32>>>(values);
  codes[2] = cudaMemset2DAsync(bytes, 16, 0, 4, 3, 0);  // 4 bytes of each of 3 rows
  codes[3] = cudaMemcpy2DAsync(bytes + 8, 16, bytes, 16, 4, 2, cudaMemcpyDeviceToDevice, 0);
}

void copies() {
  auto* values = managed<int>(96);
  std::fill_n(values, 96, -5);
  // Zeros over sevens: an H200 with CUDA 13.0 takes any value of a fill in a kernel for 0.
  auto* bytes = managed<unsigned char>(64);
  std::fill_n(bytes, 64, 7);
  int* codes = values + 64;
  with_copies<<<1, 1>>>(values, values + 32, bytes, codes);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) EXPECT(codes[i] == cudaSuccess);
  for (int i = 0; i < 32; ++i) EXPECT(values[i] == 2 && values[32 + i] == 1);
  for (int i = 0; i < 64; ++i) {
    const int row = i / 16, column = i % 16;
    EXPECT(bytes[i] == (column < 4 && row < 3 || column >= 8 && column < 12 && row < 2 ? 0 : 7));
  }
}

__global__ void ask(int* answers, size_t* limit) {
  answers[0] = cudaDeviceGetAttribute(answers + 1, cudaDevAttrWarpSize, 0);
  answers[2] = cudaGetDevice(answers + 3);
  answers[4] = cudaGetDeviceCount(answers + 5);
  answers[6] = cudaRuntimeGetVersion(answers + 7);
  answers[8] = cudaDeviceGetLimit(limit, cudaLimitMallocHeapSize);
  answers[9] = cudaDeviceGetAttribute(answers + 10, cudaDevAttrMaxThreadsPerBlock, 0);
}

void questions() {
  auto* answers = managed<int>(16);
  auto* limit = managed<size_t>(1);
  ask<<<1, 1>>>(answers, limit);
  EXPECT_OK(cudaDeviceSynchronize());
  for (const int i : {0, 2, 4, 6, 8, 9}) EXPECT(answers[i] == cudaSuccess);
  EXPECT(answers[1] == 32);
  EXPECT(answers[3] == 0);
  EXPECT(answers[5] >= 1);
  EXPECT(answers[7] == 6000);  // in a kernel
  EXPECT(*limit == size_t{8} << 20);
  EXPECT(answers[10] == 1024);
}

__global__ void write_heap(int* heap) { heap[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void read_heap(int* heap, int* out) {
  out[threadIdx.x] = heap[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) cudaFree(heap);
}
__global__ void use_heap(int* out, int* code) {
  int* heap = nullptr;
  *code = cudaMalloc(&heap, 32 * sizeof(int));
  write_heap<<<1, 32>>>(heap);
  read_heap<<<1, 32>>>(heap, out);
}

void heap() {
  auto* out = managed<int>(33);
  use_heap<<<1, 1>>>(out, out + 32);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(out[32] == cudaSuccess);
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == i * i);
}

// A graph's kernel node launches at each replay.
void graph() {
  auto* number = managed<int>(1);
  cudaStream_t stream;
  cudaGraph_t made;
  cudaGraphExec_t ready;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  append_after<<<1, 1, 0, stream>>>(number, 1, 2);
  EXPECT_OK(cudaStreamEndCapture(stream, &made));
  EXPECT_OK(cudaGraphInstantiate(&ready, made, 0));
  for (int i = 0; i < 3; ++i) EXPECT_OK(cudaGraphLaunch(ready, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(*number == 121212);
}

// Quicksort: a block splits its part, and launches a kernel for each half.
template <class T>
__global__ void quicksort(T* values, int left, int right, int depth) {
  if (depth > 12 || right - left < 8) {
    for (int i = left + 1; i <= right; ++i)
      for (int j = i; j > left && values[j] < values[j - 1]; --j) {
        const T other = values[j];
        values[j] = values[j - 1];
        values[j - 1] = other;
      }
    return;
  }
  const T pivot = values[(left + right) / 2];
  int low = left, high = right;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (pivot < values[high]) --high;
    if (low > high) break;
    const T other = values[low];
    values[low++] = values[high];
    values[high--] = other;
  }
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  if (left < high) quicksort<<<1, 1, 0, own>>>(values, left, high, depth + 1);
  cudaStreamDestroy(own);
  if (low < right) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values, low, right, depth + 1);
}

void sort() {
  auto* values = managed<float>(1000);
  unsigned state = 1;
  for (int i = 0; i < 1000; ++i) values[i] = static_cast<float>((state = state * 1664525 + 1013904223) >> 8);
  std::vector<float> sorted(values, values + 1000);
  std::sort(sorted.begin(), sorted.end());
  quicksort<<<1, 1>>>(values, 0, 999, 0);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(std::equal(sorted.begin(), sorted.end(), values));
}

// Bézier curves of three points: a thread chooses how finely its curve is divided, and a kernel for each
// curve computes the points.
constexpr int most_points = 32;
struct Curve {
  float2 control[3];
  float2 points[most_points];
  int count;
};

__global__ void points_of(Curve* curve) {
  const int i = threadIdx.x;
  if (i >= curve->count) return;
  const float t = static_cast<float>(i) / (curve->count - 1), s = 1 - t;
  const float2* c = curve->control;
  curve->points[i] = {s * s * c[0].x + 2 * s * t * c[1].x + t * t * c[2].x,
                      s * s * c[0].y + 2 * s * t * c[1].y + t * t * c[2].y};
}

__global__ void divide(Curve* curves, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float2* c = curves[i].control;
  const float bend = fabsf(c[0].x - 2 * c[1].x + c[2].x) + fabsf(c[0].y - 2 * c[1].y + c[2].y);
  curves[i].count = min(max(static_cast<int>(bend), 2), most_points);
  points_of<<<1, 32>>>(curves + i);
}

void bezier() {
  constexpr int count = 50;
  auto* curves = managed<Curve>(count);
  for (int i = 0; i < count; ++i)
    for (int p = 0; p < 3; ++p)
      curves[i].control[p] = {static_cast<float>((i * 7 + p * 13) % 29),
                              static_cast<float>((i * 5 + p * p * 11) % 31)};
  divide<<<2, 32>>>(curves, count);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    const Curve& curve = curves[i];
    EXPECT(curve.count >= 2 && curve.count <= most_points);
    EXPECT(curve.points[0].x == curve.control[0].x && curve.points[0].y == curve.control[0].y);
    const float2 end = curve.points[curve.count - 1];
    EXPECT(end.x == curve.control[2].x && end.y == curve.control[2].y);
    const int middle = curve.count / 2;
    const float t = static_cast<float>(middle) / (curve.count - 1);
    const float x = (1 - t) * (1 - t) * curve.control[0].x + 2 * t * (1 - t) * curve.control[1].x +
                    t * t * curve.control[2].x;
    EXPECT(std::abs(curve.points[middle].x - x) < 1e-4f);
  }
}

// A quadtree: a block counts the points of its square in the four quarters, moves them there, and launches
// four blocks if there are many. Each launch is of a grid of four blocks, one a quarter.
struct Square {
  float x, y, size;
  int begin, end, depth;
};

__global__ void build(float2* from, float2* to, Square parent, const int* bounds, int* leaves, int most) {
  __shared__ int counts[4], next[4], *own;
  Square mine = parent;
  if (bounds != nullptr) {
    mine.size = parent.size / 2;
    mine.x += (blockIdx.x & 1) ? mine.size : 0;
    mine.y += (blockIdx.x >> 1) ? mine.size : 0;
    mine.begin = bounds[blockIdx.x];
    mine.end = bounds[blockIdx.x + 1];
    mine.depth = parent.depth + 1;
  }
  const int points = mine.end - mine.begin;
  if (points <= most || mine.depth == 8) {
    for (int i = mine.begin + threadIdx.x; i < mine.end; i += blockDim.x) {
      to[i] = from[i];
      const bool inside = from[i].x >= mine.x && from[i].x < mine.x + mine.size && from[i].y >= mine.y &&
                          from[i].y < mine.y + mine.size;
      atomicAdd(leaves + (inside ? 0 : 1), 1);
    }
    if (threadIdx.x == 0) atomicAdd(leaves + 2, 1);
    return;
  }
  if (threadIdx.x < 4) counts[threadIdx.x] = 0;
  __syncthreads();
  const float half = mine.size / 2;
  const auto quarter = [&](float2 p) {
    return (p.x >= mine.x + half ? 1 : 0) + (p.y >= mine.y + half ? 2 : 0);
  };
  for (int i = mine.begin + threadIdx.x; i < mine.end; i += blockDim.x)
    atomicAdd(counts + quarter(from[i]), 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    own = static_cast<int*>(malloc(5 * sizeof(int)));
    own[0] = mine.begin;
    for (int q = 0; q < 4; ++q) {
      next[q] = own[q];
      own[q + 1] = own[q] + counts[q];
    }
  }
  __syncthreads();
  for (int i = mine.begin + threadIdx.x; i < mine.end; i += blockDim.x)
    to[atomicAdd(next + quarter(from[i]), 1)] = from[i];
  __syncthreads();
  if (threadIdx.x == 0) build<<<4, 32>>>(to, from, mine, own, leaves, most);
}

void quadtree() {
  constexpr int count = 600;
  auto* points = managed<float2>(2 * count);
  unsigned state = 7;
  const auto random = [&] {
    return static_cast<float>((state = state * 1664525 + 1013904223) >> 8) / (1 << 24);
  };
  for (int i = 0; i < count; ++i) points[i] = {random() * random(), random()};
  auto* leaves = managed<int>(3);
  build<<<1, 32>>>(points, points + count, {0, 0, 1, 0, count, 0}, nullptr, leaves, 20);
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("the quadtree has %d leaves\n", leaves[2]);
  EXPECT(leaves[0] == count);
  EXPECT(leaves[1] == 0);
  EXPECT(leaves[2] > 30);
}

// Last: no call works after it.
__global__ void write_to(int* address) { *address = 1; }
__global__ void launch_wrong() {
  write_to<<<1, 1>>>(reinterpret_cast<int*>(64));
  nothing<<<1, 1>>>();
}

void fault() {
  launch_wrong<<<1, 1>>>();
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
}

}  // namespace

// A kernel asks what the host would be told, also with pointers into its own stack.
__global__ void __launch_bounds__(256) with_limits(float* out) {
  __shared__ float shared[1000];
  shared[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = shared[255 - threadIdx.x];
}

struct Told {
  size_t shared;
  int most_threads, registers, blocks, blocks_with_shared, of_no_threads, blocks_of_no_threads,
      blocks_of_too_many, of_nothing;
};

__global__ void ask_of_a_kernel(Told* told) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, with_limits) != cudaSuccess) return;
  told->shared = attributes.sharedSizeBytes;
  told->most_threads = attributes.maxThreadsPerBlock;
  told->registers = attributes.numRegs;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&told->blocks, with_limits, 256, 0);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, with_limits, 256, 16000, 0);
  told->blocks_with_shared = blocks;
  told->of_no_threads = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_limits, 0, 0);
  told->blocks_of_no_threads = blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_limits, 2048, 0);
  told->blocks_of_too_many = blocks;
  told->of_nothing = cudaFuncGetAttributes(&attributes, static_cast<const void*>(nullptr));
  cudaGetLastError();
}

void attributes_of_kernels() {
  Told* told = managed<Told>(1);
  ask_of_a_kernel<<<1, 1>>>(told);
  EXPECT_OK(cudaDeviceSynchronize());
  cudaFuncAttributes attributes{};
  int blocks = 0;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, with_limits));
  EXPECT(told->shared == 4000 && attributes.sharedSizeBytes == 4000);
  EXPECT(told->most_threads == 256 && told->registers == attributes.numRegs);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_limits, 256, 0));
  EXPECT(told->blocks == blocks && blocks > 0);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_limits, 256, 16000));
  EXPECT(told->blocks_with_shared == blocks && blocks > 0);
  EXPECT(told->of_no_threads == cudaErrorInvalidValue && told->blocks_of_no_threads == 0);
  EXPECT(told->blocks_of_too_many == 0);
  EXPECT(told->of_nothing == cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(told));
}

int main() {
  parameters();
  order();
  many_launches();
  depth();
  pending();
  errors();
  streams();
  copies();
  questions();
  attributes_of_kernels();
  heap();
  sort();
  bezier();
  quadtree();
  graph();  // after it, an H200 with CUDA 13.0 does not come to the end of sort()
  fault();
  return result();
}
