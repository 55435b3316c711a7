#include <fmt/format.h>

#include <Eigen/SVD>
#include <chrono>

#include "core/job/cpu_library.h"

namespace warplens {

namespace {

using Clock = std::chrono::steady_clock;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMatrix = Eigen::Map<const Matrix>;

constexpr std::chrono::milliseconds patience{400};
constexpr size_t most_samples = 20;

// Once to warm up, then as often as fits into a moment; a call that takes longer is its own sample.
template <class Call>
void measure(Call call, uint32_t repeat, LibraryTime& time) {
  std::vector<double> samples;
  const auto once = [&] {
    const auto start = Clock::now();
    call();
    return Clock::now() - start;
  };
  const Clock::duration first = once();
  const size_t wanted = repeat > 1 ? repeat : most_samples;
  Clock::duration spent = first;
  while (samples.size() < wanted && (repeat > 1 || spent + first <= patience)) {
    const Clock::duration took = once();
    spent += took;
    samples.push_back(std::chrono::duration<double, std::micro>(took).count());
  }
  if (samples.empty()) samples.push_back(std::chrono::duration<double, std::micro>(first).count());
  time.time_us = spread_of(std::move(samples));
}

void matmul(const LibraryWork& work, LibraryTime& time) {
  time.routine = "matrix product";
  const ConstMatrix a(work.a.data(), work.rows, work.inner), b(work.b.data(), work.inner, work.columns);
  Matrix c(work.rows, work.columns);
  measure([&] { c.noalias() = a * b; }, work.repeat, time);
  time.result.assign(c.data(), c.data() + c.size());
}

void svd(const LibraryWork& work, LibraryTime& time) {
  time.routine = "BDCSVD";
  const ConstMatrix a(work.a.data(), work.rows, work.rows);
  Eigen::BDCSVD<Eigen::MatrixXf> parts;  // by columns: it compiles in three quarters of the time
  measure([&] { parts.compute(a, Eigen::ComputeFullU | Eigen::ComputeFullV); }, work.repeat, time);
  const auto& s = parts.singularValues();
  const Matrix u = parts.matrixU(), vt = parts.matrixV().transpose();
  time.result.assign(s.data(), s.data() + s.size());
  time.result.insert(time.result.end(), u.data(), u.data() + u.size());
  time.result.insert(time.result.end(), vt.data(), vt.data() + vt.size());
}

}  // namespace

LibraryTime cpu_library(const LibraryWork& work) {
  LibraryTime time;
  time.library = fmt::format("Eigen {}.{}.{} on one core", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                             EIGEN_MINOR_VERSION);
  if (work.task == LibraryTask::matmul) matmul(work, time);
  if (work.task == LibraryTask::svd) svd(work, time);
  if (work.task == LibraryTask::pi) time.missing = "Eigen throws no points.";
  return time;
}

}  // namespace warplens
