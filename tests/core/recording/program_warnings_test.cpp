// What is said of whole programs, and that a summary, a recording and the window say the same.
#include "core/recording/program_warnings.h"

#include <gmock/gmock.h>

#include "core/recording/recording.h"

namespace warplens::recording {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Kind = ProgramWarning::Kind;

constexpr DeviceFigures device{28, 5.0};

// A recording event by event.
struct Made {
  Recording recording;

  Event& add(Event event) {
    event.process = process;
    recording.events.push_back(std::move(event));
    return recording.events.back();
  }
  void launch(const std::string& kernel, std::optional<double> us, uint32_t blocks = 1000) {
    Event event;
    event.name = kernel;
    event.device_us = us;
    event.grid = {blocks, 1, 1};
    event.number = ++launches;
    add(event);
  }
  void copy(bool in, uint64_t content, double us, uint64_t bytes = 6 << 20, bool waits = true) {
    Event event;
    event.kind = Event::Kind::copy;
    event.name = in ? "host to device" : "device to host";
    event.content = content;
    event.bytes = bytes;
    event.device_us = us;
    event.waits = waits;
    add(event);
  }
  void allocate(uint64_t bytes) {
    Event event;
    event.kind = Event::Kind::allocate;
    event.bytes = bytes;
    add(event);
  }
  ProgramReport report() const { return report_of(recording, device); }

  uint64_t process = 1, launches = 0;
};

std::vector<Kind> kinds_of(const ProgramReport& report) {
  std::vector<Kind> kinds;
  for (const ProgramWarning& warning : report.warnings) kinds.push_back(warning.kind);
  return kinds;
}

// A picture that is copied to the device and back at each launch: the result is the next input.
Made there_and_back() {
  Made made;
  for (uint64_t i = 0; i < 4; ++i) {
    made.copy(true, 100 + i, 500);
    made.launch("blur", 38);
    made.copy(false, 101 + i, 500);
  }
  return made;
}

TEST(ProgramWarnings, WhatIsSavedIsTheTimeOfTheCopiesOfWhatHadCrossed) {
  const ProgramReport report = there_and_back().report();
  EXPECT_THAT(kinds_of(report), ElementsAre(Kind::copies_dominate, Kind::same_bytes));
  EXPECT_EQ(report.title,
            "Copying takes 96 % of the time on the GPU: 3 of 8 copies carry bytes that had crossed before.");
  const ProgramWarning& same = report.warnings[1];
  EXPECT_EQ(same.count, 3u);
  EXPECT_DOUBLE_EQ(*same.now_us, 8 * 500 + 4 * 38);
  EXPECT_DOUBLE_EQ(*same.then_us, 5 * 500 + 4 * 38);
  EXPECT_EQ(same.where, "events 4, 7 and 10");
  EXPECT_EQ(estimate_text(same), "4.15 → 2.65 ms");
  EXPECT_THAT(line_of(same, Provenance::modelled), HasSubstr("modelled"));
  EXPECT_THAT(line_of(same, Provenance::measured), HasSubstr("measured"));
  EXPECT_EQ(report.totals.launches, 4u);
  EXPECT_EQ(report.totals.kernels, 1u);
  EXPECT_EQ(report.totals.copied_bytes, 8u * (6 << 20));
}

TEST(ProgramWarnings, AnArrayThatOnlyIsReadIsCopiedOnce) {
  Made made;
  for (int i = 0; i < 5; ++i) {
    made.copy(true, 7, 100);
    made.launch("sum", 400);
    made.copy(false, 7, 100);  // Numba copies arguments back, changed or not
  }
  const ProgramReport report = made.report();
  ASSERT_THAT(kinds_of(report), ElementsAre(Kind::same_bytes));
  EXPECT_EQ(report.warnings[0].count, 9u) << "all but the first";
  EXPECT_THAT(report.warnings[0].what, HasSubstr("6 MiB crossed 10 times"));
  EXPECT_DOUBLE_EQ(*report.warnings[0].then_us, 5 * 400 + 100);
}

TEST(ProgramWarnings, CopiesThatWereNeededAreNotWarnedOf) {
  Made made;
  for (uint64_t i = 0; i < 3; ++i) made.copy(true, 7, 10);  // three arrays of zeros, before any launch
  for (uint64_t i = 0; i < 20; ++i) {
    made.copy(true, 100 + i, 10, 6 << 20, false);  // another picture each time
    made.launch("blur", 400);
    made.copy(false, 9, 1, 4);  // a flag, which is equal by chance
  }
  EXPECT_THAT(made.report().warnings, IsEmpty());
  EXPECT_EQ(made.report().title, "Kernels take 97 % of the time on the GPU.");
}

TEST(ProgramWarnings, ThereIsNoEstimateWhereATimeIsNotKnown) {
  Made made = there_and_back();
  made.launch("stopped", std::nullopt);
  const ProgramReport report = made.report();
  for (const ProgramWarning& warning : report.warnings) EXPECT_EQ(estimate_text(warning), "");
  EXPECT_EQ(report.totals.launches_without_time, 1u);
  EXPECT_EQ(report.title, "Copying takes 96 % of the time on the GPU.");
}

// As with --observe none, where only copies have times.
TEST(ProgramWarnings, CopiesHaveNoShareWhereNoKernelsTimeIsKnown) {
  Made made;
  made.copy(true, 7, 10);
  made.launch("blur", std::nullopt);
  EXPECT_EQ(made.report().title, "The times of the kernels on the GPU are not known.");
}

TEST(ProgramWarnings, LaunchesThatAreTooSmallOrTooShort) {
  Made small;
  for (int i = 0; i < 12; ++i) small.launch("tiny", 50, 4);
  EXPECT_THAT(kinds_of(small.report()), ElementsAre(Kind::small_launches));
  EXPECT_EQ(small.report().warnings[0].where, "launches 1, 2, 3, 4 and 8 more");
  EXPECT_THAT(small.report().warnings[0].launches, SizeIs(12));
  Made brief;
  for (int i = 0; i < 10; ++i) brief.launch("brief", 2);
  const ProgramReport report = brief.report();
  ASSERT_THAT(kinds_of(report), ElementsAre(Kind::short_launches));
  EXPECT_THAT(report.warnings[0].what,
              HasSubstr("their kernels take 20 µs together, launching them about 50 µs"));
  EXPECT_THAT(report_of(brief.recording, {}).warnings, IsEmpty()) << "the device is not known";
}

TEST(ProgramWarnings, AllocationsAndWaitsInALoop) {
  Made made;
  for (uint64_t i = 0; i < 22; ++i) {
    made.allocate(4096);
    made.copy(true, 100 + i, 40);
    made.launch("step", 30);
  }
  const ProgramReport report = made.report();
  ASSERT_THAT(kinds_of(report), ElementsAre(Kind::waiting_copies, Kind::allocations));
  EXPECT_EQ(report.warnings[0].count, 21u) << "not the one before the first launch";
  EXPECT_THAT(report.warnings[1].what, HasSubstr("4 KiB was allocated 21 times"));
}

TEST(ProgramWarnings, ProcessesAreApartAndSumsCount) {
  Made made;
  for (uint64_t i = 0; i < 4; ++i) {
    made.process = i;
    made.copy(true, 7, 100);
    made.launch("sum", 400);
  }
  EXPECT_THAT(made.report().warnings, IsEmpty()) << "each process has a memory of its own";
  Event sum;
  sum.name = "sum";
  sum.count = 1000;
  sum.device_us = 1000.0;
  made.recording.sums.push_back(sum);
  EXPECT_EQ(made.report().totals.launches, 1004u);
  EXPECT_DOUBLE_EQ(made.report().totals.kernel_us, 2600);
}

TEST(ProgramWarnings, ProgramsThatDoNothing) {
  EXPECT_EQ(Made().report().title, "The program launched no kernel and copied nothing.");
  Made stopped;
  stopped.launch("stopped", std::nullopt);
  EXPECT_THAT(stopped.report().title, HasSubstr("No launch came to its end"));
}

TEST(ProgramWarnings, AHundredThousandEventsKeepTheirWarningsShort) {
  Made made;
  for (uint64_t i = 0; i < 50'000; ++i) {
    made.copy(true, 7, 10, 1 << 20);
    made.launch("blur", 1);
  }
  const ProgramReport report = made.report();
  ASSERT_THAT(report.warnings, Not(IsEmpty()));
  for (const ProgramWarning& warning : report.warnings) {
    EXPECT_LE(warning.events.size(), 100u);
    EXPECT_LE(warning.launches.size(), 100u);
    EXPECT_LT(line_of(warning, Provenance::modelled).size(), 500u);
  }
}

TEST(ProgramWarnings, TheFirstFaultIsTheTitle) {
  Made made;
  made.copy(true, 1, 500);
  made.launch("blur", 10);
  made.launch("add", std::nullopt);
  Event refused;
  refused.kind = Event::Kind::finding;
  refused.finding = "refused";
  made.add(refused);
  EXPECT_THAT(made.report().title, HasSubstr("Refused launch. Copying takes"))
      << "the device goes on after a refusal";
  Event fault = refused;
  fault.finding = "out_of_bounds";
  fault.is_fault = true;
  fault.file = "/home/me/vec.py";
  fault.line = 14;
  made.add(fault);
  made.launch("later", 10);
  fault.line = 20;
  made.add(fault);
  EXPECT_EQ(made.report().title, "Launch 2 of add ended in a fault at vec.py:14.");
}

TEST(ProgramWarnings, TheWorstFindingStandsBeforeWhereTheTimeGoes) {
  Made made;
  made.copy(true, 1, 500);
  made.launch("blur", 10);
  Event finding;
  finding.kind = Event::Kind::finding;
  finding.finding = "call";
  made.add(finding);
  EXPECT_EQ(made.report().title, "Copying takes 98 % of the time on the GPU.") << "a call is of no launch";
  finding.finding = "race";
  finding.file = "/home/me/blur.cu";
  finding.line = 14;
  made.add(finding);
  finding.finding = "uninitialized";
  made.add(finding);
  EXPECT_EQ(made.report().title,
            "Race in launch 1 of blur at blur.cu:14. Copying takes 98 % of the time on the GPU.");
  finding.finding = "refused";
  finding.line = 0;
  made.add(finding);
  EXPECT_EQ(made.report().title, "Refused launch. Copying takes 98 % of the time on the GPU.");
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
