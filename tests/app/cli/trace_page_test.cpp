// warplens trace --html: its data is the trace itself. And what --json carries of variables.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "core/gpu/engine/virtual_gpu.h"

namespace warplens {
namespace THIS_FILE {

struct Answer {
  int status = 0;
  std::string out, err;
};

Answer ask(std::vector<std::string> arguments) {
  std::ostringstream out, err;
  Cli cli{out, err, [] { return make_virtual_gpu(); }, nullptr, {}};
  std::vector<const char*> words{"warplens"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  Answer answer;
  answer.status = run_cli(static_cast<int>(words.size()), words.data(), cli);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

// Tests run at the same time, each in its own process.
std::string own_file(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("warplens_{}_{}", ::getpid(), name)).string();
}

bool no_compiler() { return !compiler_version().ok(); }

std::string page_of(std::vector<std::string> arguments, int status = 0) {
  const std::string path = own_file("trace.html");
  arguments.insert(arguments.begin(), "trace");
  arguments.insert(arguments.end(), {"--html", path});
  const Answer answer = ask(arguments);
  EXPECT_EQ(answer.status, status) << answer.err;
  EXPECT_NE(answer.out.find(path), std::string::npos) << answer.out;
  const Result<std::string> text = read_text(path, uint64_t{1} << 30);
  std::filesystem::remove(path);
  return text ? *text : std::string();
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"trace\">";
  const size_t from = page.find(begin), to = page.find("</script>", from);
  EXPECT_NE(from, page.npos);
  return nlohmann::json::parse(page.substr(from + begin.size(), to - from - begin.size()));
}

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "trace");
  arguments.insert(arguments.end(), {"--json", "-"});
  const Answer answer = ask(arguments);
  EXPECT_EQ(answer.status, 0) << answer.err;
  return nlohmann::json::parse(answer.out);
}

// The values that the page's script shows for a variable of the step's own function.
std::vector<std::string> shown(const nlohmann::json& row) {
  std::vector<std::string> lanes(32);
  const uint32_t has = row[2];
  size_t next = 0;
  for (size_t lane = 0; lane < 32; ++lane)
    if ((has >> lane & 1) != 0) lanes[lane] = row[3].is_string() ? row[3] : row[3][next++];
  return lanes;
}

// Every line and every value that it changed is in the page as it is in the JSON.
void expect_same(const std::vector<std::string>& arguments) {
  const nlohmann::json trace = json_of(arguments), page = data_of(page_of(arguments));
  ASSERT_EQ(page["steps"].size(), trace["lines"].size());
  std::map<uint32_t, std::map<uint32_t, nlohmann::json>> rows;  // by warp and variable
  size_t compared = 0;
  for (size_t i = 0; i < page["steps"].size(); ++i) {
    const nlohmann::json &step = page["steps"][i], &line = trace["lines"][i];
    EXPECT_EQ(step["i"], line["index"]);
    EXPECT_EQ(step["w"], line["warp"]);
    EXPECT_EQ(step["l"], line["active"]);
    EXPECT_EQ(step["s"], line["line"]);
    auto& of_warp = rows[step["w"]];
    if (step.contains("r"))
      for (const nlohmann::json& row : step["r"]) of_warp[row[0]] = row;
    for (const nlohmann::json& variable : line["variables"]) {
      bool found = false;
      for (const auto& [number, row] : of_warp) {
        const nlohmann::json& name = page["variables"][number];
        // A row of the name in another function, or of a caller, has other values.
        const std::string name_only = name[1], group = name[0];
        if (name_only != variable["name"] && group + ": " + name_only != variable["name"]) continue;
        const std::vector<std::string> lanes = shown(row);
        size_t same = 0, all = 0;
        for (size_t lane = 0; lane < 32; ++lane) {
          if (variable["lanes"][lane].is_null()) continue;
          ++all;
          same += lanes[lane] == variable["lanes"][lane];
        }
        found = found || same == all;
        compared += same;
      }
      EXPECT_TRUE(found) << variable["name"] << " in step " << i;
    }
    EXPECT_EQ(step.contains("a") ? step["a"].size() : 0u, line["accesses"].size());
  }
  EXPECT_GT(compared, 50u);
}

TEST(TracePage, HasTheTraceItself) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  expect_same({"vector_add", "--at", "3", "--count", "30"});
  expect_same({"mandelbrot", "--at", "20,20", "--count", "300", "--warp", "2"});
  expect_same({"lucas_recursive", "--count", "200"});
  expect_same({"reduce_shared", "--count", "200"});
}

TEST(TracePage, NeedsNothingFromOutside) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string page = page_of({"transpose_tiled", "--count", "5"});
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"http://", "https://", "<link", "src=", "@import", "url(", "{{"}) {
    const size_t at = page.find(outside);
    const bool is_svg = at != page.npos && page.compare(at, 26, "http://www.w3.org/2000/svg") == 0;
    EXPECT_TRUE(at == page.npos || is_svg) << outside << " at " << page.substr(at, 60);
  }
  EXPECT_NE(data_of(page)["cut"].get<std::string>().find("the block goes on"), std::string::npos);
}

// A text that closes a script, or that is HTML, changes nothing in the page.
TEST(TracePage, KeepsTextsOfTheSourceWhole) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string path = own_file("text.cu");
  const std::string line = "  // </script><b>&amp; \"{{SCRIPT}}\" \\ \xc3\xa4";
  ASSERT_TRUE(write_text(path, "extern \"C\" __global__ void k(int* out) {\n" + line +
                                   "\n  int i = threadIdx.x;\n  out[i] = i;\n}\n"));
  const std::string page = page_of({path});
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["source"][1], line);
  EXPECT_EQ(data["fault"], false);
  EXPECT_NE(data["end"].get<std::string>().find("leaves the same in memory"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(TracePage, SaysWhereAFaultEndedIt) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const nlohmann::json data = data_of(page_of({"vector_add_unchecked", "--at", "39"}, 1));
  EXPECT_EQ(data["fault"], true);
  EXPECT_NE(data["end"].get<std::string>().find("just past the end of"), std::string::npos);
  EXPECT_EQ(data["steps"].back()["s"], 6);
}

TEST(TracePage, HasRegistersWhereThereAreNoNames) {
  const nlohmann::json data = data_of(page_of({"vector_add", "--optimized", "--count", "20"}));
  EXPECT_EQ(data["by"], "instructions");
  ASSERT_EQ(data["steps"].size(), 20u);
  EXPECT_EQ(data["variables"][0][1].get<std::string>().substr(0, 1), "%");
  EXPECT_NE(data["steps"][0]["t"].get<std::string>().find("ld.param"), std::string::npos);
}

TEST(TracePage, SaysWhatIsWrong) {
  EXPECT_EQ(ask({"trace", "vector_add", "--html", "-"}).status, 2);
  EXPECT_NE(ask({"trace", "vector_add", "--html", "/no/such/folder/x.html"}).status, 0);
  const Answer behind =
      ask({"trace", "vector_add", "--optimized", "--from", "999999", "--html", own_file("nothing.html")});
  EXPECT_EQ(behind.status, 2);
  EXPECT_NE(behind.err.find("nothing to show"), std::string::npos) << behind.err;
}

TEST(TraceJson, HasTheVariablesAtTheStartAndTheAgreement) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const nlohmann::json json = json_of({"vector_add", "--at", "3", "--count", "1000"});
  EXPECT_EQ(json["start"]["position"], 0);
  EXPECT_EQ(json["start"]["variables"][0]["name"], "x");
  EXPECT_EQ(json["start"]["variables"][0]["lanes"][5], "&x[0]");
  EXPECT_EQ(json["agreement"]["optimised_run"], "same");
  EXPECT_EQ(json["lines"][0]["in_scope"], (nlohmann::json{"x", "y", "out", "n", "i"}));
  EXPECT_FALSE(json["lines"][1].contains("in_scope")) << "it is as it was";
  EXPECT_TRUE(json_of({"vector_add", "--count", "3"})["agreement"].is_null())
      << "the block is not at its end";
  const nlohmann::json registers = json_of({"vector_add", "--registers", "--from", "20", "--count", "1"});
  EXPECT_FALSE(registers["start"]["registers"].empty());
}

TEST(TraceWatch, TakesVariablesByName) {
  if (no_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const auto out = [](const char* watch) {
    const Answer answer = ask({"trace", "reduce_shared", "--watch", watch, "--count", "1"});
    return answer.out + answer.err;
  };
  EXPECT_NE(out("half if half == 32").find("half         int              32"), std::string::npos);
  EXPECT_NE(out("values[3]").find("warp 0, lane 3."), std::string::npos) << out("values[3]");
  EXPECT_NE(out("sums").find("warp 0, lane 0."), std::string::npos) << "a buffer by its name";
  EXPECT_NE(out("sums+0,4 if lane == 0").find("warp 0, lane 0."), std::string::npos);
  EXPECT_NE(out("nobody").find("There are active, half"), std::string::npos) << out("nobody");
  EXPECT_NE(out("nobody+4").find("no buffer of the name \"nobody\""), std::string::npos);
  EXPECT_NE(out("half if").find("no condition after"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
