#include "core/job/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace warplens {
namespace THIS_FILE {

using Json = nlohmann::json;

RunResult sample_result() {
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "grayscale";
  request->device.name = "NVIDIA GeForce RTX 3060";
  request->device.compute_capability = {8, 6};
  request->device.sms = 28;
  RunResult result;
  result.request = request;
  result.entry = "grayscale";
  result.shape = {{40, 3, 1}, {7, 13, 1}, 0, false};
  result.resources = Resources{22, 1024, 0, 0, 0, 0, 0, ResourceOrigin::ptxas};
  result.occupancy =
      Occupancy{21, 48, 16, 16, 16, 48, 100.0, 0.26785714285714285, {Limiter::warps, Limiter::blocks}};
  Counters counters;
  counters.warp_instructions = 1234567;
  counters.thread_instructions = 30000000;
  counters.global_load_requests = 1000;
  counters.global_load_sectors = 4000;
  result.counters = counters;
  result.lines = {{"grayscale.cu", 12, 100, 1600, 40, 10, 10, 3, 1}};
  result.host = {1.5, 0.25, 2, 3};
  return result;
}

Json parsed(const RunResult& result) { return Json::parse(report_json(result)); }

TEST(ReportJson, NamesWhatRanAndWhere) {
  const Json json = parsed(sample_result());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_TRUE(json["cuda_error"].is_null());
  EXPECT_EQ(json["kernel"], "grayscale");
  EXPECT_EQ(
      json["device"],
      Json::parse(
          R"({"name":"NVIDIA GeForce RTX 3060","kind":"virtual","compute_capability":"8.6","sms":28})"));
  EXPECT_EQ(json["launch"], Json::parse(R"({"grid":[40,3,1],"block":[7,13,1],"shared_dynamic_bytes":0,
                                            "blocks":120,"threads":10920,"warps":360})"));
  EXPECT_EQ(json["host"], Json::parse(R"({"execute_ms":1.5,"cpu_ms":0.25,"workers":2,"repeats":3})"));
}

TEST(ReportJson, HasEveryNameOfTheSchema) {
  const Json json = parsed(sample_result());
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  std::vector<std::string> want{"schema",      "status",
                                "cuda_error",  "kernel",
                                "entry",       "device",
                                "launch",      "resources",
                                "occupancy",   "counters",
                                "lines",       "time_us",
                                "host",        "checks",
                                "findings",    "faults",
                                "warnings",    "measured",
                                "comparisons", "libraries",
                                "sanitize",    "sanitize_left_out",
                                "compiler"};
  std::sort(want.begin(), want.end());
  EXPECT_EQ(names, want);
  EXPECT_EQ(json["counters"].size(), 33u);
  EXPECT_EQ(json["occupancy"].size(), 9u);
  EXPECT_EQ(json["resources"].size(), 5u);
  EXPECT_EQ(json["time_us"].size(), 8u);
}

TEST(ReportJson, WhatIsNotKnownIsNullAndZeroStaysZero) {
  RunResult result = sample_result();
  Json json = parsed(result);
  EXPECT_EQ(json["counters"]["barriers"], 0);
  EXPECT_TRUE(json["counters"]["l2_read_sectors"].is_null());
  EXPECT_TRUE(json["time_us"]["kernel"].is_null());
  EXPECT_EQ(json["time_us"]["source"], "modelled");
  result.counters.reset();
  result.resources.reset();
  result.occupancy.reset();
  result.host.cpu_ms.reset();
  json = parsed(result);
  EXPECT_TRUE(json["counters"]["barriers"].is_null());
  EXPECT_TRUE(json["resources"]["registers_per_thread"].is_null());
  EXPECT_TRUE(json["resources"]["origin"].is_null());
  EXPECT_TRUE(json["occupancy"]["waves"].is_null());
  EXPECT_EQ(json["occupancy"]["limiter"], Json::array());
  EXPECT_TRUE(json["host"]["cpu_ms"].is_null());
}

TEST(ReportJson, ARunThatTheVirtualGpuDidNotSeeHasNoTimeOfIt) {
  RunResult result = sample_result();
  result.counters.reset();
  result.host = {};
  result.measured.emplace().beside = "the virtual GPU was not asked to run it first";
  const Json host = parsed(result)["host"];
  for (const char* name : {"execute_ms", "workers", "repeats"}) EXPECT_TRUE(host[name].is_null()) << name;
  EXPECT_EQ(report_text(result).find("virtual GPU, this machine"), std::string::npos);
}

TEST(ReportJson, WavesAreNotRoundedAndAllLimitersAreListed) {
  const Json json = parsed(sample_result());
  EXPECT_DOUBLE_EQ(json["occupancy"]["waves"], 0.26785714285714285);
  EXPECT_EQ(json["occupancy"]["limiter"], Json::parse(R"(["warps","blocks"])"));
}

TEST(ReportJson, NaNAndInfinityBecomeNull) {
  RunResult result = sample_result();
  Check check;
  check.buffer = "out";
  check.mismatches = 2;
  check.max_abs = std::numeric_limits<double>::infinity();
  check.max_rel = std::numeric_limits<double>::quiet_NaN();
  check.first_mismatch = 0;
  result.checks = {check};
  result.time.kernel = std::numeric_limits<double>::quiet_NaN();
  const Json json = parsed(result);
  EXPECT_TRUE(json["checks"][0]["max_abs"].is_null());
  EXPECT_TRUE(json["checks"][0]["max_rel"].is_null());
  EXPECT_EQ(json["checks"][0]["first_mismatch"], 0);
  EXPECT_TRUE(json["time_us"]["kernel"].is_null());
}

TEST(ReportJson, AnyBytesInNamesAndMessagesStayValidJson) {
  RunResult result = sample_result();
  Incident fault;
  fault.kind = IncidentKind::assertion;
  fault.message = "broken \xff\xfe name \"quoted\"\n";
  fault.file = "caf\xe9.cu";
  result.faults = {fault};
  const Json json = parsed(result);
  EXPECT_EQ(json["faults"][0]["file"], "caf\xEF\xBF\xBD.cu");
}

TEST(ReportJson, AFindingNamesItsOtherSideAndAFaultDoesNot) {
  RunResult result = sample_result();
  Incident other;
  other.kind = IncidentKind::race;
  other.line = 9;
  Incident race;
  race.kind = IncidentKind::race;
  race.line = 12;
  race.thread = {3, 0, 0};
  race.address = 0;
  race.bytes = 4;
  race.other = std::make_shared<Incident>(other);
  Incident leak;
  leak.kind = IncidentKind::leak;
  result.findings = {race, leak};
  result.faults = {leak};
  const Json json = parsed(result);
  EXPECT_EQ(json["findings"][0]["other"]["line"], 9);
  EXPECT_EQ(json["findings"][0]["address"], 0);
  EXPECT_EQ(json["findings"][0]["thread"], Json::parse("[3,0,0]"));
  EXPECT_TRUE(json["findings"][1]["other"].is_null());
  EXPECT_TRUE(json["findings"][1]["line"].is_null());
  EXPECT_TRUE(json["findings"][1]["address"].is_null());
  EXPECT_FALSE(json["faults"][0].contains("other"));
}

TEST(ReportJson, ARefusedLaunchCountsBeyond64Bits) {
  RunResult result = sample_result();
  result.status = RunStatus::refused;
  result.cuda_error = "cudaErrorInvalidConfiguration";
  result.shape.grid = {4000000000u, 4000000000u, 4000000000u};
  result.shape.block = {4000000000u, 4000000000u, 4000000000u};
  const Json json = parsed(result);
  EXPECT_EQ(json["status"], "refused");
  EXPECT_EQ(json["cuda_error"], "cudaErrorInvalidConfiguration");
  EXPECT_NEAR(json["launch"]["blocks"].get<double>(), 6.4e28, 1e20);
  EXPECT_TRUE(json["host"]["execute_ms"].is_null());
  result.shape = {{0, 1, 1}, {0, 1, 1}, 0, false};
  EXPECT_EQ(parsed(result)["launch"]["threads"], 0);
}

TEST(ReportJson, AWarningCarriesItsFix) {
  RunResult result = sample_result();
  Warning with_fix;
  with_fix.id = WarningId::block_not_multiple_of_warp;
  with_fix.fix_label = "Try 8 × 16";
  with_fix.fix_from_us = 4.5;
  with_fix.fix_to_us = 3;
  with_fix.weight = 0.05;
  with_fix.fix_block = Dim3{8, 16, 1};
  Warning without;
  without.id = WarningId::tail_wave;
  without.quiet = true;
  result.warnings = {with_fix, without};
  const Json json = parsed(result);
  EXPECT_EQ(json["warnings"][0]["id"], "block_not_multiple_of_warp");
  EXPECT_EQ(json["warnings"][0]["fix"], Json::parse(R"({"block":[8,16,1],"kernel_us":[4.5,3.0]})"));
  EXPECT_EQ(json["warnings"][0]["weight"], 0.05);
  EXPECT_EQ(json["warnings"][0]["quiet"], false);
  EXPECT_EQ(json["warnings"][1]["quiet"], true);
  EXPECT_TRUE(json["warnings"][1]["fix"].is_null());
}

TEST(ReportJson, LinesGiveActiveLanesAndSectors) {
  const Json line = parsed(sample_result())["lines"][0];
  EXPECT_EQ(line["file"], "grayscale.cu");
  EXPECT_EQ(line["line"], 12);
  EXPECT_DOUBLE_EQ(line["active_lane_percent"], 50.0);
  EXPECT_EQ(line["global_sectors_ideal"], 10);
}

TEST(ReportText, SaysWhatRanWithProvenance) {
  const std::string text = report_text(sample_result());
  EXPECT_NE(text.find("NVIDIA GeForce RTX 3060 (virtual GPU, compute capability 8.6, 28 SMs)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1,234,567  [counted]"), std::string::npos) << text;
  EXPECT_NE(text.find("10,920  [derived]"), std::string::npos) << text;
  EXPECT_NE(text.find("4 a request, ideal 1 (4 times as many)"), std::string::npos) << text;
  EXPECT_NE(text.find("1.5 ms on 2 cores, median of 3  [measured]"), std::string::npos) << text;
  EXPECT_NE(text.find("limited by warps and blocks"), std::string::npos) << text;
}

TEST(ReportText, ARefusalNamesErrorAndConsequence) {
  RunResult result = sample_result();
  result.status = RunStatus::refused;
  result.cuda_error = "cudaErrorInvalidConfiguration";
  result.message = "1,056 threads a block are more than 1,024.";
  result.consequence = "the picture would have stayed black.";
  result.counters.reset();
  result.shape.grid = {4000000000u, 4000000000u, 4000000000u};
  const std::string text = report_text(result);
  EXPECT_NE(text.find("CUDA would refuse this launch: cudaErrorInvalidConfiguration."), std::string::npos)
      << text;
  EXPECT_NE(text.find("the picture would have stayed black."), std::string::npos) << text;
  EXPECT_EQ(text.find("Counts"), std::string::npos) << text;
}

TEST(ReportText, AWarningPrintsTheOptionThatMendsIt) {
  RunResult result = sample_result();
  Warning warning;
  warning.id = WarningId::too_many_threads;
  warning.fix_label = "Try 8 × 16";
  warning.fix_block = Dim3{8, 16, 1};
  result.warnings = {warning};
  EXPECT_NE(report_text(result).find("Fix: Try 8 × 16  --block 8,16,1"), std::string::npos);
}

TEST(ReportText, ListsTheStepsOfAProgram) {
  RunResult result = sample_result();
  auto request = std::make_shared<LaunchRequest>(*result.request);
  request->module = std::make_shared<const ModuleText>(ModuleText{"", "k.ptx", "", "k.cu"});
  request->buffers = {{.name = "x", .bytes = 4, .initial = nullptr}};
  LaunchStep launch;
  launch.entry = "k";
  launch.grid = {2, 3, 1};
  launch.block = {32, 1, 1};
  request->steps = {AllocateStep{0}, CopyInStep{0}, launch, CopyOutStep{0}, FreeStep{0}};
  result.request = request;
  EXPECT_EQ(report_text(result).find("Steps"), std::string::npos);  // nothing that needs to be said
  request->steps = {AllocateStep{0}, launch, launch, CopyOutStep{0}, FreeStep{0}};
  const std::string text = report_text(result);
  EXPECT_NE(text.find("  1. compile k.cu to PTX"), std::string::npos) << text;
  EXPECT_NE(text.find("  2. allocate x on the device: 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("  4. launch k: 2×3 blocks of 32 threads"), std::string::npos) << text;
  EXPECT_NE(text.find("  6. free x"), std::string::npos) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
