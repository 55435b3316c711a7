#include "core/gpu/timing/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json/json.h"
#include "core/base/system/embedded.h"

namespace warplens {
namespace {

constexpr const char* built_in_file = "timing/model.json";

Error wrong(std::string_view file, std::string_view what, const char* why) {
  return bad_input(fmt::format("{}: {} {}.", file, what, why));
}

std::optional<double> number(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return std::nullopt;
  const double value = at->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Result<Parameter> read_parameter(const Json& object, std::string_view file, const char* name) {
  const auto at = object.find(name);
  if (at == object.end() || !at->is_object()) return wrong(file, name, "is missing");
  const auto low = number(*at, "low"), value = number(*at, "value"), high = number(*at, "high");
  if (!low || !value || !high || *low < 0 || *low > *value || *value > *high)
    return wrong(file, name, "needs the numbers low, value and high, in this order and none negative");
  const auto source = at->find("source");
  if (source == at->end() || !source->is_string() || source->get_ref<const std::string&>().empty())
    return wrong(file, name, "needs a source");
  const auto assumed = at->find("assumed");
  return Parameter{{*low, *value, *high},
                   source->get<std::string>(),
                   assumed != at->end() && assumed->is_boolean() && assumed->get<bool>()};
}

std::optional<ComputeCapability> capability_of(const std::string& text) {
  const size_t point = text.find('.');
  if (point == std::string::npos || point == 0 || point + 1 == text.size()) return std::nullopt;
  ComputeCapability capability;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (text[i] < '0' || text[i] > '9' || text.size() > 6) return std::nullopt;
    uint32_t& part = i < point ? capability.major : capability.minor;
    part = part * 10 + static_cast<uint32_t>(text[i] - '0');
  }
  return capability;
}

Result<void> read_rates(const Json& object, std::string_view file, TimeParameters& parameters) {
  for (const auto& [key, rates] : object.items()) {
    if (key == "source" && rates.is_string()) {
      parameters.rates_source = rates.get<std::string>();
      continue;
    }
    const auto capability = capability_of(key);
    if (!capability || !rates.is_object()) return wrong(file, key, "is no compute capability with its rates");
    TimeParameters::Rates row{*capability, {}};
    for (size_t i = 0; i < issue_units; ++i) {
      const char* unit = to_string(static_cast<IssueUnit>(i));
      if (!rates.contains(unit)) continue;
      row.results_per_clock[i] = number(rates, unit);
      if (!row.results_per_clock[i] || *row.results_per_clock[i] <= 0)
        return wrong(file, fmt::format("{} of {}", unit, key), "must be a number above 0");
    }
    parameters.rates.push_back(row);
  }
  if (parameters.rates_source.empty()) return wrong(file, "results_per_clock_per_sm", "needs a source");
  return {};
}

TimeParameters read_built_in_parameters() {
  Result<TimeParameters> parameters = parse_time_parameters(find_embedded(built_in_file), built_in_file);
  // Tests read the file and report its errors.
  return parameters ? std::move(*parameters) : TimeParameters{};
}

}  // namespace

Band operator+(Band a, Band b) { return {a.low + b.low, a.value + b.value, a.high + b.high}; }
Band operator*(Band a, double factor) { return {a.low * factor, a.value * factor, a.high * factor}; }

const std::vector<ParameterName>& parameter_names() {
  using P = TimeParameters;
  static const std::vector<ParameterName> names = {
      {"memory_bandwidth_share", &P::memory_bandwidth_share},
      {"memory_latency_cycles", &P::memory_latency_cycles},
      {"l2_latency_cycles", &P::l2_latency_cycles},
      {"l1_latency_cycles", &P::l1_latency_cycles},
      {"shared_latency_cycles", &P::shared_latency_cycles},
      {"dependent_issue_cycles", &P::dependent_issue_cycles},
      {"l2_bytes_per_clock_per_sm", &P::l2_bytes_per_clock_per_sm},
      {"l1_bytes_per_clock_per_sm", &P::l1_bytes_per_clock_per_sm},
      {"shared_wavefronts_per_clock", &P::shared_wavefronts_per_clock},
      {"issues_per_scheduler_per_clock", &P::issues_per_scheduler_per_clock},
      {"launch_us", &P::launch_us},
      {"pcie_share", &P::pcie_share},
      {"copy_start_us", &P::copy_start_us},
      {"inside_start_us", &P::inside_start_us},
      {"machine_instructions_per_ptx_instruction", &P::machine_instructions_per_ptx_instruction},
      {"requests_in_flight_per_warp", &P::requests_in_flight_per_warp},
      {"block_starts_per_clock", &P::block_starts_per_clock},
      {"block_starts_per_clock_per_sm", &P::block_starts_per_clock_per_sm},
      {"overlap_exponent", &P::overlap_exponent},
  };
  return names;
}

Result<TimeParameters> parse_time_parameters(std::string_view json, std::string_view file) {
  const Result<Json> document = parse_json(json, file);
  if (!document) return document.error();
  const Json& root = *document;
  if (!root.is_object()) return bad_input(fmt::format("{}: this is no JSON object.", file));
  const auto parameters_at = root.find("parameters"), rates_at = root.find("results_per_clock_per_sm");
  if (parameters_at == root.end() || !parameters_at->is_object())
    return wrong(file, "parameters", "is missing");
  if (rates_at == root.end() || !rates_at->is_object())
    return wrong(file, "results_per_clock_per_sm", "is missing");
  TimeParameters parameters;
  for (const ParameterName& row : parameter_names()) {
    Result<Parameter> read = read_parameter(*parameters_at, file, row.name);
    if (!read) return read.error();
    parameters.*row.member = std::move(*read);
  }
  if (const Result<void> read = read_rates(*rates_at, file, parameters); !read) return read.error();
  return parameters;
}

const TimeParameters& default_time_parameters() {
  static const TimeParameters parameters = read_built_in_parameters();
  return parameters;
}

UnitRates unit_rates(const Device& device, const TimeParameters& parameters) {
  UnitRates rates{};
  const auto row =
      std::ranges::find(parameters.rates, device.compute_capability, &TimeParameters::Rates::capability);
  if (row != parameters.rates.end()) rates = row->results_per_clock;
  if (device.fp32_lanes_per_sm)
    rates[static_cast<size_t>(IssueUnit::fp32)] = static_cast<double>(*device.fp32_lanes_per_sm);
  return rates;
}

}  // namespace warplens
