// What the launcher reads out of the journals of a program's processes.
#include "core/recording/summary.h"

#include <gmock/gmock.h>

#include "core/base/json/json.h"

namespace warplens::recording {
namespace THIS_FILE {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* start =
    R"({"event":"start","version":1,"process":1,"device":"h200","device_name":"NVIDIA H200","clock":"modelled"})"
    "\n";

std::string launch(const std::string& kernel, int blocks, const std::string& us = "2.5") {
  return R"({"event":"launch","kernel":")" + kernel + R"(","grid":[)" + std::to_string(blocks) +
         R"(,1,1],"block":[64,1,1],"shared":0,"stream":0,"begin_us":0,"device_us":)" + us +
         R"(,"host_us":10.0})" + "\n";
}
std::string copy_in(int address, int bytes) {
  return R"({"event":"copy","direction":"host to device","bytes":)" + std::to_string(bytes) +
         R"(,"address":)" + std::to_string(address) + R"(,"stream":0,"begin_us":0,"device_us":5.0})" + "\n";
}
std::string allocate(int address, int bytes) {
  return R"({"event":"allocate","kind":"device","address":)" + std::to_string(address) + R"(,"bytes":)" +
         std::to_string(bytes) + "}\n";
}

TEST(ProgramSummary, AddsUpLaunchesByKernelTheLongestFirst) {
  SummaryReader reader;
  reader.add(start + launch("short", 200) + launch("long", 300, "50.0") + launch("short", 200));
  reader.add(start + launch("short", 200, "null"));
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_EQ(summary.processes, 2u);
  EXPECT_EQ(summary.device_name, "NVIDIA H200");
  ASSERT_EQ(summary.kernels.size(), 2u);
  EXPECT_EQ(summary.kernels[0].name, "long");
  EXPECT_EQ(summary.kernels[0].device_us, 50.0);
  EXPECT_EQ(summary.kernels[1].launches, 3u);
  EXPECT_EQ(summary.kernels[1].device_us, std::nullopt) << "one of them is not known";
  EXPECT_THAT(summary.advice, IsEmpty());
}

TEST(ProgramSummary, AddsUpWhatLaunchesCountedWhereThatIsKnown) {
  const auto counts = [](int number, int sectors) {
    return R"({"event":"counts","number":)" + std::to_string(number) +
           R"(,"counts":{"global_load_sectors":)" + std::to_string(sectors) + R"(,"branches":1,"other":9}})" +
           "\n";
  };
  const auto counted = [](const std::string& kernel, int number) {
    std::string text = launch(kernel, 200);
    return text.replace(text.rfind('}'), 1, R"(,"counts":)" + std::to_string(number) + "}");
  };
  SummaryReader reader;
  reader.add(start + counts(1, 100) + counted("add", 1) + counted("add", 1) + counts(2, 7) +
             counted("add", 2) + counts(1, 3) + counted("add", 1) + counted("half", 1) + launch("half", 200));
  reader.add(start + counted("other", 1));  // another process has numbers of its own
  const std::string json = summary_json(reader.take({132, {}}), 0, 1.0);
  const Json report = Json::parse(json);
  std::map<std::string, Json> by_name;
  for (const Json& kernel : report["kernels"]) by_name[kernel["name"]] = kernel["counters"];
  EXPECT_EQ(by_name["add"]["global_load_sectors"], 210);
  EXPECT_EQ(by_name["add"]["branches"], 4);
  EXPECT_EQ(by_name["add"]["warp_instructions"], 0);
  EXPECT_TRUE(by_name["half"].is_null()) << "those of one launch are not known";
  EXPECT_TRUE(by_name["other"].is_null());
}

TEST(ProgramSummary, EachDeviceHasALineOfItsOwn) {
  SummaryReader reader;
  std::string two = start;
  two.insert(two.find(R"(,"clock")"), R"(,"devices":["h200","t4"])");
  std::string there = launch("add", 100);
  there.replace(there.find(R"("stream":0)"), 10, R"("stream":5)");
  reader.add(two + R"({"event":"stream","stream":5,"device":1,"default":true})" + "\n" + launch("add", 100) +
             there + there + copy_in(64, 400));
  const ProgramSummary summary = reader.take({132, {}});
  ASSERT_EQ(summary.devices.size(), 2u);
  EXPECT_EQ(summary.devices[0].launches, 1u);
  EXPECT_EQ(summary.devices[0].copies, 1u);
  EXPECT_EQ(summary.devices[1].launches, 2u);
  EXPECT_EQ(summary.devices[1].busy_us, 5.0);
  EXPECT_THAT(summary_text(summary), HasSubstr("2 devices, virtual"));
  EXPECT_THAT(summary_text(summary), HasSubstr("1: t4"));
}

// The device clocks of processes begin apart: their times are shown apart, this machine's on one clock.
TEST(ProgramSummary, EachProcessHasALineOfItsOwn) {
  const auto process = [](int id, double at_us, double begin_us, int launches) {
    std::string journal = R"({"event":"start","version":1,"process":)" + std::to_string(id) +
                          R"(,"device":"h200","device_name":"NVIDIA H200","clock":"modelled"})" + "\n";
    for (int i = 0; i < launches; ++i)
      journal += R"({"event":"launch","kernel":"add","grid":[200,1,1],"block":[64,1,1],"begin_us":)" +
                 std::to_string(begin_us + 3 * i) + R"(,"device_us":3,"host_us":10,"at_us":)" +
                 std::to_string(at_us + 20 * i) + "}\n";
    return journal;
  };
  SummaryReader reader;
  reader.add(process(70, 1e6 + 500, 7, 2));
  reader.add(process(9, 1e6, 0, 3) +
             R"({"event":"launches","kernel":"add","count":40,"device_us":100,"host_us":1})" + "\n");
  reader.add(process(80, 0, 0, 0));
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_EQ(summary.processes, 3u);
  ASSERT_EQ(summary.lines.size(), 2u) << "one did nothing on the device";
  EXPECT_EQ(summary.lines[0].process, 9u) << "it began first";
  EXPECT_EQ(summary.lines[0].launches, 43u);
  EXPECT_DOUBLE_EQ(summary.lines[0].busy_us, 109);
  EXPECT_DOUBLE_EQ(summary.lines[0].begin_us, 0);
  EXPECT_DOUBLE_EQ(summary.lines[0].end_us, 50);
  EXPECT_EQ(summary.lines[1].process, 70u);
  EXPECT_DOUBLE_EQ(summary.lines[1].begin_us, 500);
  EXPECT_DOUBLE_EQ(summary.lines[1].end_us, 530);
  EXPECT_DOUBLE_EQ(summary.lines[1].device_end_us, 13);
  const std::string text = summary_text(summary);
  EXPECT_THAT(text, HasSubstr("3 processes used it, each with a device clock of its own"));
  EXPECT_LT(text.find("\n  9 "), text.find("\n  70 "));
  const Json json = Json::parse(summary_json(summary, 0, 1));
  EXPECT_EQ(json["process_lines"][1]["device_end_us"], 13);
  // A program of one process needs no such list.
  SummaryReader one;
  one.add(process(9, 0, 0, 3));
  EXPECT_THAT(summary_text(one.take({132, {}})), Not(HasSubstr("process")));
}

// exec begins a new journal after the old one: the device's clock continues, and an event without a time of
// its own gets the time at which the journal began.
TEST(ProgramSummary, TheDevicesClockGoesOnBehindAnExec) {
  const auto part = [](double at_us) {
    return R"({"event":"start","version":1,"process":9,"device":"h200","device_name":"","clock":"modelled","at_us":)" +
           std::to_string(at_us) + "}\n" + allocate(4096, 16) + launch("add", 200, "5") +
           launch("add", 200, "5");
  };
  SummaryReader reader;
  reader.add(part(2e9) + part(2e9 + 300));
  const ProgramSummary summary = reader.take({132, {}});
  ASSERT_EQ(summary.lines.size(), 1u);
  EXPECT_DOUBLE_EQ(summary.lines[0].device_end_us, 10);
  EXPECT_DOUBLE_EQ(summary.lines[0].begin_us, 0);
  EXPECT_DOUBLE_EQ(summary.lines[0].end_us, 310);
}

TEST(ProgramSummary, ALineThatIsNotWholeIsCounted) {
  SummaryReader reader;
  const std::string whole = start + launch("add", 1);
  reader.add(whole + "nonsense\n" + R"({"event":"launch","kern)");
  const ProgramSummary summary = reader.take({0, {}});
  EXPECT_EQ(summary.unreadable_lines, 2u);
  EXPECT_EQ(summary.kernels.at(0).launches, 1u);
}

TEST(ProgramSummary, SumsBehindTheLastEventCount) {
  SummaryReader reader;
  reader.add(start + launch("add", 200) +
             R"({"event":"launches","kernel":"add","count":7,"device_us":3.5,"host_us":1.0})" + "\n" +
             R"({"event":"copies","direction":"host to device","count":4,"bytes":400,"device_us":2.0})" +
             "\n");
  const ProgramSummary summary = reader.take({0, {}});
  EXPECT_EQ(summary.kernels.at(0).launches, 8u);
  EXPECT_EQ(summary.kernels.at(0).device_us, 6.0);
  EXPECT_EQ(summary.copies.at(0).copies, 4u);
  EXPECT_EQ(summary.copies.at(0).bytes, 400u);
}

std::string library(const std::string& call, const std::string& us) {
  return R"({"event":"library","call":")" + call +
         R"(","shape":"64 × 64 × 64","bytes":49152,"stream":3,"begin_us":7,"device_us":)" + us +
         R"(,"at_us":20,"host_us":100.0})" + "\n";
}

TEST(ProgramSummary, AddsUpCallsOfLibraries) {
  SummaryReader reader;
  reader.add(
      start + library("cublasSgemm", "5.0") + library("cublasSgemm", "6.0") + library("cublasHgemm", "null") +
      R"({"event":"libraries","call":"cublasSgemm","count":10,"bytes":100,"device_us":1.5,"host_us":2})" +
      "\n");
  const ProgramSummary summary = reader.take({132, {}});
  ASSERT_EQ(summary.libraries.size(), 2u);
  EXPECT_EQ(summary.libraries[0].call, "cublasHgemm")
      << "its time here counts, where the device's is not known";
  EXPECT_EQ(summary.libraries[0].device_us, std::nullopt);
  EXPECT_EQ(summary.libraries[1].calls, 12u);
  EXPECT_EQ(summary.libraries[1].device_us, 12.5);
  EXPECT_EQ(summary.libraries[1].bytes, 2u * 49152 + 100);
  EXPECT_EQ(summary.libraries[1].shape, "64 × 64 × 64");
  EXPECT_EQ(summary.report.totals.libraries, 13u);
  EXPECT_EQ(summary.report.totals.kernel_us, 12.5);
  EXPECT_THAT(summary_text(summary), HasSubstr("cublasSgemm"));
  const auto json = parse_json(summary_json(summary, 0, 1), "summary");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["libraries"][1]["calls"], 12);
}

TEST(ProgramSummary, ACallOfALibraryIsAnEvent) {
  JournalPlace place;
  const auto json = parse_json(library("cublasSgemm", "5.0"), "journal");
  ASSERT_TRUE(json);
  const auto event = event_of(*json, 1, place);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Event::Kind::library);
  EXPECT_TRUE(is_device_work(*event));
  EXPECT_EQ(event->name, "cublasSgemm");
  EXPECT_EQ(event->shape, "64 × 64 × 64");
  EXPECT_EQ(event->stream, 3u);
  EXPECT_EQ(event->device_us, 5.0);
}

// A fault after a library's call belongs to the call, and not to the last launch.
TEST(ProgramSummary, AFaultOfALibraryIsNoLaunchs) {
  SummaryReader reader;
  reader.add(
      start + launch("add", 200) + library("cublasSgemm", "null") +
      R"({"event":"finding","kind":"out_of_bounds","code":700,"message":"m","kernel":"cublasSgemm","file":"","line":0})" +
      "\n");
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_THAT(summary.report.title, HasSubstr("cublasSgemm"));
  EXPECT_THAT(summary.report.title, Not(HasSubstr("add")));
}

TEST(ProgramSummary, AFailedCallIsNoFaultOfTheLaunchBeforeIt) {
  SummaryReader reader;
  reader.add(start + launch("add", 200) +
             R"({"event":"finding","kind":"call","code":1,"message":"m","kernel":"","file":"","line":0})" +
             "\n");
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_THAT(summary.report.title, Not(HasSubstr("fault")));
  ASSERT_EQ(summary.findings.size(), 1u);
}

TEST(ProgramSummary, AdvisesAgainstCopiesInALoop) {
  SummaryReader reader;
  std::string journal = start;
  for (int i = 0; i < 10; ++i) journal += copy_in(4096, 1024) + launch("add", 200);
  reader.add(journal);
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_THAT(summary.advice, Contains(HasSubstr("copied to the same place 10 times")));
  EXPECT_THAT(summary.advice, Not(Contains(HasSubstr("allocated"))));
}

TEST(ProgramSummary, AdvisesAgainstAllocationsInALoop) {
  SummaryReader reader;
  std::string journal = start;
  for (int i = 0; i < 21; ++i)
    journal += allocate(4096 * (i + 1), 512) + launch("add", 200) + R"({"event":"free","address":)" +
               std::to_string(4096 * (i + 1)) + "}\n";
  reader.add(journal);
  const ProgramSummary summary = reader.take({132, {}});
  EXPECT_THAT(summary.advice, Contains(HasSubstr("allocated 20 times")));
  EXPECT_EQ(summary.most_bytes, 512u);
  EXPECT_EQ(summary.allocated_bytes, 21 * 512u);
}

TEST(ProgramSummary, AdvisesAgainstSmallLaunches) {
  SummaryReader reader;
  std::string journal = start;
  for (int i = 0; i < 10; ++i) journal += launch("tiny", 4);
  reader.add(journal);
  EXPECT_THAT(reader.take({132, {}}).advice,
              Contains(HasSubstr("fewer blocks than the device has SMs (132)")));
}

TEST(ProgramSummary, TheSameFindingOfTwoProcessesIsOneAndFaultsComeFirst) {
  const std::string race =
      R"({"event":"finding","kind":"race","code":0,"message":"a race","kernel":"add","file":"a.py","line":7})"
      "\n";
  const std::string fault =
      R"({"event":"finding","kind":"out_of_bounds","code":700,"message":"past the end","kernel":"add","file":"","line":0})"
      "\n";
  SummaryReader reader;
  reader.add(start + race + fault);
  reader.add(start + race);
  const ProgramSummary summary = reader.take({0, {}});
  ASSERT_EQ(summary.findings.size(), 2u);
  EXPECT_EQ(summary.findings[0].code, 700);
  EXPECT_EQ(summary.findings[1].processes, 2u);
  EXPECT_THAT(summary_text(summary), HasSubstr("add: past the end (1 more)"));
  const Json json = Json::parse(summary_json(summary, 3, 12.5));
  EXPECT_EQ(json["exit_status"], 3);
  EXPECT_EQ(json["findings"][1]["line"], 7);
  EXPECT_EQ(json["findings"][1]["cuda_error"], nullptr);
}

std::string finding(const std::string& message, int code, bool said) {
  return R"({"event":"finding","kind":"out_of_bounds","code":)" + std::to_string(code) + R"(,"message":")" +
         message + R"(","kernel":"add","file":"","line":0)" + (said ? R"(,"said":true})" : "}") + "\n";
}

TEST(ProgramSummary, WhatTheProgramsOutputHasIsNotRepeated) {
  SummaryReader reader;
  reader.add(start + launch("add", 200) + finding("past the end", 700, true) + finding("hidden", 0, false));
  const ProgramSummary summary = reader.take({0, {}});
  const std::string after = summary_text(summary, Follows::the_program);
  EXPECT_THAT(after, Not(HasSubstr("past the end")));
  EXPECT_THAT(after, HasSubstr("add: hidden\n")) << "its process wrote somewhere else";
  EXPECT_THAT(after, HasSubstr("Launch 1 of add ended in a fault.\n"));
  EXPECT_THAT(summary_text(summary), HasSubstr("add: past the end (1 more)"));
}

TEST(ProgramSummary, SaysThatRacesWereNotChecked) {
  const auto text = [](const std::string& searched, const std::string& more) {
    const std::string begin(start);
    SummaryReader reader;
    reader.add(begin.substr(0, begin.size() - 2) + R"(,"searched":")" + searched + "\"}\n" + more);
    const ProgramSummary summary = reader.take({0, {}});
    EXPECT_EQ(Json::parse(summary_json(summary, 0, 1))["searched"],
              searched.empty() ? Json(nullptr) : Json(searched));
    return summary_text(summary);
  };
  constexpr const char* sentence = "were not checked: --sanitize all does it.\n";
  EXPECT_THAT(text("off", launch("add", 200)), HasSubstr(sentence));
  EXPECT_THAT(text("memory", launch("add", 200)), HasSubstr(sentence));
  EXPECT_THAT(text("all", launch("add", 200)), Not(HasSubstr(sentence)));
  EXPECT_THAT(text("", launch("add", 200)), Not(HasSubstr(sentence))) << "a real GPU";
  EXPECT_THAT(text("off", allocate(4096, 16)), Not(HasSubstr(sentence))) << "no kernel ran";
  EXPECT_THAT(text("off", launch("add", 200) + finding("past the end", 700, true)), Not(HasSubstr(sentence)));
}

TEST(ProgramSummary, SaysWhereNotAllCouldBeWrittenDown) {
  ProgramSummary summary;
  EXPECT_THAT(summary_text(summary), HasSubstr("did not use CUDA"));
  summary.cut = true;
  EXPECT_THAT(summary_text(summary), HasSubstr("Is the disk full?"));
  SummaryReader reader;
  reader.add(start + allocate(4096, 16) + launch("add", 1));
  summary = reader.take({0, {}});
  EXPECT_THAT(summary_text(summary), Not(HasSubstr("disk")));
  EXPECT_THAT(summary_text(summary), HasSubstr("  1 allocation of 16 B\n"));
  EXPECT_THAT(summary_text(summary), HasSubstr("  1 block of 64\n"));
  summary.cut = true;
  EXPECT_THAT(summary_text(summary), HasSubstr("Is the disk full?"));
  EXPECT_EQ(Json::parse(summary_json(summary, 0, 1))["cut"], true);
}

TEST(ProgramSummary, AProgramWithoutCuda) {
  EXPECT_EQ(summary_text(SummaryReader().take({0, {}})), "warplens: the program did not use CUDA.\n");
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
