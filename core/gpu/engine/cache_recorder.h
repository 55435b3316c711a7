// Runs the memory accesses of a launch through models of the device's caches: an L1 for each SM, and one L2.
// Blocks are given to the SMs in turn and run one after the other. docs/caches.md says how this differs from
// the hardware.
#pragma once

#include <cstdint>
#include <span>

#include "core/gpu/engine/access_lines.h"
#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/observe/cache.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

class CacheRecorder final : public exec::AccessRecorder, public exec::BlockObserver {
 public:
  // Turns are short, so that the accesses of a block's warps are interleaved in the caches, as on the
  // hardware.
  static constexpr int64_t turn_steps = 64;
  // Whether the device file states the sizes of both caches.
  static bool knows(const Device& device);

  explicit CacheRecorder(const LaunchRequest& request);
  void start_launch(const LaunchStep& step, const program::Program& program);
  void report(Counters& counters) const;
  const observe::CacheTraffic& traffic() const { return m_caches.traffic(); }

  void enter(uint64_t block) override;
  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;
  void record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                     exec::AccessShape& shape, uint64_t first) override;
  bool listens_to(Space space) const override { return space == Space::global; }
  void record_texture(std::span<const uint64_t> sectors) override;

 private:
  void pass_on(std::span<const observe::LinePart> parts, AccessKind kind, bool local, bool past_l1);

  const LaunchRequest& m_request;
  observe::CacheHierarchy m_caches;
  AccessLines m_lines;
  uint32_t m_sm = 0;
};

}  // namespace warplens
