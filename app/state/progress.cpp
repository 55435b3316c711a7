#include "app/state/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json/json.h"
#include "core/base/json/json_reader.h"

namespace warplens {
namespace {

constexpr const char* progress_marker = "warplens_progress";
constexpr uint64_t progress_version = 1;
constexpr uint64_t most_counted = uint64_t{1} << 40;

void read_lessons(JsonReader& reader, const JsonNode& node, ProgressState& progress) {
  if (!node) return;
  if (!node.value->is_object()) return reader.fail(node, "must be an object of lists");
  for (const auto& [name, value] : node.value->items()) {
    const JsonNode list{&value, node.path + "." + name};
    for (size_t i = 0; i < reader.array_size(list); ++i)
      progress.lessons[name].insert(reader.text(reader.element(list, i)));
  }
}

void read_challenges(JsonReader& reader, const JsonNode& node, ProgressState& progress) {
  if (!node) return;
  if (!node.value->is_object()) return reader.fail(node, "must be an object of objects");
  for (const auto& [name, value] : node.value->items()) {
    const JsonNode one{&value, node.path + "." + name};
    ChallengeProgress& kept = progress.challenges[name];
    kept.stars = static_cast<uint32_t>(reader.unsigned_integer(reader.member(one, "stars"), 3));
    kept.tries = reader.unsigned_integer(reader.member(one, "tries"), most_counted);
    if (const JsonNode seconds = reader.member(one, "seconds")) kept.seconds = reader.real(seconds);
    if (!(kept.seconds >= 0) || !std::isfinite(kept.seconds)) reader.fail(one, "needs seconds of 0 or more");
  }
}

}  // namespace

void note_prediction(ProgressState& progress, bool right, double guess, double truth) {
  ++progress.predictions;
  progress.right += right ? 1 : 0;
  ++progress.revision;
  const double ratio = guess / truth;
  if (!(ratio > 0) || !std::isfinite(ratio)) return;
  ++progress.numbers;
  progress.doublings += std::abs(std::log2(ratio));
}

std::string calibration_text(const ProgressState& progress) {
  if (progress.predictions == 0) return "";
  std::string words = fmt::format("{} of {} prediction{} right", progress.right, progress.predictions,
                                  progress.predictions == 1 ? "" : "s");
  if (progress.numbers == 0) return words;
  const double factor = std::exp2(progress.doublings / double(progress.numbers));
  if (factor < 1.005) return words;
  return words + (factor < 1000 ? fmt::format(" · numbers usually off by a factor of {:.3g}", factor)
                                : std::string(" · numbers usually off by a factor of more than 1,000"));
}

std::string progress_text(const ProgressState& progress) {
  ReportJson json;
  json[progress_marker] = progress_version;
  json["lessons"] = ReportJson::object();
  for (const auto& [name, steps] : progress.lessons) json["lessons"][name] = steps;
  json["challenges"] = ReportJson::object();
  for (const auto& [name, kept] : progress.challenges)
    json["challenges"][name] = {{"stars", kept.stars}, {"tries", kept.tries}, {"seconds", kept.seconds}};
  json["predictions"] = {{"made", progress.predictions},
                         {"right", progress.right},
                         {"numbers", progress.numbers},
                         {"doublings", progress.doublings}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<ProgressState> parse_progress(std::string_view text, const std::string& name) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  JsonReader reader{name};
  const JsonNode root{&*document, ""};
  if (!document->is_object()) reader.fail(root, "must be an object {…}");
  if (reader.unsigned_integer(reader.required(root, progress_marker), UINT32_MAX) > progress_version)
    reader.fail(root, "is of a newer version of this program");
  ProgressState progress;
  read_lessons(reader, reader.member(root, "lessons"), progress);
  read_challenges(reader, reader.member(root, "challenges"), progress);
  if (const JsonNode made = reader.member(root, "predictions")) {
    progress.predictions = reader.unsigned_integer(reader.member(made, "made"), most_counted);
    progress.right = reader.unsigned_integer(reader.member(made, "right"), progress.predictions);
    progress.numbers = reader.unsigned_integer(reader.member(made, "numbers"), most_counted);
    if (const JsonNode doublings = reader.member(made, "doublings"))
      progress.doublings = reader.real(doublings);
    if (!std::isfinite(progress.doublings) || progress.doublings < 0)
      reader.fail(made, "needs doublings of 0 or more");
  }
  if (!reader.ok()) return reader.error();
  return progress;
}

}  // namespace warplens
