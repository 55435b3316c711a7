#include "core/job/files/session_file.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/base/json/json.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"

namespace warplens {

namespace {

constexpr const char* marker = "warplens_session";
constexpr uint64_t newest_version = 1;
constexpr size_t most_values = 1000;

std::string resolved(const std::string& folder, const std::string& path) {
  if (path.empty() || folder.empty() || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(folder) / path).string();
}

// A picture is a path or the name of a sample; it is a path only if it looks like one.
std::string resolved_picture(const std::string& folder, const std::string& name) {
  return name.find('/') == std::string::npos && name.find('.') == std::string::npos ? name
                                                                                    : resolved(folder, name);
}

Dim3 position(JsonReader& reader, const JsonNode& node) {
  if (reader.array_size(node) != 3) reader.fail(node, "must be [x, y, z]");
  return reader.dim3(node);
}

void read_code(JsonReader& reader, const JsonNode& node, const std::string& folder, Session& session) {
  reader.expect_keys(node, {"path", "name", "text", "entry", "copy_of"});
  session.code_path = resolved(folder, reader.text(reader.member(node, "path")));
  session.code_name = reader.text(reader.member(node, "name"));
  session.code_entry = reader.text(reader.member(node, "entry"));
  session.copy_of = reader.text(reader.member(node, "copy_of"));
  if (const JsonNode text = reader.member(node, "text")) {
    session.code_text = reader.text(text);
    session.has_code_text = true;
  }
  if (session.code_path.empty() && !session.has_code_text) reader.fail(node, "needs \"path\" or \"text\"");
  if (session.code_name.empty() && !session.code_path.empty())
    session.code_name = std::filesystem::path(session.code_path).filename().string();
  if (session.code_name.empty()) reader.fail(node, "needs \"name\", as in \"blur.cu\"");
}

void read_values(JsonReader& reader, const JsonNode& node, KernelSetup& setup) {
  if (!node) return;
  if (!node.value->is_object() || node.value->size() > most_values)
    return reader.fail(node, fmt::format("must be an object of at most {} numbers", most_values));
  for (const auto& [name, value] : node.value->items()) {
    const JsonNode member{&value, node.path + "." + name};
    const double number = reader.real(member);
    if (reader.ok() && !std::isfinite(number)) reader.fail(member, "must be a finite number");
    setup.values[name] = number;
  }
}

void read_launch(JsonReader& reader, const JsonNode& root, KernelSetup& setup) {
  read_values(reader, reader.member(root, "values"), setup);
  setup.block = reader.dim3(reader.required(root, "block"));
  const JsonNode grid = reader.required(root, "grid");
  setup.fit_grid = grid && grid.value->is_string() && *grid.value == "fit";
  if (!setup.fit_grid) setup.grid = reader.dim3(grid);
  const bool empty = setup.block.count() == 0 || (!setup.fit_grid && setup.grid.count() == 0);
  if (reader.ok() && empty) reader.fail(root, "block and grid need at least 1 on each axis");
  setup.shared_dynamic_bytes =
      static_cast<uint32_t>(reader.unsigned_integer(reader.member(root, "shared_bytes"), UINT32_MAX));
  if (const JsonNode seed = reader.member(root, "seed"))
    setup.data_seed = reader.unsigned_integer(seed, UINT64_MAX);
}

void read_setup(JsonReader& reader, const JsonNode& root, const std::string& folder, KernelSetup& setup) {
  read_launch(reader, root, setup);
  setup.image_path = resolved_picture(folder, reader.text(reader.member(root, "image")));
}

void read_pins(JsonReader& reader, const JsonNode& node, Session& session) {
  if (!node) return;
  reader.expect_keys(node, {"block", "thread", "buffer", "index", "line"});
  if (const JsonNode block = reader.member(node, "block")) session.pinned_block = position(reader, block);
  if (const JsonNode thread = reader.member(node, "thread")) session.pinned_thread = position(reader, thread);
  session.pinned_buffer = reader.text(reader.member(node, "buffer"));
  session.pinned_index = reader.unsigned_integer(reader.member(node, "index"), UINT64_MAX);
  session.pinned_line =
      static_cast<uint32_t>(reader.unsigned_integer(reader.member(node, "line"), UINT32_MAX));
}

void read_breakpoints(JsonReader& reader, const JsonNode& node, Session& session) {
  if (!node) return;
  constexpr size_t most_breakpoints = 64;
  if (!node.value->is_array() || node.value->size() > most_breakpoints)
    return reader.fail(node, fmt::format("must be a list of at most {} breakpoints", most_breakpoints));
  for (size_t i = 0; i < node.value->size(); ++i) {
    const JsonNode item = reader.element(node, i);
    reader.expect_keys(item, {"file", "line", "if"});
    Session::Breakpoint breakpoint;
    breakpoint.file = reader.text(reader.required(item, "file"));
    breakpoint.line =
        static_cast<uint32_t>(reader.unsigned_integer(reader.required(item, "line"), UINT32_MAX));
    breakpoint.condition = reader.text(reader.member(item, "if"));
    if (reader.ok() && breakpoint.line == 0) reader.fail(item, "needs a line from 1 on");
    session.breakpoints.push_back(std::move(breakpoint));
  }
}

ReportJson breakpoints_json(const Session& session) {
  ReportJson list = ReportJson::array();
  for (const Session::Breakpoint& breakpoint : session.breakpoints) {
    ReportJson item;
    item["file"] = breakpoint.file;
    item["line"] = breakpoint.line;
    if (!breakpoint.condition.empty()) item["if"] = breakpoint.condition;
    list.push_back(std::move(item));
  }
  return list;
}

// The same picture and kernel as the session's own launch.
void read_baseline(JsonReader& reader, const JsonNode& node, Session& session) {
  if (!node) return;
  reader.expect_keys(node, {"values", "block", "grid", "shared_bytes", "seed"});
  session.baseline.emplace();
  read_launch(reader, node, *session.baseline);
  session.baseline->image_path = session.setup.image_path;
  session.baseline->kernel = session.setup.kernel;
}

template <class To>
void write_launch(const KernelSetup& setup, To& json) {
  if (!setup.values.empty()) json["values"] = setup.values;
  json["block"] = json_values::triple(setup.block);
  json["grid"] = setup.fit_grid ? ReportJson("fit") : json_values::triple(setup.grid);
  if (setup.shared_dynamic_bytes != 0) json["shared_bytes"] = setup.shared_dynamic_bytes;
  json["seed"] = setup.data_seed;
}

}  // namespace

bool is_session(std::string_view text) {
  if (text.find(marker) == std::string_view::npos) return false;
  const Result<Json> json = parse_json(text, "");
  return json && json->is_object() && json->contains(marker);
}

ReportJson session_json(const Session& session) {
  ReportJson json;
  json[marker] = newest_version;
  if (session.own()) {
    ReportJson code;
    if (!session.code_path.empty()) code["path"] = session.code_path;
    code["name"] = session.code_name;
    if (session.has_code_text) code["text"] = session.code_text;
    if (!session.code_entry.empty()) code["entry"] = session.code_entry;
    if (!session.copy_of.empty()) code["copy_of"] = session.copy_of;
    json["code"] = std::move(code);
  } else {
    json["kernel"] = session.kernel;
  }
  if (!session.device.empty()) json["device"] = session.device;
  const KernelSetup& setup = session.setup;
  write_launch(setup, json);
  if (session.order != 0) json["order"] = session.order;
  if (!setup.image_path.empty()) json["image"] = setup.image_path;
  if (!session.view.empty()) json["view"] = session.view;
  if (!session.part.empty()) json["part"] = session.part;
  if (session.text_percent != 0) json["text"] = session.text_percent;
  if (session.baseline) write_launch(*session.baseline, json["baseline"]);
  ReportJson pins;
  if (session.pinned_block) pins["block"] = json_values::triple(*session.pinned_block);
  if (session.pinned_thread) pins["thread"] = json_values::triple(*session.pinned_thread);
  if (!session.pinned_buffer.empty()) pins["buffer"] = session.pinned_buffer;
  if (!session.pinned_buffer.empty()) pins["index"] = session.pinned_index;
  if (session.pinned_line != 0) pins["line"] = session.pinned_line;
  if (!pins.empty()) json["pins"] = std::move(pins);
  if (!session.breakpoints.empty()) json["breakpoints"] = breakpoints_json(session);
  return json;
}

std::string session_text(const Session& session) {
  // Bytes that are not UTF-8 are replaced, so that the file stays readable.
  return json_values::indented(session_json(session));
}

Session read_session_in(JsonReader& reader, const JsonNode& root, const std::string& folder) {
  reader.expect_version(root, marker, newest_version);
  reader.expect_keys(
      root, {marker, "kernel", "code", "device", "values", "block", "grid", "shared_bytes", "seed", "order",
             "image", "view", "part", "text", "baseline", "pins", "breakpoints"});
  Session session;
  session.kernel = reader.text(reader.member(root, "kernel"));
  const JsonNode code = reader.member(root, "code");
  if (session.kernel.empty() == !code)
    reader.fail(root, "needs either \"kernel\", a built-in one, or \"code\"");
  if (code && session.kernel.empty()) read_code(reader, code, folder, session);
  session.device = reader.text(reader.member(root, "device"));
  read_setup(reader, root, folder, session.setup);
  session.setup.kernel = session.kernel.empty() ? session.code_name : session.kernel;
  session.view = reader.text(reader.member(root, "view"));
  session.part = reader.text(reader.member(root, "part"));
  session.text_percent = static_cast<uint32_t>(reader.unsigned_integer(reader.member(root, "text"), 1000));
  session.order = reader.unsigned_integer(reader.member(root, "order"), UINT64_MAX);
  read_baseline(reader, reader.member(root, "baseline"), session);
  read_pins(reader, reader.member(root, "pins"), session);
  read_breakpoints(reader, reader.member(root, "breakpoints"), session);
  return session;
}

Result<Session> parse_session(std::string_view text, const std::string& name, const std::string& folder) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  JsonReader reader{name};
  Session session = read_session_in(reader, {&*document, ""}, folder);
  if (!reader.ok()) return reader.error();
  session.warnings = reader.warnings();
  return session;
}

Result<Session> read_session(const std::string& path) {
  const Result<std::string> text = read_text(path, max_session_bytes);
  if (!text) return text.error();
  const std::filesystem::path file(path);
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(file, ignored).parent_path();
  if (!is_session(*text)) {
    // If the text is not valid JSON, the error has the line.
    if (const Result<Json> document = parse_json(*text, file.filename().string()); !document)
      return document.error();
    return bad_input(fmt::format("{} is no session: it has no \"{}\". A launch file runs with warplens run.",
                                 file.filename().string(), marker));
  }
  return parse_session(*text, file.filename().string(), folder.string());
}

}  // namespace warplens
