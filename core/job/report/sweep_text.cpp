// Sweeps as a table for people, as CSV and as JSON.
#include <fmt/format.h>

#include "core/base/csv.h"
#include "core/base/figures.h"
#include "core/base/json/json_values.h"
#include "core/gpu/timing/measured_times.h"
#include "core/job/report/report_fields.h"
#include "core/job/report/report_measured.h"
#include "core/job/report/sweep_text.h"
#include "core/job/sweep.h"

namespace warplens {
namespace {

using json_values::number, json_values::or_null;

std::string block_text(Dim3 block) {
  std::string text = fmt::format("{}", block.x);
  if (block.y != 1 || block.z != 1) text += fmt::format("x{}", block.y);
  if (block.z != 1) text += fmt::format("x{}", block.z);
  return text;
}

std::string us_text(const std::optional<Band>& us) { return us ? duration_text(us->value * 1e-6) : "-"; }

std::string band_text(const std::optional<Band>& us) {
  return us ? fmt::format("{} to {}", duration_text(us->low * 1e-6), duration_text(us->high * 1e-6)) : "-";
}

// The error of the modelled time; "-12 %" means that it is too short.
std::string error_text(const SweepPoint& p) {
  if (!p.measured_us || !p.kernel.us) return "-";
  return fmt::format("{:+.0f} %", model_error_percent(p.kernel.us->value, p.measured_us->median));
}

std::string outcome(const Sweep& sweep, size_t index) {
  const SweepPoint& point = sweep.points[index];
  if (!point.cuda_error.empty()) return "refused: " + point.cuda_error;
  if (point.status != RunStatus::ok) return fmt::format("{}: {}", to_string(point.status), point.message);
  if (sweep.kind == SweepKind::blocks && ties_with_best(sweep, point))
    return count_ties(sweep) == 1 ? "best" : "tie";
  if (!point.us()) return "not modelled: " + point.kernel.unknown;
  return "";
}

std::string row(const Sweep& sweep, size_t index) {
  const SweepPoint& p = sweep.points[index];
  const bool blocks = sweep.kind == SweepKind::blocks;
  std::string text = padded(blocks ? block_text(p.block) : thousands(p.size), 12);
  text += padded(p.occupancy ? three_digits(p.occupancy->theoretical_percent) + " %" : "-", 11);
  text += padded(p.sectors && p.status != RunStatus::refused ? thousands(*p.sectors) : "-", 15);
  text += padded(us_text(p.us()), 11) + padded(band_text(p.us()), 23);
  if (sweep.measured) text += padded(us_text(p.kernel.us), 11) + padded(error_text(p), 9);
  if (!blocks) {
    text += padded(us_text(p.total_us), 11);
    text += padded(p.cpu_ms ? duration_text(*p.cpu_ms * 1e-3) : "-", 11);
  }
  text += padded(p.status == RunStatus::refused ? "-" : duration_text(p.execute_ms * 1e-3), 13);
  return text + "  " + outcome(sweep, index) + "\n";
}

ReportJson band_json(const std::optional<Band>& band) {
  if (!band) return nullptr;
  return {{"value", number(band->value)}, {"low", number(band->low)}, {"high", number(band->high)}};
}

ReportJson point_json(const Sweep& sweep, const SweepPoint& p) {
  const bool blocks = sweep.kind == SweepKind::blocks;
  ReportJson parts = ReportJson::object();
  for (const TimePart& part : p.kernel.parts) parts[to_string(part.kind)] = band_json(part.us);
  const TimePart* bound = bound_of(p.kernel);
  return {{"block", {p.block.x, p.block.y, p.block.z}},
          {"grid", {p.shape.grid.x, p.shape.grid.y, p.shape.grid.z}},
          {"size", p.size == 0 ? ReportJson(nullptr) : ReportJson(p.size)},
          {"elements", number(p.elements)},
          {"status", to_string(p.status)},
          {"cuda_error", p.cuda_error.empty() ? ReportJson(nullptr) : ReportJson(p.cuda_error)},
          {"message", p.message.empty() ? ReportJson(nullptr) : ReportJson(p.message)},
          {"occupancy", occupancy_json(p.occupancy)},
          {"global_sectors", or_null(p.sectors)},
          {"global_sectors_ideal", or_null(p.sectors_ideal)},
          {"warp_instructions", p.counters ? ReportJson(p.counters->warp_instructions) : ReportJson(nullptr)},
          {"kernel_us", band_json(p.us())},
          {"measured_us", spread_json(p.measured_us)},
          {"modelled_us", band_json(p.kernel.us)},
          {"unknown", p.kernel.unknown.empty() ? ReportJson(nullptr) : ReportJson(p.kernel.unknown)},
          {"ties_with_best", blocks ? ReportJson(ties_with_best(sweep, p)) : ReportJson(nullptr)},
          {"bound_by", bound ? ReportJson(to_string(bound->kind)) : ReportJson(nullptr)},
          {"parts_us", parts},
          {"total_us", band_json(p.total_us)},
          {"source", to_string(p.measured_us ? Provenance::measured : Provenance::modelled)},
          {"cpu_ms", or_null(p.cpu_ms)},
          {"execute_ms", number(p.execute_ms)}};
}

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}
std::string csv_count(const std::optional<uint64_t>& value) { return value ? fmt::format("{}", *value) : ""; }

std::string csv_row(const Sweep& sweep, const SweepPoint& p) {
  const auto end = [](const std::optional<Band>& band, double Band::*which) {
    return csv_number(band ? std::optional((*band).*which) : std::nullopt);
  };
  const TimePart* bound = bound_of(p.kernel);
  std::string text =
      fmt::format("{},{},{},{},{},{},", csv_quoted(sweep.kernel), csv_quoted(sweep.device), p.block.x,
                  p.block.y, p.block.z, p.size == 0 ? "" : fmt::format("{}", p.size));
  text += fmt::format("{},{},", to_string(p.status), p.cuda_error);
  text += csv_number(p.occupancy ? std::optional(p.occupancy->theoretical_percent) : std::nullopt) + ",";
  text += csv_count(p.counters ? std::optional(p.counters->warp_instructions) : std::nullopt) + ",";
  text += csv_count(p.sectors) + "," + csv_count(p.sectors_ideal) + ",";
  text += end(p.us(), &Band::value) + "," + end(p.us(), &Band::low) + "," + end(p.us(), &Band::high);
  text += fmt::format(",{},", bound ? to_string(bound->kind) : "");
  text +=
      end(p.total_us, &Band::value) + "," + end(p.total_us, &Band::low) + "," + end(p.total_us, &Band::high);
  text += fmt::format(",{},{:.6g},{},", csv_number(p.cpu_ms), p.execute_ms,
                      p.us() ? to_string(p.measured_us ? Provenance::measured : Provenance::modelled) : "");
  text += csv_number(p.measured_us ? std::optional(p.measured_us->minimum) : std::nullopt);
  return text + fmt::format(",{},{}\n", p.measured_us ? fmt::format("{}", p.measured_us->samples.size()) : "",
                            end(p.kernel.us, &Band::value));
}

}  // namespace

std::string sweep_text(const Sweep& sweep) {
  const bool blocks = sweep.kind == SweepKind::blocks;
  const char* how = to_string(sweep.measured ? Provenance::measured : Provenance::modelled);
  std::string text = fmt::format("{} on {}\n", sweep.kernel, sweep.device);
  text += padded(blocks ? "block" : "size", 12) + padded("occupancy", 11) + padded("sectors", 15) +
          padded("kernel", 11) + padded(sweep.measured ? "10 to 90 %" : "low to high", 23);
  if (sweep.measured) text += padded("model", 11) + padded("error", 9);
  if (!blocks) text += padded("GPU in all", 11) + padded("CPU", 11);
  text += padded("interpreter", 13) + "\n";
  text += padded("", 12) + padded("derived", 11) + padded("counted", 15) + padded(how, 11) + padded(how, 23);
  if (sweep.measured) text += padded("modelled", 11) + padded("", 9);
  if (!blocks) text += padded(how, 11) + padded("measured", 11);
  text += padded("measured", 13) + "\n";
  for (size_t i = 0; i < sweep.points.size(); ++i) text += row(sweep, i);
  if (!sweep.left_out.empty()) text += sweep.left_out + "\n";
  if (!sweep.sentence.empty()) text += "\n" + sweep.sentence + "\n";
  if (sweep.cached)
    text += "The modelled times use a model of the caches (docs/caches.md).\n";
  else if (sweep.measured)
    text += "There are no modelled times: some points are too long for the model of the caches.\n";
  else
    text += "These times use no model of the caches: the traffic of L2 and memory is only bounded.\n";
  return text +
         "The interpreter's time is the time that counting took on this machine; it does not predict a "
         "GPU's.\n";
}

std::string sweep_csv(const std::vector<Sweep>& sweeps) {
  std::string text =
      "kernel,device,block_x,block_y,block_z,size,status,cuda_error,occupancy_percent,warp_instructions,"
      "global_sectors,global_sectors_ideal,kernel_us,kernel_low_us,kernel_high_us,bound_by,total_us,"
      "total_low_us,total_high_us,cpu_ms,interpreter_ms,source,kernel_minimum_us,samples,modelled_us\n";
  for (const Sweep& sweep : sweeps)
    for (const SweepPoint& point : sweep.points) text += csv_row(sweep, point);
  return text;
}

std::string sweep_json(const std::vector<Sweep>& sweeps) {
  ReportJson list = ReportJson::array();
  for (const Sweep& sweep : sweeps) {
    ReportJson points = ReportJson::array();
    for (const SweepPoint& point : sweep.points) points.push_back(point_json(sweep, point));
    const bool blocks = sweep.kind == SweepKind::blocks;
    const bool crosses = sweep.crossover.where == Crossover::Where::between;
    list.push_back({{"kind", blocks ? "blocks" : "sizes"},
                    {"kernel", sweep.kernel},
                    {"device", sweep.device},
                    {"best", blocks ? or_null(sweep.best) : ReportJson(nullptr)},
                    {"worst", blocks ? or_null(sweep.worst) : ReportJson(nullptr)},
                    {"crossover_elements", crosses ? number(sweep.crossover.elements) : ReportJson(nullptr)},
                    {"sentence", sweep.sentence},
                    {"caches_modelled", sweep.cached},
                    {"points", points}});
  }
  return json_values::indented(ReportJson{{"schema", 1}, {"sweeps", list}});
}

}  // namespace warplens
