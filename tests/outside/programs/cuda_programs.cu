// CUDA C++ as programs use it: device functions, recursion, templates, virtual functions, cooperative groups,
// half precision, tensor cores, asynchronous copies, integer intrinsics. Compiled by nvcc for compute_80.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;

extern "C" __global__ void cg_tile_reduce(const int* x, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int value = cg::reduce(tile, x[blockIdx.x * blockDim.x + threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 16] = value;
}

extern "C" __global__ void cg_coalesced(const int* x, int* count, int* rank) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 3 == 0) {
    auto active = cg::coalesced_threads();
    rank[i] = active.thread_rank() + 100 * active.size();
    if (active.thread_rank() == 0) atomicAdd(count, active.size());
  }
}

extern "C" __global__ void cg_scan(const int* x, int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cg::exclusive_scan(tile, x[i], cg::plus<int>());
}

extern "C" __global__ void cg_grid_sync(float* x, int rounds) {
  auto grid = cg::this_grid();
  unsigned long long i = grid.thread_rank(), n = grid.size();
  for (int r = 0; r < rounds; ++r) {
    float left = x[(i + 1) % n];
    grid.sync();
    x[i] = x[i] * 0.5f + left * 0.25f;
    grid.sync();
  }
}

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void recursion(int* out) {
  int i = threadIdx.x;
  out[i] = ackermann(i % 3, i % 5);
}

__device__ int queens(int n, int columns, int left, int right) {
  int all = (1 << n) - 1, count = 0;
  if (columns == all) return 1;
  for (int free = all & ~(columns | left | right); free != 0;) {
    int bit = free & -free;
    free ^= bit;
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

extern "C" __global__ void queens_by_first_column(int* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = queens(n, 1 << i, 2 << i, (1 << i) >> 1);
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

extern "C" __global__ void virtual_functions(const float* x, float* out) {
  int i = threadIdx.x;
  Square square(x[i]);
  Circle circle(x[i]);
  const Shape* shape = i % 3 == 0 ? static_cast<const Shape*>(&square) : &circle;
  out[i] = shape->area();
}

using Operation = int (*)(int, int);
__device__ int plus_op(int a, int b) { return a + b; }
__device__ int times_op(int a, int b) { return a * b; }
__device__ int minus_op(int a, int b) { return a - b; }
__device__ Operation operations[3] = {plus_op, times_op, minus_op};

extern "C" __global__ void function_pointers(const int* x, const int* y, int* out) {
  int i = threadIdx.x;
  out[i] = operations[(x[i] & 0x7fffffff) % 3](x[i], y[i]);
}

struct Body {
  float3 place, speed;
  float mass;
};

__device__ float3 pull(Body a, Body b) {
  float dx = b.place.x - a.place.x, dy = b.place.y - a.place.y, dz = b.place.z - a.place.z;
  float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
  float inverse = rsqrtf(r2);
  float force = b.mass * inverse * inverse * inverse;
  return make_float3(dx * force, dy * force, dz * force);
}

extern "C" __global__ void nbody(const Body* in, Body* out, int n, float step) {
  extern __shared__ char room[];
  Body* near = reinterpret_cast<Body*>(room);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body me = in[i];
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockDim.x) {
    near[threadIdx.x] = in[start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      float3 f = pull(me, near[k]);
      sum.x += f.x;
      sum.y += f.y;
      sum.z += f.z;
    }
    __syncthreads();
  }
  me.speed.x += sum.x * step;
  me.speed.y += sum.y * step;
  me.speed.z += sum.z * step;
  me.place.x += me.speed.x * step;
  me.place.y += me.speed.y * step;
  me.place.z += me.speed.z * step;
  out[i] = me;
}

extern "C" __global__ void half_math(const __half2* x, const __half2* y, __half2* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 v = __hfma2(x[i], y[i], x[i]);
  v = __hmax2(v, __hneg2(y[i]));
  out[i] = __hadd2_sat(v, __hmul2(x[i], __float2half2_rn(0.25f)));
}

extern "C" __global__ void bfloat_math(const __nv_bfloat16* x, const __nv_bfloat16* y, __nv_bfloat16* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __hfma(x[i], y[i], __float2bfloat16(0.5f)) - __hmin(x[i], y[i]);
}

extern "C" __global__ void wmma_gemm(const __half* a, const __half* b, float* c, int n, int k) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * k + i, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmma_int8(const signed char* a, const signed char* b, int* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
  wmma::fill_fragment(fc, 1);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}

extern "C" __global__ void async_copy(const float4* x, float4* out, int rounds) {
  __shared__ float4 stage[2][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &x[t], sizeof(float4));
  __pipeline_commit();
  float4 sum = make_float4(0, 0, 0, 0);
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) __pipeline_memcpy_async(&stage[(r + 1) % 2][t], &x[(r + 1) * 64 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = stage[r % 2][63 - t];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
    __syncthreads();
  }
  out[t] = sum;
}

extern "C" __global__ void arrive_wait_barrier(const int* x, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int room[128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int total = 0;
  for (int r = 0; r < 4; ++r) {
    room[threadIdx.x] = x[r * 128 + threadIdx.x];
    barrier.arrive_and_wait();
    total += room[(threadIdx.x + 33) % 128];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = total;
}

extern "C" __global__ void dot_products(const int* a, const int* b, int* out) {
  int i = threadIdx.x;
  int v = __dp4a(a[i], b[i], i);
  v += __dp2a_lo(a[i], b[i], 3) - __dp2a_hi(a[i], b[i], 5);
  out[i] = v ^ __vadd4(a[i], b[i]) ^ __vabsdiffu4(a[i], b[i]) ^ __vmaxs2(a[i], b[i]);
}

extern "C" __global__ void integer_tricks(const unsigned* a, const unsigned* b, unsigned* out) {
  int i = threadIdx.x;
  unsigned v =
      __byte_perm(a[i], b[i], 0x5326) ^ __funnelshift_l(a[i], b[i], i) ^ __funnelshift_rc(a[i], b[i], i);
  v += __umulhi(a[i], b[i]) + __mul24(int(a[i]), int(b[i])) + __popc(a[i]) + __clz(b[i]) + __ffs(a[i]);
  v ^= __brev(a[i]) + __sad(int(a[i]), int(b[i]), 7u) + __uhadd(a[i], b[i]) + __rhadd(int(a[i]), int(b[i]));
  out[i] = v + __fns(a[i], i % 32, 2);
}

extern "C" __global__ void wide_integers(const unsigned long long* a, const unsigned long long* b,
                                         unsigned long long* out) {
  int i = threadIdx.x;
  unsigned __int128 p = (unsigned __int128)a[i] * b[i] + a[i];
  unsigned __int128 q = p / (b[i] | 1);
  out[3 * i] = (unsigned long long)(p >> 64);
  out[3 * i + 1] = (unsigned long long)q;
  out[3 * i + 2] = (unsigned long long)(p % (b[i] | 1)) + __umul64hi(a[i], b[i]);
}

extern "C" __global__ void warp_matching(const int* x, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned same = __match_any_sync(~0u, x[i] & 7);
  int all = 0;
  unsigned every = __match_all_sync(same, x[i] & 7, &all);
  unsigned sum = __reduce_add_sync(~0u, unsigned(x[i]));
  out[i] = same ^ every ^ sum ^ unsigned(all) ^ __reduce_max_sync(same, unsigned(x[i]));
}

extern "C" __global__ void divergent_shuffle(const int* x, int* out) {
  int i = threadIdx.x;
  int v = x[i];
  if (i % 2 == 0) {
    v += __shfl_xor_sync(0x55555555, v, 2);
    if (i % 4 == 0) v *= __shfl_up_sync(0x11111111, v, 4, 16);
  } else {
    v -= __shfl_sync(0xaaaaaaaa, v, i + 2);
  }
  __syncwarp();
  out[i] = v + __shfl_down_sync(~0u, v, 1);
}

extern "C" __global__ void spin_lock(int* lock, int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

extern "C" __global__ void scoped_atomics(cuda::atomic<int, cuda::thread_scope_device>* a, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i % 4].fetch_add(i, cuda::memory_order_relaxed);
  a[4 + i % 2].fetch_max(i, cuda::memory_order_acq_rel);
  int wanted = 0;
  a[6].compare_exchange_strong(wanted, 5);
  if (threadIdx.x == 0) out[blockIdx.x] = a[6].load(cuda::memory_order_acquire) > 0;
}

extern "C" __global__ void look_back_scan(const int* x, int* out, volatile int* state, volatile int* sums,
                                          int n) {
  __shared__ int room[64];
  __shared__ int before;
  int t = threadIdx.x, b = blockIdx.x, i = b * 64 + t;
  room[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int v = t >= step ? room[t - step] : 0;
    __syncthreads();
    room[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    int sum = 0;
    if (b > 0) {
      while (state[b - 1] == 0) {
      }
      __threadfence();
      sum = sums[b - 1];
    }
    sums[b] = sum + room[63];
    __threadfence();
    state[b] = 1;
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = room[t] + before;
}

template <int N>
__device__ float determinant(const float (&m)[N][N]) {
  float a[N][N], result = 1;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = m[i][j];
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (fabsf(a[i][k]) > fabsf(a[p][k])) p = i;
    if (p != k) {
      result = -result;
      for (int j = 0; j < N; ++j) {
        float v = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = v;
      }
    }
    result *= a[k][k];
    for (int i = k + 1; i < N; ++i) {
      float f = a[i][k] / a[k][k];
      for (int j = k; j < N; ++j) a[i][j] -= f * a[k][j];
    }
  }
  return result;
}

extern "C" __global__ void determinants(const float* x, float* out) {
  float m[5][5];
  int t = threadIdx.x;
  for (int i = 0; i < 25; ++i) m[i / 5][i % 5] = x[t * 25 + i];
  out[t] = determinant<5>(m);
}

extern "C" __global__ void special_functions(const double* x, double* out) {
  int i = threadIdx.x;
  double v = x[i];
  out[8 * i] = erfinv(v * 0.4);
  out[8 * i + 1] = lgamma(v + 3.0);
  out[8 * i + 2] = j0(v);
  out[8 * i + 3] = cbrt(v);
  out[8 * i + 4] = sinpi(v);
  out[8 * i + 5] = expm1(v);
  out[8 * i + 6] = remainder(v, 0.7);
  out[8 * i + 7] = nextafter(v, 2.0);
}

extern "C" __global__ void float_intrinsics(const float* x, float* out) {
  int i = threadIdx.x;
  float v = x[i];
  out[10 * i] = __fdividef(v, 3.3f);
  out[10 * i + 1] = __expf(v);
  out[10 * i + 2] = __logf(fabsf(v) + 0.1f);
  out[10 * i + 3] = __sinf(v);
  out[10 * i + 4] = __powf(fabsf(v), 1.5f);
  out[10 * i + 5] = __frsqrt_rn(fabsf(v) + 0.1f);
  out[10 * i + 6] = __fadd_ru(v, 0.1f) - __fmul_rd(v, v);
  out[10 * i + 7] = __fsqrt_rz(fabsf(v));
  out[10 * i + 8] = __frcp_rn(v);
  out[10 * i + 9] = __saturatef(v) + rintf(v) + truncf(v);
}

extern "C" __global__ void conversions(const double* x, int* out) {
  int i = threadIdx.x;
  double v = x[i] * 1e9;
  out[8 * i] = __double2int_rn(v);
  out[8 * i + 1] = __double2int_ru(v * 10);
  out[8 * i + 2] = int(__float2uint_rz(float(v)));
  out[8 * i + 3] = __float_as_int(__double2float_rd(v));
  out[8 * i + 4] = int(short(v / 1e6));
  out[8 * i + 5] = __half_as_short(__float2half_rn(float(x[i])));
  out[8 * i + 6] = __float_as_int(__ll2float_ru((long long)(v * 1000)));
  out[8 * i + 7] = __float_as_int(__bfloat162float(__double2bfloat16(x[i])));
}

extern "C" __global__ void sha256_rounds(const unsigned* message, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w[16], state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int k = 0; k < 16; ++k) w[k] = message[16 * i + k];
  for (int k = 0; k < 64; ++k) {
    unsigned e = state[4], a = state[0];
    unsigned t1 = state[7] + ((e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)) +
                  ((e & state[5]) ^ (~e & state[6])) + w[k % 16] + 0x428a2f98u * (k + 1);
    unsigned t2 = ((a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)) +
                  ((a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2]));
    w[k % 16] += w[(k + 9) % 16] + (w[(k + 1) % 16] >> 3 ^ w[(k + 14) % 16] >> 10);
    for (int s = 7; s > 0; --s) state[s] = state[s - 1];
    state[4] += t1;
    state[0] = t1 + t2;
  }
  for (int k = 0; k < 8; ++k) out[8 * i + k] = state[k];
}

extern "C" __global__ void game_of_life(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

extern "C" __global__ void sparse_product(const int* rows, const int* columns, const double* values,
                                          const double* x, double* out, int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= n) return;
  double sum = 0;
  for (int k = rows[warp] + lane; k < rows[warp + 1]; k += 32) sum += values[k] * __ldg(&x[columns[k]]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0) out[warp] = sum;
}

extern "C" __global__ void switch_table(const int* x, int* out) {
  int i = threadIdx.x, v = x[i];
  switch (v & 15) {
    case 0:
      v += 11;
      break;
    case 1:
      v *= 3;
      break;
    case 2:
      v ^= 0x55;
      break;
    case 3:
      v -= 1000;
      break;
    case 4:
      v = -v;
      break;
    case 5:
      v <<= 2;  // and on
    case 6:
      v |= 1;
      break;
    case 7:
      v /= 7;
      break;
    case 8:
      v %= 13;
      break;
    case 11:
      v = ~v;
      break;
    default:
      v = 42;
      break;
  }
  out[i] = v;
}

extern "C" __global__ void device_heap(int* out) {
  int i = threadIdx.x;
  struct Node {
    int value;
    Node* next;
  };
  Node* first = nullptr;
  for (int k = 0; k <= i % 7; ++k) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = k * i;
    node->next = first;
    first = node;
  }
  int sum = 0;
  while (first != nullptr) {
    Node* next = first->next;
    sum += first->value;
    free(first);
    first = next;
  }
  out[i] = sum;
}
