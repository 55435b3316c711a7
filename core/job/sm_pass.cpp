#include "core/job/sm_pass.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/gpu/engine/access_lines.h"
#include "core/gpu/engine/sm_sample.h"
#include "core/gpu/timing/scaled_calibration.h"
#include "core/gpu/timing/sm/errors.h"
#include "core/gpu/timing/sm/settings.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

// How often the SM is filled, at least as far as it has blocks: so the run has a middle.
constexpr uint64_t rounds = 4;

std::shared_ptr<const SmStates> states_of(const SmModel& model, const RunResult& result) {
  auto states = std::make_shared<SmStates>();
  const sm::Run& run = model.run;
  states->blocks = run.blocks;
  states->of_blocks = model.blocks_of_sm;
  states->instructions = run.instructions;
  states->cycles = double(run.cycles) +
                   double(model.blocks_of_sm - std::min(model.blocks_of_sm, run.blocks)) * run.cycles_a_block;
  states->issue_slots = run.issue_slots();
  states->active_warps = run.active_warps();
  states->eligible_warps = run.eligible_warps();
  for (size_t s = 0; s < warp_states; ++s)
    states->cycles_an_instruction.of[s] =
        double(run.warp_cycles.of[s]) / double(std::max<uint64_t>(run.instructions, 1));
  states->checked = result.request->device.name == sm::measured_errors().device;
  std::map<std::pair<std::string, uint32_t>, ByState<uint64_t>> lines;
  for (size_t ptx = 0; ptx < run.of_instruction.size(); ++ptx) {
    const sm::Place& place = model.work->places[ptx];
    if (place.line == 0) continue;
    ByState<uint64_t>& line = lines[{place.file, place.line}];
    for (size_t s = 0; s < warp_states; ++s) line.of[s] += run.of_instruction[ptx].of[s];
  }
  for (const auto& [place, cycles] : lines) states->lines.push_back({place.first, place.second, cycles});
  return states;
}

}  // namespace

uint64_t modelled_blocks(const sm::Settings& settings, uint64_t sampled) {
  return std::min<uint64_t>(settings.blocks, std::max<uint64_t>(sampled, rounds * settings.resident_blocks));
}

std::string why_no_sm(const RunResult& result, size_t launch) {
  if (result.status != RunStatus::ok && result.status != RunStatus::check_failed)
    return "the kernel did not run to its end";
  if (!result.request || launch >= result.launches.size()) return "there is no such launch";
  if (launch > 0)
    return "only the first launch of a run is modelled: a later one reads what earlier ones wrote";
  const LaunchRecord& record = result.launches[launch];
  if (!record.counters) return "nothing was counted";
  if (!record.occupancy || record.occupancy->active_blocks_per_sm == 0)
    return "registers, and with them the resident warps, are not known";
  if (!calibration_for(result.request->device, default_time_parameters()))
    return "nothing is published of this device's units in a cycle";
  const LaunchStep* step = first_launch(*result.request);
  if (step == nullptr) return "there is no launch";
  if (step->cooperative) return "its blocks wait for each other, so they cannot run again alone";
  return "";
}

Result<std::shared_ptr<const SmModel>> model_sm(const RunResult& result, uint64_t instructions, bool spans,
                                                std::stop_token stop) {
  if (std::string why = why_no_sm(result, 0); !why.empty()) return bad_input(std::move(why));
  const LaunchRequest& request = *result.request;
  const KernelWork work = work_of(result, 0);
  auto model = std::make_shared<SmModel>();
  model->settings =
      sm::settings_of(request.device, work, *calibration_for(request.device, default_time_parameters()));
  sm::Settings& settings = model->settings;
  settings.l1_bytes = l1_bytes_beside_shared(request, first_launch(request));
  settings.keep_spans = spans;
  const uint64_t each =
      std::max<uint64_t>(1, work.counters.warp_instructions / std::max<uint64_t>(1, work.shape.grid.count()));
  auto sampled = sample_sm(request, settings.figures, settings.resident_blocks, each, instructions, stop);
  if (!sampled) return sampled.error();
  model->work = std::make_shared<const sm::Work>(std::move(*sampled));
  model->blocks_of_sm = settings.blocks;
  settings.blocks = modelled_blocks(settings, model->work->blocks.size());
  // Spans take memory: no more blocks than the instructions allow, but an SM full of them.
  if (spans)
    settings.blocks =
        std::min(settings.blocks, std::max<uint64_t>(settings.resident_blocks, instructions / each));
  model->run = simulate(*model->work, settings, stop);
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "The model of an SM was stopped."};
  model->states = states_of(*model, result);
  return std::shared_ptr<const SmModel>(std::move(model));
}

Result<RunResult> with_sm(const RunResult& result, std::stop_token stop) {
  if (!why_no_sm(result, 0).empty()) return result;
  const auto model = model_sm(result, affordable_sm_instructions, false, std::move(stop));
  if (!model) {
    if (model.error().kind == ErrorKind::cancelled) return model.error();
    return result;
  }
  RunResult whole = result;
  whole.sm = (*model)->states;
  return whole;
}

}  // namespace warplens
