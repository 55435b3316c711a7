// c = a · b on tensor cores, two ways: wmma, and mma.sync with ldmatrix and cp.async. Matrices of f16 and
// f32, row after row, sides multiples of 16 and 32. gemm.ptx is what nvcc makes of this file:
//   nvcc -arch=compute_80 -ptx gemm.cu
#include <cuda_fp16.h>
#include <mma.h>

// One warp for each 16 × 16 part of c.
extern "C" __global__ void gemm_wmma(const __half* a, const __half* b, float* c, int n, int k) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
#pragma unroll 1
  for (int at = 0; at < k; at += 16) {
    wmma::load_matrix_sync(left, a + row * k + at, k);
    wmma::load_matrix_sync(right, b + at * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2.0f;
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void copy_16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

// Two warps for each 32 × 16 part of c; the next parts of a and b are on their way while these are
// multiplied.
extern "C" __global__ void gemm_mma(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ __align__(128) __half left[2][32][24],
      right[2][16][24];  // padded, so that rows fall into other banks
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.y * 32, column = blockIdx.x * 16;
  float sum[2][4] = {};
  const auto fetch = [&](int stage, int at) {
    const int r = threadIdx.x / 2, half = threadIdx.x % 2 * 8;
    copy_16(&left[stage][r][half], a + (row + r) * k + at + half);
    if (r < 16) copy_16(&right[stage][r][half], b + (at + r) * n + column + half);
    asm volatile("cp.async.commit_group;");
  };
  fetch(0, 0);
#pragma unroll 1
  for (int at = 0, stage = 0; at < k; at += 16, stage ^= 1) {
    if (at + 16 < k) {
      fetch(stage ^ 1, at + 16);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_all;");
    }
    __syncthreads();
    unsigned x[4], y[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&left[stage][warp * 16 + lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                 : "r"(shared_address(&right[stage][lane % 16][lane / 16 * 8])));
    for (int part = 0; part < 2; ++part) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(sum[part][0]), "+f"(sum[part][1]), "+f"(sum[part][2]), "+f"(sum[part][3])
          : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * part]), "r"(y[2 * part + 1]));
    }
    __syncthreads();
  }
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < 4; ++i) {
      const int r = row + warp * 16 + lane / 4 + i / 2 * 8, to = column + part * 8 + lane % 4 * 2 + i % 2;
      c[r * n + to] = sum[part][i];
    }
  }
}
