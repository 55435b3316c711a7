// What it costs to look at a run: counters, the model of the caches, a trace, and the search for findings,
// each against the plain run of the same round.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/image/image.h"
#include "tests/bench/cases.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

constexpr std::array<Setting, 6> observers = {{
    {"plain, ms", 1, Observe::none, false, false, Sanitize::memory},
    {"counters", 1, Observe::counters, false, false, Sanitize::memory},
    {"trace", 1, Observe::trace, true, true, Sanitize::memory},
    {"only recorded", 1, Observe::trace, true, false, Sanitize::memory},
    {"only caches", 1, Observe::trace, false, true, Sanitize::memory},
    {"sanitize all", 1, Observe::counters, false, false, Sanitize::all},
}};
constexpr size_t observer_rounds = 9;

struct Watched {
  std::string kernel, what;
  std::map<std::string, double> values;
  bool has_picture = false;
};

const std::vector<Watched>& watched_kernels() {
  static const std::vector<Watched> all = {
      {"grayscale", "1024 × 1024", {}, true},
      {"vector_add", "1,000,000", {{"n", 1'000'000}}},
      {"matmul_tiled", "256³", {{"m", 256}, {"n", 256}, {"k", 256}}},
      {"mandelbrot", "512 × 512, 256 steps", {{"width", 512}, {"height", 512}, {"max_iterations", 256}}},
      {"pi_atomic_thread", "8,192 × 128", {{"n", 8192}, {"turns", 64}}},
      {"histogram_shared", "1024 × 1024", {}, true},
      {"histogram_global", "1024 × 1024", {}, true},
      {"reduce_shared", "1,000,000", {{"n", 1'000'000}}},
      {"reduce_shuffle", "1,000,000", {{"n", 1'000'000}}},
      {"prefix_sum", "1,000,000", {{"n", 1'000'000}}},
      {"transpose_tiled", "1024 × 1024", {{"width", 1024}, {"height", 1024}}},
      {"transpose_padded", "1024 × 1024", {{"width", 1024}, {"height", 1024}}},
      {"sobel_tiled", "1024 × 1024", {}, true},
      {"box_blur_tiled", "1024 × 1024", {}, true},
  };
  return all;
}

}  // namespace

void print_observers(const std::string& only) {
  fmt::print(
      "Execution on one core, the minimum of {} rounds, with {}: the plain run in ms, and multiples of "
      "it:\n\n| "
      "kernel |",
      observer_rounds, exec::best_ops_name());
  for (const Setting& looking : observers) fmt::print(" {} |", looking.name);
  fmt::print("\n|---|---|---|---|---|---|---|\n");
  const auto picture = std::make_shared<Image>(rendered_sample(1024, 1024));
  for (const Watched& watched : watched_kernels()) {
    if (watched.kernel.find(only) == std::string::npos) continue;
    const auto request = request_for(watched.kernel, watched.values, watched.has_picture ? picture : nullptr);
    // A backend for each: it keeps the last program that it decoded.
    std::array<std::unique_ptr<Backend>, observers.size()> backends;
    std::array<double, observers.size()> least{};
    for (auto& backend : backends) backend = make_virtual_gpu();
    for (size_t round = 0; round < observer_rounds; ++round)
      for (size_t i = 0; i < observers.size(); ++i) {
        const double ms = execute_ms(*backends[i], *request, observers[i]);
        least[i] = round == 0 ? ms : std::min(least[i], ms);
      }
    fmt::print("| `{}` {} | {:.3g} |", watched.kernel, watched.what, least[0]);
    for (size_t i = 1; i < observers.size(); ++i) fmt::print(" {:.1f} |", least[i] / least[0]);
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
