// The block that the Step view has open: moves it, and keeps what there is to see. Used by the thread of
// StepWorker only.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "app/worker/step_worker.h"

namespace warplens {

class SteppedBlock {
 public:
  // `stepped` is the launch compiled for its variables' names, where it can be.
  static Result<SteppedBlock> open(const StepOrder& order, std::shared_ptr<const LaunchRequest> stepped,
                                   const std::stop_token& stop);

  uint64_t serial() const { return m_order.serial; }
  const StepSnapshot& shown() const { return m_shown; }
  // Moves the block. Returns the lane that a breakpoint stopped for.
  std::optional<uint32_t> move(const StepMove& move, const std::stop_token& stop);
  void want(StepWants wants);

  // Computed while there is no order: the block's length and course, where breakpoints stop, what the shown
  // warp does, whether the code that runs leaves the same, the two orders of a race.
  bool knows_all() const;
  // Does the next part of that. True if there is something new to show.
  bool look_ahead(const std::stop_token& stop);

 private:
  SteppedBlock(StepOrder order, stepping::BlockStepper stepper)
      : m_order(std::move(order)), m_stepper(std::move(stepper)) {}
  stepping::Stop follow(const StepMove& move, const std::stop_token& stop);
  stepping::Stop to_order(bool second_first, const std::stop_token& stop);
  void take_breakpoints();
  void forget();
  void note_incidents();
  bool find_length(const std::stop_token& stop);
  bool find_stops(const std::stop_token& stop);
  bool find_log(const std::stop_token& stop);
  bool find_orders(const std::stop_token& stop);
  bool find_agreement(const std::stop_token& stop);

  StepOrder m_order;
  stepping::BlockStepper m_stepper;
  stepping::Options m_options;
  StepSnapshot m_shown;
  bool m_whole = false;      // its length is known and its timeline is made
  bool m_agreed = false;     // it was compared with the code that normally runs
  bool m_reordered = false;  // a warp was given the turn by hand
};

}  // namespace warplens
