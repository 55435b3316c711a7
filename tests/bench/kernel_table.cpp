// Kernels on the virtual GPU against scalar loops: rounds in which everything has its turn once, so that what
// else the machine does falls on all alike. A ratio is the median of those of the rounds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/launch/backend.h"
#include "core/program/op/selector.h"
#include "tests/bench/cases.h"
#include "tests/bench/opencl.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

using Clock = std::chrono::steady_clock;

// `run` checks divisions unless it is told otherwise, and its trace is recorded with the caches' model.
constexpr std::array<Setting, 9> settings = {{
    {"1 core", 1, Observe::none, false, false, Sanitize::memory},
    {"counters", 1, Observe::counters, false, false, Sanitize::memory},
    {"trace", 1, Observe::trace, true, true, Sanitize::memory},
    {"only recorded", 1, Observe::trace, true, false, Sanitize::memory},
    {"only caches", 1, Observe::trace, false, true, Sanitize::memory},
    {"sanitize all", 1, Observe::counters, false, false, Sanitize::all},
    {"2 cores", 2, Observe::none, false, false, Sanitize::memory},
    {"2 cores, counters", 2, Observe::counters, false, false, Sanitize::memory},
    {"2 cores, trace", 2, Observe::trace, true, true, Sanitize::memory},
}};
enum Row : size_t { plain, counters, traced, recorded, caches, sanitized, two, two_counters, two_traced };

constexpr uint32_t most_rounds = 25, fewest_rounds = 7;
constexpr double round_seconds = 4;  // of a case; more only for the fewest rounds

double seconds_of(const std::function<void()>& work) {
  // Short loops are repeated to get over the clock's own time.
  uint32_t times = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> took{};
  do {
    work();
    ++times;
    took = Clock::now() - start;
  } while (took.count() < 2e-3);
  return took.count() / times;
}

double seconds_of(Backend& backend, const LaunchRequest& base, const Setting& setting) {
  return execute_ms(backend, base, setting) / 1e3;
}

// Two runs that share nothing, at once, each on one core: the longer of them. What a machine gives to two
// such runs is what two cores of it can give to one.
double seconds_of_two(std::array<std::unique_ptr<Backend>, 2>& backends, const LaunchRequest& base) {
  std::array<double, 2> took{};
  {
    std::barrier<> together(2);
    const auto run = [&](size_t i) {
      together.arrive_and_wait();
      took[i] = seconds_of(*backends[i], base, settings[plain]);
    };
    const std::jthread first(run, 0), second(run, 1);
  }
  return std::ranges::min(took) < 0 ? -1 : std::ranges::max(took);
}

// The times of each round. Empty if the run failed.
struct Times {
  std::vector<double> scalar, two_runs, pocl;
  std::array<std::vector<double>, settings.size()> at;
  std::string no_pocl;  // why it has none
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double ratio(const std::vector<double>& of, const std::vector<double>& to) {
  std::vector<double> ratios;
  for (size_t round = 0; round < of.size(); ++round) ratios.push_back(of[round] / to[round]);
  return median(std::move(ratios));
}

std::unique_ptr<OpenClRun> pocl_run(const Case& c, Backend& backend, std::string& why_not) {
  const Result<RunResult> expected = backend.run(c.request, {}, nullptr);
  if (!expected) return nullptr;
  Result<std::unique_ptr<OpenClRun>> run = make_opencl_run(c.opencl, *c.request, *expected);
  if (run) return std::move(*run);
  why_not = run.error().message;
  return nullptr;
}

// Empty: it failed.
std::optional<Times> measure(const Case& c) {
  // A backend for each setting: it keeps the last program that it decoded.
  std::array<std::unique_ptr<Backend>, settings.size()> backends;
  for (auto& backend : backends) backend = make_virtual_gpu();
  std::array<std::unique_ptr<Backend>, 2> pair{make_virtual_gpu(), make_virtual_gpu()};
  Times times;
  const std::unique_ptr<OpenClRun> pocl = pocl_run(c, *backends[plain], times.no_pocl);
  const auto start = Clock::now();
  for (uint32_t round = 0; round < most_rounds; ++round) {
    const std::chrono::duration<double> took = Clock::now() - start;
    if (round >= fewest_rounds && took.count() > round_seconds) break;
    times.scalar.push_back(seconds_of(c.scalar));
    if (pocl != nullptr) times.pocl.push_back(pocl->seconds());
    for (size_t s = 0; s < settings.size(); ++s) {
      times.at[s].push_back(seconds_of(*backends[s], *c.request, settings[s]));
      if (times.at[s].back() < 0) return std::nullopt;
    }
    times.two_runs.push_back(seconds_of_two(pair, *c.request));
  }
  return times;
}

void print_against_scalar(const std::vector<std::pair<const Case*, Times>>& rows) {
  fmt::print("Times of the scalar loop, with {}:\n\n| kernel | scalar ms | PoCL |", exec::best_ops_name());
  for (const Setting& setting : settings) fmt::print(" {} |", setting.name);
  fmt::print("\n|---|---|---|");
  for (size_t s = 0; s < settings.size(); ++s) fmt::print("---|");
  std::vector<std::string> notes;
  for (const auto& [c, times] : rows) {
    fmt::print("\n| {} | {:.3g} |", c->name, 1e3 * median(times.scalar));
    fmt::print(" {} |", times.pocl.empty() ? "" : fmt::format("{:.3g}", ratio(times.pocl, times.scalar)));
    for (const auto& time : times.at) fmt::print(" {:.3g} |", ratio(time, times.scalar));
    if (!times.no_pocl.empty() && std::ranges::find(notes, times.no_pocl) == notes.end())
      notes.push_back(times.no_pocl);
  }
  for (const std::string& note : notes) fmt::print("\n\n{}", note);
}

}  // namespace

void print_kernels(const std::string& only) {
  const std::vector<Case> cases = all_cases();
  std::vector<std::pair<const Case*, Times>> rows;
  for (const Case& c : cases) {
    if (c.name.find(only) == std::string::npos) continue;
    if (auto times = measure(c)) rows.emplace_back(&c, std::move(*times));
  }
  print_against_scalar(rows);
  fmt::print(
      "\n\nTimes of the plain run on one core, with {}, and how much faster two cores are:\n\n"
      "| kernel | ms | counters | trace | only recorded | only caches | sanitize all | 2 cores | "
      "2 cores, counters | two runs at once |\n|---|---|---|---|---|---|---|---|---|---|\n",
      exec::best_ops_name());
  for (const auto& row : rows) {
    const Times& times = row.second;
    const auto to_plain = [&times](Row of) { return ratio(times.at[of], times.at[plain]); };
    fmt::print("| {} | {:.3g} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
               row.first->name, 1e3 * median(times.at[plain]), to_plain(counters), to_plain(traced),
               to_plain(recorded), to_plain(caches), to_plain(sanitized),
               ratio(times.at[plain], times.at[two]), ratio(times.at[counters], times.at[two_counters]),
               2 * ratio(times.at[plain], times.two_runs));
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
