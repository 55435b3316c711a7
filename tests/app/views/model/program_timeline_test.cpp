// The time line of a program: its rows, what is drawn of them, and what is under the mouse.
#include "app/views/model/program_timeline.h"

#include <gmock/gmock.h>

#include <set>

namespace warplens {
namespace THIS_FILE {

using recording::Event;
using recording::Recording;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Kind = TimelineRow::Kind;

Event device_event(Event::Kind kind, const char* name, double begin, double us, uint64_t stream = 0) {
  Event event;
  event.kind = kind;
  event.name = name;
  event.begin_us = begin;
  event.device_us = us;
  event.stream = stream;
  return event;
}
Event copy(bool in, double begin, double us) {
  return device_event(Event::Kind::copy, in ? "host to device" : "device to host", begin, us);
}
Event launch(double begin, double us, uint64_t stream = 0) {
  return device_event(Event::Kind::launch, "blur", begin, us, stream);
}
Event at(Event event, double at_us, double host_us) {
  event.at_us = at_us;
  event.host_us = host_us;
  return event;
}

std::vector<std::string> names_of(const ProgramTimeline& timeline) {
  std::vector<std::string> names;
  for (const TimelineRow& row : timeline.rows) names.push_back(row.name);
  return names;
}
const TimelineRow& row_of(const ProgramTimeline& timeline, Kind kind) {
  for (const TimelineRow& row : timeline.rows)
    if (row.kind == kind) return row;
  throw std::out_of_range("no such row");
}

TEST(ProgramTimeline, TheDevicesClockAndThisMachinesAreApart) {
  Recording recording;
  recording.events.push_back(at(copy(true, 0, 100), 10, 0));
  recording.events.push_back(at(launch(100, 38), 5000, 70'000));
  recording.events.push_back(at(copy(false, 138, 100), 80'000, 0));
  const ProgramTimeline timeline = program_timeline(recording);
  EXPECT_THAT(names_of(timeline), ElementsAre("copies in", "kernels", "copies out", "program", "WarpLens"));
  EXPECT_EQ(timeline.device_us, 238);
  EXPECT_EQ(timeline.host_us, 80'000);
  const TimelineRow& program = row_of(timeline, Kind::program);
  ASSERT_THAT(program.spans, SizeIs(2));
  EXPECT_EQ(program.spans[0].begin, 10);
  EXPECT_EQ(program.spans[0].end, 5000);
  EXPECT_EQ(program.spans[1].begin, 75'000);
  EXPECT_EQ(row_of(timeline, Kind::interpreter).spans[0].end, 75'000);
  EXPECT_EQ(host_range(timeline, recording, {110, 130}), (TimeRange{5000, 75'000}));
  EXPECT_EQ(host_range(timeline, recording, {0, 238}), (TimeRange{0, 80'000}));
}

TEST(ProgramTimeline, KernelsOfStreamsThatOverlapHaveRowsOfTheirOwn) {
  Recording one;
  one.events = {launch(0, 10, 1), launch(10, 10, 2)};
  EXPECT_THAT(names_of(program_timeline(one)), ElementsAre("copies in", "kernels", "copies out"));
  Recording two;
  two.events = {launch(0, 10, 1), launch(9, 10, 2)};
  EXPECT_THAT(names_of(program_timeline(two)),
              ElementsAre("copies in", "kernels, stream 1", "kernels, stream 2", "copies out"));
  Recording many;
  for (uint64_t stream = 1; stream <= 40; ++stream) many.events.push_back(launch(0, double(stream), stream));
  const ProgramTimeline timeline = program_timeline(many);
  EXPECT_THAT(timeline.rows, SizeIs(11));
  size_t spans = 0;
  for (const TimelineRow& row : timeline.rows) spans += row.spans.size();
  EXPECT_EQ(spans, 40u);
}

TEST(ProgramTimeline, EachDeviceHasRowsOfItsOwn) {
  Recording recording;
  recording.devices = {"t4", "t4"};
  recording.events = {launch(0, 10), launch(0, 10, 7),
                      device_event(Event::Kind::copy, "peer to peer", 10, 5, 7)};
  for (size_t i : {1u, 2u}) recording.events[i].device = 1;
  const ProgramTimeline timeline = program_timeline(recording);
  EXPECT_THAT(names_of(timeline),
              ElementsAre("device 0 · copies in", "device 0 · kernels", "device 0 · copies out",
                          "device 1 · copies in", "device 1 · kernels", "device 1 · peer copies",
                          "device 1 · copies out"));
  EXPECT_EQ(timeline.rows[4].spans[0].item, 1u);
  EXPECT_THAT(hint_of(recording, timeline.rows[4], {0, 1, 0, 1}), HasSubstr("device 1 (t4)"));
}

TEST(ProgramTimeline, WhatTheDeviceCopiesAndSetsIsOneRow) {
  const auto inside = [](const char* name) { return device_event(Event::Kind::copy, name, 0, 5); };
  const auto rows = [](std::vector<Event> events) {
    Recording recording;
    recording.events = std::move(events);
    return names_of(program_timeline(recording));
  };
  EXPECT_THAT(rows({inside("device to device")}),
              ElementsAre("copies in", "kernels", "copies inside", "copies out"));
  EXPECT_THAT(rows({inside("memset")}), ElementsAre("copies in", "kernels", "memset", "copies out"));
  EXPECT_THAT(rows({inside("device to device"), inside("memset")}),
              ElementsAre("copies in", "kernels", "copies, memset", "copies out"));
}

TEST(ProgramTimeline, OfManyProcessesTheBusiestAreDrawn) {
  Recording recording;
  for (uint64_t process = 1; process <= 6; ++process) {
    recording.events.push_back(launch(0, double(process)));
    recording.events.back().process = process;
  }
  const ProgramTimeline timeline = program_timeline(recording);
  EXPECT_EQ(timeline.left_out, 2u);
  EXPECT_THAT(timeline.rows, SizeIs(12));
  EXPECT_EQ(timeline.rows[0].name, "copies in");
  EXPECT_EQ(timeline.rows[0].process, 3u) << "as they began";
  EXPECT_FALSE(timeline.one_clock);
  // Each has rows and an end of its own.
  ASSERT_EQ(timeline.processes.size(), 4u);
  size_t next = 0;
  for (const TimelineProcess& process : timeline.processes) {
    EXPECT_EQ(process.first_row, next);
    ASSERT_GT(process.rows, 0u);
    for (size_t i = 0; i < process.rows; ++i) {
      EXPECT_EQ(timeline.rows[next + i].process, process.process);
      EXPECT_FALSE(timeline.rows[next + i].is_host());
    }
    next += process.rows;
    EXPECT_DOUBLE_EQ(process.device_us, double(process.process));
  }
}

// On a real GPU the times of all processes are of one clock; modelled ones begin with each one's first call.
TEST(ProgramTimeline, MeasuredProcessesLieBesideEachOther) {
  Recording recording;
  recording.events = {at(launch(0, 10), 0, 5), at(launch(0, 20), 400, 5), at(launch(30, 10), 900, 5)};
  for (size_t i = 0; i < 3; ++i) recording.events[i].process = i == 0 ? 1 : 2;
  const ProgramTimeline apart = program_timeline(recording);
  EXPECT_FALSE(apart.one_clock);
  EXPECT_EQ(apart.device_us, 40);
  recording.device_name = "NVIDIA H200";
  const ProgramTimeline together = program_timeline(recording);
  EXPECT_TRUE(together.one_clock);
  EXPECT_EQ(together.device_us, 440);
  for (const ProgramTimeline& timeline : {apart, together}) {
    ASSERT_THAT(timeline.processes, SizeIs(2));
    EXPECT_EQ(timeline.processes[0].process, 1u);
    EXPECT_EQ(timeline.processes[1].host_begin_us, 400);
    const TimelineRow& second = timeline.rows[timeline.processes[1].first_row + 1];
    ASSERT_THAT(second.spans, SizeIs(2));
    const double from = timeline.one_clock ? 400 : 0;
    EXPECT_EQ(second.spans[0].begin, from);
    EXPECT_EQ(second.spans[1].end, from + 40);
    EXPECT_THAT(hint_of(recording, second, {0, 10, 0, 1}), HasSubstr("process 2"));
  }
}

// Bars are in order, inside the row, cover every span that is seen, and none covers another.
void expect_sound(const TimelineRow& row, TimeRange range, float width) {
  const std::vector<TimeBar> bars = bars_of(row, range, width);
  EXPECT_LE(bars.size(), 2 * static_cast<size_t>(width) + 2);
  size_t next = bars.empty() ? 0 : bars.front().first;
  float end = 0;
  for (const TimeBar& bar : bars) {
    EXPECT_EQ(bar.first, next);
    EXPECT_GE(bar.count, 1u);
    EXPECT_GE(bar.x, end - 1.001f);
    EXPECT_GT(bar.width, 0);
    EXPECT_LE(bar.x + bar.width, width + 0.01f);
    end = bar.x + bar.width;
    next = bar.first + bar.count;
  }
  size_t seen = 0;
  for (const TimeSpan& span : row.spans) seen += span.end >= range.from && span.begin <= range.to ? 1 : 0;
  size_t drawn = 0;
  for (const TimeBar& bar : bars) drawn += bar.count;
  EXPECT_EQ(drawn, seen);
}

TEST(ProgramTimeline, BarsAreBoundedByTheWidthAndLeaveNothingOut) {
  Recording recording;
  double now = 0;
  for (uint64_t i = 0; i < 100'000; ++i) {
    const double us = i % 97 == 0 ? 400 : 0.5 + double(i % 7);
    recording.events.push_back(launch(now, us));
    now += us + (i % 11 == 0 ? 30 : 0);
  }
  const ProgramTimeline timeline = program_timeline(recording);
  const TimelineRow& row = row_of(timeline, Kind::kernels);
  ASSERT_THAT(row.spans, SizeIs(100'000));
  for (const float width : {1.0f, 37.5f, 800.0f, 3840.0f}) {
    expect_sound(row, {0, timeline.device_us}, width);
    TimeRange range{0, timeline.device_us};
    for (int step = 0; step < 40; ++step) {
      range = zoomed(range, range.from + range.length() * 0.37, 0.6, timeline.device_us);
      expect_sound(row, range, width);
    }
  }
  EXPECT_THAT(bars_of(row, {0, 0}, 100), SizeIs(0));
  EXPECT_THAT(bars_of(row, {0, 100}, 0), SizeIs(0));
}

TEST(ProgramTimeline, ABarIsAsLongAsItsTime) {
  Recording recording;
  recording.events = {launch(10, 20), launch(50, 0.01), launch(60, 30)};
  const ProgramTimeline timeline = program_timeline(recording);
  const auto bars = bars_of(row_of(timeline, Kind::kernels), {0, 100}, 1000);
  ASSERT_THAT(bars, SizeIs(3));
  EXPECT_FLOAT_EQ(bars[0].x, 100);
  EXPECT_FLOAT_EQ(bars[0].width, 200);
  EXPECT_FLOAT_EQ(bars[1].width, 1) << "what is there is to be seen";
  EXPECT_FLOAT_EQ(bars[2].x, 600);
}

TEST(ProgramTimeline, TheMouseFindsWhatIsThereOrNext) {
  Recording recording;
  recording.events = {launch(10, 20), launch(50, 0.01), launch(60, 30)};
  const ProgramTimeline timeline = program_timeline(recording);
  const TimelineRow& row = row_of(timeline, Kind::kernels);
  const TimeRange range{0, 100};
  EXPECT_EQ(span_at(row, range, 1000, 150), 0u);
  EXPECT_EQ(span_at(row, range, 1000, 501), 1u);
  EXPECT_EQ(span_at(row, range, 1000, 599), 2u);
  EXPECT_EQ(span_at(row, range, 1000, 450), std::nullopt);
  EXPECT_EQ(span_at(row, range, 1000, -50), std::nullopt);
  EXPECT_EQ(span_at(row, range, 1000, 5000), std::nullopt);
}

TEST(ProgramTimeline, ZoomStaysInTheTimeAndAboutItsPlace) {
  EXPECT_EQ(clamped({-50, 50}, 400), (TimeRange{0, 100}));
  EXPECT_EQ(clamped({350, 450}, 400), (TimeRange{300, 400}));
  EXPECT_EQ(clamped({0, 1e9}, 400), (TimeRange{0, 400}));
  EXPECT_EQ(clamped({0.0 / 1, 1.0 / 0.0}, 400), (TimeRange{0, 400}));
  const TimeRange near = zoomed({0, 400}, 100, 0.5, 400);
  EXPECT_EQ(near, (TimeRange{50, 250}));
  EXPECT_EQ(zoomed(near, 100, 100, 400), (TimeRange{0, 400}));
  TimeRange range{0, 400};
  for (int i = 0; i < 200; ++i) range = zoomed(range, 100, 0.5, 400);
  EXPECT_GT(range.length(), 0);
  EXPECT_EQ(clamped({0, 0}, 0).from, 0) << "a program without device work";
}

TEST(ProgramTimeline, WordsSayWhatABarIs) {
  Recording recording;
  recording.events = {at(copy(true, 0, 100), 1, 0), at(launch(100, 38), 2, 55)};
  recording.events[0].bytes = 6 << 20;
  recording.events[1].number = 1;
  recording.events[1].grid = {120, 68, 1};
  recording.events[1].block = {16, 16, 1};
  recording.events[1].file = "blur.py";
  recording.events[1].line = 14;
  const ProgramTimeline timeline = program_timeline(recording);
  const TimelineRow& in = row_of(timeline, Kind::copies_in);
  EXPECT_EQ(label_of(recording, in, in.spans[0]), "copy in 6 MiB");
  const TimelineRow& kernels = row_of(timeline, Kind::kernels);
  EXPECT_EQ(label_of(recording, kernels, kernels.spans[0]), "blur");
  EXPECT_EQ(hint_of(recording, kernels, {0, 10, 0, 1}),
            "Launch 1 of blur: 120 × 68 blocks of 16 × 16, 38 µs ≈, from 100 µs on, blur.py:14");
  const TimelineRow& here = row_of(timeline, Kind::interpreter);
  EXPECT_THAT(hint_of(recording, here, {0, 10, 0, 1}), HasSubstr("took WarpLens 55 µs on this machine"));
  // On a real GPU nothing is modelled, and WarpLens does not compute.
  recording.device_name = "NVIDIA H200";
  EXPECT_THAT(hint_of(recording, here, {0, 10, 0, 1}), HasSubstr("to the GPU took 55 µs"));
  EXPECT_EQ(program_timeline(recording).rows.back().name, "calls");
}

Event numbered(Event event, uint64_t work, std::vector<uint64_t> after = {}) {
  event.work = work;
  event.after = std::move(after);
  return event;
}

TEST(ProgramTimeline, ArrowsLeadFromWhatIsWaitedForAndToWhatNothingOrders) {
  Recording recording;
  recording.events.push_back(numbered(launch(0, 10, 1), 1));
  recording.events.push_back(numbered(launch(10, 5, 2), 2, {1}));
  recording.events.push_back(numbered(launch(2, 5, 3), 3, {77}));  // a work that is not there
  Event finding;
  finding.kind = Event::Kind::finding;
  finding.finding = "missing_wait";
  finding.after = {1, 3};
  recording.events.push_back(finding);
  finding.after = {2};
  recording.events.push_back(finding);
  const ProgramTimeline timeline = program_timeline(recording);
  ASSERT_THAT(timeline.arrows, SizeIs(3));
  const auto event_at = [&](TimelineArrow::End end) { return timeline.rows[end.row].spans[end.span].item; };
  EXPECT_EQ(timeline.arrows[0].kind, TimelineArrow::Kind::wait);
  EXPECT_EQ(event_at(timeline.arrows[0].from), 0u);
  EXPECT_EQ(event_at(*timeline.arrows[0].to), 1u);
  EXPECT_EQ(timeline.arrows[1].kind, TimelineArrow::Kind::unordered);
  EXPECT_EQ(event_at(timeline.arrows[1].from), 0u);
  EXPECT_EQ(event_at(*timeline.arrows[1].to), 2u);
  EXPECT_EQ(timeline.arrows[1].finding, 3u);
  EXPECT_EQ(event_at(timeline.arrows[2].from), 1u);
  EXPECT_FALSE(timeline.arrows[2].to) << "the program itself";
}

}  // namespace THIS_FILE
}  // namespace warplens
