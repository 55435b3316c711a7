// Sets up what a step shows without a window, and runs it: for tests of lessons, and for printing them.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/launch/backend.h"
#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"

namespace warplens::lesson {

// What stands on the stage, with everything that `situation` points to.
struct Staged {
  Show show;
  std::shared_ptr<const KernelDescription> kernel;
  KernelSetup setup;
  Device device;
  std::shared_ptr<const RunResult> result, baseline;
  Situation situation;
  Facts facts;
};

// Where the Step view of this state stands in a launch, and the warp that came there. The block is that which
// is pinned. An error says why it does not come there.
Result<SteppedTo> stepped_to(const Show& show, std::shared_ptr<const LaunchRequest> request, uint32_t& warp,
                             const std::stop_token& stop = {});

// The code with lines that read otherwise, by their numbers from 1 on.
std::string with_edits(const std::string& source, const std::map<uint32_t, std::string>& edits);

class Stage {
 public:
  explicit Stage(const Folder& folder, std::string default_device = {});
  ~Stage();
  // Runs what the state says, or takes the run from before. An error says why the state cannot be shown: the
  // code does not compile, a number is out of range.
  Result<std::shared_ptr<const Staged>> set(const Show& show, std::stop_token stop = {});

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace warplens::lesson
