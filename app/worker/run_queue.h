// The window's worker. It does runs, replays, sweeps and picture files, one at a time. A newer request
// replaces an older one, which is stopped if it is running. poll() returns the events as actions.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "app/state/actions.h"
#include "app/worker/worker_calls.h"
#include "core/base/system/mailbox.h"

namespace warplens {

struct SaveTextOrder {
  std::string path, text;
};
struct SavePictureOrder {
  // Called on the worker's thread, since making a picture of a large result takes time and memory.
  std::function<std::shared_ptr<const Image>()> picture;
  std::string path;
};
struct LoadPictureOrder {
  std::string name_or_path;
};

class RunQueue {
 public:
  // Orders by urgency: a run waits for the picture and the compilation that it needs, and the saving of a
  // file must not wait for long runs. What is added to a run and sweeps give way to all else.
  using Order = std::variant<SaveTextOrder, SavePictureOrder, LoadPictureOrder, CompileOrder, RunOrder,
                             ReplayOrder, RefineOrder, SweepOrder>;

  // The worker calls `on_event` on its thread whenever poll() has something new, to wake the window.
  RunQueue(WorkerCalls calls, std::function<void()> on_event);
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // A run replaces the older one. A compilation stops the current run, whose kernel will be replaced. There
  // is at most one sweep of each kind; a run interrupts it, and it continues afterwards.
  void send(Order order) { m_box.send(std::move(order)); }
  void cancel_sweeps();
  // Stops the current run, or what is added to the last one, and forgets what waits.
  void cancel();

  // The events since the last call, oldest first. The last entry is the progress of the current run.
  std::vector<Action> poll();
  // Whether something is running or waiting.
  bool busy() const { return m_box.busy(); }

 private:
  using Box = Mailbox<Order, Action>;
  using Event = std::optional<Action>;

  Event work(const SaveTextOrder& order, const Box::Worker& worker);
  Event work(const SavePictureOrder& order, const Box::Worker& worker);
  Event work(const LoadPictureOrder& order, const Box::Worker& worker);
  Event work(const CompileOrder& order, const Box::Worker& worker);
  Event work(const RunOrder& order, const Box::Worker& worker);
  Event work(const ReplayOrder& order, const Box::Worker& worker);
  Event work(const RefineOrder& order, const Box::Worker& worker);
  Event work(const SweepOrder& order, const Box::Worker& worker);
  void tell_resources(const RunOrder& order, const Box::Worker& worker);
  void find_gpus(std::stop_token quit);

  WorkerCalls m_calls;
  Progress m_progress;
  std::set<std::pair<std::string, uint32_t>> m_resources_told;  // only used by the worker
  Box m_box;                                                    // it uses all of the above
  std::jthread m_finder;                                        // last member: it uses the box
};

}  // namespace warplens
