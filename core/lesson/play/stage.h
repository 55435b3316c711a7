// Sets up and runs what a step shows, without a window: for tests of lessons, and for printing them.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/launch/backend.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {

// The current state, with everything that `situation` points to.
struct Staged {
  Show show;
  std::shared_ptr<const KernelDescription> kernel;
  KernelSetup setup;
  Device device;
  std::shared_ptr<const RunResult> result, baseline;
  std::shared_ptr<const ProgramOutcome> program, reordered;  // of a step with a program
  Situation situation;
  Facts facts;
};

// The position of this state's Step view in a launch, and the warp that arrived there. The block is the
// pinned one. An error says why the position is not reached.
Result<SteppedTo> stepped_to(const Show& show, std::shared_ptr<const LaunchRequest> request, uint32_t& warp,
                             const std::stop_token& stop = {});

// The code with some lines replaced, by their numbers from 1 on. They keep their indentation.
std::string with_edits(const std::string& source, const std::map<uint32_t, std::string>& edits);

class Stage {
 public:
  // Without `runs_program`, steps with a program cannot be shown.
  explicit Stage(const Folder& folder, std::string default_device = {}, RunsProgram runs_program = {});
  ~Stage();
  // Runs the state, or reuses the run from before. An error says why the state cannot be shown: the code does
  // not compile, or a number is out of range.
  Result<std::shared_ptr<const Staged>> set(const Show& show, std::stop_token stop = {});
  std::string text_of(const std::string& file) const;  // of the folder; empty if it is not there

 private:
  struct State;
  Result<std::shared_ptr<const Staged>> set_program(const Show& show, const std::stop_token& stop);
  std::unique_ptr<State> m_state;
};

}  // namespace warplens::lesson
