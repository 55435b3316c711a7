// The window's worker. It does runs, replays, sweeps and picture files on one thread, one at a time. A newer
// request replaces an older one, which is stopped if it is running. poll() returns the news as actions.
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
  // The worker calls `on_news` on its thread whenever poll() has something new, to wake the window.
  RunQueue(WorkerCalls calls, std::function<void()> on_news);
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  void run(RunOrder order);
  void replay(ReplayOrder order);
  // A sweep runs when there is nothing else to do. A run interrupts it, and it continues afterwards. There
  // is at most one of each kind.
  void sweep(SweepOrder order);
  void cancel_sweeps();
  // A compilation comes before runs. It stops the current run, whose kernel will be replaced.
  void compile(CompileOrder order);
  void save_text(std::string path, std::string text);
  void load_picture(std::string name_or_path);
  // `picture` is called on the worker's thread, since making a picture of a large result takes time and
  // memory.
  void save_picture(std::function<std::shared_ptr<const Image>()> picture, std::string path);
  // Stops the current run, or what is added to the last one, and forgets what waits.
  void cancel();

  // What happened since the last call, oldest first. The last entry is the progress of the current run.
  std::vector<Action> poll();
  // Whether something is running or waiting.
  bool busy() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Save {
    std::function<std::shared_ptr<const Image>()> picture;
    std::string path;
  };
  enum class Kind { none, run, replay, refine, picture, sweep, compile };
  bool gives_way() const;  // whether more urgent work waits; with the mutex held

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
  std::optional<RefineOrder> m_refine;  // done after urgent work, before sweeps
  std::vector<SweepOrder> m_sweeps;
  uint64_t m_sweeps_cancelled = 0;  // a count, so that a running sweep sees that it was cancelled
  std::optional<std::string> m_load;
  std::optional<CompileOrder> m_compile;
  std::vector<std::pair<std::string, std::string>> m_texts;  // to be saved
  std::vector<Save> m_saves;
  Kind m_at_work = Kind::none;
  uint64_t m_serial = 0;  // of the current run
  Clock::time_point m_started;
  std::stop_source m_stop;
  std::vector<Action> m_news;

  Progress m_progress;
  std::set<std::pair<std::string, uint32_t>> m_resources_told;  // only used by the worker
  std::jthread m_thread, m_finder;                              // last members: they use all of the above
};

}  // namespace warplens
