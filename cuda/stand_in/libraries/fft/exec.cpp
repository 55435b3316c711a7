// Transforms that run (cuFFT documentation, 3.9). Every array is computed in doubles: first the last extent,
// then the others, and the other way round where the result is real.
#include <cmath>
#include <optional>
#include <vector>

#include "cuda/stand_in/libraries/fft/line.h"
#include "cuda/stand_in/libraries/fft/plan.h"
#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::fft {

namespace {

using libraries::Call;
using libraries::Memory;
using Extents = std::array<int64_t, 3>;

// Rows of a batch's arrays in device memory, with as few questions to the driver as the layout allows.
template <class T>
class Rows {
 public:
  Rows(const Memory& memory, const void* address, const Layout& layout, const Extents& extents,
       warplens_use use)
      : m_memory(memory), m_layout(layout), m_extents(extents), m_use(use) {
    m_address = static_cast<const std::byte*>(address);
  }
  // f(row, its first element, elements between two of it), for each row of the b-th array; whether all of it
  // was there.
  template <class F>
  bool each(int64_t b, F f) const {
    const auto [planes, rows, columns] = m_extents;
    const int64_t row_pitch = m_layout.embed[2] * m_layout.step;
    const int64_t plane_pitch = m_layout.embed[1] * row_pitch;
    const bool even =
        planes == 1 || m_layout.embed[1] == rows;  // the rows of all planes are equally far apart
    for (int64_t plane = 0; plane < planes; plane += even ? planes : 1) {
      const int64_t at = b * m_layout.dist + plane * plane_pitch, count = even ? planes * rows : rows;
      const auto* begin = m_address + at * int64_t{sizeof(T)};
      if (m_layout.step == 1) {
        const auto found = m_memory.template matrix<T>(begin, columns, count, row_pitch, m_use);
        if (!found) return false;
        for (int64_t row = 0; row < count; ++row)
          f(plane * rows + row, found.begin + row * row_pitch, int64_t{1});
        continue;
      }
      for (int64_t row = 0; row < count; ++row) {
        const auto found = m_memory.template vector<T>(begin + row * row_pitch * int64_t{sizeof(T)}, columns,
                                                       m_layout.step, m_use);
        if (!found) return false;
        f(plane * rows + row, found.begin, m_layout.step);
      }
    }
    return true;
  }

 private:
  const Memory& m_memory;
  const std::byte* m_address;
  const Layout& m_layout;
  const Extents& m_extents;
  warplens_use m_use;
};

// The lines along one extent of an array that lies row after row.
void along(Line& line, std::vector<Complex>& values, const Extents& extents, size_t which) {
  const int64_t n = extents[which];
  if (n == 1) return;
  int64_t step = 1;
  for (size_t i = which + 1; i < 3; ++i) step *= extents[i];
  const int64_t blocks = extents[0] * extents[1] * extents[2] / (n * step);
  // Some lines at once, since a cache line has more than one number.
  constexpr int64_t most_lines = 8;
  std::vector<Complex> lines(static_cast<size_t>(most_lines * n));
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t first = 0; first < step; first += most_lines) {
      Complex* begin = values.data() + block * n * step + first;
      const int64_t count = std::min(most_lines, step - first);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < count; ++k) lines[static_cast<size_t>(k * n + i)] = begin[i * step + k];
      for (int64_t k = 0; k < count; ++k) line.transform(lines.data() + k * n);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < count; ++k) begin[i * step + k] = lines[static_cast<size_t>(k * n + i)];
    }
}

// One for each extent; equal ones are made once.
class Lines {
 public:
  Lines(const Extents& n, bool inverse) {
    for (size_t i = 0; i < 3; ++i) {
      m_which[i] = i;
      for (size_t k = i; k-- > 0;)
        if (n[k] == n[i]) m_which[i] = m_which[k];
      if (m_which[i] == i) m_lines[i].emplace(n[i], inverse);
    }
  }
  Line& operator[](size_t i) { return *m_lines[m_which[i]]; }

 private:
  std::array<std::optional<Line>, 3> m_lines;
  std::array<size_t, 3> m_which{};
};

// A half spectrum's row, whole: the other half is its conjugate, and the parts that would have to be real
// are.
void complete(std::vector<Complex>& row) {
  const size_t n = row.size();
  row[0] = row[0].real();
  if (n % 2 == 0) row[n / 2] = row[n / 2].real();
  for (size_t k = 1; 2 * k < n; ++k) row[n - k] = std::conj(row[k]);
}

template <class R>
bool compute(const Memory& memory, const Shape& shape, const void* from, const void* to, bool inverse) {
  using Z = std::complex<R>;
  const bool reads_real = from_real(shape.type), writes_real = to_real(shape.type);
  const Extents in = extents(shape, reads_real), out = extents(shape, writes_real);
  Extents held = shape.n;
  if (reads_real || writes_real) held[2] = held[2] / 2 + 1;
  Lines lines(shape.n, inverse);
  const int64_t n = shape.n[2], kept = held[2];
  std::vector<Complex> values(static_cast<size_t>(held[0] * held[1] * held[2]));
  std::vector<Complex> whole(static_cast<size_t>(n));
  for (int64_t b = 0; b < shape.batch; ++b) {
    bool there = false;
    if (reads_real) {
      there = Rows<const R>(memory, from, shape.from, in, warplens_reads)
                  .each(b, [&](int64_t row, const R* at, int64_t step) {
                    for (int64_t i = 0; i < n; ++i) whole[static_cast<size_t>(i)] = at[i * step];
                    lines[2].transform(whole.data());
                    std::copy_n(whole.data(), kept, values.data() + row * kept);
                  });
    } else {
      there = Rows<const Z>(memory, from, shape.from, in, warplens_reads)
                  .each(b, [&](int64_t row, const Z* at, int64_t step) {
                    for (int64_t i = 0; i < kept; ++i)
                      values[static_cast<size_t>(row * kept + i)] = at[i * step];
                  });
    }
    if (!there) return false;
    if (!reads_real && !writes_real)
      for (int64_t row = 0; row < held[0] * held[1]; ++row) lines[2].transform(values.data() + row * n);
    along(lines[1], values, held, 1);
    along(lines[0], values, held, 0);
    if (writes_real) {
      there =
          Rows<R>(memory, to, shape.to, out, warplens_writes).each(b, [&](int64_t row, R* at, int64_t step) {
            std::copy_n(values.data() + row * kept, kept, whole.data());
            complete(whole);
            lines[2].transform(whole.data());
            for (int64_t i = 0; i < n; ++i)
              at[i * step] = static_cast<R>(whole[static_cast<size_t>(i)].real());
          });
    } else {
      there =
          Rows<Z>(memory, to, shape.to, out, warplens_writes).each(b, [&](int64_t row, Z* at, int64_t step) {
            for (int64_t i = 0; i < kept; ++i) at[i * step] = Z(values[static_cast<size_t>(row * kept + i)]);
          });
    }
    if (!there) return false;
  }
  return true;
}

// The basic layout: array after array, row after row. In place, rows of real numbers have room for their half
// spectrum.
Layout basic(const Shape& shape, bool real_side, bool in_place) {
  Layout layout{extents(shape, real_side), 1, 0};
  if (real_side && in_place) layout.embed[2] = 2 * (shape.n[2] / 2 + 1);
  layout.dist = layout.embed[0] * layout.embed[1] * layout.embed[2];
  return layout;
}

Call call_of(const Shape& shape, const char* name) {
  std::string text;
  double all = 1;
  for (const int64_t n : shape.n) {
    if (n != 1) text += (text.empty() ? "" : " × ") + std::to_string(n);
    all *= double(n);
  }
  if (text.empty()) text = "1";
  if (shape.batch != 1) text += ", " + std::to_string(shape.batch) + " times";
  // The usual count of a transform of complex numbers; of real ones half.
  const double operations = 5 * all * std::log2(all) * double(shape.batch);
  const bool half = from_real(shape.type) || to_real(shape.type);
  return {name, text, half ? operations / 2 : operations,
          is_double(shape.type) ? warplens_fp64 : warplens_fp32, false};
}

cufftResult result_of(CUresult code) {
  switch (code) {
    case CUDA_SUCCESS:
      return CUFFT_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CUFFT_ALLOC_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
      return CUFFT_SETUP_FAILED;
    case CUDA_ERROR_NOT_SUPPORTED:
      return CUFFT_NOT_SUPPORTED;
    default:
      return CUFFT_EXEC_FAILED;
  }
}

cufftResult exec(cufftHandle handle, cufftType type, const void* from, void* to, int direction,
                 const char* name) {
  const auto plan = plan_of(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->shape.type != type) return CUFFT_INVALID_TYPE;
  if (from == nullptr || to == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  return run(*plan, from, to, direction == CUFFT_INVERSE, name);
}

}  // namespace

cufftResult run(const Plan& plan, const void* from, void* to, bool inverse, const char* name) {
  Shape shape = plan.shape;
  if (!shape.advanced) {
    shape.from = basic(shape, from_real(shape.type), from == to);
    shape.to = basic(shape, to_real(shape.type), from == to);
  }
  return result_of(libraries::run_on(plan.stream, call_of(shape, name), [=](const Memory& memory) {
    return is_double(shape.type) ? compute<double>(memory, shape, from, to, inverse)
                                 : compute<float>(memory, shape, from, to, inverse);
  }));
}

}  // namespace warplens::fft

using namespace warplens::fft;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) {
  return exec(plan, CUFFT_C2C, from, to, direction, "cufftExecC2C");
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) {
  return exec(plan, CUFFT_R2C, from, to, CUFFT_FORWARD, "cufftExecR2C");
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) {
  return exec(plan, CUFFT_C2R, from, to, CUFFT_INVERSE, "cufftExecC2R");
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction) {
  return exec(plan, CUFFT_Z2Z, from, to, direction, "cufftExecZ2Z");
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) {
  return exec(plan, CUFFT_D2Z, from, to, CUFFT_FORWARD, "cufftExecD2Z");
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) {
  return exec(plan, CUFFT_Z2D, from, to, CUFFT_INVERSE, "cufftExecZ2D");
}

// The direction of real transforms is that of their type.
cufftResult cufftXtExec(cufftHandle handle, void* from, void* to, int direction) {
  const auto plan = plan_of(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  const cufftType type = plan->shape.type;
  if (from_real(type)) direction = CUFFT_FORWARD;
  if (to_real(type)) direction = CUFFT_INVERSE;
  return exec(handle, type, from, to, direction, "cufftXtExec");
}

}  // extern "C"
