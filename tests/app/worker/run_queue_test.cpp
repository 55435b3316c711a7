#include "app/worker/run_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <stdexcept>

#include "core/base/system/between_frames.h"
#include "core/base/system/slow_call.h"
#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

KernelDescription some_kernel() {
  KernelDescription kernel;
  kernel.name = "some";
  return kernel;
}

// Polls until `enough` holds for what has come so far, at most a minute.
std::vector<Action> poll_until(RunQueue& queue,
                               const std::function<bool(const std::vector<Action>&)>& enough) {
  std::vector<Action> all;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    for (Action& news : queue.poll()) all.push_back(std::move(news));
    if (enough(all)) return all;
    std::this_thread::sleep_for(1ms);
  }
  ADD_FAILURE() << "nothing came in a minute";
  return all;
}

const RunFinished* finished(const std::vector<Action>& news, uint64_t serial) {
  for (const Action& action : news) {
    const auto* run = as<RunFinished>(action);
    if (run && run->serial == serial) return run;
  }
  return nullptr;
}

// How far a run is may be told before, between and after the rest: a kind is looked for, not a place.
template <class T>
const T* first(const std::vector<Action>& news) {
  for (const Action& action : news)
    if (const auto* found = as<T>(action)) return found;
  return nullptr;
}

// Runs until it is stopped.
WorkerCalls endless_engine(std::atomic<int>& runs) {
  WorkerCalls engine;
  engine.run = [&runs](const RunOrder&, std::stop_token stop, Progress* progress) -> Result<RunResult> {
    ++runs;
    progress->blocks_total = 100;
    progress->blocks_done = 25;
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    RunResult result;
    result.status = RunStatus::cancelled;
    return result;
  };
  return engine;
}

TEST(RunQueue, HandsBackTheResultAndWakesTheWindow) {
  std::atomic<int> woken = 0;
  WorkerCalls engine;
  engine.resources = [](const RunOrder&) -> Result<Resources> {
    Resources resources;
    resources.registers_per_thread = 24;
    return resources;
  };
  engine.run = [](const RunOrder& order, std::stop_token, Progress*) -> Result<RunResult> {
    RunResult result;
    result.entry = order.kernel->name;
    return result;
  };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, [&] { ++woken; });
  queue.send(RunOrder{7, &kernel, {}, {}});
  const auto news = poll_until(queue, [](const auto& all) { return finished(all, 7) != nullptr; });
  ASSERT_NE(finished(news, 7), nullptr);
  EXPECT_EQ(finished(news, 7)->result->entry, "some");
  EXPECT_NE(first<RunStarted>(news), nullptr);
  ASSERT_NE(first<ResourcesKnown>(news), nullptr);
  EXPECT_EQ(first<ResourcesKnown>(news)->resources.registers_per_thread, 24u);
  // The worker wakes the window after it has let go of the news, so the last call may still be on its way.
  for (int i = 0; i < 1000 && woken < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(woken, 3);
}

TEST(RunQueue, TheNewestRunStopsTheOneAtWorkAndReplacesTheWaitingOne) {
  std::atomic<int> runs = 0;
  const KernelDescription kernel = some_kernel();
  RunQueue queue(endless_engine(runs), nullptr);
  queue.send(RunOrder{1, &kernel, {}, {}});
  poll_until(queue, [&](const auto&) { return runs == 1; });
  queue.send(RunOrder{2, &kernel, {}, {}});
  poll_until(queue, [&](const auto&) { return runs == 2; });
  queue.send(RunOrder{3, &kernel, {}, {}});
  poll_until(queue, [&](const auto&) { return runs == 3; });
  queue.cancel();
  const auto news = poll_until(queue, [](const auto& all) { return finished(all, 3) != nullptr; });
  EXPECT_EQ(finished(news, 3)->result->status, RunStatus::cancelled);
}

TEST(RunQueue, LooksCloserAtARunAfterItsResultAndGivesWayToAReplay) {
  std::atomic<int> looks = 0, replays = 0;
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  engine.refine = [&](const RefineOrder& order,
                      std::stop_token stop) -> Result<std::shared_ptr<const RunResult>> {
    if (++looks == 1) {  // the first look is interrupted
      while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
      return Error{ErrorKind::cancelled, "stopped"};
    }
    RunResult more = *order.result;
    more.entry = "refined";
    return std::make_shared<const RunResult>(more);
  };
  engine.replay = [&](const ReplayOrder&, std::stop_token) -> Result<BlockFootprint> {
    ++replays;
    return BlockFootprint{};
  };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, nullptr);
  queue.send(RunOrder{7, &kernel, {}, {}});
  auto news = poll_until(queue, [&](const auto& all) { return finished(all, 7) != nullptr && looks == 1; });
  queue.send(ReplayOrder{7, std::make_shared<const LaunchRequest>(), {}});
  news = poll_until(queue, [](const auto& all) { return !all.empty() && as<RunRefined>(all.back()); });
  EXPECT_EQ(as<RunRefined>(news.back())->serial, 7u);
  EXPECT_EQ(as<RunRefined>(news.back())->result->entry, "refined");
  EXPECT_EQ(replays, 1);
  EXPECT_EQ(looks, 2);
}

// Each stage uses the results of the one before, and a failing stage blocks no other.
TEST(RunQueue, RefinesInStages) {
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  engine.refine_stages = 4;
  engine.refine = [](const RefineOrder& order, std::stop_token) -> Result<std::shared_ptr<const RunResult>> {
    if (order.stage == 1) return failed("no");
    if (order.stage == 2) return std::shared_ptr<const RunResult>();
    RunResult more = *order.result;
    more.entry += std::to_string(order.stage);
    return std::make_shared<const RunResult>(more);
  };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, nullptr);
  queue.send(RunOrder{7, &kernel, {}, {}});
  const auto last = [](const auto& all) { return all.empty() ? nullptr : as<RunRefined>(all.back()); };
  const auto news =
      poll_until(queue, [&](const auto& all) { return last(all) && last(all)->result->entry == "03"; });
  EXPECT_EQ(last(news)->serial, 7u);
}

TEST(RunQueue, ANewRunEndsTheCloserLookAtTheOldOne) {
  std::atomic<int> looks = 0;
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  engine.refine = [&](const RefineOrder& order,
                      std::stop_token stop) -> Result<std::shared_ptr<const RunResult>> {
    ++looks;
    while (order.run.serial == 1 && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped"};
    return order.result;
  };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, nullptr);
  queue.send(RunOrder{1, &kernel, {}, {}});
  poll_until(queue, [&](const auto&) { return looks == 1; });
  queue.send(RunOrder{2, &kernel, {}, {}});
  const auto news =
      poll_until(queue, [](const auto& all) { return !all.empty() && as<RunRefined>(all.back()); });
  EXPECT_EQ(as<RunRefined>(news.back())->serial, 2u);
}

TEST(RunQueue, CancellingEndsTheCloserLookToo) {
  std::atomic<int> looks = 0;
  std::atomic<bool> ended = false;
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  engine.refine_stages = 3;
  engine.refine = [&](const RefineOrder&, std::stop_token stop) -> Result<std::shared_ptr<const RunResult>> {
    ++looks;
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    ended = true;
    return Error{ErrorKind::cancelled, "stopped"};
  };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, nullptr);
  queue.send(RunOrder{1, &kernel, {}, {}});
  poll_until(queue, [&](const auto&) { return looks == 1; });
  queue.poll();
  queue.cancel();
  for (int i = 0; i < 5000 && queue.busy(); ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(ended);
  EXPECT_FALSE(queue.busy());
  EXPECT_EQ(looks, 1) << "the stages behind it are not started either";
}

TEST(RunQueue, ShowsProgressWhileItRuns) {
  std::atomic<int> runs = 0;
  const KernelDescription kernel = some_kernel();
  RunQueue queue(endless_engine(runs), nullptr);
  queue.send(RunOrder{1, &kernel, {}, {}});
  const auto news = poll_until(queue, [](const auto& all) {
    const auto* progress = all.empty() ? nullptr : as<RunProgressed>(all.back());
    return progress && progress->blocks_total == 100;
  });
  EXPECT_EQ(as<RunProgressed>(news.back())->blocks_done, 25u);
  EXPECT_TRUE(queue.busy());
}

TEST(RunQueue, EndsAtOnceWhileSomethingRuns) {
  std::atomic<bool> runs = false, was_told = false;
  WorkerCalls engine;
  engine.run = [&](const RunOrder&, std::stop_token stop, Progress*) -> Result<RunResult> {
    runs = true;
    for (int i = 0; i < 20'000 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(1ms);
    was_told = stop.stop_requested();
    return RunResult{};
  };
  const KernelDescription kernel = some_kernel();
  {
    RunQueue queue(engine, nullptr);
    queue.send(RunOrder{1, &kernel, {}, {}});
    poll_until(queue, [&](const auto&) { return runs.load(); });
  }
  EXPECT_TRUE(was_told) << "the queue waited for the end of the run";
}

TEST(RunQueue, TurnsWhatLibrariesThrowIntoErrors) {
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> {
    throw std::bad_alloc();
  };
  engine.load_picture = [](const std::string&) -> Result<Image> { throw std::runtime_error("broken"); };
  const KernelDescription kernel = some_kernel();
  RunQueue queue(engine, nullptr);
  queue.send(LoadPictureOrder{"x.png"});
  queue.send(RunOrder{1, &kernel, {}, {}});
  const auto news = poll_until(queue, [](const auto& all) { return finished(all, 1) != nullptr; });
  EXPECT_NE(finished(news, 1)->error.find("memory"), std::string::npos);
  ASSERT_TRUE(as<Notify>(news.front()));
  EXPECT_NE(as<Notify>(news.front())->message.find("broken"), std::string::npos);
}

TEST(RunQueue, AReplayThatIsSupersededSaysNothing) {
  std::atomic<int> replays = 0;
  WorkerCalls engine;
  engine.replay = [&](const ReplayOrder& order, std::stop_token stop) -> Result<BlockFootprint> {
    ++replays;
    while (order.block.x == 0 && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    BlockFootprint footprint;
    footprint.block = order.block;
    return footprint;
  };
  RunQueue queue(engine, nullptr);
  queue.send(ReplayOrder{1, nullptr, {0, 0, 0}});
  poll_until(queue, [&](const auto&) { return replays == 1; });
  queue.send(ReplayOrder{1, nullptr, {5, 0, 0}});
  const auto news = poll_until(queue, [](const auto& all) { return !all.empty(); });
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(as<FootprintReady>(news[0])->footprint->block, (Dim3{5, 0, 0}));
}

TEST(RunQueue, FinishesSavingBeforeItGoes) {
  std::atomic<int> saved = 0;
  WorkerCalls engine;
  engine.save_picture = [&](const Image&, const std::string&) -> Result<void> {
    std::this_thread::sleep_for(20ms);
    ++saved;
    return {};
  };
  {
    RunQueue queue(engine, nullptr);
    const auto image = std::make_shared<const Image>();
    queue.send(SavePictureOrder{[image] { return image; }, "a.png"});
    queue.send(SavePictureOrder{[image] { return image; }, "b.png"});
  }
  EXPECT_EQ(saved, 2);
}

// A large result is copied for its picture: not within a frame, and there may be no memory for it.
TEST(RunQueue, MakesThePictureThatItSavesAndSaysWhereItCannot) {
  WorkerCalls engine;
  engine.save_picture = [](const Image&, const std::string&) -> Result<void> { return {}; };
  RunQueue queue(engine, {});
  std::atomic<bool> elsewhere = false;
  queue.send(
      SavePictureOrder{[&elsewhere, here = std::this_thread::get_id()]() -> std::shared_ptr<const Image> {
                         elsewhere = std::this_thread::get_id() != here;
                         throw std::bad_alloc();
                       },
                       "a.png"});
  const auto news = poll_until(queue, [](const auto& all) { return !all.empty(); });
  ASSERT_FALSE(news.empty());
  ASSERT_TRUE(as<Notify>(news.front()));
  EXPECT_EQ(as<Notify>(news.front())->title, "The picture was not saved");
  EXPECT_TRUE(elsewhere);
}

// A sweep of points that take a moment each, until it is told to stop.
WorkerCalls sweeping_engine(std::atomic<int>& points, size_t wanted) {
  WorkerCalls engine;
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  engine.sweep = [&points, wanted](const SweepOrder& order, std::stop_token stop, Progress*,
                                   const std::function<void(const Sweep&)>& tell) -> Result<Sweep> {
    Sweep sweep = order.so_far;
    sweep.wanted = wanted;
    while (!sweep.complete() && !stop.stop_requested()) {
      std::this_thread::sleep_for(2ms);
      sweep.points.emplace_back();
      ++points;
      tell(sweep);
    }
    return sweep;
  };
  return engine;
}

void wait_for_a_point(const std::atomic<int>& points) {
  while (points == 0) std::this_thread::sleep_for(1ms);
}

bool swept(const std::vector<Action>& news, uint64_t serial) {
  return std::any_of(news.begin(), news.end(), [&](const Action& action) {
    const auto* progress = as<SweepProgressed>(action);
    return progress && progress->serial == serial && progress->sweep && progress->sweep->complete();
  });
}

TEST(RunQueue, ARunInterruptsASweepWhichThenGoesOn) {
  std::atomic<int> points = 0;
  const KernelDescription kernel = some_kernel();
  RunQueue queue(sweeping_engine(points, 6), [] {});
  SweepOrder order;
  order.serial = 7;
  queue.send(order);
  wait_for_a_point(points);
  queue.send(RunOrder{8, &kernel, {}, {}});
  poll_until(queue, [&](const std::vector<Action>& news) { return finished(news, 8) && swept(news, 7); });
  EXPECT_EQ(points, 6) << "no point was made twice";
}

TEST(RunQueue, ACancelledSweepDoesNotGoOn) {
  std::atomic<int> points = 0;
  RunQueue queue(sweeping_engine(points, 100'000), [] {});
  SweepOrder order;
  order.serial = 7;
  queue.send(order);
  wait_for_a_point(points);
  queue.cancel_sweeps();
  poll_until(queue, [&](const std::vector<Action>&) { return !queue.busy(); });
  EXPECT_LT(points, 100'000);
}

TEST(RunQueue, ANewerSweepOfAKindTakesThePlaceOfTheOlder) {
  std::atomic<int> points = 0;
  RunQueue queue(sweeping_engine(points, 6), [] {});
  SweepOrder older, newer;
  older.serial = 1;
  newer.serial = 2;
  queue.send(older);
  queue.send(newer);
  const auto news = poll_until(queue, [&](const std::vector<Action>& all) { return swept(all, 2); });
  EXPECT_FALSE(swept(news, 1));
}

TEST(RunQueue, ADriverThatNeverAnswersIsToldOfAndHoldsNothingUp) {
  std::promise<void> let_go;
  WorkerCalls engine;
  engine.gpu_patience = 5ms;
  engine.real_gpus = [stuck = let_go.get_future().share()] {
    stuck.wait();
    return RealGpus{};
  };
  engine.run = [](const RunOrder&, std::stop_token, Progress*) -> Result<RunResult> { return RunResult{}; };
  const KernelDescription kernel = some_kernel();
  const auto begun = std::chrono::steady_clock::now();
  {
    RunQueue queue(engine, {});
    queue.send(RunOrder{1, &kernel, {}, {}});
    const auto news = poll_until(queue, [](const auto& all) {
      return finished(all, 1) && std::ranges::any_of(all, [](const Action& a) { return as<Notify>(a); });
    });
    EXPECT_FALSE(std::ranges::any_of(news, [](const Action& a) { return as<GpusFound>(a); }));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  EXPECT_TRUE(slow_calls_left()) << "the queue has ended, and the driver has not answered yet";
  let_go.set_value();
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (slow_calls_left() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(slow_calls_left());
}

TEST(RunQueue, ASearchForGpusThatFailsFindsNone) {
  WorkerCalls engine;
  engine.real_gpus = []() -> RealGpus { throw std::runtime_error("no such driver"); };
  RunQueue queue(engine, {});
  const auto news = poll_until(queue, [](const auto& all) { return !all.empty(); });
  ASSERT_FALSE(news.empty());
  const auto* found = as<GpusFound>(news.front());
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->gpus.none.find("no such driver"), std::string::npos);
}

// As in a page: the frames have their turns inside of the run, see how far it is, and can end it.
TEST(RunQueue, ARunBetweenFramesTellsHowFarItIsAndCanBeCancelled) {
  const WithoutThreads without;
  const std::shared_ptr<Backend> gpu = make_virtual_gpu();
  RunQueue queue(make_worker_calls(gpu, nullptr), {});
  const KernelDescription& mandelbrot = **find_kernel("mandelbrot");
  uint64_t blocks_seen = 0, blocks = 0;
  uint32_t frames = 0;
  std::vector<Action> all;
  const auto this_thread = std::this_thread::get_id();
  const TurnsForFrames turns([&] {
    EXPECT_EQ(std::this_thread::get_id(), this_thread);
    ++frames;
    for (Action& news : queue.poll()) {
      if (const auto* far = as<RunProgressed>(news)) {
        blocks_seen = far->blocks_done;
        blocks = far->blocks_total;
      }
      all.push_back(std::move(news));
    }
    if (blocks_seen > 0) queue.cancel();
  });
  queue.send(RunOrder{1, &mandelbrot, default_setup(mandelbrot), built_in_devices().front()});
  while (work_between_frames()) {
  }
  for (Action& news : queue.poll()) all.push_back(std::move(news));
  EXPECT_GE(frames, 1u);
  EXPECT_GT(blocks_seen, 0u);
  EXPECT_LT(blocks_seen, blocks);
  const RunFinished* run = finished(all, 1);
  ASSERT_NE(run, nullptr);
  ASSERT_NE(run->result, nullptr) << run->error;
  EXPECT_EQ(run->result->status, RunStatus::cancelled);
}

}  // namespace THIS_FILE
}  // namespace warplens
