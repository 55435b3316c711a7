#include "core/gpu/timing/scaled_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {
namespace {

constexpr uint32_t first_capability = 7;  // the first whose SMs are similar to those of the measured devices

struct ClassOfRate {
  const char* figure;
  IssueUnit published;  // the unit by whose published rate it is scaled
};
// Sequences are scaled with the units that most of their instructions need.
constexpr std::array<ClassOfRate, 12> classes = {{{"issue_fp32", IssueUnit::fp32},
                                                  {"issue_fp64", IssueUnit::fp64},
                                                  {"issue_integer", IssueUnit::integer},
                                                  {"issue_multiply", IssueUnit::integer},
                                                  {"issue_wide_integer", IssueUnit::integer},
                                                  {"issue_wide_multiply", IssueUnit::integer},
                                                  {"issue_divide", IssueUnit::integer},
                                                  {"issue_wide_divide", IssueUnit::integer},
                                                  {"issue_float_divide", IssueUnit::fp32},
                                                  {"issue_special", IssueUnit::special},
                                                  {"issue_convert", IssueUnit::convert},
                                                  {"issue_warp", IssueUnit::warp}}};

class Scaling {
 public:
  Scaling(const Device& from, const Device& to, const TimeParameters& parameters)
      : m_from(from),
        m_to(to),
        m_from_rates(unit_rates(from, parameters)),
        m_to_rates(unit_rates(to, parameters)) {}

  double clock() const { return ratio(m_from.boost_clock_mhz, m_to.boost_clock_mhz); }
  double bandwidth() const { return ratio(m_from.memory_bandwidth_gb_s, m_to.memory_bandwidth_gb_s); }
  double schedulers() const {
    return double(m_to.limits.sub_partitions) / double(std::max(1u, m_from.limits.sub_partitions));
  }
  double sms() const { return double(m_to.sms) / double(std::max(1u, m_from.sms)); }
  // 1 if one of the two is not published.
  double unit(IssueUnit unit) const {
    return ratio(m_from_rates[static_cast<size_t>(unit)], m_to_rates[static_cast<size_t>(unit)]);
  }

 private:
  template <class T>
  static double ratio(const std::optional<T>& from, const std::optional<T>& to) {
    return from && to && *from > 0 && *to > 0 ? double(*to) / double(*from) : 1;
  }
  const Device &m_from, &m_to;
  UnitRates m_from_rates, m_to_rates;
};

// Updates of few words are serialised at one place; updates of many words are spread over a cache whose size
// depends on the device.
double atomics_scale(const std::string& figure, const Scaling& by) {
  constexpr double spread_words = 1024;
  const double words = std::stod(figure.substr(figure.rfind('_') + 1));
  return by.clock() * (words >= spread_words ? by.sms() : 1);
}

double scale_of(const std::string& figure, const Scaling& by) {
  const auto starts = [&](const char* prefix) { return figure.starts_with(prefix); };
  if (figure == "clock_mhz" || figure.ends_with("block_starts_per_us")) return by.clock();
  if (starts("memory_") && figure.ends_with("gb_s")) return by.bandwidth();
  if (figure == "issue_slots") return by.schedulers();
  if (starts("atomics_") || starts("atomic_rows_")) return atomics_scale(figure, by);
  const auto at = std::ranges::find_if(classes, [&](const ClassOfRate& c) { return figure == c.figure; });
  return at == classes.end() ? 1 : by.unit(at->published);
}

// A distance between two devices: first by generation, then by the number of SMs.
double distance(const Device& a, const Device& b) {
  const auto generation = [](const Device& d) {
    return double(d.compute_capability.major) + 0.1 * double(d.compute_capability.minor);
  };
  const double sms = std::log(double(std::max(1u, a.sms)) / double(std::max(1u, b.sms)));
  return 100 * std::abs(generation(a) - generation(b)) + std::abs(sms);
}

}  // namespace

Calibration scaled_calibration(const Calibration& from, const Device& measured, const Device& device,
                               const TimeParameters& parameters) {
  const Scaling by(measured, device, parameters);
  Calibration scaled = from;
  scaled.device = device.name;
  scaled.scaled_from = measured.name;
  scaled.band = std::max(from.band, scaled_band);
  for (auto& [name, band] : scaled.figures) band = band * scale_of(name, by);
  // No class can issue faster than the schedulers.
  const double slots = scaled.value("issue_slots");
  for (const ClassOfRate& one : classes) {
    const double rate = scaled.value(one.figure);
    if (rate > slots) scaled.figures[one.figure] = scaled.figures[one.figure] * (slots / rate);
  }
  // A small device has no more blocks than fit on its SMs.
  if (device.name != measured.name) {
    const double most =
        device.sms * parameters.block_starts_per_clock_per_sm.band.value * scaled.value("clock_mhz");
    for (const char* starts : {"block_starts_per_us", "large_block_starts_per_us"})
      if (const double rate = scaled.value(starts); rate > most)
        scaled.figures[starts] = scaled.figures[starts] * (most / rate);
  }
  return scaled;
}

std::optional<Calibration> calibration_for(const Device& device, const TimeParameters& parameters) {
  if (const Calibration* own = calibration_of(device)) return *own;
  if (device.compute_capability.major < first_capability) return std::nullopt;
  if (device.sms == 0 || !device.boost_clock_mhz || !device.memory_bandwidth_gb_s) return std::nullopt;
  const Calibration* nearest = nullptr;
  Device measured;
  for (const Calibration& candidate : calibrations()) {
    const Result<Device> of = find_device(candidate.device);
    if (!of || (nearest != nullptr && distance(device, *of) >= distance(device, measured))) continue;
    nearest = &candidate;
    measured = *of;
  }
  if (nearest == nullptr) return std::nullopt;
  return scaled_calibration(*nearest, measured, device, parameters);
}

}  // namespace warplens
