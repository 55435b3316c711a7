#include "core/gpu/engine/one_launch.h"

#include <utility>

namespace warplens {

Result<std::unique_ptr<OneLaunch>> prepare_one(const LaunchRequest& request, const LaunchStep& step,
                                               program::DecodeMode mode) {
  Result<Programs> programs = load_programs(request, mode);
  if (!programs) return programs.error();
  Result<Machine> machine = Machine::create(request, *programs);
  if (!machine) return machine.error();
  auto one = std::make_unique<OneLaunch>(
      OneLaunch{std::move(*programs), std::move(*machine), nullptr, exec::GridLaunch{}});
  for (uint32_t b = 0; b < request.buffers.size(); ++b) {
    if (const auto done = one->machine.allocate(b); !done) return done.error();
    if (const auto done = one->machine.copy_in(b); !done) return done.error();
  }
  one->program = one->programs.by_entry.find(step.entry)->second.get();
  Result<exec::GridLaunch> launch = one->machine.prepare(step, *one->program, 1);
  if (!launch) return launch.error();
  one->launch = std::move(*launch);
  return one;
}

}  // namespace warplens
