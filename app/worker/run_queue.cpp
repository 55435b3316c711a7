#include "app/worker/run_queue.h"

#include <algorithm>
#include <exception>

#include "core/base/system/slow_call.h"
#include "core/files/own_kernel_file.h"

namespace warplens {
namespace {

// Exceptions of the libraries below (mostly out of memory) become ordinary errors.
template <class F>
auto guarded(F&& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return failed("There is not enough memory for this. Choose a smaller problem or picture.");
  } catch (const std::exception& e) {
    return failed(std::string("The program failed inside: ") + e.what());
  }
}

}  // namespace

RunQueue::RunQueue(WorkerCalls calls, std::function<void()> on_news)
    : m_calls(std::move(calls)),
      m_on_news(std::move(on_news)),
      m_thread([this](std::stop_token quit) { work(quit); }) {
  if (m_calls.real_gpus) m_finder = std::jthread([this](std::stop_token quit) { find_gpus(quit); });
}

// A driver takes time to start, and one that is stuck never does. Nothing waits for it, not even the end of
// the program.
void RunQueue::find_gpus(std::stop_token quit) {
  SlowCall<RealGpus> search([find = m_calls.real_gpus] {
    const auto found = guarded([&]() -> Result<RealGpus> { return find(); });
    return found ? *found : RealGpus{{}, found.error().message};
  });
  if (!search.wait(m_calls.gpu_patience, quit) && !quit.stop_requested()) {
    tell(Notify{ProblemLevel::note, "The GPU's driver has not answered yet",
                "A virtual GPU is used until it does. If it never does, restart the machine."});
    constexpr auto for_ever = std::chrono::hours(24 * 365);
    search.wait(for_ever, quit);
  }
  constexpr std::chrono::milliseconds just_now{200};  // it may be about to end by itself
  if (search.wait(just_now)) tell(GpusFound{search.take()});
}

RunQueue::~RunQueue() {
  {
    std::lock_guard lock(m_mutex);
    m_stop.request_stop();
  }
  m_thread.request_stop();
  m_wake.notify_all();
}

void RunQueue::run(RunOrder order) {
  {
    std::lock_guard lock(m_mutex);
    m_run = std::move(order);
    m_refine.reset();
    if (m_at_work == Kind::run || m_at_work == Kind::replay || gives_way()) m_stop.request_stop();
  }
  m_wake.notify_all();
}

void RunQueue::replay(ReplayOrder order) {
  {
    std::lock_guard lock(m_mutex);
    m_replay = std::move(order);
    if (m_at_work == Kind::replay || gives_way()) m_stop.request_stop();
  }
  m_wake.notify_all();
}

void RunQueue::sweep(SweepOrder order) {
  {
    std::lock_guard lock(m_mutex);
    std::erase_if(m_sweeps, [&](const SweepOrder& o) { return o.request.kind == order.request.kind; });
    m_sweeps.push_back(std::move(order));
    // The running sweep may be out of date. If it is not, it continues after this one.
    if (m_at_work == Kind::sweep) m_stop.request_stop();
  }
  m_wake.notify_all();
}

void RunQueue::compile(CompileOrder order) {
  {
    std::lock_guard lock(m_mutex);
    m_compile = std::move(order);
    m_run.reset();
    m_refine.reset();
    if (m_at_work != Kind::picture) m_stop.request_stop();
  }
  m_wake.notify_all();
}

void RunQueue::cancel_sweeps() {
  std::lock_guard lock(m_mutex);
  m_sweeps.clear();
  ++m_sweeps_cancelled;
  if (m_at_work == Kind::sweep) m_stop.request_stop();
}

void RunQueue::save_text(std::string path, std::string text) {
  {
    std::lock_guard lock(m_mutex);
    m_texts.emplace_back(std::move(path), std::move(text));
  }
  m_wake.notify_all();
}

void RunQueue::load_picture(std::string name_or_path) {
  {
    std::lock_guard lock(m_mutex);
    m_load = std::move(name_or_path);
  }
  m_wake.notify_all();
}

void RunQueue::save_picture(std::function<std::shared_ptr<const Image>()> picture, std::string path) {
  {
    std::lock_guard lock(m_mutex);
    m_saves.push_back({std::move(picture), std::move(path)});
  }
  m_wake.notify_all();
}

void RunQueue::cancel() {
  std::lock_guard lock(m_mutex);
  m_run.reset();
  m_compile.reset();
  m_refine.reset();
  if (m_at_work == Kind::run || m_at_work == Kind::compile || m_at_work == Kind::refine)
    m_stop.request_stop();
}

std::vector<Action> RunQueue::poll() {
  std::lock_guard lock(m_mutex);
  std::vector<Action> news = std::exchange(m_news, {});
  if (m_at_work == Kind::run) {
    const std::chrono::duration<double, std::milli> since = Clock::now() - m_started;
    news.emplace_back(RunProgressed{m_serial, m_progress.blocks_done.load(std::memory_order_relaxed),
                                    m_progress.blocks_total.load(std::memory_order_relaxed), since.count()});
  }
  return news;
}

bool RunQueue::busy() const {
  std::lock_guard lock(m_mutex);
  return m_at_work != Kind::none || has_orders() || !m_news.empty();
}

bool RunQueue::has_orders() const {
  return m_run || m_replay || m_refine || m_load || m_compile || !m_texts.empty() || !m_saves.empty() ||
         !m_sweeps.empty();
}

bool RunQueue::gives_way() const { return m_at_work == Kind::refine || m_at_work == Kind::sweep; }

void RunQueue::begin(Kind kind, uint64_t serial) {
  m_at_work = kind;
  m_serial = serial;
  m_started = Clock::now();
  m_stop = std::stop_source();
  m_progress.blocks_done = 0;
  m_progress.blocks_total = 0;
}

// Pictures come first: a run waits for the picture that it needs, and the saving of a file must not wait for
// long runs.
void RunQueue::work(std::stop_token quit) {
  std::unique_lock lock(m_mutex);
  while (m_wake.wait(lock, quit, [this] { return has_orders(); }) || !m_saves.empty() || !m_texts.empty()) {
    if (quit.stop_requested() && m_saves.empty() && m_texts.empty()) return;
    if (!m_texts.empty()) {
      const auto text = std::move(m_texts.front());
      m_texts.erase(m_texts.begin());
      begin(Kind::picture, 0);
      lock.unlock();
      do_save_text(text);
    } else if (!m_saves.empty()) {
      const Save save = std::move(m_saves.front());
      m_saves.erase(m_saves.begin());
      begin(Kind::picture, 0);
      lock.unlock();
      do_save(save);
    } else if (m_load) {
      const std::string name = *std::exchange(m_load, std::nullopt);
      begin(Kind::picture, 0);
      lock.unlock();
      do_load(name);
    } else if (m_compile) {
      const CompileOrder order = *std::exchange(m_compile, std::nullopt);
      begin(Kind::compile, 0);
      const std::stop_token stop = m_stop.get_token();
      lock.unlock();
      do_compile(order, stop);
    } else if (m_run) {
      RunOrder order = *std::exchange(m_run, std::nullopt);
      begin(Kind::run, order.serial);
      const std::stop_token stop = m_stop.get_token();
      lock.unlock();
      do_run(std::move(order), stop);
    } else if (m_refine && !m_replay) {
      RefineOrder order = *std::exchange(m_refine, std::nullopt);
      begin(Kind::refine, 0);
      const std::stop_token stop = m_stop.get_token();
      lock.unlock();
      do_refine(std::move(order), stop);
    } else if (!m_replay) {
      SweepOrder order = std::move(m_sweeps.front());
      m_sweeps.erase(m_sweeps.begin());
      begin(Kind::sweep, order.serial);
      const std::stop_token stop = m_stop.get_token();
      lock.unlock();
      do_sweep(std::move(order), stop);
    } else {
      const ReplayOrder order = *std::exchange(m_replay, std::nullopt);
      begin(Kind::replay, 0);
      const std::stop_token stop = m_stop.get_token();
      lock.unlock();
      do_replay(order, stop);
    }
    lock.lock();
    m_at_work = Kind::none;
  }
}

void RunQueue::tell(Action news) {
  {
    std::lock_guard lock(m_mutex);
    // The end of a run and the end of its progress are one change, so that progress is never reported after
    // the result.
    if (as<RunFinished>(news)) m_at_work = Kind::none;
    m_news.push_back(std::move(news));
  }
  if (m_on_news) m_on_news();
}

// Registers and shared bytes come first: they take milliseconds, and the panel's figures wait for them.
void RunQueue::tell_resources(const RunOrder& order) {
  const uint32_t architecture = order.device.compute_capability.number();
  const std::string key = resources_key(order.kernel->name, register_cap(*order.kernel, order.setup));
  if (!m_calls.resources) return;
  // An own kernel changes under its name.
  if (!order.own && m_resources_told.contains({key, architecture})) return;
  auto resources = guarded([&] { return m_calls.resources(order); });
  if (!resources) return;  // the run's own warning says why
  m_resources_told.insert({key, architecture});
  tell(ResourcesKnown{key, architecture, *resources});
}

void RunQueue::do_compile(const CompileOrder& order, std::stop_token stop) {
  if (!m_calls.compile) return;
  auto made = guarded([&] { return m_calls.compile(order, stop); });
  SourceCompiled compiled{order.serial, nullptr, ""};
  if (made) {
    compiled.compiled = std::make_shared<const CompiledKernel>(std::move(*made));
  } else {
    compiled.error = made.error().message;
  }
  tell(std::move(compiled));
}

void RunQueue::do_save_text(const std::pair<std::string, std::string>& text) {
  if (!m_calls.save_text) return;
  const auto saved = guarded([&] { return m_calls.save_text(text.first, text.second); });
  tell(SourceSaved{text.first, text.second, saved ? "" : saved.error().message});
}

void RunQueue::do_run(RunOrder order, std::stop_token stop) {
  tell(RunStarted{order.serial});
  tell_resources(order);
  auto result = guarded([&] { return m_calls.run(order, stop, &m_progress); });
  RunFinished finished{order.serial, order.setup, nullptr, ""};
  if (result) {
    finished.result = std::make_shared<const RunResult>(std::move(*result));
  } else {
    finished.error = result.error().message;
  }
  if (m_calls.refine && finished.result) {
    const std::lock_guard lock(m_mutex);
    if (!m_run && !m_compile) m_refine = RefineOrder{std::move(order), finished.result};
  }
  tell(std::move(finished));
}

// The result of the run is already shown. One stage follows the other; between them there is room for what is
// more urgent. If a replay interrupts a stage, it starts again afterwards.
void RunQueue::do_refine(RefineOrder order, std::stop_token stop) {
  auto refined = guarded([&] { return m_calls.refine(order, stop); });
  const bool interrupted = !refined && refined.error().kind == ErrorKind::cancelled;
  const bool more = !interrupted && ++order.stage < m_calls.refine_stages;
  const uint64_t serial = order.run.serial;
  if (refined && *refined) order.result = *refined;  // else the run stays as it is
  {
    const std::lock_guard lock(m_mutex);
    if (!m_run && !m_compile && (more || (interrupted && m_replay))) m_refine = std::move(order);
  }
  if (refined && *refined) tell(RunRefined{serial, *std::move(refined)});
}

void RunQueue::do_replay(const ReplayOrder& order, std::stop_token stop) {
  auto footprint = guarded([&] { return m_calls.replay(order, stop); });
  if (stop.stop_requested()) return;
  FootprintReady ready{order.serial, nullptr, ""};
  if (footprint) {
    ready.footprint = std::make_shared<const BlockFootprint>(std::move(*footprint));
  } else {
    ready.error = footprint.error().message;
  }
  tell(std::move(ready));
}

// Points are reported as they are ready. An interrupted sweep keeps its points and continues later, unless
// there is a newer one of its kind.
void RunQueue::do_sweep(SweepOrder order, std::stop_token stop) {
  uint64_t cancelled = 0;
  {
    std::lock_guard lock(m_mutex);
    cancelled = m_sweeps_cancelled;
  }
  const SweepKind kind = order.request.kind;
  const auto report = [&](const Sweep& sweep) {
    tell(SweepProgressed{order.serial, kind, std::make_shared<const Sweep>(sweep), ""});
  };
  auto sweep = guarded([&] { return m_calls.sweep(order, stop, &m_progress, report); });
  if (!sweep) return tell(SweepProgressed{order.serial, kind, nullptr, sweep.error().message});
  if (sweep->complete()) return;
  std::lock_guard lock(m_mutex);
  const bool superseded = std::any_of(m_sweeps.begin(), m_sweeps.end(),
                                      [&](const SweepOrder& o) { return o.request.kind == kind; });
  if (superseded || cancelled != m_sweeps_cancelled) return;
  order.so_far = std::move(*sweep);
  m_sweeps.push_back(std::move(order));
}

void RunQueue::do_load(const std::string& name) {
  auto image = guarded([&] { return m_calls.load_picture(name); });
  if (!image) {
    return tell(Notify{ProblemLevel::error, "The picture was not opened", image.error().message,
                       NoticeKind::opening});
  }
  tell(PictureLoaded{name, std::make_shared<const Image>(std::move(*image))});
}

void RunQueue::do_save(const Save& save) {
  const auto saved = guarded([&] { return m_calls.save_picture(*save.picture(), save.path); });
  if (!saved)
    return tell(
        Notify{ProblemLevel::error, "The picture was not saved", saved.error().message, NoticeKind::saving});
  tell(Notify{ProblemLevel::note, "Saved", save.path, NoticeKind::saving});
}

}  // namespace warplens
