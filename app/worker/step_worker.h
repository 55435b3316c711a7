// Steps one block on a thread of its own and reports what there is to see after each move. While nobody asks
// for anything it runs the block to its end, so that the scrubber knows its length.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/state/actions.h"

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

class SteppedBlock;

class StepWorker {
 public:
  // It calls `on_news` on its thread whenever poll() has something new.
  explicit StepWorker(std::function<void()> on_news);
  ~StepWorker();
  StepWorker(const StepWorker&) = delete;
  StepWorker& operator=(const StepWorker&) = delete;

  // Forgets the block that was open, and what was asked of it.
  void open(StepOrder order);
  // What is to be shown besides position and warp.
  void want(StepWants wants);
  // Moves that set a position replace each other, so that a scrubber does not wait for where it was.
  void move(const StepMove& move);
  std::vector<Action> poll();
  bool busy() const;  // with a move that was asked for

 private:
  void work(const std::stop_token& quit);
  void tell(Action news);
  void show(const SteppedBlock& block, bool more, std::optional<uint32_t> lane);

  std::function<void()> m_on_news;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::optional<StepOrder> m_order;
  std::vector<StepMove> m_moves;
  std::optional<StepWants> m_wants;
  bool m_moving = false;
  std::stop_source m_stop;  // of the move at work
  std::vector<Action> m_news;
  std::jthread m_thread;  // last member: it uses all of the above
};

// News of a worker that is `busy` with a later move, or not. A place that was reached before a later move was
// asked for is no end: who waits for the end, as a prediction of a lesson does, would take it for where the
// later move leads.
std::vector<Action> without_early_ends(std::vector<Action> news, bool busy);

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_steps(AppState& state, StepWorker& worker);

}  // namespace warplens
