#include "cuda/stand_in/libraries/fft/line.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace warplens::fft {

namespace {

// Eigen takes p steps per number for a prime factor p. Above this, a convolution of a power of two is faster.
constexpr int64_t most_factor = 31;

int64_t largest_factor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return std::max(largest, n);
}

int64_t power_of_two(int64_t least) {
  int64_t power = 1;
  while (power < least) power *= 2;
  return power;
}

}  // namespace

// Bluestein's algorithm (Bluestein 1970): since ik = (i² + k² - (k - i)²) / 2, the transform is a convolution
// with exp(∓πi·j²/n), of a length that is free: the next power of two.
struct Line::State {
  int64_t n;
  bool inverse;
  Eigen::FFT<double> fft;
  std::vector<Complex> chirp;  // exp(±πi·j²/n); empty where n is transformed as it is
  std::vector<Complex> other;  // the transform of its conjugate
  std::vector<Complex> padded, made;

  State(int64_t its_n, bool its_inverse) : n(its_n), inverse(its_inverse) {
    fft.SetFlag(Eigen::FFT<double>::Unscaled);
    made.resize(static_cast<size_t>(n));
    if (largest_factor(n) <= most_factor) return;
    const auto length = static_cast<size_t>(power_of_two(2 * n - 1));
    chirp.resize(static_cast<size_t>(n));
    other.resize(length);
    padded.resize(length);
    made.resize(length);
    // j² modulo 2n, so that the angle keeps all its bits.
    uint64_t square = 0;
    const uint64_t twice = 2 * static_cast<uint64_t>(n);
    for (uint64_t j = 0; j < static_cast<uint64_t>(n); ++j) {
      chirp[j] = std::polar(1.0, (inverse ? M_PI : -M_PI) * double(square) / double(n));
      padded[j] = padded[j == 0 ? 0 : length - j] = std::conj(chirp[j]);
      square = (square + 2 * j + 1) % twice;
    }
    fft.fwd(other.data(), padded.data(), static_cast<Eigen::Index>(length));
  }
};

Line::Line(int64_t n, bool inverse) : m_state(std::make_unique<State>(n, inverse)) {}
Line::~Line() = default;
int64_t Line::size() const { return m_state->n; }

void Line::transform(Complex* line) {
  State& state = *m_state;
  const auto n = static_cast<size_t>(state.n);
  if (n == 1) return;
  if (state.chirp.empty()) {
    const auto length = static_cast<Eigen::Index>(n);
    state.inverse ? state.fft.inv(state.made.data(), line, length)
                  : state.fft.fwd(state.made.data(), line, length);
    std::copy_n(state.made.data(), n, line);
    return;
  }
  const auto length = static_cast<Eigen::Index>(state.padded.size());
  std::fill(state.padded.begin(), state.padded.end(), Complex(0));
  for (size_t i = 0; i < n; ++i) state.padded[i] = line[i] * state.chirp[i];
  state.fft.fwd(state.made.data(), state.padded.data(), length);
  for (size_t i = 0; i < state.made.size(); ++i) state.made[i] *= state.other[i];
  state.fft.inv(state.padded.data(), state.made.data(), length);
  for (size_t i = 0; i < n; ++i) line[i] = state.padded[i] * state.chirp[i] / double(length);
}

}  // namespace warplens::fft
