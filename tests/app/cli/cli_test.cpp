// The command line from arguments to exit status, with a scripted backend in place of the virtual GPU.
#include "app/cli/shared/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/window_start.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/compile/choice.h"
#include "core/compile/clang.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Hands zeros back for every output, or what the test wants.
class ScriptedBackend : public Backend {
 public:
  ScriptedBackend(RunResult answer, std::vector<Sanitize>& asked)
      : m_answer(std::move(answer)), m_asked(asked) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token, Progress*) override {
    RunResult result = m_answer;
    result.request = request;
    result.looked_for = request->sanitize;
    m_asked.push_back(request->sanitize);
    for (uint32_t i = 0; i < request->buffers.size(); ++i)
      if (request->buffers[i].output)
        result.outputs.push_back({i, std::make_shared<const Bytes>(request->buffers[i].bytes), nullptr});
    return result;
  }

 private:
  RunResult m_answer;
  std::vector<Sanitize>& m_asked;
};

struct Outcome {
  int status = 0;
  std::string out, err;
};

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = fs::path(testing::TempDir()) /
               ("cli_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }
  std::string at(const std::string& name) { return (m_folder / name).string(); }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "warplens");
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    Cli cli{out, err, [this] { return std::make_unique<ScriptedBackend>(m_answer, m_asked); }, {}, {}, 0};
    cli.commit = "0123abc";
    cli.find_graphics = m_graphics;
    const int status = run_cli(static_cast<int>(argv.size()), argv.data(), cli);
    return {status, out.str(), err.str()};
  }
  void expect_bad(const std::vector<std::string>& arguments, const std::string& sentence) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << testing::PrintToString(arguments);
  }

  RunResult m_answer;
  std::vector<Sanitize> m_asked;  // of each run of the backend
  std::function<Result<std::string>()> m_graphics;
  fs::path m_folder;
};

// Small runs are searched for all mistakes, in a pass of its own, unless the user has chosen or measures.
TEST_F(CliTest, LooksForEverythingInSmallRunsByDefault) {
  m_answer.counters = Counters{};
  const auto looks = [&](std::vector<std::string> options) {
    m_asked.clear();
    options.insert(options.begin(), {"run", "vector_add", "--device", "3060"});
    run(options);
    return std::ranges::count(m_asked, Sanitize::all) == 1 && m_asked.front() == Sanitize::memory;
  };
  EXPECT_TRUE(looks({}));
  EXPECT_TRUE(looks({"--observe", "counters"}));
  EXPECT_FALSE(looks({"--sanitize", "memory"}));
  EXPECT_FALSE(looks({"--sanitize", "off"}));
  EXPECT_FALSE(looks({"--observe", "none"}));
  EXPECT_FALSE(looks({"--observe", "trace"}));
  EXPECT_FALSE(looks({"--repeat", "2"}));
  EXPECT_FALSE(looks({"--sanitize", "all"})) << "one pass does it";
  m_answer.counters->warp_instructions = 1'000'000'000;
  EXPECT_FALSE(looks({}));
  EXPECT_THAT(run({"run", "vector_add", "--device", "3060"}).out, HasSubstr("--sanitize all does it"));
}

TEST_F(CliTest, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_THAT(run({"--help"}).out, HasSubstr("warplens run grayscale"));
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("--sanitize"));
}

// The details that a bug report needs, and the possible fixes for missing parts.
TEST_F(CliTest, VersionAndDoctorSayWhatWasFound) {
  m_graphics = [] { return Result<std::string>("OpenGL 4.5, a card"); };
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, testing::StartsWith("warplens "));
  EXPECT_THAT(version.out, HasSubstr("0123abc"));
  for (const char* part :
       {"machine", "compiler", "headers", "assembler", "OpenGL 4.5, a card", "GPU", "photographs"})
    EXPECT_THAT(version.out, HasSubstr(part));
  m_graphics = [] { return Result<std::string>(missing("No display: do this.")); };
  EXPECT_THAT(run({"--version"}).out, HasSubstr("graphics    none"));
  const Outcome doctor = run({"doctor"});
  EXPECT_EQ(doctor.status, 0) << "what is missing is an answer, no failure";
  EXPECT_THAT(doctor.out, HasSubstr("missing graphics    No display: do this."));
  EXPECT_THAT(doctor.out, HasSubstr("run on the virtual GPU without the missing parts"));
  EXPECT_THAT(doctor.out, HasSubstr("grading answers of others               grading: bubblewrap"));
  m_graphics = nullptr;
  EXPECT_THAT(run({"doctor"}).out, HasSubstr("built without a window"));
}

TEST_F(CliTest, DoctorPrintsJson) {
  m_graphics = [] { return Result<std::string>("OpenGL 4.5, a card"); };
  const auto json = nlohmann::json::parse(run({"doctor", "--json"}).out);
  EXPECT_EQ(json["schema"], 1);
  ASSERT_FALSE(json["parts"].empty());
  EXPECT_EQ(json["parts"][0]["name"], "program");
  for (const auto& part : json["parts"]) {
    EXPECT_NE(part["found"].is_null(), part["missing"].is_null()) << part;
    if (part["name"] == "graphics") {
      EXPECT_EQ(part["found"], "OpenGL 4.5, a card");
    }
  }
}

TEST_F(CliTest, BadUseIsStatusTwoAndOneSentence) {
  expect_bad({"fly"}, "--help");
  expect_bad({"run"}, "run --help");
  expect_bad({"run", "vector_add", "--fast"}, "--fast");
  expect_bad({"run", "vector_add", "--observe", "all"}, "--observe");
  expect_bad({"run", "no_such_kernel"}, "grayscale");
  expect_bad({"run", "vector_add", "--block", "a"}, "--block a");
  expect_bad({"run", "vector_add", "--grid", "4e9"}, "--grid 4e9");
  expect_bad({"run", "vector_add", "--grid", "-1"}, "--grid -1");
  expect_bad({"run", "vector_add", "--shared", "1.5"}, "--shared");
  expect_bad({"run", "vector_add", "--workers", "100000"}, "--workers");
  expect_bad({"run", "vector_add", "--repeat", "0"}, "--repeat 0");
  expect_bad({"run", "vector_add", "--steps", "0"}, "--steps 0");
  expect_bad({"run", "vector_add", "--set", "n=nan"}, "finite");
  expect_bad({"run", "vector_add", "--set", "n=1e300"}, "n");
  expect_bad({"run", "vector_add", "--set", "m=3"}, "it has n");
  expect_bad({"run", "vector_add", "--image", "astronaut"}, "takes no picture");
  expect_bad({"run", "vector_add", "--entry", "other"}, "--entry other");
  expect_bad({"run", "vector_add", "--device", "voodoo"}, "RTX 3060");
  expect_bad({"run", "vector_add", "--compiler", "gcc"}, "--compiler");
  expect_bad({"run", "vector_add", "--compiler", "clang"}, "give a FILE.cu");
  expect_bad({"run", "grayscale", "--image", at("none.png")}, "none.png");
  expect_bad({"run", at("none.json")}, "there is no such file");
  expect_bad({"run", at("mine.cu")}, "there is no such file");
  for (const char* bad : {"--block a", "--set n=nan"}) {
    const Outcome outcome = run({"run", "vector_add", std::string(bad).substr(0, std::string(bad).find(' ')),
                                 std::string(bad).substr(std::string(bad).find(' ') + 1)});
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(CliTest, WithoutACommandTheWindowOpens) {
  const Outcome without = run({});
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.err, HasSubstr("built without its window"));
  expect_bad({"--size", "0x5"}, "--size 0x5");
  expect_bad({"--text", "500"}, "--text");
  std::ostringstream out, err;
  std::string kernel;
  Cli cli{out, err, {}, [&](const WindowStart& options) { return kernel = options.kernel, 7; }, {}, 0};
  const char* argv[] = {"warplens", "--kernel", "mandelbrot"};
  EXPECT_EQ(run_cli(3, argv, cli), 7);
  EXPECT_EQ(kernel, "mandelbrot");
}

TEST_F(CliTest, ARealDeviceIsMissing) {
  EXPECT_EQ(run({"run", "vector_add", "--device", "cuda:0"}).status, 3);
}

TEST_F(CliTest, HelpSaysWhatIsWatched) {
  const Outcome outcome = run({"run", "--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("races"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("all adds nothing")));
}

TEST_F(CliTest, HelpNamesTheDefaultDeviceAndTheEndings) {
  EXPECT_THAT(run({"compile", "--help"}).out, HasSubstr("cuda:0 if there is one, else RTX 3060"));
  // What it says has a table has one: code and window have none.
  EXPECT_THAT(run({"render", "--help"}).out, HasSubstr("memory, occupancy and the times also .csv"));
  expect_bad({"render", "code", "--kernel", "vector_add", "--out", at("a.csv")}, ".png, .svg or .pdf");
}

TEST_F(CliTest, WhatCannotBePrintedIsNoSuccess) {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  Cli cli{out, err, [this] { return std::make_unique<ScriptedBackend>(m_answer, m_asked); }, {}, {}, 0};
  const char* const arguments[] = {"warplens", "kernels"};
  EXPECT_EQ(run_cli(2, arguments, cli), 1);
  EXPECT_THAT(err.str(), HasSubstr("could not be written"));
}

TEST_F(CliTest, JsonAloneOnStandardOutput) {
  const Outcome outcome = run({"run", "vector_add", "--set", "n=1000", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["kernel"], "vector_add");
  EXPECT_EQ(json["status"], "ok");
}

TEST_F(CliTest, TheReportIsWrittenBesideThePage) {
  const Outcome outcome = run({"run", "vector_add", "--json", at("report.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[derived]"));
  EXPECT_EQ(nlohmann::json::parse(*read_text(at("report.json"), 1 << 20))["schema"], 1);
}

TEST_F(CliTest, ARefusedLaunchPrintsItsReport) {
  const Outcome outcome = run({"run", "grayscale", "--block", "32x33", "--json", "-"});
  EXPECT_EQ(outcome.status, 2);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["status"], "refused");
  EXPECT_EQ(json["cuda_error"], "cudaErrorInvalidConfiguration");
  EXPECT_THAT(outcome.err, HasSubstr("cudaErrorInvalidConfiguration"));
  EXPECT_THAT(outcome.err, HasSubstr("A program that does not check"));
}

TEST_F(CliTest, AWrongResultIsStatusOneAndStillWritten) {
  const Outcome outcome = run({"run", "vector_add", "--check", "--out", at("out.bin"), "--json", "-"});
  EXPECT_EQ(outcome.status, 1);  // the scripted result is all zeros
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["status"], "check_failed");
  EXPECT_FALSE(json["checks"][0]["equal"]);
  EXPECT_TRUE(fs::exists(at("out.bin")));
}

TEST_F(CliTest, AFaultIsStatusOneWithItsPlaceAndWritesNoOutput) {
  m_answer.status = RunStatus::fault;
  Incident fault;
  fault.kind = IncidentKind::out_of_bounds;
  fault.message = "reads 4 bytes past the end of x";
  fault.file = "vector_add.cu";
  fault.line = 6;
  fault.thread = {16, 0, 0};
  fault.block = {39, 0, 0};
  m_answer.faults = {fault};
  const Outcome outcome = run({"run", "vector_add", "--out", at("out.bin")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("vector_add.cu:6: reads 4 bytes past"));
  EXPECT_THAT(outcome.err, HasSubstr("was not written"));
  EXPECT_FALSE(fs::exists(at("out.bin")));
}

TEST_F(CliTest, FindingsFailOnlyUnderStrict) {
  Incident race;
  race.kind = IncidentKind::race;
  race.message = "two threads write out[3]";
  m_answer.findings = {race};
  EXPECT_EQ(run({"run", "vector_add"}).status, 0);
  const Outcome strict = run({"run", "vector_add", "--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err, HasSubstr("one finding under --strict"));
}

TEST_F(CliTest, ACancelledRunIsStatusOne) {
  m_answer.status = RunStatus::cancelled;
  EXPECT_EQ(run({"run", "vector_add"}).status, 1);
}

TEST_F(CliTest, OutputsThatCannotBeWrittenAreSaidBeforeTheRun) {
  m_answer.status = RunStatus::fault;  // a run would end with status 1
  expect_bad({"run", "vector_add", "--out", at("no/out.bin")}, "--out");
  expect_bad({"run", "vector_add", "--out", m_folder.string() + "/dir.bin/"}, "--out");
  expect_bad({"run", "vector_add", "--json", at("no/report.json")}, "--json");
  expect_bad({"run", "vector_add", "--out", at("out.png")}, ".bin");
  expect_bad({"run", "vector_add", "--out", at("out.docx")}, "ending");
  EXPECT_TRUE(fs::is_empty(m_folder));
}

TEST_F(CliTest, APictureIsSaved) {
  const Outcome outcome = run({"run", "grayscale", "--out", at("gray.png")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GT(fs::file_size(at("gray.png")), 8u);
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(CliTest, ListsDevicesAndKernels) {
  EXPECT_THAT(run({"devices"}).out, HasSubstr("NVIDIA GeForce RTX 3060"));
  EXPECT_THAT(run({"kernels"}).out, HasSubstr("grayscale"));
  // The build runs both lists, so that a mistake in a file ends it.
  EXPECT_TRUE(left_out({}).ok());
  EXPECT_THAT(left_out({"a.json: no \"sms\"."}).error().message, HasSubstr("a.json"));
  const auto devices = nlohmann::json::parse(run({"devices", "--json"}).out);
  EXPECT_GE(devices["devices"].size(), 20u);
  const auto kernels = nlohmann::json::parse(run({"kernels", "--json"}).out);
  EXPECT_EQ(kernels["kernels"][0]["name"], "grayscale");
}

TEST_F(CliTest, OccupancyOfGivenRegistersNeedsNoLinker) {
  const Outcome one = run({"occupancy", "grayscale", "--block", "16x16", "--registers", "64", "--json"});
  EXPECT_EQ(one.status, 0) << one.err;
  const auto json = nlohmann::json::parse(one.out);
  EXPECT_EQ(json["occupancy"]["limit_registers"], 4);  // 65,536 / (64 · 256)
  EXPECT_EQ(json["occupancy"]["active_warps_per_sm"], 32);
  const Outcome all = run({"occupancy", "grayscale", "--registers", "64", "--all-devices", "--json"});
  EXPECT_GE(nlohmann::json::parse(all.out)["devices"].size(), 20u);
  EXPECT_EQ(run({"occupancy", "grayscale", "--block", "32x33", "--registers", "64"}).status, 2);
  expect_bad({"occupancy", "grayscale", "--registers", "256"}, "--registers 256");
}

TEST_F(CliTest, RenderedOccupancyKnowsTheLimitOfRegisters) {
  if (run({"occupancy", "register_spill", "--json"}).status != 0)
    GTEST_SKIP() << "no linker, so no registers";
  const Outcome drawn = run({"render", "occupancy", "register_spill", "--set", "max_registers=72", "--block",
                             "256", "--device", "3060", "--out", at("occupancy.csv")});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  const Result<std::string> table = read_text(at("occupancy.csv"), 1 << 20);
  ASSERT_TRUE(table);
  // 72 registers for each of 256 threads: three blocks, with 55,296 of the 65,536 registers.
  EXPECT_THAT(*table, HasSubstr("resource,Registers,,,55296,0,10240,65536,3,yes"));
}

TEST_F(CliTest, CompileNamesAMissingSource) {
  expect_bad({"compile", at("none.cu")}, "there is no such file");
}

TEST_F(CliTest, RunsAFileByTheCompilerThatIsAskedFor) {
  if (const Result<Clang> clang = find_clang(); !clang) GTEST_SKIP() << clang.error().message;
  ASSERT_TRUE(
      write_text(at("own.cu"),
                 "// warplens: out=float32[n] zero, n=100, grid=1, block=128\n"
                 "__global__ void own(float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 1; }\n"));
  const Outcome outcome = run({"run", at("own.cu"), "--compiler", "clang"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("compiled by clang "));
  prefer_compiler(CompilerKind::what_is_there);
}

TEST_F(CliTest, RunsPtxFilesWithTheCommentsData) {
  const std::string ptx(find_embedded("kernels/vector_add.ptx"));
  ASSERT_TRUE(write_text(at("add.ptx"), "// warplens: arg3=300\n" + ptx));
  const Outcome outcome = run({"run", at("add.ptx"), "--block", "64", "--set", "n=300", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["kernel"], "add.ptx");
  EXPECT_EQ(report["launch"]["grid"][0], 5);
  ASSERT_TRUE(write_text(at("bad.ptx"), "// warplens: arg0=7\n" + ptx));
  const Outcome bad = run({"run", at("bad.ptx")});
  EXPECT_EQ(bad.status, exit_status::bad_input);
  EXPECT_THAT(bad.err, HasSubstr("bad.ptx:1:14: error: arg0 is a pointer"));
  const Outcome other = run({"run", at("add.ptx"), "--entry", "sub"});
  EXPECT_THAT(other.err, HasSubstr("it has vector_add"));
}

}  // namespace THIS_FILE
}  // namespace warplens
