#include "core/gpu/timing/calibration.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/base/system/embedded.h"

namespace warplens {
namespace {

constexpr std::array<int, 6> atomic_words = {1, 32, 256, 1024, 65536, 1048576};
constexpr std::array<int, 4> atomic_row_words = {32, 256, 4096, 1048576};

std::vector<CalibratedFigure> make_figures() {
  std::vector<CalibratedFigure> figures = {
      {"clock_mhz", "MHz", "clock of the SMs while they work"},
      {"launch_us", "µs", "a launch between two events on an idle device, beyond the kernel"},
      {"floor_us", "µs", "an empty kernel of one block between two events on a busy device"},
      {"block_starts_per_us", "blocks", "started by the whole device, of up to 512 threads"},
      {"large_block_starts_per_us", "blocks", "the same with 1,024 threads"},
      {"issue_slots", "warp instructions a cycle an SM", "the schedulers of an SM together"},
      {"shared_wavefronts", "a cycle an SM", "of shared memory"},
      {"l1_lines", "a cycle an SM", "lines of 128 bytes that requests look up"},
      {"l1_sectors", "a cycle an SM", "sectors that hit in L1"},
      {"l2_load_sectors", "a cycle an SM", "sectors from L2, all SMs at once"},
      {"l2_store_sectors", "a cycle an SM", "whole sectors to L2, all SMs at once"},
      {"l2_partial_sectors", "a cycle an SM", "sectors written in part, four of a line in one request"},
      {"l2_scattered_sectors", "a cycle an SM", "sectors written in part, each in a line of its own"},
      {"memory_load_gb_s", "GB/s", "read from DRAM"},
      {"memory_store_gb_s", "GB/s", "written to DRAM"},
      {"l1_latency", "cycles", "a load that hits in L1"},
      {"l2_latency", "cycles", "a load that hits in L2"},
      {"memory_latency", "cycles", "a load from DRAM"},
      {"barrier_cycles", "cycles", "a barrier of one warp"},
      {"barrier_cycles_per_warp", "cycles", "a barrier, for each further warp of the block"},
  };
  for (const IssueUnit unit :
       {IssueUnit::fp32, IssueUnit::fp64, IssueUnit::integer, IssueUnit::multiply, IssueUnit::wide_integer,
        IssueUnit::wide_multiply, IssueUnit::divide, IssueUnit::wide_divide, IssueUnit::float_divide,
        IssueUnit::special, IssueUnit::convert, IssueUnit::warp}) {
    const std::string name = to_string(unit);
    figures.push_back(
        {"issue_" + name, "warp instructions a cycle an SM", "as many as an SM takes of " + name});
    figures.push_back({"latency_" + name, "cycles", "from one to the next that needs its result: " + name});
  }
  figures.push_back({"latency_shared", "cycles", "a load from shared memory"});
  figures.push_back({"latency_atomic", "cycles", "an atomic on global memory whose old value is needed"});
  const auto later = [&](std::string name, const char* unit, std::string what) {
    figures.push_back({std::move(name), unit, std::move(what), false});
  };
  later("events_us", "µs",
        "two events with nothing between them on a busy device: a share of every time; by "
        "tests/data/truth/time_launches.cu");
  later("divergence_cycles", "cycles", "one lane alone in a branch, beyond its instructions");
  for (const char* memory : {"pinned", "pageable"}) {
    for (const int kib : copied_kib) {
      const std::string size = byte_size_text(uint64_t(kib) * 1024);
      later(fmt::format("copy_in_{}_{}k", memory, kib), "µs",
            fmt::format("{} from {} host memory", size, memory));
      later(fmt::format("copy_out_{}_{}k", memory, kib), "µs",
            fmt::format("{} to {} host memory", size, memory));
    }
  }
  for (const int words : atomic_words)
    figures.push_back(
        {fmt::format("atomics_{}", words), "lanes a µs", fmt::format("at {} words by chance", words)});
  for (const int words : atomic_row_words)
    figures.push_back({fmt::format("atomic_rows_{}", words), "lanes a µs",
                       fmt::format("at {} words, the lanes of a warp side by side", words)});
  return figures;
}

std::vector<Calibration> read_calibrations() {
  std::vector<Calibration> calibrations;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("timing/devices/")) continue;
    // Tests read the files and report their errors.
    if (Result<Calibration> read = parse_calibration(file.bytes, file.path); read)
      calibrations.push_back(std::move(*read));
  }
  return calibrations;
}

template <size_t count>
double between(const Calibration& calibration, const char* prefix, const std::array<int, count>& at,
               double words) {
  const auto rate = [&](size_t i) { return calibration.value(prefix + std::to_string(at[i])); };
  size_t i = 0;
  while (i + 1 < count && words >= at[i + 1]) ++i;
  if (i + 1 == count || words <= at[0]) return rate(i);
  const double share = std::log(words / at[i]) / std::log(double(at[i + 1]) / at[i]);
  return std::exp(std::log(rate(i)) * (1 - share) + std::log(rate(i + 1)) * share);
}

}  // namespace

const std::vector<CalibratedFigure>& calibrated_figures() {
  static const std::vector<CalibratedFigure> figures = make_figures();
  return figures;
}

double Calibration::value(std::string_view figure) const {
  const auto at = figures.find(figure);
  return at == figures.end() ? 0 : at->second.value;
}

double Calibration::atomics_per_us(double words, bool row) const {
  return row ? between(*this, "atomic_rows_", atomic_row_words, words)
             : between(*this, "atomics_", atomic_words, words);
}

std::optional<Band> Calibration::copy_us(uint64_t bytes, bool in, bool pinned) const {
  const auto at = [&](const char* memory, size_t size) {
    return value(fmt::format("copy_{}_{}_{}k", in ? "in" : "out", memory, copied_kib[size]));
  };
  const auto us = [&](const char* memory) {
    constexpr size_t last = copied_kib.size() - 1;
    const double kib = double(bytes) / 1024;
    size_t i = 0;
    while (i + 1 < last && kib >= copied_kib[i + 1]) ++i;
    if (kib <= copied_kib[0]) return at(memory, 0);
    const double slope =
        std::log(at(memory, i + 1) / at(memory, i)) / std::log(double(copied_kib[i + 1]) / copied_kib[i]);
    if (kib >= copied_kib[last]) return at(memory, last) * kib / copied_kib[last];
    return at(memory, i) * std::pow(kib / copied_kib[i], slope);
  };
  for (size_t i = 0; i < copied_kib.size(); ++i)
    if (!(at("pinned", i) > 0) || !(at("pageable", i) > 0)) return std::nullopt;
  const double locked = us("pinned"), plain = us("pageable");
  return Band{std::min(locked, plain), pinned ? locked : plain, std::max(locked, plain)};
}

Result<Calibration> parse_calibration(std::string_view text, std::string_view file) {
  const Result<Json> json = parse_json(text, file);
  if (!json) return json.error();
  const auto wrong = [&](const std::string& what) { return bad_input(fmt::format("{}: {}.", file, what)); };
  if (!json->is_object() || !json->contains("figures") || !(*json)["figures"].is_object())
    return wrong("\"figures\" is missing: write the file with warplens calibrate");
  Calibration calibration;
  const auto words = [&](const char* key) {
    return json->contains(key) && (*json)[key].is_string() ? (*json)[key].get<std::string>() : std::string();
  };
  calibration.device = words("device");
  calibration.measured = words("measured");
  if (calibration.device.empty()) return wrong("\"device\" must be the name of a device");
  if (json->contains("band")) {
    if (!(*json)["band"].is_number() || !((*json)["band"].get<double>() >= 1))
      return wrong("\"band\" must be a number of at least 1");
    calibration.band = (*json)["band"].get<double>();
  }
  for (const CalibratedFigure& figure : calibrated_figures()) {
    const auto at = (*json)["figures"].find(figure.name);
    if (at == (*json)["figures"].end() && !figure.needed) continue;
    if (at == (*json)["figures"].end() || !at->is_object()) return wrong(figure.name + " is missing");
    std::array<double, 3> ends{};
    for (size_t i = 0; i < 3; ++i) {
      const char* key = i == 0 ? "low" : i == 1 ? "value" : "high";
      if (!at->contains(key) || !(*at)[key].is_number())
        return wrong(figure.name + " needs low, value and high");
      ends[i] = (*at)[key].get<double>();
    }
    if (!(ends[0] > 0) || ends[0] > ends[1] || ends[1] > ends[2] || !std::isfinite(ends[2]))
      return wrong(figure.name + " needs low, value and high, in this order and above 0");
    calibration.figures[figure.name] = {ends[0], ends[1], ends[2]};
  }
  return calibration;
}

std::string calibration_json(const Calibration& calibration) {
  ReportJson json = {{"device", calibration.device},
                     {"measured", calibration.measured},
                     {"band", calibration.band},
                     {"figures", ReportJson::object()}};
  // Four digits are more precise than the measurement.
  const auto rounded = [](double value) { return std::stod(fmt::format("{:.4g}", value)); };
  for (const CalibratedFigure& figure : calibrated_figures()) {
    const auto at = calibration.figures.find(figure.name);
    if (at == calibration.figures.end()) continue;
    json["figures"][figure.name] = {{"low", rounded(at->second.low)},
                                    {"value", rounded(at->second.value)},
                                    {"high", rounded(at->second.high)},
                                    {"unit", figure.unit},
                                    {"what", figure.what}};
  }
  return json.dump(1) + "\n";
}

const std::vector<Calibration>& calibrations() {
  static const std::vector<Calibration> all = read_calibrations();
  return all;
}

const Calibration* calibration_of(const Device& device) {
  for (const Calibration& calibration : calibrations())
    if (calibration.device == device.name) return &calibration;
  return nullptr;
}

}  // namespace warplens
