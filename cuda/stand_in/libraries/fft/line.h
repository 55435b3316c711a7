// Fourier transforms of lines, in doubles, of any length.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>

namespace warplens::fft {

using Complex = std::complex<double>;

// The transform of n numbers: to[k] = sum of from[i] · exp(±2πi·ik/n), + for the inverse, which is not
// divided by n. Its error relative to the length of the line is below 1e-14, also of lengths with large prime
// factors.
class Line {
 public:
  Line(int64_t n, bool inverse);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  int64_t size() const;
  void transform(Complex* line);  // in place

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace warplens::fft
