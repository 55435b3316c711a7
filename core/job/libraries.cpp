#include "core/job/libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/job/cpu_library.h"
#include "core/kernels/fill.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

constexpr double most_deviations = 5;  // of a count of random points

// The allowed error of floats, as a share of the answer's rms. For an SVD it is that of LAPACK's own tests:
// 35 n ulp (its TESTING/svd.in). Jacobi's method on a GPU needs a fifth of that.
double tolerance_of(const LibraryWork& work) {
  return work.task == LibraryTask::svd ? 35.0 * work.rows * double{std::numeric_limits<float>::epsilon()}
                                       : 1e-4;
}

// The arguments of the kernel's first launch by their names.
class Arguments {
 public:
  Arguments(const KernelDescription& kernel, const LaunchRequest& request)
      : m_kernel(kernel), m_request(request), m_launch(first_launch(request)) {}

  std::optional<uint64_t> number(std::string_view name) const {
    const auto* scalar = std::get_if<ScalarArgument>(at(name));
    return scalar ? std::optional(scalar->bits) : std::nullopt;
  }
  std::vector<float> floats(std::string_view name) const {
    const auto* buffer = std::get_if<BufferArgument>(at(name));
    if (buffer == nullptr || buffer->buffer >= m_request.buffers.size()) return {};
    const BufferSpec& spec = m_request.buffers[buffer->buffer];
    if (!spec.initial || spec.dtype != DType::f32) return {};
    std::vector<float> values(spec.initial->size() / sizeof(float));
    std::memcpy(values.data(), spec.initial->data(), values.size() * sizeof(float));
    return values;
  }

 private:
  const Argument* at(std::string_view name) const {
    const auto found = std::ranges::find(m_kernel.arguments, name, &KernelArgument::name);
    const auto index = static_cast<size_t>(found - m_kernel.arguments.begin());
    return m_launch != nullptr && index < m_launch->arguments.size() ? &m_launch->arguments[index] : nullptr;
  }

  const KernelDescription& m_kernel;
  const LaunchRequest& m_request;
  const LaunchStep* m_launch;
};

// m × n elements, row by row, times a vector.
std::vector<double> product(std::span<const float> matrix, size_t rows, const std::vector<double>& x) {
  std::vector<double> y(rows, 0.0);
  const size_t columns = x.size();
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j) y[i] += double(matrix[i * columns + j]) * x[j];
  return y;
}

// A vector of ones with pseudo-random signs, the same each time.
std::vector<double> signs(size_t n) {
  std::vector<double> x(n);
  uint32_t state = 1;
  for (double& value : x) {
    state = state * 1664525u + 1013904223u;
    value = (state >> 31) != 0 ? 1.0 : -1.0;
  }
  return x;
}

double relative_error(const std::vector<double>& got, const std::vector<double>& want) {
  double most = 0, squares = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    if (!std::isfinite(got[i])) return INFINITY;
    most = std::max(most, std::fabs(got[i] - want[i]));
    squares += want[i] * want[i];
  }
  const double rms = std::sqrt(squares / double(std::max<size_t>(want.size(), 1)));
  return rms > 0 ? most / rms : most;
}

double matmul_error(const LibraryWork& work, const LibraryTime& answer) {
  if (answer.result.size() != uint64_t{work.rows} * work.columns) return INFINITY;
  const std::vector<double> x = signs(work.columns);
  return relative_error(product(answer.result, work.rows, x),
                        product(work.a, work.rows, product(work.b, work.inner, x)));
}

// The product must give the matrix. Also, singular values must descend and not be negative, and u and v must
// keep the length of a vector.
double svd_error(const LibraryWork& work, const LibraryTime& answer) {
  const size_t n = work.rows;
  if (answer.result.size() != n + 2 * n * n) return INFINITY;
  const std::span<const float> all(answer.result), s = all.first(n), u = all.subspan(n, n * n),
                                                   vt = all.subspan(n + n * n);
  if (!std::ranges::is_sorted(s, std::greater()) || s.back() < 0) return INFINITY;
  const std::vector<double> x = signs(n);
  const auto length = [](const std::vector<double>& v) {
    double squares = 0;
    for (const double value : v) squares += value * value;
    return std::sqrt(squares);
  };
  std::vector<double> y = product(vt, n, x);
  const double v_error = std::fabs(length(y) / length(x) - 1);
  for (size_t i = 0; i < n; ++i) y[i] *= double(s[i]);
  const std::vector<double> got = product(u, n, y);
  const double u_error = length(y) > 0 ? std::fabs(length(got) / length(y) - 1) : 0;
  return std::max({relative_error(got, product(work.a, n, x)), u_error, v_error});
}

double pi_error(const LibraryWork& work, uint64_t inside) {
  const double n = double(work.points), share = std::numbers::pi / 4;
  return std::fabs(double(inside) - n * share) / std::sqrt(n * share * (1 - share));
}

LibraryRow row_of(const LibraryWork& work, const LibraryTime& time) {
  LibraryRow row;
  row.who = time.library;
  row.how = time.routine;
  row.missing = time.missing;
  row.time_us = time.time_us;
  row.copy_in_us = time.copy_in_us;
  row.copy_out_us = time.copy_out_us;
  if (!row.missing.empty()) return row;
  const double error = library_error(work, time);
  if (work.task == LibraryTask::pi) {
    row.right = error <= most_deviations;
    row.check = fmt::format("pi ≈ {:.6f}, {:.1f} standard deviations off",
                            4 * double(time.inside) / double(work.points), error);
  } else {
    row.right = error <= tolerance_of(work);
    row.check = fmt::format("off by {:.1e} of its size", error);
  }
  return row;
}

// The largest difference of the singular values, as a share of the largest.
std::optional<double> values_apart(const LibraryWork& work, const LibraryTime& a, const LibraryTime& b) {
  if (a.result.size() < work.rows || b.result.size() < work.rows || b.result.front() <= 0)
    return std::nullopt;
  double most = 0;
  for (size_t i = 0; i < work.rows; ++i)
    most = std::max(most, std::fabs(double(a.result[i]) - double(b.result[i])));
  return most / double(b.result.front());
}

std::vector<LibraryRow> device_rows(const LibraryWork& work, const LibraryTime* cpu, const Device& device,
                                    Backend& backend, std::stop_token stop) {
  const Result<LibraryRun> run = backend.run_libraries(device, work, std::move(stop));
  std::vector<LibraryRow> rows;
  if (!run) {
    LibraryRow row;
    row.who = work.task == LibraryTask::matmul ? "cuBLAS"
              : work.task == LibraryTask::svd  ? "cuSOLVER"
                                               : "cuRAND";
    row.missing = run.error().message;
    return {row};
  }
  for (const LibraryTime& time : run->routines) {
    LibraryRow row = row_of(work, time);
    const auto apart = cpu && row.missing.empty() && work.task == LibraryTask::svd
                           ? values_apart(work, time, *cpu)
                           : std::nullopt;
    if (apart) {
      row.check += fmt::format(", singular values {:.1e} of the largest from Eigen's", *apart);
      row.right = row.right && *apart <= tolerance_of(work);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

LibraryRow kernel_row(const RunResult& result) {
  LibraryRow row;
  row.who = "this kernel";
  row.how = result.entry;
  row.right = std::ranges::all_of(result.checks, &Check::equal);
  row.check = result.checks.empty() ? ""
              : row.right           ? "equal to the CPU reference"
                                    : "differs from the CPU reference";
  if (result.measured) {
    row.time_us = result.measured->kernel_us;
    row.copy_in_us = result.measured->copy_in_us;
    row.copy_out_us = result.measured->copy_out_us;
  } else if (result.time.kernel) {
    row.source = result.time.source;
    row.time_us = spread_of({*result.time.kernel});
    if (result.time.low) row.time_us->p10 = row.time_us->minimum = *result.time.low;
    if (result.time.high) row.time_us->p90 = *result.time.high;
  } else {
    row.missing = "Its time is not known: " + result.time.unknown + ".";
  }
  return row;
}

std::string time_text(const std::optional<Spread>& spread) {
  return spread ? duration_text(spread->median * 1e-6) : "-";
}

}  // namespace

std::optional<LibraryWork> library_work_of(const KernelDescription& kernel, const LaunchRequest& request) {
  if (!kernel.library) return std::nullopt;
  const Arguments arguments(kernel, request);
  LibraryWork work;
  work.task = *kernel.library;
  work.repeat = request.repeat;
  work.time_limit_ms = request.time_limit_ms;
  const auto size = [&](const char* name) {
    return static_cast<uint32_t>(arguments.number(name).value_or(0));
  };
  if (work.task == LibraryTask::pi) {
    // Each turn of each thread throws two points.
    work.points = 2 * uint64_t{size("n")} * size("turns");
    work.seed = arguments.number("seed").value_or(0);
    if (work.points == 0) return std::nullopt;
    return work;
  }
  work.rows = size("m");
  work.columns = size("n");
  work.inner = size("k");
  work.a = arguments.floats("a");
  work.b = arguments.floats("b");
  if (work.a.size() != uint64_t{work.rows} * work.inner ||
      work.b.size() != uint64_t{work.inner} * work.columns)
    return std::nullopt;
  return work;
}

LibraryWork svd_work(uint32_t size, uint64_t seed) {
  LibraryWork work;
  work.task = LibraryTask::svd;
  work.rows = work.columns = work.inner = size;
  const Bytes bytes = fill_random(DType::f32, uint64_t{size} * size, -1, 1, seed, 0);
  work.a.resize(bytes.size() / sizeof(float));
  std::memcpy(work.a.data(), bytes.data(), bytes.size());
  return work;
}

double library_error(const LibraryWork& work, const LibraryTime& answer) {
  switch (work.task) {
    case LibraryTask::matmul:
      return matmul_error(work, answer);
    case LibraryTask::svd:
      return svd_error(work, answer);
    case LibraryTask::pi:
      return pi_error(work, answer.inside);
  }
  return INFINITY;
}

std::vector<LibraryRow> library_rows(const RunResult& result, const KernelDescription& kernel,
                                     Backend& backend, std::stop_token stop) {
  if (result.status != RunStatus::ok || !result.request) return {};
  const std::optional<LibraryWork> work = library_work_of(kernel, *result.request);
  if (!work) return {};
  std::vector<LibraryRow> rows = {kernel_row(result)};
  std::ranges::move(device_rows(*work, nullptr, result.request->device, backend, std::move(stop)),
                    std::back_inserter(rows));
  if (work->task != LibraryTask::pi) {
    rows.push_back(row_of(*work, cpu_library(*work)));
  } else if (result.host.cpu_ms) {
    LibraryRow row;
    row.who = "the CPU reference on one core";
    row.how = kernel.reference;
    row.time_us = spread_of({*result.host.cpu_ms * 1e3});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<LibraryRow> library_rows(const LibraryWork& work, const Device& device, Backend& backend,
                                     std::stop_token stop) {
  const LibraryTime cpu = cpu_library(work);
  std::vector<LibraryRow> rows =
      device_rows(work, cpu.missing.empty() ? &cpu : nullptr, device, backend, std::move(stop));
  rows.push_back(row_of(work, cpu));
  return rows;
}

std::string library_text(std::span<const LibraryRow> rows) {
  std::string text = "  " + padded("", 32, false) + padded("time", 12, false) + padded("copy in", 12, false) +
                     padded("copy out", 12, false) + "\n";
  std::string reasons;
  for (const LibraryRow& row : rows) {
    if (!row.missing.empty()) {
      reasons += fmt::format("  {}: {}\n", row.who, row.missing);
      continue;
    }
    text += "  " + padded(row.who, 32, false) + padded(time_text(row.time_us), 12, false) +
            padded(time_text(row.copy_in_us), 12, false) + padded(time_text(row.copy_out_us), 12, false) +
            fmt::format("{}{}{}  [{}]\n", row.how, row.check.empty() ? "" : "; ",
                        row.right ? row.check : "WRONG: " + row.check, to_string(row.source));
  }
  return text + reasons;
}

}  // namespace warplens
