// report_text: the page that people read after a run.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/job/cache_pass.h"
#include "core/job/report/report.h"
#include "core/job/report/report_fields.h"
#include "core/job/report/report_measured.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

constexpr size_t shown_lines = 8;  // of the kernel's source, those with the highest cost
constexpr size_t shown_steps = 40;
constexpr size_t shown_incidents = 8;  // of each kind; the JSON report has them all

std::string extents(Dim3 value) { return fmt::format("{} × {} × {}", value.x, value.y, value.z); }

std::string how_it_ended(const RunResult& result) {
  switch (result.status) {
    case RunStatus::ok:
      return "It ran to its end.";
    case RunStatus::fault:
      return "It ended with a fault.";
    case RunStatus::check_failed:
      return "It ran to its end, but the result is wrong.";
    case RunStatus::refused:
      return result.cuda_error ? fmt::format("CUDA would refuse this launch: {}.", *result.cuda_error)
                               : std::string("CUDA would refuse this launch.");
    case RunStatus::cancelled:
      return "It was cancelled; the counts hold up to there.";
  }
  return "";
}

std::string heading(const RunResult& result) {
  std::string text;
  if (result.request) {
    const Device& device = result.request->device;
    text += fmt::format("{} on {} ({} GPU, compute capability {}.{}, {} SMs)\n",
                        result.request->kernel.empty() ? result.entry : result.request->kernel, device.name,
                        device.is_virtual ? "virtual" : "CUDA", device.compute_capability.major,
                        device.compute_capability.minor, device.sms);
  }
  const std::string compiler = compiler_of(result);
  if (!result.entry.empty())
    text += compiler.empty() ? fmt::format("Entry {}. ", result.entry)
                             : fmt::format("Entry {}, compiled by {}. ", result.entry, compiler);
  text += how_it_ended(result) + "\n";
  if (!result.message.empty()) text += result.message + "\n";
  if (!result.consequence.empty()) text += result.consequence + "\n";
  return text;
}

std::string launch_section(const LaunchShape& shape) {
  std::string text = "\nLaunch\n";
  text += fmt::format("  grid {}, block {}, {} of dynamic shared memory{}\n", extents(shape.grid),
                      extents(shape.block), byte_size_text(shape.shared_dynamic_bytes),
                      shape.cooperative ? ", cooperative" : "");
  const double blocks = double(shape.grid.x) * shape.grid.y * shape.grid.z;
  const double threads = double(shape.block.x) * shape.block.y * shape.block.z;
  if (blocks * threads >= 1e18) return text;  // refused; the shape says enough
  const uint64_t block_threads = shape.block.count();
  const uint64_t warps_per_block = ceil_div(block_threads, warp_lanes);
  text += row("blocks", thousands(shape.grid.count()), Provenance::derived);
  text += row("threads", thousands(shape.grid.count() * block_threads), Provenance::derived);
  text += row("warps",
              fmt::format("{} ({} a block, {} lanes without a thread in each block)",
                          thousands(shape.grid.count() * warps_per_block), thousands(warps_per_block),
                          warps_per_block * warp_lanes - block_threads),
              Provenance::derived);
  return text;
}

// A program needs no list if it has one launch, with all arrays copied in before and the outputs copied out
// after.
bool is_usual(const std::vector<Step>& steps) {
  const auto is_launch = [](const Step& step) { return std::holds_alternative<LaunchStep>(step); };
  return std::ranges::count_if(steps, is_launch) <= 1 && std::ranges::is_sorted(steps, {}, &Step::index);
}

std::string steps_section(const RunResult& result) {
  if (!result.request || result.status == RunStatus::refused || is_usual(result.request->steps)) return "";
  std::string text = "\nSteps\n";
  size_t number = 0;
  const std::shared_ptr<const ModuleText> module = result.request->module;
  if (module && !module->source_name.empty())
    text += fmt::format("  {:>3}. compile {} to PTX: once, before the run\n", ++number, module->source_name);
  for (const Step& step : result.request->steps) {
    if (number == shown_steps) {
      text += fmt::format("  and {} more\n", result.request->steps.size() - shown_steps);
      break;
    }
    text += fmt::format("  {:>3}. {}\n", ++number, describe(step, *result.request));
  }
  return text;
}

std::string limiters_text(const Occupancy& occupancy) {
  std::string text;
  for (const Limiter limiter : occupancy.limiters) {
    std::string word = to_string(limiter);
    std::replace(word.begin(), word.end(), '_', ' ');
    text += (text.empty() ? "" : " and ") + word;
  }
  return text;
}

std::string resources_section(const RunResult& result) {
  if (!result.resources) return "";
  const Resources& r = *result.resources;
  std::string text = "\nResources of one thread and block\n";
  const char* origin = r.origin == ResourceOrigin::ptxas    ? "from NVIDIA's assembler"
                       : r.origin == ResourceOrigin::driver ? "from the driver"
                                                            : "an estimate by live registers";
  text +=
      row("registers a thread", fmt::format("{} ({})", r.registers_per_thread, origin), Provenance::derived);
  text += row("static shared memory", byte_size_text(r.shared_static_bytes), Provenance::derived);
  text += row(
      "local memory a thread",
      fmt::format("{}, spill stores {}", byte_size_text(r.local_bytes), byte_size_text(r.spill_store_bytes)),
      Provenance::derived);
  if (!result.occupancy) return text;
  const Occupancy& o = *result.occupancy;
  text +=
      row("occupancy",
          fmt::format("{} %: {} warps in {} blocks an SM, limited by {}", three_digits(o.theoretical_percent),
                      o.active_warps_per_sm, o.active_blocks_per_sm, limiters_text(o)),
          Provenance::derived);
  if (o.active_blocks_per_sm != 0) text += row("waves", three_digits(o.waves), Provenance::derived);
  return text;
}

struct Ideal {
  uint64_t sectors = 0, ideal = 0, requests = 0;
};

Ideal sectors_over_lines(const RunResult& result) {
  Ideal sum;
  for (const LineCounters& line : result.lines) {
    sum.sectors += line.global_sectors;
    sum.ideal += line.global_sectors_ideal;
    sum.requests += line.global_requests;
  }
  return sum;
}

std::string per_request(uint64_t amount, uint64_t requests, const char* unit) {
  if (requests == 0) return "0 requests";
  return fmt::format("{} requests, {} {} ({} a request)", thousands(requests), thousands(amount), unit,
                     three_digits(double(amount) / double(requests)));
}

std::string memory_rows(const RunResult& result, const Counters& c) {
  std::string text;
  text += row("global loads", per_request(c.global_load_sectors, c.global_load_requests, "sectors"),
              Provenance::counted);
  text += row("global stores", per_request(c.global_store_sectors, c.global_store_requests, "sectors"),
              Provenance::counted);
  const Ideal sum = sectors_over_lines(result);
  if (sum.requests != 0 && sum.ideal != 0)
    text += row("sectors against the ideal",
                fmt::format("{} a request, ideal {} ({} times as many)",
                            three_digits(double(sum.sectors) / double(sum.requests)),
                            three_digits(double(sum.ideal) / double(sum.requests)),
                            three_digits(double(sum.sectors) / double(sum.ideal))),
                Provenance::counted);
  if (c.async_copy_requests != 0)
    text +=
        row("background copies", per_request(c.async_copy_global_sectors, c.async_copy_requests, "sectors"),
            Provenance::counted);
  if (const SharedCounts shared = shared_counts(c); shared.requests != 0)
    text += row("shared memory",
                per_request(shared.wavefronts, shared.requests, "wavefronts") +
                    fmt::format(", {} bank conflicts", thousands(shared.bank_conflicts)),
                Provenance::counted);
  if (c.shared_atomic_requests != 0)
    text += row("of them atomics",
                per_request(c.shared_atomic_wavefronts, c.shared_atomic_requests, "wavefronts"),
                Provenance::counted);
  if (c.local_load_sectors + c.local_store_sectors != 0)
    text += row("local memory", thousands(c.local_load_sectors + c.local_store_sectors) + " sectors",
                Provenance::counted);
  if (c.atomic_requests != 0)
    text += row("global atomics", per_request(c.atomic_sectors, c.atomic_requests, "sectors"),
                Provenance::counted);
  return text;
}

// The rows of the cache model. There are none if it did not run.
std::string cache_rows(const Counters& c) {
  if (!c.l1_hit_sectors || !c.l2_read_sectors || !c.dram_read_bytes || !c.dram_write_bytes) return "";
  std::string text;
  if (const std::optional<double> hits = l1_hit_percent(c))
    text += row("L1 hits",
                fmt::format("{} % of {} sectors", three_digits(*hits), thousands(sectors_through_l1(c))),
                Provenance::modelled);
  text += row("L2 reads", thousands(*c.l2_read_sectors) + " sectors", Provenance::modelled);
  text += row("DRAM",
              fmt::format("{} read, {} written", byte_size_text(*c.dram_read_bytes),
                          byte_size_text(*c.dram_write_bytes)),
              Provenance::modelled);
  return text;
}

std::string counts_section(const RunResult& result) {
  if (!result.counters) {
    const bool asked_not_to = result.request && result.request->observe == Observe::none;
    return asked_not_to && virtual_gpu_ran(result) ? "\nCounts\n  Nothing was counted (--observe none).\n"
                                                   : "";
  }
  const Counters& c = *result.counters;
  std::string text = "\nCounts\n";
  text += row("warp instructions", thousands(c.warp_instructions), Provenance::counted);
  const double lanes = 32.0 * double(c.warp_instructions);
  text += row("thread instructions",
              thousands(c.thread_instructions) +
                  (lanes == 0 ? ""
                              : fmt::format(" ({} % of the lanes active)",
                                            three_digits(100.0 * double(c.thread_instructions) / lanes))),
              Provenance::counted);
  text +=
      row("branches", fmt::format("{}, {} divergent", thousands(c.branches), thousands(c.divergent_branches)),
          Provenance::counted);
  if (c.barriers != 0) text += row("barriers", thousands(c.barriers), Provenance::counted);
  return text + memory_rows(result, c) + cache_rows(c);
}

std::string lines_section(const RunResult& result) {
  std::vector<const LineCounters*> lines;
  for (const LineCounters& line : result.lines)
    if (line.line != 0) lines.push_back(&line);
  if (lines.empty()) return "";
  std::stable_sort(lines.begin(), lines.end(), [](const LineCounters* a, const LineCounters* b) {
    return a->warp_instructions > b->warp_instructions;
  });
  std::string text = "\nCostliest lines  [counted]\n";
  for (size_t i = 0; i < std::min(lines.size(), shown_lines); ++i) {
    const LineCounters& line = *lines[i];
    text += fmt::format("  {:<26}{:>14} warp instructions, {} % of the lanes active",
                        fmt::format("{}:{}", line.file, line.line), thousands(line.warp_instructions),
                        three_digits(line.active_lane_percent()));
    if (line.global_sectors != 0)
      text += fmt::format(", {} sectors (ideal {})", thousands(line.global_sectors),
                          thousands(line.global_sectors_ideal));
    if (line.bank_conflicts != 0) text += fmt::format(", {} bank conflicts", thousands(line.bank_conflicts));
    text += "\n";
  }
  return text;
}

void add_time(std::string& text, const char* label, const std::optional<double>& us, Provenance source) {
  if (us) text += row(label, duration_text(*us * 1e-6), source);
}

std::string times_section(const RunResult& result) {
  const TimesUs& t = result.time;
  std::string rows;
  add_time(rows, "compile", t.compile, Provenance::measured);
  add_time(rows, "copy in", t.copy_in, t.source);
  add_time(rows, "launch", t.launch, t.source);
  add_time(rows, "kernel", t.kernel, t.source);
  add_time(rows, "copy out", t.copy_out, t.source);
  if (t.low && t.high)
    rows +=
        row("kernel, range", duration_text(*t.low * 1e-6) + " to " + duration_text(*t.high * 1e-6), t.source);
  if (!t.kernel && !t.unknown.empty() && result.status != RunStatus::refused)
    rows += fmt::format("  {:<26}not known: {}\n", "kernel", t.unknown);
  if (virtual_gpu_ran(result)) {
    rows +=
        row("virtual GPU, this machine",
            fmt::format("{} on {} {}{}", duration_text(result.host.execute_ms * 1e-3), result.host.workers,
                        result.host.workers == 1 ? "core" : "cores",
                        result.host.repeats > 1 ? fmt::format(", median of {}", result.host.repeats) : ""),
            HostTimes::source);
  }
  if (result.host.cpu_ms)
    rows += row("CPU reference", duration_text(*result.host.cpu_ms * 1e-3), HostTimes::source);
  return rows.empty() ? "" : "\nTimes\n" + rows;
}

std::string checks_section(const std::vector<Check>& checks) {
  if (checks.empty()) return "";
  std::string text = "\nChecks\n";
  for (const Check& check : checks) {
    if (check.equal) {
      text += fmt::format("  {} is right: {} elements agree\n", check.buffer, thousands(check.elements));
      continue;
    }
    text += fmt::format("  {} is WRONG: {} of {} elements differ, by at most {} (relative {})\n",
                        check.buffer, thousands(check.mismatches), thousands(check.elements),
                        three_digits(check.max_abs), three_digits(check.max_rel));
    if (!check.message.empty()) text += "    " + check.message + "\n";
  }
  return text;
}

std::string where(const Incident& incident) {
  std::string text;
  if (incident.line != 0)
    text += fmt::format("{}:{}, ", incident.file, incident.line);
  else if (incident.ptx_line != 0)
    text += fmt::format("PTX line {}, ", incident.ptx_line);
  text += fmt::format("block {}, thread {}", place_text(incident.block), place_text(incident.thread));
  for (const Incident::Caller& caller : incident.inlined_at)
    text += fmt::format(", inlined at {}:{}", caller.file, caller.line);
  if (incident.count > 1) text += fmt::format("; {} times in all", incident.count);
  return text;
}

std::string incidents_section(const char* title, const std::vector<Incident>& incidents) {
  if (incidents.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (size_t i = 0; i < std::min(incidents.size(), shown_incidents); ++i) {
    const Incident& incident = incidents[i];
    text += fmt::format("  {}: {}\n", to_string(incident.kind), incident.message);
    // A real GPU does not report the place.
    if (incident.line != 0 || incident.ptx_line != 0) text += fmt::format("    at {}\n", where(incident));
    if (incident.other) text += fmt::format("    against {}\n", where(*incident.other));
  }
  if (incidents.size() > shown_incidents)
    text += fmt::format("  and {} more; --json lists them all\n", incidents.size() - shown_incidents);
  return text;
}

std::string findings_section(const RunResult& result) {
  std::string text = incidents_section("Findings", result.findings);
  if (result.looked_for == Sanitize::all && text.empty())
    text = fmt::format(
        "\nFindings\n  None. Races, memory read before it is written, misused masks, divisions by zero and "
        "leaks were checked{}.\n",
        result.status == RunStatus::fault ? ", up to the fault" : "");
  if (result.not_looked_for.empty()) return text;
  if (text.empty()) text = "\nFindings\n";
  return text + fmt::format("  Races and similar mistakes were not checked: {}. --sanitize all does it.\n",
                            result.not_looked_for);
}

std::string warnings_section(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return "";
  std::string text = "\nWarnings\n";
  for (const Warning& warning : warnings) {
    text += fmt::format("  {} {}{}{}\n", warning.quiet ? "·" : "!", warning.title,
                        warning.title.empty() ? "" : ": ", warning.message);
    if (!warning.fix_label.empty()) text += fmt::format("    Fix: {}", warning.fix_label);
    if (warning.fix_block)
      text +=
          fmt::format("  --block {},{},{}", warning.fix_block->x, warning.fix_block->y, warning.fix_block->z);
    if (warning.fix_grid)
      text += fmt::format("  --grid {},{},{}", warning.fix_grid->x, warning.fix_grid->y, warning.fix_grid->z);
    if (warning.fix_shared_bytes) text += fmt::format("  --shared {}", *warning.fix_shared_bytes);
    if (!warning.fix_label.empty() || warning.fix_block || warning.fix_grid || warning.fix_shared_bytes)
      text += "\n";
  }
  return text;
}

}  // namespace

std::string report_text(const RunResult& result) {
  std::string text = heading(result) + launch_section(result.shape) + steps_section(result) +
                     resources_section(result) + counts_section(result) + lines_section(result) +
                     times_section(result) + measured_section(result) + checks_section(result.checks) +
                     comparisons_section(result) + libraries_section(result) +
                     incidents_section("Faults", result.faults) + findings_section(result) +
                     warnings_section(result.warnings);
  if (!result.console.empty()) {
    text += "\nWhat the kernel printed\n" + result.console;
    if (text.back() != '\n') text += "\n";
  }
  return text;
}

}  // namespace warplens
