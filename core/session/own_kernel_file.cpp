#include "core/session/own_kernel_file.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <mutex>

#include "core/compile/compiler.h"
#include "core/session/files.h"

namespace warplens {

namespace {

// The last compilations of the process, newest first: an undo in the editor, or a device that is chosen
// again, must not compile again. Beside the linker's own cache (core/compile/linker.cpp).
struct Cache {
  static constexpr size_t capacity = 16;
  struct Entry {
    std::string source, name;
    uint32_t architecture = 0;
    Compilation compilation;
  };
  std::mutex mutex;
  std::deque<Entry> entries;
};

Cache& process_cache() {
  static Cache cache;
  return cache;
}

Result<Compilation> cached_compilation(const std::string& source, const std::string& name,
                                       const Device& device, std::stop_token stop, bool& fresh) {
  Cache& cache = process_cache();
  const uint32_t architecture = device.compute_capability.number();
  {
    std::lock_guard lock(cache.mutex);
    for (const Cache::Entry& entry : cache.entries)
      if (entry.architecture == architecture && entry.name == name && entry.source == source)
        return entry.compilation;
  }
  CompileOptions options;
  options.architecture = device.compute_capability;
  Result<Compilation> compiled = compile_cuda(source, name, options, std::move(stop));
  if (!compiled) return compiled;
  fresh = true;
  std::lock_guard lock(cache.mutex);
  cache.entries.push_front({source, name, architecture, *compiled});
  if (cache.entries.size() > Cache::capacity) cache.entries.pop_back();
  return compiled;
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return ending;
}

}  // namespace

bool is_own_kernel_path(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".cu" || ending == ".ptx";
}

Error error_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) errors.push_back(diagnostic);
  constexpr size_t most = 20;
  if (errors.size() > most) errors.resize(most);
  std::string text = to_text(errors);
  while (text.ends_with('\n')) text.pop_back();
  return bad_input(text.empty() ? "It does not compile, and the compiler gives no reason." : text);
}

Result<CompiledKernel> compile_own_kernel(const std::string& source, const std::string& source_name,
                                          const std::string& path, const Device& device,
                                          const std::string& entry, std::stop_token stop) {
  CompiledKernel compiled;
  bool fresh = false;
  Result<Compilation> made = cached_compilation(source, source_name, device, std::move(stop), fresh);
  if (!made) return made.error();
  if (fresh) compiled.compile_ms = made->compile_ms;
  if (!made->ok) {
    compiled.own.diagnostics = std::move(made->diagnostics);
    return compiled;
  }
  compiled.own = describe_own_kernel({source, source_name, path, made->ptx, entry});
  std::vector<Diagnostic>& all = compiled.own.diagnostics;
  all.insert(all.begin(), made->diagnostics.begin(), made->diagnostics.end());
  return compiled;
}

Result<CompiledKernel> open_own_kernel(const std::string& path, const Device& device,
                                       const std::string& entry, std::stop_token stop) {
  Result<std::string> text = read_text(path, max_own_source_bytes);
  if (!text) return text.error();
  const std::string name = std::filesystem::path(path).filename().string();
  if (ending_of(path) == ".ptx") {
    CompiledKernel opened;
    opened.own = describe_own_kernel({"", name, path, *text, entry});
    return opened;
  }
  return compile_own_kernel(*text, name, path, device, entry, std::move(stop));
}

}  // namespace warplens
