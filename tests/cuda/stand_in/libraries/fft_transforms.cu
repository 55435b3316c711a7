// nvcc: -lcufft
// Transforms of one to three dimensions, of all types, against the definition in long double.
#include "fft.h"

// A batch of transforms of the extents, each by the definition.
std::vector<Exact> reference(const std::vector<Exact>& values, const std::vector<int>& n, int batch,
                             int way) {
  std::vector<Exact> made;
  const size_t each = values.size() / batch;
  for (int b = 0; b < batch; ++b) {
    const auto one = transformed({values.begin() + b * each, values.begin() + (b + 1) * each}, n, way);
    made.insert(made.end(), one.begin(), one.end());
  }
  return made;
}

cufftHandle plan_of(std::vector<int> n, cufftType type, int batch) {
  cufftHandle plan = 0;
  if (n.size() == 1) {
    EXPECT_FFT_OK(cufftPlan1d(&plan, n[0], type, batch));
  } else if (batch != 1) {
    EXPECT_FFT_OK(cufftPlanMany(&plan, int(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type, batch));
  } else if (n.size() == 2) {
    EXPECT_FFT_OK(cufftPlan2d(&plan, n[0], n[1], type));
  } else {
    EXPECT_FFT_OK(cufftPlan3d(&plan, n[0], n[1], n[2], type));
  }
  return plan;
}

template <class R>
void complex_numbers(const std::vector<int>& n, int batch) {
  using Z = typename Fft<R>::Z;
  const auto given = values<Z>(size_t(product_of(n)) * batch, 3);
  const cufftHandle plan = plan_of(n, Fft<R>::c2c, batch);
  OnDevice<Z> from(given), to(given.size());
  for (const int way : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    const auto wanted = reference(exact(given), n, batch, way);
    EXPECT_FFT_OK(Fft<R>::exec(plan, from.at, to.at, way));
    const double error = error_of(to.get(), wanted);
    expect_below(named(sizeof(R) == 4 ? "C2C" : "Z2Z", n, batch).c_str(), error, Fft<R>::bound);
    EXPECT(error_of(from.get(), exact(given)) == 0);
    OnDevice<Z> both(given);
    EXPECT_FFT_OK(Fft<R>::exec(plan, both.at, both.at, way));
    EXPECT(error_of(both.get(), wanted) <= Fft<R>::bound);
  }
  EXPECT_FFT_OK(cufftDestroy(plan));
}

template <class R>
void real_numbers(const std::vector<int>& n, int batch) {
  using Z = typename Fft<R>::Z;
  const size_t count = size_t(product_of(n)) * batch, rows = count / n.back();
  const size_t length = n.back(), kept = length / 2 + 1;
  const auto given = values<R>(count, 5);
  const auto whole = reference(exact(given), n, batch, CUFFT_FORWARD);
  const auto wanted = halved(whole, n);
  const cufftHandle forward = plan_of(n, Fft<R>::r2c, batch), back = plan_of(n, Fft<R>::c2r, batch);
  OnDevice<R> real(given);
  OnDevice<Z> half(wanted.size());
  EXPECT_FFT_OK(Fft<R>::exec(forward, real.at, half.at));
  expect_below(named(sizeof(R) == 4 ? "R2C" : "D2Z", n, batch).c_str(), error_of(half.get(), wanted),
               Fft<R>::bound);
  // And back: what came in, times the number of elements.
  std::vector<Exact> scaled = exact(given);
  for (Exact& value : scaled) value *= product_of(n);
  OnDevice<R> again(count);
  EXPECT_FFT_OK(Fft<R>::exec(back, half.at, again.at));
  expect_below(named(sizeof(R) == 4 ? "C2R" : "Z2D", n, batch).c_str(), error_of(again.get(), scaled),
               Fft<R>::bound);
  // In place, rows of real numbers have room for their half spectrum.
  std::vector<R> padded(rows * kept * 2, R(9));
  for (size_t i = 0; i < count; ++i) padded[i / length * kept * 2 + i % length] = given[i];
  OnDevice<R> both(padded);
  EXPECT_FFT_OK(Fft<R>::exec(forward, both.at, reinterpret_cast<Z*>(both.at)));
  std::vector<Z> spectrum(wanted.size());
  EXPECT_OK(cudaMemcpy(spectrum.data(), both.at, spectrum.size() * sizeof(Z), cudaMemcpyDeviceToHost));
  EXPECT(error_of(spectrum, wanted) <= Fft<R>::bound);
  EXPECT_FFT_OK(Fft<R>::exec(back, reinterpret_cast<Z*>(both.at), both.at));
  std::vector<R> unpadded;
  const auto there = both.get();
  for (size_t i = 0; i < count; ++i) unpadded.push_back(there[i / length * kept * 2 + i % length]);
  EXPECT(error_of(unpadded, scaled) <= Fft<R>::bound);
  EXPECT_FFT_OK(cufftDestroy(forward));
  EXPECT_FFT_OK(cufftDestroy(back));
}

template <class R>
void all_sizes() {
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 30, 31, 37, 64, 97, 100, 243, 257, 509, 1018, 1024}) {
    complex_numbers<R>({n}, n < 200 ? 3 : 1);
    real_numbers<R>({n}, n < 200 ? 3 : 1);
  }
  for (const auto& n :
       std::vector<std::vector<int>>{{6, 10}, {7, 5}, {1, 8}, {16, 37}, {3, 4, 5}, {4, 1, 6}, {6, 7, 8}})
    for (const int batch : {1, 3}) {
      complex_numbers<R>(n, batch);
      real_numbers<R>(n, batch);
    }
}

// One wave, of which the transform is one number; of lengths that the definition would take too long for.
template <class R>
void large(int n, int wave) {
  using Z = typename Fft<R>::Z;
  std::vector<Z> given(n);
  std::vector<Exact> wanted(n);
  wanted[wave] = n;
  for (int i = 0; i < n; ++i) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L * (int64_t(i) * wave % n) / n;
    given[i] = {R(std::cos(angle)), R(std::sin(angle))};
  }
  cufftHandle plan = 0;
  EXPECT_FFT_OK(cufftPlan1d(&plan, n, Fft<R>::c2c, 1));
  OnDevice<Z> values(given);
  EXPECT_FFT_OK(Fft<R>::exec(plan, values.at, values.at, CUFFT_FORWARD));
  expect_below(named("one wave", {n}, 1).c_str(), error_of(values.get(), wanted), Fft<R>::bound);
  EXPECT_FFT_OK(cufftDestroy(plan));
}

int main() {
  all_sizes<float>();
  all_sizes<double>();
  large<float>(1 << 17, 12345);
  large<double>(1 << 17, 54321);
  large<float>(100003, 777);  // a prime
  large<double>(100003, 99999);
  return result();
}
