// warplens: --devices 2
// Jacobi's method for the heat in a plate, on all devices: each has some rows of the plate, and the last rows
// of its neighbours, the halo. After each step, the devices send each other their outer rows. One thread of
// the host gives the work to all of them.
//
// A device has two streams. In one, the kernel computes the two outer rows, which are then sent; in the other
// one, the kernel computes the inner rows meanwhile.
//
//     warplens run --devices 2 halo.cu 512 200
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t error_ = (call);                                                     \
    if (error_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

// Rows from `first` on, every `step`-th, and of each all but its two ends, which stay as they are.
__global__ void relax(float* next, const float* now, int first, int step, int rows, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side - 1 || row >= rows) return;
  const size_t at = size_t(first + row * step) * side + x;
  next[at] = 0.25f * (now[at - 1] + now[at + 1] + now[at - side] + now[at + side]);
}

struct Part {
  int rows = 0;                           // without the halo
  float *now = nullptr, *next = nullptr;  // row 0 and row rows + 1 are the halo
  cudaStream_t outer{}, inner{};
  cudaEvent_t outer_done{}, inner_done{};
};

void launch(const Part& part, int first, int step, int rows, int side, cudaStream_t stream) {
  const dim3 block(64, 4), grid((side + 61) / 64, (rows + 3) / 4);
  relax<<<grid, block, 0, stream>>>(part.next, part.now, first, step, rows, side);
  CHECK(cudaGetLastError());
}

Part make_part(const std::vector<float>& plate, int first, int rows, int side) {
  Part part;
  part.rows = rows;
  const size_t bytes = size_t(rows + 2) * side * sizeof(float);
  for (float** array : {&part.now, &part.next}) {
    CHECK(cudaMalloc(array, bytes));
    CHECK(cudaMemcpy(*array, plate.data() + size_t(first - 1) * side, bytes, cudaMemcpyHostToDevice));
  }
  for (cudaStream_t* stream : {&part.outer, &part.inner})
    CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&part.outer_done, &part.inner_done})
    CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  return part;
}

// The outer rows need the inner rows of the step before, and the halo that the neighbours sent.
void give_step(std::vector<Part>& parts, int side) {
  const int devices = static_cast<int>(parts.size());
  const size_t row_bytes = side * sizeof(float);
  for (int d = 0; d < devices; ++d) {
    Part& part = parts[d];
    CHECK(cudaSetDevice(d));
    CHECK(cudaStreamWaitEvent(part.inner, part.outer_done));
    launch(part, 2, 1, part.rows - 2, side, part.inner);
    CHECK(cudaStreamWaitEvent(part.outer, part.inner_done));
    for (int neighbour : {d - 1, d + 1})
      if (neighbour >= 0 && neighbour < devices)
        CHECK(cudaStreamWaitEvent(part.outer, parts[neighbour].outer_done));
    launch(part, 1, part.rows - 1, 2, side, part.outer);
  }
  // Only now: an event that is recorded again is another one for those who wait for it later.
  for (int d = 0; d < devices; ++d) {
    Part& part = parts[d];
    CHECK(cudaSetDevice(d));
    if (d > 0)
      CHECK(cudaMemcpyPeerAsync(parts[d - 1].next + size_t(parts[d - 1].rows + 1) * side, d - 1,
                                part.next + side, d, row_bytes, part.outer));
    if (d + 1 < devices)
      CHECK(cudaMemcpyPeerAsync(parts[d + 1].next, d + 1, part.next + size_t(part.rows) * side, d, row_bytes,
                                part.outer));
    CHECK(cudaEventRecord(part.outer_done, part.outer));
    CHECK(cudaEventRecord(part.inner_done, part.inner));
  }
  for (Part& part : parts) std::swap(part.now, part.next);
}

void end_part(Part& part) {
  CHECK(cudaFree(part.now));
  CHECK(cudaFree(part.next));
  CHECK(cudaStreamDestroy(part.outer));
  CHECK(cudaStreamDestroy(part.inner));
  CHECK(cudaEventDestroy(part.outer_done));
  CHECK(cudaEventDestroy(part.inner_done));
}

std::vector<float> solve(std::vector<float> plate, int side, int steps, int devices) {
  std::vector<Part> parts;
  std::vector<int> first{1};
  for (int d = 0; d < devices; ++d) {
    const int rows = (side - 2) * (d + 1) / devices - (side - 2) * d / devices;
    CHECK(cudaSetDevice(d));
    parts.push_back(make_part(plate, first[d], rows, side));
    first.push_back(first[d] + rows);
  }
  for (int step = 0; step < steps; ++step) give_step(parts, side);
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(plate.data() + size_t(first[d]) * side, parts[d].now + side,
                     size_t(parts[d].rows) * side * sizeof(float), cudaMemcpyDeviceToHost));
    end_part(parts[d]);
  }
  return plate;
}

int main(int argc, char** argv) {
  const int side = argc > 1 ? std::atoi(argv[1]) : 130, steps = argc > 2 ? std::atoi(argv[2]) : 40;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (side < 4 * devices + 2 || steps < 1) {
    std::fprintf(stderr, "halo [SIDE [STEPS]]: at least four rows for each device, and one step\n");
    return 2;
  }
  std::vector<float> plate(size_t(side) * side);
  for (int x = 0; x < side; ++x) plate[x] = 100;  // one side is hot
  const std::vector<float> alone = solve(plate, side, steps, 1);
  const std::vector<float> together = solve(plate, side, steps, devices);
  int right = 0;
  for (int y = 0; y < side; ++y)
    right += std::memcmp(&alone[size_t(y) * side], &together[size_t(y) * side], side * sizeof(float)) == 0;
  std::printf("%d devices, the rows that they compute like one alone:\n%d of %d hold\n", devices, right,
              side);
  return right == side ? 0 : 1;
}
