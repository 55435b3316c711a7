#include "core/gpu/engine/cache_sample.h"

#include <algorithm>
#include <utility>

#include "core/base/system/no_memory.h"
#include "core/gpu/engine/cache_recorder.h"
#include "core/gpu/engine/one_launch.h"
#include "core/launch/backend.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

constexpr uint64_t group_blocks = 4;

size_t launches_of(const LaunchRequest& request) {
  return static_cast<size_t>(std::ranges::count_if(
      request.steps, [](const Step& step) { return std::holds_alternative<LaunchStep>(step); }));
}

class Sampler {
 public:
  Sampler(const LaunchRequest& request, const exec::GridLaunch& launch, const LaunchStep& step,
          const program::Program& program)
      : m_sms(request.device.sms), m_launch(launch), m_step(step), m_program(program), m_caches(request) {
    m_launch.workers = 1;
    m_launch.record_blocks = false;
    m_launch.turn_steps = CacheRecorder::turn_steps;
    m_launch.recorder = &m_caches;
    m_launch.block_observer = &m_caches;
  }

  // False if a block did not reach its end.
  bool run(const BlockGroup& group, const std::stop_token& stop) {
    m_caches.start_launch(m_step, m_program);
    for (uint64_t i = 0; i < group.blocks; ++i) {
      const observe::CacheTraffic before = m_caches.traffic();
      m_launch.first_block = group.first + i * m_sms;
      m_launch.end_block = m_launch.first_block + 1;
      if (exec::run_grid(m_launch, stop, nullptr).end != exec::GridOutcome::End::finished) return false;
      ++m_sample.blocks;
      if (i == 0 && !group.whole && group.blocks > 1) continue;
      const observe::CacheTraffic& after = m_caches.traffic();
      m_sample.load_sectors += after.l1_load_sectors - before.l1_load_sectors;
      m_sample.hit_sectors += after.l1_hit_sectors - before.l1_hit_sectors;
    }
    return true;
  }

  const CacheSample& sample() const { return m_sample; }

 private:
  uint64_t m_sms;
  exec::GridLaunch m_launch;
  const LaunchStep& m_step;
  const program::Program& m_program;
  CacheRecorder m_caches;
  CacheSample m_sample;
};

Result<std::optional<CacheSample>> sample(const LaunchRequest& request, uint64_t wanted, uint64_t steps,
                                          const std::stop_token& stop) {
  const std::optional<CacheSample> none;
  const LaunchStep* step = first_launch(request);
  // A later launch reads what earlier ones wrote, and blocks of a cooperative one wait for each other.
  if (step == nullptr || launches_of(request) != 1 || step->cooperative) return none;
  if (!CacheRecorder::knows(request.device)) return none;
  const auto one = prepare_one(request, *step, program::DecodeMode::for_running);
  if (!one) return one.error();
  (*one)->launch.step_budget = steps;
  Sampler sampler(request, (*one)->launch, *step, *(*one)->program);
  for (const BlockGroup& group : spread_groups(step->grid.count(), request.device.sms, wanted)) {
    if (!sampler.run(group, stop)) {
      if (stop.stop_requested()) return Error{ErrorKind::cancelled, "The sample of blocks was stopped."};
      return none;
    }
  }
  return sampler.sample().load_sectors == 0 ? none : std::optional(sampler.sample());
}

}  // namespace

std::vector<BlockGroup> spread_groups(uint64_t blocks, uint64_t sms, uint64_t wanted) {
  std::vector<BlockGroup> groups;
  sms = std::max<uint64_t>(sms, 1);
  const uint64_t rounds = (blocks + sms - 1) / sms;  // of the SM with the most blocks
  const uint64_t each = std::clamp<uint64_t>(std::min(wanted, rounds), 1, group_blocks);
  const uint64_t count = std::clamp<uint64_t>(wanted / each, 1, std::max<uint64_t>(1, blocks / each));
  // The starts are placed so that the last block of a group is still in the grid.
  if (blocks == 0) return groups;
  const uint64_t span = blocks - (each - 1) * sms;
  for (uint64_t i = 0; i < count; ++i) {
    const auto at = static_cast<uint64_t>((double(i) + 0.5) / double(count) * double(span));
    const BlockGroup group{std::min(at, span - 1), each, rounds <= each};
    if (groups.empty() || groups.back().first != group.first) groups.push_back(group);
  }
  return groups;
}

Result<std::optional<CacheSample>> sample_caches(const LaunchRequest& request, uint64_t wanted,
                                                 uint64_t steps, std::stop_token stop) {
  return or_no_memory([&] { return sample(request, wanted, steps, stop); },
                      "There is not enough memory on this machine to run a sample of the blocks again.");
}

}  // namespace warplens
