#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/preflight.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using namespace std::chrono_literals;

// Returns a prepared answer, or waits to be stopped.
class Scripted final : public Backend {
 public:
  Scripted(Result<RunResult> answer, int* runs, bool waits = false)
      : m_answer(std::move(answer)), m_runs(runs), m_waits(waits) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest>, std::stop_token stop, Progress*) override {
    ++*m_runs;
    while (m_waits && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    if (!m_waits) return m_answer;
    RunResult cancelled;
    cancelled.status = RunStatus::cancelled;
    return cancelled;
  }

 private:
  Result<RunResult> m_answer;
  int* m_runs;
  bool m_waits;
};

RunResult counted() {
  RunResult result;
  result.counters.emplace().warp_instructions = 12;
  result.launches.emplace_back().counters = result.counters;
  auto writers = std::make_shared<WriterMap>();
  result.outputs = {{0, std::make_shared<const Bytes>(Bytes(1)), writers}};
  result.host.execute_ms = 5;
  return result;
}
RunResult measured() {
  RunResult result;
  result.measured.emplace().kernel_us = spread_of({1.0});
  result.time.kernel = 1;
  result.launches.emplace_back().resources = Resources{};
  result.outputs = {{0, std::make_shared<const Bytes>(Bytes(2)), nullptr}};
  return result;
}

struct Both {
  int virtual_runs = 0, real_runs = 0;
  Result<RunResult> run(Result<RunResult> first, Result<RunResult> second, bool waits = false,
                        bool preflight = true, bool on_virtual = false, std::stop_token stop = {}) {
    const auto both = make_preflighted(std::make_unique<Scripted>(std::move(first), &virtual_runs, waits),
                                       std::make_unique<Scripted>(std::move(second), &real_runs), 30ms);
    auto request = std::make_shared<LaunchRequest>();
    request->device.is_virtual = on_virtual;
    request->preflight = preflight;
    return both->run(request, std::move(stop), nullptr);
  }
};

TEST(Preflight, PutsCountsBesideTimes) {
  Both both;
  const auto result = both.run(counted(), measured());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->counters->warp_instructions, 12u);
  EXPECT_EQ(result->launches.at(0).counters->warp_instructions, 12u);
  EXPECT_TRUE(result->launches.at(0).resources.has_value());
  EXPECT_EQ(result->outputs.at(0).bytes->size(), 2u);  // the device's
  EXPECT_NE(result->outputs.at(0).writers, nullptr);
  EXPECT_EQ(result->time.kernel, 1);
  EXPECT_EQ(result->host.execute_ms, 5);
  EXPECT_TRUE(result->measured->beside.empty());
}

TEST(Preflight, SparesTheDeviceAFault) {
  Both both;
  RunResult fault;
  fault.status = RunStatus::fault;
  fault.faults.emplace_back().kind = IncidentKind::out_of_bounds;
  const auto result = both.run(fault, measured());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::fault);
  EXPECT_THAT(result->message, HasSubstr("spared"));
  EXPECT_NE(result->request, nullptr);
  EXPECT_EQ(both.real_runs, 0);
}

TEST(Preflight, GivesUpInTimeAndOnSteps) {
  Both both;
  const auto late = both.run(counted(), measured(), true);
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(both.real_runs, 1);
  EXPECT_FALSE(late->counters.has_value());
  EXPECT_THAT(late->measured->beside, HasSubstr("0.03 s"));
  RunResult steps;
  steps.status = RunStatus::fault;
  steps.faults.emplace_back().kind = IncidentKind::step_limit;
  const auto many = both.run(steps, measured());
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(many->status, RunStatus::ok);
  EXPECT_EQ(both.real_runs, 2);
}

TEST(Preflight, AStopStopsAll) {
  Both both;
  std::stop_source stop;
  stop.request_stop();
  const auto result = both.run(counted(), measured(), true, true, false, stop.get_token());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::cancelled);
  EXPECT_EQ(both.real_runs, 0);
}

TEST(Preflight, IsLeftAwayWhereNobodyWantsIt) {
  Both both;
  ASSERT_TRUE(both.run(counted(), measured(), false, false).ok());
  EXPECT_EQ(both.virtual_runs, 0);
  ASSERT_TRUE(both.run(counted(), measured(), false, true, true).ok());
  EXPECT_EQ(both.virtual_runs, 1);
  EXPECT_EQ(both.real_runs, 1);
}

// PTX that the virtual GPU does not know may be fine for the device.
TEST(Preflight, LetsTheDeviceJudgeWhatItCannotRun) {
  Both both;
  const auto result = both.run(bad_input("no such instruction"), measured());
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->measured->beside, HasSubstr("no such instruction"));
  EXPECT_EQ(both.run(bad_input("a"), bad_input("b")).error().message, "b");
}

TEST(Preflight, SaysThatThereIsNoCuda) {
  const auto backend = make_preflighted(make_virtual_gpu(), nullptr);
  auto request = std::make_shared<LaunchRequest>();
  request->device.is_virtual = false;
  const auto result = backend->run(request, {}, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
}

TEST(Spread, TakesPercentilesBetweenSamples) {
  EXPECT_FALSE(spread_of({}).has_value());
  const auto spread = spread_of({5, 1, 3, 2, 4});
  EXPECT_EQ(spread->median, 3);
  EXPECT_EQ(spread->minimum, 1);
  EXPECT_DOUBLE_EQ(spread->p10, 1.4);
  EXPECT_DOUBLE_EQ(spread->p90, 4.6);
  EXPECT_EQ(spread->samples.front(), 5);
  EXPECT_EQ(spread_of({2})->p90, 2);
}

}  // namespace THIS_FILE
}  // namespace warplens
