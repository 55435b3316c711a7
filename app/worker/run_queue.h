// The worker behind the window: runs, replays, sweeps and picture files, one at a time, on one thread. The
// newest request wins: one that is superseded while it runs is stopped. News come back as actions by poll().
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/state/actions.h"
#include "app/worker/worker_calls.h"

namespace warplens {

class RunQueue {
 public:
  // `on_news` is called on the worker's thread whenever poll() has something new: it wakes the window.
  RunQueue(WorkerCalls calls, std::function<void()> on_news);
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  void run(RunOrder order);
  void replay(ReplayOrder order);
  // Sweeps run when nothing else does: a run interrupts them, and they go on after it. One of each kind.
  void sweep(SweepOrder order);
  void cancel_sweeps();
  // Comes before runs; stops the one at work, whose kernel is about to be replaced.
  void compile(CompileOrder order);
  void save_text(std::string path, std::string text);
  void load_picture(std::string name_or_path);
  // `picture` is called on the worker: to make one of a large result takes long, and memory.
  void save_picture(std::function<std::shared_ptr<const Image>()> picture, std::string path);
  // Stops the run at work and forgets the one that waits.
  void cancel();

  // What happened since the last call, oldest first; the progress of the run at work is its last entry.
  std::vector<Action> poll();
  // Something is at work or waits.
  bool busy() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Save {
    std::function<std::shared_ptr<const Image>()> picture;
    std::string path;
  };
  enum class Kind { none, run, replay, refine, picture, sweep, compile };
  bool gives_way() const;  // to what somebody waits for; with the mutex held

  void work(std::stop_token quit);
  bool has_orders() const;
  void do_compile(const CompileOrder& order, std::stop_token stop);
  void do_save_text(const std::pair<std::string, std::string>& text);
  void do_run(RunOrder order, std::stop_token stop);
  void do_replay(const ReplayOrder& order, std::stop_token stop);
  void do_refine(RefineOrder order, std::stop_token stop);
  void do_sweep(SweepOrder order, std::stop_token stop);
  void do_load(const std::string& name);
  void do_save(const Save& save);
  void tell_resources(const RunOrder& order);
  void find_gpus(std::stop_token quit);
  void tell(Action news);
  void begin(Kind kind, uint64_t serial);  // with the mutex held

  WorkerCalls m_calls;
  std::function<void()> m_on_news;

  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::optional<RunOrder> m_run;
  std::optional<ReplayOrder> m_replay;
  std::optional<RefineOrder> m_refine;  // behind what somebody waits for, before sweeps
  std::vector<SweepOrder> m_sweeps;
  uint64_t m_sweeps_cancelled = 0;  // counts, so that one at work sees that it was meant
  std::optional<std::string> m_load;
  std::optional<CompileOrder> m_compile;
  std::vector<std::pair<std::string, std::string>> m_texts;  // to be saved
  std::vector<Save> m_saves;
  Kind m_at_work = Kind::none;
  uint64_t m_serial = 0;  // of the run at work
  Clock::time_point m_started;
  std::stop_source m_stop;
  std::vector<Action> m_news;

  Progress m_progress;
  std::set<std::pair<std::string, uint32_t>> m_resources_told;  // worker only
  std::jthread m_thread, m_finder;                              // last: they use all of the above
};

}  // namespace warplens
