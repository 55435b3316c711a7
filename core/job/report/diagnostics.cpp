#include "core/job/report/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/hash.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/compile/cuda_source/source_signature.h"
#include "core/recording/finding_title.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// The source by the path that the user gave; others as the line information names them.
std::string path_of(const std::string& name, const std::string& file) {
  return !file.empty() && (name.empty() || name == fs::path(file).filename()) ? file : name;
}

Found found_of(const Incident& incident, Severity severity, const RunResult& result,
               const std::string& file) {
  Found one{.at = {severity, path_of(incident.file, file), incident.line, 0, incident.message},
            .kind = to_string(incident.kind),
            .kernel = plain_entry_name(result.entry),
            .count = incident.count};
  if (incident.other)
    one.related.push_back({Severity::note, path_of(incident.other->file, file), incident.other->line, 0,
                           incident.other->message});
  for (const Incident::Caller& caller : incident.inlined_at)
    one.related.push_back(
        {Severity::note, path_of(caller.file, file), caller.line, 0, "The function was called here."});
  return one;
}

// Of a line of the program.
void add_place(std::vector<Diagnostic>& related, const recording::HostPlace* place, const char* what) {
  if (place != nullptr) related.push_back({Severity::note, place->file, place->line, 0, what});
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

constexpr std::array<const char*, 3> levels = {"note", "warning", "error"};
const char* level_of(Severity severity) { return levels[size_t(severity)]; }

std::string gcc_text(std::span<const Found> found, const std::string& fallback) {
  std::vector<Diagnostic> lines;
  for (const Found& one : found) {
    lines.push_back(one.at);
    lines.back().message = fmt::format("{} [{}]", one_line(one.at.message), one.kind);
    if (one.at.file.empty()) lines.back().file = fallback;
    for (const Diagnostic& other : one.related) {
      lines.push_back(other);
      lines.back().message = one_line(other.message);
    }
  }
  return to_text(lines);
}

ReportJson place_json(const Diagnostic& at) {
  return {{"file", at.file.empty() ? ReportJson(nullptr) : ReportJson(at.file)},
          {"line", at.line == 0 ? ReportJson(nullptr) : ReportJson(at.line)},
          {"column", at.column == 0 ? ReportJson(nullptr) : ReportJson(at.column)},
          {"message", at.message}};
}

std::string json_of(std::span<const Found> found) {
  ReportJson list = ReportJson::array();
  for (const Found& each : found) {
    ReportJson one = {{"level", level_of(each.at.severity)}, {"kind", each.kind}};
    one.update(place_json(each.at));
    one["kernel"] = each.kernel.empty() ? ReportJson(nullptr) : ReportJson(each.kernel);
    one["count"] = each.count;
    one["related"] = ReportJson::array();
    for (const Diagnostic& other : each.related) one["related"].push_back(place_json(other));
    list.push_back(std::move(one));
  }
  return json_values::indented({{"schema", 1}, {"found", std::move(list)}});
}

// A path as a URI reference (RFC 3986).
std::string uri_of(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

ReportJson location_json(const Diagnostic& at, const SourceFolders& folders) {
  const fs::path whole = (fs::path(folders.here) / at.file).lexically_normal();
  const std::string relative = whole.lexically_relative(fs::path(folders.root).lexically_normal());
  const bool is_inside = !relative.empty() && !relative.starts_with("..");
  ReportJson artifact = {{"uri", is_inside ? uri_of(relative) : "file://" + uri_of(whole)}};
  if (is_inside) artifact["uriBaseId"] = "%SRCROOT%";
  ReportJson region = {{"startLine", std::max(at.line, 1u)}};
  if (at.column != 0) region["startColumn"] = at.column;
  return {{"physicalLocation", {{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}}}};
}

// `alike` counts those that cannot be told apart without their lines, which move from commit to commit.
ReportJson result_json(const Found& found, size_t rule, const std::string& fallback,
                       const SourceFolders& folders, std::map<std::string, int>& alike) {
  Diagnostic at = found.at;
  if (at.file.empty()) at.file = fallback;
  const std::string key =
      fmt::format("{}\n{}\n{}", found.kind, found.kernel, fs::path(at.file).filename().string());
  ReportJson json = {
      {"ruleId", found.kind},
      {"ruleIndex", rule},
      {"level", level_of(at.severity)},
      {"message", {{"text", at.message}}},
      {"locations", ReportJson::array()},
      {"partialFingerprints", {{"warplens/v1", fmt::format("{:016x}-{}", hash_of(key), ++alike[key])}}},
      {"properties", {{"kernel", found.kernel}, {"count", found.count}}}};
  if (!at.file.empty()) json["locations"].push_back(location_json(at, folders));
  for (const Diagnostic& other : found.related) {
    if (other.file.empty()) continue;
    ReportJson location = location_json(other, folders);
    location["message"] = {{"text", other.message}};
    json["relatedLocations"].push_back(std::move(location));
  }
  return json;
}

std::string sarif_of(std::span<const Found> found, std::string_view version, const std::string& fallback,
                     const SourceFolders& folders) {
  std::vector<std::string> kinds;
  std::map<std::string, int> alike;
  ReportJson rules = ReportJson::array(), results = ReportJson::array();
  for (const Found& one : found) {
    const auto rule = size_t(std::ranges::find(kinds, one.kind) - kinds.begin());
    if (rule == kinds.size()) {
      kinds.push_back(one.kind);
      rules.push_back(
          {{"id", one.kind}, {"shortDescription", {{"text", recording::finding_words(one.kind)}}}});
    }
    results.push_back(result_json(one, rule, fallback, folders, alike));
  }
  const ReportJson driver = {{"name", "WarpLens"}, {"semanticVersion", version}, {"rules", std::move(rules)}};
  return json_values::indented({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                {"version", "2.1.0"},
                                {"runs", ReportJson::array({{{"tool", {{"driver", driver}}},
                                                             {"columnKind", "utf16CodeUnits"},
                                                             {"results", std::move(results)}}})}});
}

}  // namespace

std::vector<Found> found_in(const RunResult& result, const std::string& file) {
  std::vector<Found> found;
  for (const Incident& fault : result.faults) found.push_back(found_of(fault, Severity::error, result, file));
  for (const Incident& finding : result.findings)
    found.push_back(found_of(finding, Severity::warning, result, file));
  for (const Check& check : result.checks)
    if (!check.equal)
      found.push_back({.at = {Severity::error, file, 0, 0, check.message},
                       .kind = "check",
                       .kernel = plain_entry_name(result.entry)});
  return found;
}

std::vector<Found> found_in(const std::vector<Diagnostic>& of_compiler, const std::string& file) {
  std::vector<Found> found;
  for (const Diagnostic& said : of_compiler) {
    found.push_back({.at = said, .kind = "compile"});
    found.back().at.file = path_of(said.file, file);
  }
  return found;
}

std::vector<Found> found_in(const recording::ProgramSummary& summary) {
  std::vector<Found> found;
  for (const recording::FindingRow& row : summary.findings) {
    const Severity severity = row.code != 0 ? Severity::error : Severity::warning;
    Found one{.at = {severity, row.file, row.line, 0, row.message},
              .kind = row.kind,
              .kernel = row.kernel,
              .count = row.processes};
    if (row.place && one.at.file.empty())
      one.at.file = row.place->file, one.at.line = row.place->line;
    else
      add_place(one.related, row.place.get(), "The kernel was launched here.");
    found.push_back(std::move(one));
  }
  for (const recording::ProgramWarning& warning : summary.report.warnings) {
    Found one{.at = {Severity::note, "", 0, 0, fmt::format("{} {}", warning.what, warning.advice)},
              .kind = name_of(warning.kind),
              .count = warning.count};
    for (const auto& place : warning.places.all()) add_place(one.related, place.get(), "Here too.");
    if (one.related.empty()) continue;  // about the program as a whole; the summary has it
    one.at.file = one.related.front().file;
    one.at.line = one.related.front().line;
    one.related.erase(one.related.begin());
    found.push_back(std::move(one));
  }
  return found;
}

Result<DiagnosticsChoice> diagnostics_choice(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, DiagnosticsFormat>, 3> formats = {
      {{"gcc", DiagnosticsFormat::gcc},
       {"json", DiagnosticsFormat::json},
       {"sarif", DiagnosticsFormat::sarif}}};
  const size_t equals = text.find('=');
  const auto format =
      std::ranges::find(formats, text.substr(0, equals), &decltype(formats)::value_type::first);
  if (format == formats.end() || equals + 1 == text.size())
    return bad_input(fmt::format(
        "--diagnostics {}: write gcc, json or sarif, or one of them and a file, as sarif=found.sarif.",
        text));
  return DiagnosticsChoice{format->second,
                           equals == text.npos ? std::string() : std::string(text.substr(equals + 1))};
}

std::string diagnostics_text(DiagnosticsFormat format, std::span<const Found> found, std::string_view version,
                             const std::string& fallback, const SourceFolders& folders) {
  if (format == DiagnosticsFormat::gcc) return gcc_text(found, fallback);
  return format == DiagnosticsFormat::json ? json_of(found) : sarif_of(found, version, fallback, folders);
}

}  // namespace warplens
