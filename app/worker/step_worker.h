// Steps one block on a thread of its own and reports what there is to see after each move. While it has no
// order, it runs the block to its end, so that the scrubber knows its length.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "app/state/actions.h"
#include "core/base/system/mailbox.h"

namespace warplens {

struct StepOrder {
  uint64_t serial = 0;
  std::shared_ptr<const LaunchRequest> request;
  Dim3 block{0, 0, 0};
  StepChoice choice = {};
  std::optional<Incident> race = {};     // whose two orders are wanted
  std::vector<Incident> incidents = {};  // of this block: findings and faults, for the scrubber
  StepWants wants = {};
};

class StepWorker {
 public:
  // It calls `on_event` on its thread whenever poll() has something new.
  explicit StepWorker(std::function<void()> on_event);
  ~StepWorker();
  StepWorker(const StepWorker&) = delete;
  StepWorker& operator=(const StepWorker&) = delete;

  // Forgets the block that was open, and what was asked of it.
  void open(StepOrder order) { m_box.send(std::move(order)); }
  // What else to show, apart from position and warp.
  void want(StepWants wants) { m_box.send(std::move(wants)); }
  // Moves that set a position replace each other, so that a scrubber does not wait for where it was.
  void move(const StepMove& move) { m_box.send(move); }
  std::vector<Action> poll() { return m_box.take(); }
  bool busy() const;  // with something that was asked for

 private:
  // Orders by urgency.
  struct LookAhead {};
  using Order = std::variant<StepOrder, StepWants, StepMove, LookAhead>;
  using Box = Mailbox<Order, Action>;
  class NamedCode;
  struct Opened;

  std::optional<Action> work(const Order& order, const Box::Worker& worker);

  std::unique_ptr<Opened> m_opened;  // only the worker uses it
  Box m_box;                         // last member: its thread uses the other
};

// The events of a worker that is `busy` with a later move, or not. A place that was reached before a later
// move was asked for is no end: code that waits for the end, as a prediction of a lesson does, would take it
// for where the later move leads.
std::vector<Action> without_early_ends(std::vector<Action> events, bool busy);

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_steps(AppState& state, StepWorker& worker);

}  // namespace warplens
