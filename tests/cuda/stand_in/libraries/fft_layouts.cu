// nvcc: -lcufft
// Layouts with steps, distances and embedding extents; streams and graphs; plans in all their ways.
#include <cufftXt.h>

#include "fft.h"

constexpr double bound = Fft<double>::bound;

// Where an element of a batch is, as the cuFFT documentation has it ("Advanced Data Layout").
struct Layout {
  std::vector<int> embed;
  int step, dist;
  size_t at(int b, size_t flat, const std::vector<int>& n) const {
    size_t index[3] = {0, 0, 0}, place = 0;
    for (size_t i = n.size(); i-- > 0; flat /= n[i]) index[i] = flat % n[i];
    for (size_t i = 0; i < n.size(); ++i) place = (i == 0 ? 0 : place * embed[i]) + index[i];
    return size_t(b) * dist + place * step;
  }
  size_t size(int batch, const std::vector<int>& n) const { return at(batch - 1, product_of(n) - 1, n) + 1; }
};

template <class T>
constexpr bool is_real = std::is_floating_point_v<T>;

// From one layout to another, and nothing beside it is written.
template <class From, class To>
void between(const char* what, cufftType type, std::vector<int> n, int batch, Layout in, Layout out,
             bool of_64_bits) {
  const auto n_in = is_real<To> ? half_of(n) : n, n_out = is_real<From> ? half_of(n) : n;
  auto given = values<From>(in.size(batch, n_in), 7);
  const size_t each = product_of(n);
  const int way = is_real<To> ? CUFFT_INVERSE : CUFFT_FORWARD;
  const To mark = values<To>(1, 99)[0];
  std::vector<To> wanted_places(out.size(batch, n_out), mark);
  std::vector<Exact> wanted;
  std::vector<size_t> places;
  for (int b = 0; b < batch; ++b) {
    std::vector<Exact> one(each);
    if (is_real<To>) {
      // A spectrum that real numbers have.
      auto real = exact(values<double>(each, 50 + b));
      one = transformed(real, n, CUFFT_FORWARD);
      const auto half = halved(one, n);
      for (size_t i = 0; i < half.size(); ++i)
        if constexpr (!is_real<From>)
          given[in.at(b, i, n_in)] = {double(half[i].real()), double(half[i].imag())};
    } else {
      for (size_t i = 0; i < each; ++i) one[i] = exact(given[in.at(b, i, n)]);
    }
    auto made = transformed(one, n, way);
    if (is_real<From>) made = halved(made, n);
    for (size_t i = 0; i < made.size(); ++i) places.push_back(out.at(b, i, n_out));
    wanted.insert(wanted.end(), made.begin(), made.end());
  }
  cufftHandle plan = 0;
  if (of_64_bits) {
    std::vector<long long> n64(n.begin(), n.end()), in64(in.embed.begin(), in.embed.end()),
        out64(out.embed.begin(), out.embed.end());
    size_t bytes = 1;
    EXPECT_FFT_OK(cufftCreate(&plan));
    EXPECT_FFT_OK(cufftMakePlanMany64(plan, int(n.size()), n64.data(), in64.data(), in.step, in.dist,
                                      out64.data(), out.step, out.dist, type, batch, &bytes));
  } else {
    EXPECT_FFT_OK(cufftPlanMany(&plan, int(n.size()), n.data(), in.embed.data(), in.step, in.dist,
                                out.embed.data(), out.step, out.dist, type, batch));
  }
  OnDevice<From> from(given);
  OnDevice<To> to(wanted_places);
  EXPECT_FFT_OK(cufftXtExec(plan, from.at, to.at, way));
  const auto there = to.get();
  std::vector<To> is;
  std::vector<bool> written(there.size());
  for (const size_t place : places) {
    is.push_back(there[place]);
    written[place] = true;
  }
  expect_below(what, error_of(is, wanted), bound);
  bool others_stay = true;
  for (size_t i = 0; i < there.size(); ++i) others_stay &= written[i] || exact(there[i]) == exact(mark);
  EXPECT(others_stay);
  EXPECT_FFT_OK(cufftDestroy(plan));
}

void layouts() {
  using Z = cufftDoubleComplex;
  for (const bool wide : {false, true}) {
    between<Z, Z>("columns of a matrix", CUFFT_Z2Z, {12}, 5, {{12}, 5, 1}, {{12}, 5, 1}, wide);
    between<Z, Z>("columns become rows", CUFFT_Z2Z, {12}, 5, {{12}, 5, 1}, {{12}, 1, 12}, wide);
    between<Z, Z>("a window of pictures", CUFFT_Z2Z, {4, 6}, 3, {{9, 8}, 1, 72}, {{5, 7}, 2, 71}, wide);
    between<Z, Z>("a window of blocks", CUFFT_Z2Z, {2, 3, 4}, 2, {{3, 5, 6}, 1, 90}, {{2, 4, 4}, 3, 100},
                  wide);
    between<double, Z>("real columns", CUFFT_D2Z, {9}, 4, {{9}, 4, 1}, {{5}, 4, 1}, wide);
    between<double, Z>("a window, real", CUFFT_D2Z, {4, 6}, 2, {{4, 8}, 1, 40}, {{4, 5}, 1, 21}, wide);
    between<Z, double>("a half spectrum, columns", CUFFT_Z2D, {10}, 3, {{6}, 3, 1}, {{10}, 3, 1}, wide);
    between<Z, double>("a half spectrum, a window", CUFFT_Z2D, {3, 4, 5}, 2, {{3, 5, 4}, 1, 70},
                       {{3, 4, 7}, 2, 190}, wide);
  }
}

// Where one of the embedding extents is null, steps and distances say nothing.
void basic_layout() {
  int n[] = {6};
  cufftHandle plan = 0;
  EXPECT_FFT_OK(cufftPlanMany(&plan, 1, n, nullptr, 5, 77, nullptr, 3, 99, CUFFT_Z2Z, 2));
  const auto given = values<cufftDoubleComplex>(12, 4);
  OnDevice<cufftDoubleComplex> all(given);
  EXPECT_FFT_OK(cufftExecZ2Z(plan, all.at, all.at, CUFFT_FORWARD));
  const auto whole = exact(given);
  const auto wanted = transformed({whole.begin(), whole.begin() + 6}, {6}, CUFFT_FORWARD);
  auto is = all.get();
  is.resize(6);
  EXPECT(error_of(is, wanted) <= bound);
  EXPECT_FFT_OK(cufftDestroy(plan));
}

// The imaginary parts that no transform of real numbers has are not read.
void unused_parts() {
  cufftHandle plan = 0;
  EXPECT_FFT_OK(cufftPlan1d(&plan, 8, CUFFT_Z2D, 1));
  auto half = values<cufftDoubleComplex>(5, 8);
  OnDevice<cufftDoubleComplex> from(half);
  OnDevice<double> to(8);
  EXPECT_FFT_OK(cufftExecZ2D(plan, from.at, to.at));
  const auto with = to.get();
  half[0].y = half[4].y = 0;
  from.set(half);
  EXPECT_FFT_OK(cufftExecZ2D(plan, from.at, to.at));
  EXPECT(difference(with, to.get()) <= bound);
  EXPECT_FFT_OK(cufftDestroy(plan));
}

__global__ void scale(cufftDoubleComplex* values, int count, double by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = {values[i].x * by, values[i].y * by};
}

// A low-pass filter as programs write it: forward, a kernel, back, on a stream and in a graph.
void streams_and_graphs() {
  constexpr int n = 64;
  const auto given = values<cufftDoubleComplex>(n, 11);
  OnDevice<cufftDoubleComplex> all(given);
  cudaStream_t stream = nullptr;
  cufftHandle plan = 0;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_FFT_OK(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
  EXPECT_FFT_OK(cufftSetStream(plan, stream));
  const auto work = [&] {
    EXPECT_FFT_OK(cufftExecZ2Z(plan, all.at, all.at, CUFFT_FORWARD));
    scale<<<1, n, 0, stream>>>(all.at, n, 1.0 / n);
    EXPECT_FFT_OK(cufftExecZ2Z(plan, all.at, all.at, CUFFT_INVERSE));
  };
  work();
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(error_of(all.get(), exact(given)) <= bound);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work();
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphInstantiate(&made, graph, 0));
  const auto other = values<cufftDoubleComplex>(n, 12);
  all.set(other);
  for (int i = 0; i < 2; ++i) EXPECT_OK(cudaGraphLaunch(made, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(error_of(all.get(), exact(other)) <= bound);
  EXPECT_OK(cudaGraphExecDestroy(made));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_FFT_OK(cufftDestroy(plan));
  EXPECT_OK(cudaStreamDestroy(stream));
}

// Plans that are made in two steps, with memory that the program gives.
void work_areas() {
  cufftHandle plan = 0;
  size_t bytes = 1, told = 1;
  EXPECT_FFT_OK(cufftCreate(&plan));
  EXPECT_FFT_OK(cufftSetAutoAllocation(plan, 0));
  EXPECT_FFT_OK(cufftGetSize2d(plan, 30, 34, CUFFT_Z2Z, &bytes));
  EXPECT_FFT_OK(cufftMakePlan2d(plan, 30, 34, CUFFT_Z2Z, &bytes));
  EXPECT_FFT_OK(cufftGetSize(plan, &told));
  EXPECT(told == bytes && bytes > 0);
  OnDevice<char> area(bytes);
  EXPECT_FFT_OK(cufftSetWorkArea(plan, area.at));
  const auto given = values<cufftDoubleComplex>(30 * 34, 2);
  OnDevice<cufftDoubleComplex> all(given);
  EXPECT_FFT_OK(cufftExecZ2Z(plan, all.at, all.at, CUFFT_FORWARD));
  EXPECT(error_of(all.get(), transformed(exact(given), {30, 34}, CUFFT_FORWARD)) <= bound);
  EXPECT_FFT_OK(cufftDestroy(plan));
  EXPECT_FFT_OK(cufftEstimate1d(100, CUFFT_C2C, 4, &bytes));
  EXPECT_FFT_OK(cufftEstimate2d(100, 20, CUFFT_R2C, &bytes));
  EXPECT_FFT_OK(cufftEstimate3d(10, 20, 30, CUFFT_Z2Z, &bytes));

  long long n[] = {16};
  EXPECT_FFT_OK(cufftCreate(&plan));
  EXPECT_FFT_OK(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 0, CUDA_C_64F, nullptr, 1, 0, CUDA_C_64F, 1,
                                    &bytes, CUDA_C_64F));
  const auto few = values<cufftDoubleComplex>(16, 6);
  OnDevice<cufftDoubleComplex> from(few), to(16);
  EXPECT_FFT_OK(cufftXtExec(plan, from.at, to.at, CUFFT_INVERSE));
  EXPECT(error_of(to.get(), transformed(exact(few), {16}, CUFFT_INVERSE)) <= bound);
  EXPECT_FFT_OK(cufftDestroy(plan));
}

int main() {
  layouts();
  basic_layout();
  unused_parts();
  streams_and_graphs();
  work_areas();
  return result();
}
