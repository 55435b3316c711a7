#include "app/worker/run_queue.h"

#include <exception>
#include <new>
#include <optional>

#include "core/base/system/slow_call.h"
#include "core/job/files/own_kernel_file.h"

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

using Order = RunQueue::Order;

template <class... Kinds>
bool is_a(const Order& order) {
  return (std::holds_alternative<Kinds>(order) || ...);
}

int rank(const Order& order) { return static_cast<int>(order.index()); }

bool is_sweep_of(const Order& order, SweepKind kind) {
  const auto* sweep = std::get_if<SweepOrder>(&order);
  return sweep != nullptr && sweep->request.kind == kind;
}

bool replaces(const Order& newer, const Order& waiting) {
  if (is_a<CompileOrder>(newer)) return is_a<CompileOrder, RunOrder, RefineOrder>(waiting);
  if (is_a<RunOrder>(newer)) return is_a<RunOrder, RefineOrder>(waiting);
  if (is_a<ReplayOrder, LoadPictureOrder>(newer)) return newer.index() == waiting.index();
  const auto* sweep = std::get_if<SweepOrder>(&newer);
  return sweep != nullptr && is_sweep_of(waiting, sweep->request.kind);
}

bool stops(const Order& newer, const Order& at_work) {
  if (is_a<CompileOrder>(newer))
    return is_a<CompileOrder, RunOrder, ReplayOrder, RefineOrder, SweepOrder>(at_work);
  if (is_a<RunOrder>(newer)) return is_a<RunOrder, ReplayOrder, RefineOrder, SweepOrder>(at_work);
  if (is_a<ReplayOrder>(newer)) return is_a<ReplayOrder, RefineOrder, SweepOrder>(at_work);
  // The running sweep may be out of date. If it is not, it continues after this one.
  return is_a<SweepOrder>(newer) && is_a<SweepOrder>(at_work);
}

bool must_be_done(const Order& order) { return is_a<SaveTextOrder, SavePictureOrder>(order); }

}  // namespace

RunQueue::RunQueue(WorkerCalls calls, std::function<void()> on_event)
    : m_calls(std::move(calls)),
      m_box(
          {.rank = rank, .replaces = replaces, .stops = stops, .must_be_done = must_be_done},
          [this](const Order& order, const Box::Worker& worker) {
            return std::visit([&](const auto& kind) { return work(kind, worker); }, order);
          },
          std::move(on_event)) {
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
    m_box.report(Notify{ProblemLevel::note, "The GPU's driver has not answered yet",
                        "A virtual GPU is used until it does. If it never does, restart the machine."});
    constexpr auto for_ever = std::chrono::hours(24 * 365);
    search.wait(for_ever, quit);
  }
  constexpr std::chrono::milliseconds just_now{200};  // it may be about to end by itself
  if (search.wait(just_now)) m_box.report(GpusFound{search.take()});
}

void RunQueue::cancel_sweeps() { m_box.cancel(is_a<SweepOrder>); }

void RunQueue::cancel() { m_box.cancel(is_a<RunOrder, CompileOrder, RefineOrder>); }

std::vector<Action> RunQueue::poll() {
  return m_box.take([this](const Order* at_work, Box::Clock::duration since, std::vector<Action>& news) {
    const auto* run = at_work == nullptr ? nullptr : std::get_if<RunOrder>(at_work);
    if (run == nullptr) return;
    const std::chrono::duration<double, std::milli> milliseconds = since;
    news.emplace_back(RunProgressed{run->serial, m_progress.blocks_done.load(std::memory_order_relaxed),
                                    m_progress.blocks_total.load(std::memory_order_relaxed),
                                    milliseconds.count()});
  });
}

// Registers and shared bytes come first: they take milliseconds, and the panel's figures wait for them.
void RunQueue::tell_resources(const RunOrder& order, const Box::Worker& worker) {
  const uint32_t architecture = order.device.compute_capability.number();
  const std::string key = resources_key(order.kernel->name, register_cap(*order.kernel, order.setup));
  if (!m_calls.resources) return;
  // An own kernel changes under its name.
  if (!order.own && m_resources_told.contains({key, architecture})) return;
  auto resources = guarded([&] { return m_calls.resources(order); });
  if (!resources) return;  // the run's own warning says why
  m_resources_told.insert({key, architecture});
  worker.report(ResourcesKnown{key, architecture, *resources});
}

RunQueue::Event RunQueue::work(const SaveTextOrder& order, const Box::Worker&) {
  if (!m_calls.save_text) return std::nullopt;
  const auto saved = guarded([&] { return m_calls.save_text(order.path, order.text); });
  return SourceSaved{order.path, order.text, saved ? "" : saved.error().message};
}

RunQueue::Event RunQueue::work(const SavePictureOrder& order, const Box::Worker&) {
  const auto saved = guarded([&] { return m_calls.save_picture(*order.picture(), order.path); });
  if (!saved)
    return Notify{ProblemLevel::error, "The picture was not saved", saved.error().message,
                  NoticeKind::saving};
  return Notify{ProblemLevel::note, "Saved", order.path, NoticeKind::saving};
}

RunQueue::Event RunQueue::work(const LoadPictureOrder& order, const Box::Worker&) {
  auto image = guarded([&] { return m_calls.load_picture(order.name_or_path); });
  if (!image)
    return Notify{ProblemLevel::error, "The picture was not opened", image.error().message,
                  NoticeKind::opening};
  return PictureLoaded{order.name_or_path, std::make_shared<const Image>(std::move(*image))};
}

RunQueue::Event RunQueue::work(const CompileOrder& order, const Box::Worker& worker) {
  if (!m_calls.compile) return std::nullopt;
  auto made = guarded([&] { return m_calls.compile(order, worker.stop); });
  if (!made) return SourceCompiled{order.serial, nullptr, made.error().message};
  return SourceCompiled{order.serial, std::make_shared<const CompiledKernel>(std::move(*made)), ""};
}

RunQueue::Event RunQueue::work(const RunOrder& order, const Box::Worker& worker) {
  m_progress.blocks_done = 0;
  m_progress.blocks_total = 0;
  worker.report(RunStarted{order.serial});
  tell_resources(order, worker);
  auto result = guarded([&] { return m_calls.run(order, worker.stop, &m_progress); });
  if (!result) return RunFinished{order.serial, order.setup, nullptr, result.error().message};
  auto finished = std::make_shared<const RunResult>(std::move(*result));
  if (m_calls.refine) worker.later(RefineOrder{order, finished}, is_a<RunOrder, CompileOrder>);
  return RunFinished{order.serial, order.setup, std::move(finished), ""};
}

RunQueue::Event RunQueue::work(const ReplayOrder& order, const Box::Worker& worker) {
  auto footprint = guarded([&] { return m_calls.replay(order, worker.stop); });
  if (worker.stop.stop_requested()) return std::nullopt;
  if (!footprint) return FootprintReady{order.serial, nullptr, footprint.error().message};
  return FootprintReady{order.serial, std::make_shared<const BlockFootprint>(std::move(*footprint)), ""};
}

// The result of the run is already shown. One stage follows the other; between them there is room for what is
// more urgent. If a replay interrupts a stage, it starts again afterwards.
RunQueue::Event RunQueue::work(const RefineOrder& order, const Box::Worker& worker) {
  auto refined = guarded([&] { return m_calls.refine(order, worker.stop); });
  const bool interrupted = !refined && refined.error().kind == ErrorKind::cancelled;
  RefineOrder next = order;
  if (refined && *refined) next.result = *refined;  // else the run stays as it is
  if (!interrupted) ++next.stage;
  const bool more = interrupted ? worker.waits(is_a<ReplayOrder>) : next.stage < m_calls.refine_stages;
  if (more) worker.later(std::move(next), is_a<RunOrder, CompileOrder>);
  if (!refined || !*refined) return std::nullopt;
  return RunRefined{order.run.serial, *std::move(refined)};
}

// Points are reported as they are ready. An interrupted sweep keeps its points and continues later, unless
// there is a newer one of its kind.
RunQueue::Event RunQueue::work(const SweepOrder& order, const Box::Worker& worker) {
  const SweepKind kind = order.request.kind;
  const auto report = [&](const Sweep& sweep) {
    worker.report(SweepProgressed{order.serial, kind, std::make_shared<const Sweep>(sweep), ""});
  };
  auto sweep = guarded([&] { return m_calls.sweep(order, worker.stop, &m_progress, report); });
  if (!sweep) return SweepProgressed{order.serial, kind, nullptr, sweep.error().message};
  if (sweep->complete()) return std::nullopt;
  SweepOrder rest = order;
  rest.so_far = std::move(*sweep);
  worker.later(std::move(rest), [kind](const Order& waiting) { return is_sweep_of(waiting, kind); });
  return std::nullopt;
}

}  // namespace warplens
