#include "core/job/files/own_kernel_file.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <mutex>

#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/compile/choice.h"
#include "core/compile/cuda_source/host_code.h"

namespace warplens {

namespace {

// The last compilations of the process, newest first: an undo in the editor, or a device that is chosen
// again, must not compile again. The assembler has a cache of its own (core/compile/assembler.cpp).
struct Cache {
  static constexpr size_t capacity = 16;
  struct Entry {
    std::string source, name;
    uint32_t architecture = 0;
    CompilerKind compiler = CompilerKind::what_is_there;
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
                                       const Device& device, CompilerKind compiler, std::stop_token stop,
                                       bool& fresh) {
  Cache& cache = process_cache();
  const uint32_t architecture = device.compute_capability.number();
  const Result<CompilerKind> kind =
      compiler == CompilerKind::what_is_there ? chosen_compiler() : Result<CompilerKind>(compiler);
  if (!kind) return kind.error();
  {
    std::lock_guard lock(cache.mutex);
    for (const Cache::Entry& entry : cache.entries)
      if (entry.architecture == architecture && entry.compiler == *kind && entry.name == name &&
          entry.source == source)
        return entry.compilation;
  }
  CompileOptions options;
  options.architecture = device.compute_capability;
  options.kind = *kind;
  Result<Compilation> compiled = compile_cuda(source, name, options, std::move(stop));
  if (!compiled) return compiled;
  fresh = true;
  std::lock_guard lock(cache.mutex);
  cache.entries.push_front({source, name, architecture, *kind, *compiled});
  if (cache.entries.size() > Cache::capacity) cache.entries.pop_back();
  return compiled;
}

std::string ending_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
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

Result<CompiledKernel> make_own_kernel(const OwnKernelSource& text, const Device& device,
                                       std::stop_token stop) {
  CompiledKernel compiled;
  compiled.source = text.source;
  compiled.name = text.name;
  compiled.path = text.path;
  if (ending_of(text.name) == ".ptx") {
    compiled.own = describe_own_kernel({"", text.name, text.path, text.source, text.entry});
    return compiled;
  }
  bool fresh = false;
  // Host functions are not compiled, since kernels need none of them.
  const std::string device_code = main_line(text.source) ? without_host_code(text.source) : text.source;
  Result<Compilation> made =
      cached_compilation(device_code, text.name, device, text.compiler, std::move(stop), fresh);
  if (!made) return made.error();
  if (fresh) compiled.compile_ms = made->compile_ms;
  compiled.compiler = made->compiler;
  if (!made->ok) {
    compiled.own.diagnostics = std::move(made->diagnostics);
    return compiled;
  }
  const Result<const KernelDescription*> like = find_kernel(text.copy_of);
  compiled.own =
      describe_own_kernel({text.source, text.name, text.path, made->ptx, text.entry, like ? *like : nullptr});
  std::vector<Diagnostic>& all = compiled.own.diagnostics;
  all.insert(all.begin(), made->diagnostics.begin(), made->diagnostics.end());
  return compiled;
}

Result<CompiledKernel> open_own_kernel(const std::string& path, const Device& device,
                                       const std::string& entry, std::stop_token stop,
                                       CompilerKind compiler) {
  Result<std::string> text = read_text(path, max_own_source_bytes);
  if (!text) return text.error();
  const std::string name = std::filesystem::path(path).filename().string();
  return make_own_kernel({std::move(text).value(), name, path, entry, "", compiler}, device, std::move(stop));
}

}  // namespace warplens
