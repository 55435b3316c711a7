#include "core/compile/stored.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>
#include <mutex>

#include "core/base/hash.h"
#include "core/base/system/files.h"
#include "core/compile/compiler_log.h"
#include "core/system/paths.h"
#include "core/system/places.h"

namespace warplens {

namespace {

constexpr std::string_view stored_head = "warplens compiled 1\n";
constexpr uint64_t most_stored_bytes = uint64_t{256} << 20;
constexpr const char* stored_variable = "WARPLENS_COMPILED";

// Each record is a line of numbers, followed by as many bytes as the line says.
class Records {
 public:
  explicit Records(std::string_view text) : m_text(text) {}
  bool at_end() const { return m_text.empty(); }
  bool ok() const { return m_ok; }
  char kind() { return take(2).empty() ? '\0' : m_last[0]; }
  uint64_t number() {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
    m_ok = m_ok && error == std::errc();
    take(static_cast<size_t>(end - m_text.data()) + 1);  // and the space or the end of the line
    return value;
  }
  std::string_view take(uint64_t bytes) {
    m_ok = m_ok && bytes <= m_text.size();
    if (!m_ok) return m_last = {};
    m_last = m_text.substr(0, static_cast<size_t>(bytes));
    m_text.remove_prefix(static_cast<size_t>(bytes));
    return m_last;
  }

 private:
  std::string_view m_text, m_last;
  bool m_ok = true;
};

void read_compilation(Records& records, StoredCode& code) {
  const uint64_t key = records.number();
  StoredCompilation compilation;
  compilation.architecture.major = static_cast<uint32_t>(records.number());
  compilation.architecture.minor = static_cast<uint32_t>(records.number());
  compilation.ok = records.number() != 0;
  std::array<uint64_t, 3> sizes{};
  for (uint64_t& size : sizes) size = records.number();
  compilation.name = records.take(sizes[0]);
  compilation.log = records.take(sizes[1]);
  compilation.ptx = records.take(sizes[2]);
  records.take(1);
  code.compilations[key].push_back(std::move(compilation));
}

void read_resources(Records& records, StoredCode& code) {
  Resources& resources = code.resources[records.number()];
  for (uint32_t* figure : {&resources.registers_per_thread, &resources.shared_static_bytes,
                           &resources.local_bytes, &resources.spill_store_bytes, &resources.spill_load_bytes,
                           &resources.constant_bytes, &resources.barriers})
    *figure = static_cast<uint32_t>(records.number());
  resources.origin = ResourceOrigin::ptxas;
}

// Replaces the name by which the PTX calls its source.
std::string renamed(std::string ptx, const std::string& from, std::string_view to) {
  const std::string quoted = "\"" + from + "\"";
  if (from == to) return ptx;
  for (size_t at = ptx.find("\t.file\t"); at != ptx.npos; at = ptx.find("\t.file\t", at + 1)) {
    const size_t name = ptx.find(quoted, at), end = ptx.find('\n', at);
    if (name != ptx.npos && name < end) ptx.replace(name, quoted.size(), fmt::format("\"{}\"", to));
  }
  return ptx;
}

std::string stored_path() {
  if (const auto named = chosen_path(stored_variable)) return *named;
  const std::filesystem::path caches = folder_of_caches();
  return caches.empty() ? "" : (caches / "warplens" / "compiled").string();
}

}  // namespace

uint64_t stored_key(std::string_view source, const CompileOptions& options) {
  uint64_t key = hash_of(options.debug ? "debug\n" : "\n", hash_of(source));
  for (const std::string& option : options.extra) key = hash_of("\n", hash_of(option, key));
  return key;
}

uint64_t stored_key(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                    const AssemblyOptions& options) {
  return hash_of(fmt::format("\n{}\n{}\n{}\n{}", entry, architecture.number(), options.max_registers,
                             options.contract ? 1 : 0),
                 hash_of(ptx));
}

std::string stored_text(const StoredCode& code) {
  std::string text(stored_head);
  for (const auto& [key, all] : code.compilations)
    for (const StoredCompilation& one : all)
      text += fmt::format("c {} {} {} {} {} {} {}\n{}{}{}\n", key, one.architecture.major,
                          one.architecture.minor, one.ok ? 1 : 0, one.name.size(), one.log.size(),
                          one.ptx.size(), one.name, one.log, one.ptx);
  for (const auto& [key, r] : code.resources)
    text += fmt::format("r {} {} {} {} {} {} {} {}\n", key, r.registers_per_thread, r.shared_static_bytes,
                        r.local_bytes, r.spill_store_bytes, r.spill_load_bytes, r.constant_bytes, r.barriers);
  return text;
}

Result<StoredCode> parse_stored(std::string_view text) {
  const Error broken = bad_input("The compiled code for this program is of another version, or incomplete.");
  if (!text.starts_with(stored_head)) return broken;
  Records records(text.substr(stored_head.size()));
  StoredCode code;
  while (records.ok() && !records.at_end()) {
    const char kind = records.kind();
    if (kind == 'c')
      read_compilation(records, code);
    else if (kind == 'r')
      read_resources(records, code);
    else
      return broken;
  }
  if (!records.ok()) return broken;
  return code;
}

const StoredCode* stored_code() {
  static std::mutex mutex;
  static std::unique_ptr<const StoredCode> kept;
  const std::lock_guard lock(mutex);
  if (kept) return kept.get();
  const std::string path = stored_path();
  const auto text = path.empty() ? Result<std::string>(missing("")) : read_text(path, most_stored_bytes);
  if (!text) return nullptr;  // it may appear later
  auto code = parse_stored(*text);
  if (!code) return nullptr;
  kept = std::make_unique<const StoredCode>(std::move(code).value());
  return kept.get();
}

bool is_stored_code_there() {
  std::error_code ignored;
  return std::filesystem::exists(stored_path(), ignored);
}

std::optional<Compilation> stored_compilation(const StoredCode& code, std::string_view source,
                                              std::string_view name, const CompileOptions& options) {
  const auto found = code.compilations.find(stored_key(source, options));
  if (found == code.compilations.end()) return std::nullopt;
  const StoredCompilation* best = nullptr;
  for (const StoredCompilation& one : found->second) {
    if (options.architecture < one.architecture) continue;
    if (best == nullptr || best->architecture < one.architecture) best = &one;
  }
  if (best == nullptr) return std::nullopt;
  Compilation compilation;
  compilation.ok = best->ok;
  compilation.ptx = renamed(best->ptx, best->name, name);
  compilation.log = best->log;
  compilation.diagnostics = parse_nvrtc_log(best->log);
  for (Diagnostic& diagnostic : compilation.diagnostics)
    if (diagnostic.file == best->name) diagnostic.file = name;
  return compilation;
}

std::optional<Resources> stored_resources(const StoredCode& code, std::string_view ptx,
                                          std::string_view entry, ComputeCapability architecture,
                                          const AssemblyOptions& options) {
  const auto found = code.resources.find(stored_key(ptx, entry, architecture, options));
  return found == code.resources.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warplens
