#include "core/job/report/diagnostics.h"

#include <gmock/gmock.h>

#include "core/base/json/json.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

Incident race() {
  Incident incident;
  incident.kind = IncidentKind::race;
  incident.file = "race.cu";
  incident.line = 4;
  incident.message = "thread 1 writes s\nand thread 2 has read it.";
  incident.count = 3;
  Incident other = incident;
  other.line = 5;
  other.message = "thread 2 has read it.";
  incident.other = std::make_shared<const Incident>(other);
  return incident;
}

RunResult result() {
  RunResult result;
  result.entry = "_Z4racePf";
  result.findings = {race(), race()};
  Incident fault;
  fault.kind = IncidentKind::out_of_bounds;
  fault.file = "/usr/include/other.h";
  fault.line = 9;
  fault.message = "past the end";
  result.faults = {fault};
  return result;
}

TEST(Diagnostics, AreLinesAsCompilersPrintThem) {
  EXPECT_EQ(diagnostics_text(DiagnosticsFormat::gcc, found_in(result(), "kernels/race.cu"), "1.0",
                             "kernels/race.cu", SourceFolders{}),
            "/usr/include/other.h:9: error: past the end [out_of_bounds]\n"
            "kernels/race.cu:4: warning: thread 1 writes s and thread 2 has read it. [race]\n"
            "kernels/race.cu:5: note: thread 2 has read it.\n"
            "kernels/race.cu:4: warning: thread 1 writes s and thread 2 has read it. [race]\n"
            "kernels/race.cu:5: note: thread 2 has read it.\n");
}

TEST(Diagnostics, HaveTheirOtherPlacesInJson) {
  const Json json = Json::parse(diagnostics_text(
      DiagnosticsFormat::json, found_in({{Severity::error, "race.cu", 2, 7, "no such name"}}, "race.cu"),
      "1.0", "race.cu", SourceFolders{}));
  EXPECT_EQ(json["found"][0],
            Json::parse(R"({"level": "error", "kind": "compile", "file": "race.cu", "line": 2,
      "column": 7, "message": "no such name", "kernel": null, "count": 1, "related": []})"));
}

TEST(Diagnostics, OfSarifHaveRulesPlacesAndFingerprints) {
  const Json json =
      Json::parse(diagnostics_text(DiagnosticsFormat::sarif, found_in(result(), "my kernels/race.cu"), "1.0",
                                   "my kernels/race.cu", SourceFolders{"/home/ada", "/home/ada"}));
  const Json& run = json["runs"][0];
  ASSERT_EQ(run["results"].size(), 3u);
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2u) << "two races have one rule";
  const Json &fault = run["results"][0], &first = run["results"][1], &second = run["results"][2];
  EXPECT_EQ(fault["level"], "error");
  EXPECT_EQ(first["level"], "warning");
  for (const Json& one : run["results"])
    EXPECT_EQ(run["tool"]["driver"]["rules"][one["ruleIndex"].get<size_t>()]["id"], one["ruleId"]);
  const auto place = [](const Json& location) { return location["physicalLocation"]["artifactLocation"]; };
  EXPECT_EQ(place(first["locations"][0]),
            Json::parse(R"({"uri": "my%20kernels/race.cu", "uriBaseId": "%SRCROOT%"})"));
  EXPECT_EQ(place(fault["locations"][0]), Json::parse(R"({"uri": "file:///usr/include/other.h"})"));
  EXPECT_EQ(first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 5);
  EXPECT_EQ(first["properties"]["kernel"], "race");
  EXPECT_NE(first["partialFingerprints"], second["partialFingerprints"]);
  RunResult moved = result();
  for (Incident& finding : moved.findings) finding.line += 10;
  EXPECT_EQ(
      Json::parse(diagnostics_text(DiagnosticsFormat::sarif, found_in(moved, "/elsewhere/race.cu"), "1.0", "",
                                   SourceFolders{"/", "/"}))["runs"][0]["results"][1]["partialFingerprints"],
      first["partialFingerprints"]);
}

TEST(Diagnostics, OfSarifArePlacedInTheRepository) {
  const Json json =
      Json::parse(diagnostics_text(DiagnosticsFormat::sarif, found_in(result(), "race.cu"), "1.0", "",
                                   SourceFolders{"/home/ada/course/week 1", "/home/ada/course"}));
  EXPECT_EQ(json["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "week%201/race.cu");
}

TEST(Diagnostics, WithoutAPlaceAreAtTheFallback) {
  recording::ProgramSummary summary;
  summary.findings.emplace_back();
  summary.findings.back().kind = "call";
  summary.findings.back().message = "cudaMalloc failed";
  summary.findings.back().code = 2;
  const std::vector<Found> found = found_in(summary);
  EXPECT_EQ(diagnostics_text(DiagnosticsFormat::gcc, found, "1.0", "main.cu", SourceFolders{"/", "/"}),
            "main.cu: error: cudaMalloc failed [call]\n");
  EXPECT_EQ(Json::parse(diagnostics_text(DiagnosticsFormat::sarif, found, "1.0", "main.cu",
                                         SourceFolders{"/", "/"}))["runs"][0]["results"][0]["locations"][0]
                                                                  ["physicalLocation"]["region"]["startLine"],
            1);
}

TEST(Diagnostics, OfAProgramWithoutMistakesAreValid) {
  EXPECT_EQ(diagnostics_text(DiagnosticsFormat::gcc, {}, "1.0", "main.cu", SourceFolders{"/", "/"}), "");
  const Json json =
      Json::parse(diagnostics_text(DiagnosticsFormat::sarif, {}, "1.0", "main.cu", SourceFolders{"/", "/"}));
  EXPECT_TRUE(json["runs"][0]["results"].empty()) << "which closes what was open before";
}

TEST(Diagnostics, AFormatIsOneOfThree) {
  EXPECT_EQ(diagnostics_choice("sarif=a=b.sarif")->file, "a=b.sarif");
  EXPECT_EQ(diagnostics_choice("gcc")->file, "");
  for (const char* wrong : {"", "xml", "gcc=", "=a", "GCC"})
    EXPECT_THAT(diagnostics_choice(wrong).error().message, HasSubstr("write gcc, json or sarif")) << wrong;
}

}  // namespace THIS_FILE
}  // namespace warplens
