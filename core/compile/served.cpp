#include "core/compile/served.h"

#include <fmt/format.h>

#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

#include "core/base/hash.h"
#include "core/base/json/json_reader.h"
#include "core/system/server.h"

namespace warplens {

namespace {

constexpr const char* answer_name = "the server's answer";
constexpr size_t most_known = 64;  // kernels whose registers are remembered

struct Known {
  uint64_t ptx = 0;
  std::string entry;
  Resources resources;
};

struct Memory {
  std::mutex mutex;
  std::deque<Known> kernels;

  static Memory& of_program() {
    static Memory memory;
    return memory;
  }
};

void remember(const ServedCompilation& served) {
  Memory& memory = Memory::of_program();
  const std::scoped_lock lock(memory.mutex);
  for (const auto& [entry, resources] : served.entries)
    memory.kernels.push_front({hash_of(served.compilation.ptx), entry, resources});
  if (memory.kernels.size() > most_known) memory.kernels.resize(most_known);
}

uint32_t number_in(JsonReader& reader, const JsonNode& node, const char* name) {
  const JsonNode number = reader.member(node, name);
  if (!number || number.value->is_null()) return 0;
  return static_cast<uint32_t>(reader.unsigned_integer(number, UINT32_MAX));
}

Diagnostic diagnostic_in(JsonReader& reader, const JsonNode& node) {
  Diagnostic diagnostic;
  const std::string severity = reader.text(reader.member(node, "severity"));
  diagnostic.severity = severity == "error"     ? Severity::error
                        : severity == "warning" ? Severity::warning
                                                : Severity::note;
  diagnostic.file = reader.text(reader.member(node, "file"));
  diagnostic.line = number_in(reader, node, "line");
  diagnostic.column = number_in(reader, node, "column");
  diagnostic.message = reader.text(reader.member(node, "message"));
  return diagnostic;
}

std::optional<Resources> resources_in(JsonReader& reader, const JsonNode& kernel) {
  const JsonNode node = reader.member(kernel, "resources");
  if (!node || !node.value->is_object()) return std::nullopt;
  const JsonNode registers = reader.member(node, "registers_per_thread");
  if (!registers || registers.value->is_null()) return std::nullopt;
  Resources resources;
  resources.registers_per_thread = number_in(reader, node, "registers_per_thread");
  resources.shared_static_bytes = number_in(reader, node, "shared_static_bytes");
  resources.local_bytes = number_in(reader, node, "local_bytes");
  resources.spill_store_bytes = number_in(reader, node, "spill_store_bytes");
  resources.origin = ResourceOrigin::ptxas;
  return resources;
}

}  // namespace

Result<Json> json_of_server(std::string_view text) {
  Result<Json> document = parse_json(text, answer_name);
  if (!document) return document;
  if (!document->is_object()) return bad_input("The server's answer is no object.");
  const auto error = document->find("error");
  if (error != document->end() && error->is_string()) return failed(error->get<std::string>());
  return document;
}

Result<ServedCompilation> parse_served(std::string_view json) {
  const Result<Json> document = json_of_server(json);
  if (!document) return document.error();
  JsonReader reader(answer_name);
  const JsonNode root{&*document, ""};
  ServedCompilation served;
  Compilation& compilation = served.compilation;
  compilation.ok = reader.boolean(reader.required(root, "ok"), false);
  if (compilation.ok) compilation.ptx = reader.text(reader.required(root, "ptx"));
  compilation.compiler = reader.text(reader.required(root, "compiler"));
  if (const JsonNode ms = reader.member(root, "compile_ms")) compilation.compile_ms = reader.real(ms);
  const JsonNode diagnostics = reader.member(root, "diagnostics");
  for (size_t i = 0; i < reader.array_size(diagnostics); ++i)
    compilation.diagnostics.push_back(diagnostic_in(reader, reader.element(diagnostics, i)));
  const JsonNode kernels = reader.member(root, "kernels");
  for (size_t i = 0; i < reader.array_size(kernels); ++i) {
    const JsonNode kernel = reader.element(kernels, i);
    if (const auto resources = resources_in(reader, kernel))
      served.entries.emplace_back(reader.text(reader.member(kernel, "entry")), *resources);
  }
  if (!reader.ok()) return reader.error();
  compilation.log = to_text(compilation.diagnostics);
  return served;
}

Result<Compilation> compile_on_server(std::string_view source, std::string_view name,
                                      const CompileOptions& options) {
  if (!options.extra.empty())
    return missing("The class's server compiles without further options, and this needs some.");
  const Json request = {
      {"source", source},
      {"name", name},
      {"compute_capability", fmt::format("{}.{}", options.architecture.major, options.architecture.minor)},
      {"debug", options.debug}};
  // Bytes that are no text are replaced: the compiler then names them.
  const Result<std::string> answer =
      ask_server("/api/compile", request.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!answer) return answer.error();
  Result<ServedCompilation> served = parse_served(*answer);
  if (!served) return served.error();
  remember(*served);
  return std::move(served->compilation);
}

std::optional<Resources> served_resources(std::string_view ptx, std::string_view entry) {
  Memory& memory = Memory::of_program();
  const std::scoped_lock lock(memory.mutex);
  const uint64_t key = hash_of(ptx);
  for (const Known& known : memory.kernels)
    if (known.ptx == key && known.entry == entry) return known.resources;
  return std::nullopt;
}

}  // namespace warplens
