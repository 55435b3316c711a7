#include "app/debug/messages.h"

#include <algorithm>
#include <utility>

#include "core/base/json/json_reader.h"

namespace warplens::dap {

Result<Request> parse_request(std::string_view text) {
  const Result<Json> json = parse_json(text, "message");
  if (!json) return json.error();
  if (!json->is_object()) return bad_input("message: it must be an object {…}.");
  JsonReader reader("message");
  const JsonNode root{&*json, ""};
  Request request;
  request.seq = reader.unsigned_integer(reader.required(root, "seq"), UINT32_MAX);
  const std::string type = reader.text(reader.required(root, "type"));
  if (type == "request") {
    request.command = reader.text(reader.required(root, "command"));
    if (reader.ok() && request.command.empty())
      reader.fail(reader.member(root, "command"), "must not be empty");
  }
  if (const JsonNode arguments = reader.member(root, "arguments"); arguments && !arguments.value->is_null()) {
    if (!arguments.value->is_object()) reader.fail(arguments, "must be an object {…}");
    request.arguments = *arguments.value;
  }
  if (!reader.ok()) return reader.error();
  return request;
}

Json response(const Request& request, Json body) {
  Json made = {
      {"type", "response"}, {"request_seq", request.seq}, {"command", request.command}, {"success", true}};
  if (!body.empty()) made["body"] = std::move(body);
  return made;
}

Json refusal(const Request& request, std::string_view sentence) {
  // Braces would name variables. Some editors show the format as it is.
  std::string format(sentence);
  std::ranges::replace(format, '{', '(');
  std::ranges::replace(format, '}', ')');
  return {{"type", "response"},
          {"request_seq", request.seq},
          {"command", request.command},
          {"success", false},
          {"message", sentence},
          {"body", {{"error", {{"id", 1}, {"format", format}, {"showUser", true}}}}}};
}

Json event(std::string_view name, Json body) {
  Json made = {{"type", "event"}, {"event", name}};
  if (!body.empty()) made["body"] = std::move(body);
  return made;
}

}  // namespace warplens::dap
