#include "core/job/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>

#include "core/base/system/embedded.h"
#include "core/compile/compiler.h"

namespace warplens {
namespace {

constexpr uint32_t repeats = 15;
constexpr uint32_t host_repeats = 60;  // for runs that involve the host, whose times vary more
constexpr uint32_t host_batches = 6;
constexpr uint32_t steps_of_loop = 64;  // instructions of a class in one turn of a micro-kernel's loop

struct MicroLaunch {
  std::string entry;
  uint32_t grid = 1, block = 32;
  std::vector<Argument> arguments;
};

Argument buffer(uint32_t index) { return BufferArgument{index, 0}; }
Argument integer(uint32_t value) { return ScalarArgument{DType::u32, value}; }

// Runs micro-kernels, and keeps the first error.
class Bench {
 public:
  Bench(const Device& device, Backend& backend, std::stop_token stop)
      : m_device(device), m_backend(backend), m_stop(std::move(stop)) {}

  // The times of the launches, one after the other on the same arrays. The first starts with a cold L2, the
  // others with what the previous ones left in it.
  std::vector<Band> run(const std::string& file, const std::vector<uint64_t>& bytes,
                        const std::vector<MicroLaunch>& launches, uint32_t often = repeats) {
    std::vector<Band> times(launches.size());
    const auto request = request_of(file, often);
    if (!request) return times;
    for (size_t i = 0; i < bytes.size(); ++i) {
      BufferSpec spec;
      spec.name = fmt::format("b{}", i);
      spec.bytes = bytes[i];
      spec.output = i == 0 && bytes[i] <= small_buffer;
      request->buffers.push_back(std::move(spec));
    }
    for (const MicroLaunch& launch : launches)
      request->steps.emplace_back(
          LaunchStep{launch.entry, {launch.grid, 1, 1}, {launch.block, 1, 1}, 0, false, launch.arguments});
    take(m_backend.run(request, m_stop, nullptr), launches.front().entry, times);
    return times;
  }

  // One launch of an empty block between two events, on an idle device.
  Band idle_launch() {
    std::vector<Band> times(1);
    const auto request = request_of("memory.cu", host_repeats);
    if (!request) return times[0];
    request->from_idle = true;
    request->steps.emplace_back(LaunchStep{"empty", {1, 1, 1}, {32, 1, 1}, 0, false, {}});
    take(m_backend.run(request, m_stop, nullptr), "empty", times);
    return times[0];
  }

  static constexpr uint64_t few_bytes = 4 << 20;
  struct Copies {
    std::optional<Spread> in, out, in_pageable, out_pageable;
  };
  // Copies an array of this size to the device and back.
  Copies copies(uint64_t bytes) {
    const auto request = request_of("memory.cu", bytes <= few_bytes ? host_repeats : repeats);
    if (!request) return {};
    BufferSpec spec;
    spec.name = "b0";
    spec.bytes = bytes;
    spec.initial = std::make_shared<const Bytes>(bytes);
    spec.output = true;
    request->buffers.push_back(std::move(spec));
    request->steps = {AllocateStep{0}, CopyInStep{0},
                      LaunchStep{"empty", {1, 1, 1}, {32, 1, 1}, 0, false, {}}, CopyOutStep{0}};
    std::vector<Band> times(1);
    const Result<RunResult> result = m_backend.run(request, m_stop, nullptr);
    take(result, "empty", times);
    if (m_error) return {};
    const DeviceRun& run = *result->measured;
    return {run.copy_in_us, run.copy_out_us, run.copy_in_pageable_us, run.copy_out_pageable_us};
  }

  const std::vector<int64_t>& output() const { return m_output; }  // of the last run
  const std::optional<Error>& error() const { return m_error; }

 private:
  static constexpr uint64_t small_buffer = 1 << 20;

  // Null after an error.
  std::shared_ptr<LaunchRequest> request_of(const std::string& file, uint32_t times) {
    const auto module = m_error ? nullptr : module_of(file);
    if (!module) return nullptr;
    auto request = std::make_shared<LaunchRequest>();
    request->kernel = "calibration";
    request->module = module;
    request->device = m_device;
    request->preflight = false;
    request->observe = Observe::none;
    request->repeat = times;
    return request;
  }

  std::shared_ptr<const ModuleText> module_of(const std::string& file) {
    if (const auto known = m_modules.find(file); known != m_modules.end()) return known->second;
    const std::string path = "calibration/" + file;
    CompileOptions options;
    options.architecture = m_device.compute_capability;
    const Result<Compilation> compiled = compile_cuda(find_embedded(path), file, options, m_stop);
    if (!compiled) {
      m_error = compiled.error();
    } else if (!compiled->ok) {
      m_error = failed(fmt::format("{} does not compile: {}", path, compiled->log));
    } else {
      auto text = std::make_shared<ModuleText>();
      text->ptx = compiled->ptx;
      text->ptx_name = path;
      m_modules[file] = std::move(text);
    }
    return m_error ? nullptr : m_modules[file];
  }

  void take(const Result<RunResult>& result, const std::string& entry, std::vector<Band>& times) {
    if (!result) {
      m_error = result.error();
      return;
    }
    if (result->status == RunStatus::cancelled) {
      m_error = Error{ErrorKind::cancelled, "The calibration was cancelled."};
      return;
    }
    if (result->status != RunStatus::ok || !result->measured) {
      m_error = failed(
          fmt::format("The micro-kernel {} did not run on {}: {}", entry, m_device.name, result->message));
      return;
    }
    const auto& launches = result->measured->launches_us;
    for (size_t i = 0; i < times.size(); ++i) {
      const Spread& spread = launches.size() == times.size() ? launches[i] : *result->measured->kernel_us;
      times[i] = {spread.p10, spread.median, spread.p90};
    }
    m_output.clear();
    for (const OutputBuffer& output : result->outputs) {
      if (output.index != 0 || !output.bytes) continue;
      m_output.resize(output.bytes->size() / sizeof(int64_t));
      std::memcpy(m_output.data(), output.bytes->data(), m_output.size() * sizeof(int64_t));
    }
  }

  const Device& m_device;
  Backend& m_backend;
  std::stop_token m_stop;
  std::map<std::string, std::shared_ptr<const ModuleText>> m_modules;
  std::vector<int64_t> m_output;
  std::optional<Error> m_error;
};

// The longer minus the shorter time of two runs: the overhead outside the loop is in both and cancels.
Band difference(const Band& shorter, const Band& longer) {
  const double value = longer.value - shorter.value;
  return {std::min(value, longer.low - shorter.high), value, std::max(value, longer.high - shorter.low)};
}
// An amount divided by a time, and a time divided by an amount.
Band over(double amount, const Band& us) { return {amount / us.high, amount / us.value, amount / us.low}; }

// Other work of the host only makes times longer, so the batch with the lowest median counts. The spread is
// that of all batches.
void take_quieter(Band& best, const Band& other) {
  best = {std::min(best.low, other.low), std::min(best.value, other.value), std::max(best.high, other.high)};
}

class Suite {
 public:
  Suite(const Device& device, Backend& backend, std::stop_token stop)
      : m_bench(device, backend, std::move(stop)), m_sms(device.sms) {}

  void launches();
  void clock();
  void instructions();
  void shared_and_barriers();
  void caches();
  void latencies();
  void atomics();
  void divergence();
  void copies();

  const std::optional<Error>& error() const { return m_bench.error(); }
  std::map<std::string, Band, std::less<>> figures;

 private:
  double cycles(double us) const { return us * m_mhz; }
  Band cycles(const Band& us) const { return us * m_mhz; }

  // The time of `loops` iterations, from runs with as many and with twice as many.
  Band loop_us(const std::string& file, const std::vector<uint64_t>& bytes, const std::string& entry,
               uint32_t grid, uint32_t block, const std::vector<Argument>& arguments, uint32_t loops) {
    std::vector<MicroLaunch> runs;
    for (const uint32_t turns : {loops, loops, 2 * loops}) {  // the first one warms up
      runs.push_back({entry, grid, block, arguments});
      runs.back().arguments.push_back(integer(turns));
    }
    const std::vector<Band> times = m_bench.run(file, bytes, runs);
    return difference(times[1], times[2]);
  }

  void sectors(const char* figure, const char* entry, uint32_t stride, uint32_t mask, uint32_t loops,
               bool loads);
  Band rate_of_atomics(const char* entry, uint32_t words, uint32_t loops);

  Bench m_bench;
  uint32_t m_sms;
  double m_mhz = 0;
};

void Suite::launches() {
  std::vector<MicroLaunch> runs;
  constexpr std::array<std::pair<uint32_t, uint32_t>, 6> shapes = {
      {{1, 32}, {1, 32}, {100'000, 256}, {500'000, 256}, {100'000, 1024}, {500'000, 1024}}};
  runs.reserve(shapes.size());
  for (const auto& [grid, block] : shapes) runs.push_back({"empty", grid, block, {}});
  std::vector<Band> times = m_bench.run("memory.cu", {}, runs, host_repeats);
  Band idle = m_bench.idle_launch();
  for (uint32_t batch = 1; batch < host_batches; ++batch) {
    take_quieter(times[1], m_bench.run("memory.cu", {}, {runs[0], runs[1]}, host_repeats)[1]);
    take_quieter(idle, m_bench.idle_launch());
  }
  figures["floor_us"] = times[1];
  figures["block_starts_per_us"] = over(400'000, difference(times[2], times[3]));
  figures["large_block_starts_per_us"] = over(400'000, difference(times[4], times[5]));
  // The additional time of an idle device.
  const double floor = times[1].value;
  figures["launch_us"] = {idle.low - floor, idle.value - floor, idle.high - floor};
}

void Suite::clock() {
  constexpr uint32_t loops = 20'000;
  m_bench.run("issue.cu", {64}, {{"clock_rate", 1, 32, {buffer(0), integer(loops)}}});
  const std::vector<int64_t>& out = m_bench.output();
  if (out.size() < 2 || out[0] <= 0 || out[1] <= 0) return;
  m_mhz = double(out[0]) / double(out[1]) * 1000;
  figures["clock_mhz"] = {m_mhz, m_mhz, m_mhz};
}

struct InstructionClass {
  IssueUnit unit;
  DType type;
  uint32_t steps;  // instructions of a step
  uint32_t loops;
};
constexpr std::array<InstructionClass, 12> classes = {{{IssueUnit::fp32, DType::f32, 1, 200},
                                                       {IssueUnit::fp64, DType::f64, 1, 100},
                                                       {IssueUnit::integer, DType::i32, 2, 100},
                                                       {IssueUnit::multiply, DType::i32, 1, 200},
                                                       {IssueUnit::wide_integer, DType::i64, 1, 100},
                                                       {IssueUnit::wide_multiply, DType::i64, 1, 50},
                                                       {IssueUnit::divide, DType::i32, 1, 20},
                                                       {IssueUnit::wide_divide, DType::i64, 1, 10},
                                                       {IssueUnit::float_divide, DType::f32, 1, 20},
                                                       {IssueUnit::special, DType::f32, 1, 50},
                                                       {IssueUnit::convert, DType::f32, 2, 50},
                                                       {IssueUnit::warp, DType::i32, 1, 100}}};

Argument operand(DType type, double value) {
  switch (type) {
    case DType::f32:
      return ScalarArgument{type, std::bit_cast<uint32_t>(static_cast<float>(value))};
    case DType::f64:
      return ScalarArgument{type, std::bit_cast<uint64_t>(value)};
    default:
      return ScalarArgument{type, static_cast<uint64_t>(value)};
  }
}

void Suite::instructions() {
  constexpr uint32_t blocks_per_sm = 2, block = 512, warps = blocks_per_sm * block / 32;
  for (const InstructionClass& one : classes) {
    const bool whole = one.type == DType::i32 || one.type == DType::i64;
    const std::vector<Argument> arguments = {buffer(0), operand(one.type, whole ? 3 : 1.001),
                                             operand(one.type, whole ? 5 : 0.5)};
    const std::string name = to_string(one.unit);
    const double amount = double(one.loops) * steps_of_loop * one.steps;
    const Band many =
        loop_us("issue.cu", {65536}, name + "_many", m_sms * blocks_per_sm, block, arguments, one.loops);
    figures["issue_" + name] = over(amount * warps, cycles(many));
    const Band alone = loop_us("issue.cu", {65536}, name + "_one", 1, 32, arguments, one.loops);
    figures["latency_" + name] = cycles(alone) * (1 / amount);
  }
  figures["issue_slots"] = std::max(figures["issue_fp32"], figures["issue_integer"],
                                    [](const Band& a, const Band& b) { return a.value < b.value; });
}

void Suite::shared_and_barriers() {
  constexpr uint32_t loops = 100;
  const double amount = double(loops) * steps_of_loop;
  const Band all =
      loop_us("issue.cu", {65536}, "shared_many", m_sms * 2, 512, {buffer(0), integer(1)}, loops);
  figures["shared_wavefronts"] = over(amount * 32, cycles(all));
  figures["latency_shared"] =
      cycles(loop_us("issue.cu", {65536}, "shared_one", 1, 32, {buffer(0)}, loops)) * (1 / amount);
  const Band one =
      cycles(loop_us("issue.cu", {65536}, "barrier", m_sms, 32, {buffer(0)}, loops)) * (1 / amount);
  const Band many =
      cycles(loop_us("issue.cu", {65536}, "barrier", m_sms, 1024, {buffer(0)}, loops)) * (1 / amount);
  figures["barrier_cycles"] = one;
  figures["barrier_cycles_per_warp"] = difference(one, many) * (1.0 / 31);
}

// Sectors per cycle and SM. A thread makes 8 accesses per iteration, `stride` elements apart from its
// neighbours'.
void Suite::sectors(const char* figure, const char* entry, uint32_t stride, uint32_t mask, uint32_t loops,
                    bool loads) {
  constexpr uint32_t block = 256, warps = block / 32, blocks_per_sm = 8;
  std::vector<Argument> arguments = {buffer(0)};
  if (loads) arguments.push_back(buffer(1));
  arguments.push_back(integer(mask));
  arguments.push_back(integer(stride));
  const Band us = loop_us("memory.cu", {(uint64_t{mask} + 1) * 4, 65536}, entry, m_sms * blocks_per_sm, block,
                          arguments, loops);
  const double requests = double(m_sms) * blocks_per_sm * warps * 8 * loops;
  const double moved = requests * std::min(32u, 4 * stride);  // 32 lanes of 4 bytes: 4 consecutive sectors
  if (std::string_view(figure).ends_with("gb_s"))
    figures[figure] = over(moved * 32 / 1e3, us);
  else
    figures[figure] = over(moved / m_sms, cycles(us));
}

void Suite::caches() {
  constexpr uint32_t in_l2 = (1u << 22) - 1, in_memory = (1u << 27) - 1;  // elements: 16 MB, 512 MB
  sectors("l2_load_sectors", "load", 1, in_l2, 32, true);
  sectors("l2_store_sectors", "store", 1, in_l2, 32, false);
  sectors("l2_partial_sectors", "store", 8, in_l2, 4, false);
  sectors("l2_scattered_sectors", "store", 1056, in_l2, 4, false);
  sectors("memory_load_gb_s", "load", 1, in_memory, 64, true);
  sectors("memory_store_gb_s", "store", 1, in_memory, 64, false);
  constexpr uint32_t loops = 50, blocks_per_sm = 2, block = 512;
  const double requests = double(loops) * 8 * blocks_per_sm * block / 32;  // per SM
  const auto l1 = [&](uint32_t stride) {
    return cycles(loop_us("memory.cu", {16384, 65536}, "load_l1", m_sms * blocks_per_sm, block,
                          {buffer(0), buffer(1), integer(stride)}, loops));
  };
  figures["l1_sectors"] = over(requests * 32, l1(8));
  figures["l1_lines"] = over(requests * 32, l1(32));
}

void Suite::latencies() {
  struct Ring {
    const char* figure;
    uint32_t elements, stride, loops;
  };
  constexpr uint32_t loads_of_turn = 16;
  // The first stays in L1, the second in L2, and each load of the third goes to DRAM.
  constexpr std::array<Ring, 3> rings = {{{"l1_latency", 4096, 32, 400},
                                          {"l2_latency", 1 << 21, 64, 400},
                                          {"memory_latency", 1 << 28, 16416, 300}}};
  for (const Ring& ring : rings) {
    std::vector<MicroLaunch> runs = {
        {"make_ring", m_sms * 8, 256, {buffer(0), integer(ring.elements), integer(ring.stride)}}};
    for (const uint32_t turns : {ring.loops, 2 * ring.loops})
      runs.push_back({"chase", 1, 1, {buffer(0), buffer(1), integer(turns)}});
    const std::vector<Band> times = m_bench.run("memory.cu", {uint64_t{ring.elements} * 4, 65536}, runs);
    // The second chase finds the first one's loads in L2, so for DRAM only the first one counts.
    const bool far = std::string_view(ring.figure) == "memory_latency";
    const Band us = far ? times[1] : difference(times[1], times[2]);
    figures[ring.figure] = cycles(us) * (1.0 / (ring.loops * loads_of_turn));
  }
}

Band Suite::rate_of_atomics(const char* entry, uint32_t words, uint32_t loops) {
  constexpr uint32_t block = 256, blocks_per_sm = 4;
  const Band us = loop_us("atomics.cu", {std::max<uint64_t>(uint64_t{words} * 4, 4096)}, entry,
                          m_sms * blocks_per_sm, block, {buffer(0), integer(words - 1)}, loops);
  return over(double(m_sms) * blocks_per_sm * block * loops, us);
}

void Suite::atomics() {
  for (const uint32_t words : {1u, 32u, 256u, 1024u, 65536u, 1048576u})
    figures[fmt::format("atomics_{}", words)] = rate_of_atomics("atomic_spread", words, words == 1 ? 3 : 10);
  for (const uint32_t words : {32u, 256u, 4096u, 1048576u})
    figures[fmt::format("atomic_rows_{}", words)] = rate_of_atomics("atomic_row", words, 10);
  constexpr uint32_t loops = 200;
  figures["latency_atomic"] =
      cycles(loop_us("atomics.cu", {4096, 65536}, "atomic_chain", 1, 32, {buffer(0), buffer(1)}, loops)) *
      (1.0 / loops);
}

void Suite::divergence() {
  // Branches on which the lanes diverge, compared with the same branches taken by all lanes. The instructions
  // of the other path are added, one after the other.
  constexpr uint32_t loops = 100, branches = 4, steps = 16;
  const auto run = [&](uint32_t mask) {
    return cycles(loop_us("issue.cu", {65536}, "divergence", 1, 32, {buffer(0), integer(mask)}, loops));
  };
  const double other = steps * figures["latency_fp32"].value;
  const Band both = difference(run(0), run(1)) * (1.0 / (loops * branches));
  figures["divergence_cycles"] = {both.low - other, both.value - other, both.high - other};
}

void Suite::copies() {
  const auto band = [](const std::optional<Spread>& spread) {
    return spread ? Band{spread->p10, spread->median, spread->p90} : Band{};
  };
  for (const int kib : copied_kib) {
    for (uint32_t batch = 0; batch < host_batches; ++batch) {
      const auto [in, out, in_pageable, out_pageable] = m_bench.copies(uint64_t(kib) * 1024);
      const auto take = [&](const char* which, const std::optional<Spread>& spread) {
        Band& best = figures[fmt::format("copy_{}_{}k", which, kib)];
        if (batch == 0) best = band(spread);
        take_quieter(best, band(spread));
      };
      take("in_pinned", in);
      take("out_pinned", out);
      take("in_pageable", in_pageable);
      take("out_pageable", out_pageable);
    }
  }
}

// The first figure whose measurement gave an impossible value.
std::optional<std::string> nonsense(const std::map<std::string, Band, std::less<>>& figures) {
  for (const CalibratedFigure& figure : calibrated_figures()) {
    const auto at = figures.find(figure.name);
    if (at == figures.end() && !figure.needed) continue;
    if (at == figures.end()) return figure.name;
    const Band& band = at->second;
    if (!(band.low > 0) || !(band.low <= band.value) || !(band.value <= band.high)) return figure.name;
  }
  return std::nullopt;
}

}  // namespace

Result<Calibration> calibrate(const Device& device, Backend& backend, std::stop_token stop,
                              const std::function<void(const std::string&)>& tell) {
  if (device.is_virtual)
    return bad_input(fmt::format(
        "{} is a virtual GPU, and only a real one can be measured: choose --device cuda:0.", device.name));
  Suite suite(device, backend, stop);
  const std::vector<std::pair<const char*, void (Suite::*)()>> parts = {
      {"the clock", &Suite::clock},
      {"instructions", &Suite::instructions},
      {"launches", &Suite::launches},  // raises the clocks of an idle device first
      {"shared memory and barriers", &Suite::shared_and_barriers},
      {"caches and memory", &Suite::caches},
      {"latencies", &Suite::latencies},
      {"atomics", &Suite::atomics},
      {"divergence", &Suite::divergence},
      {"copies", &Suite::copies}};
  for (const auto& [what, measure] : parts) {
    tell(what);
    (suite.*measure)();
    if (suite.error()) return *suite.error();
  }
  Calibration calibration;
  calibration.device = device.name;
  calibration.figures = std::move(suite.figures);
  // The spread of short times may include negative values, but the value itself may not be negative.
  for (auto& [name, band] : calibration.figures) band.low = std::max(band.low, band.value / 4);
  // If the difference of two times is smaller than their spread, a figure that is not required is left out.
  std::erase_if(calibration.figures, [](const auto& figure) { return !(figure.second.value > 0); });
  if (const auto name = nonsense(calibration.figures))
    return failed(fmt::format(
        "{} was not measured: other programs use the device, or its clock changed. Try again when "
        "it is idle.",
        *name));
  return calibration;
}

}  // namespace warplens
