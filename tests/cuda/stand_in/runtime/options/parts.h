__device__ int twice(int x);
extern __device__ int shift;
