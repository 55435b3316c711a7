// What the launcher reads out of the journals of a program's processes.
#include "core/recording/summary.h"

#include <gmock/gmock.h>

#include "core/base/json/json.h"

namespace warplens::recording {
namespace {

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

TEST(ProgramSummary, AProgramWithoutCuda) {
  EXPECT_EQ(summary_text(SummaryReader().take({0, {}})), "warplens: the program did not use CUDA.\n");
}

}  // namespace
}  // namespace warplens::recording
