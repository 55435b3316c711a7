#include "core/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/compile/compiler_log.h"
#include "core/compile/locations.h"
#include "core/compile/nvrtc.h"

namespace warplens {

namespace {

// Owns one NVRTC program.
class Program {
 public:
  explicit Program(const Nvrtc& nvrtc) : m_nvrtc(nvrtc) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (m_program) m_nvrtc.destroy_program(&m_program);
  }
  NvrtcProgram*& handle() { return m_program; }

  // NVRTC's texts end with a zero byte, which is part of their size.
  std::string text(int (*size_of)(NvrtcProgram*, size_t*), int (*copy)(NvrtcProgram*, char*)) {
    size_t size = 0;
    if (size_of(m_program, &size) != Nvrtc::success || size == 0) return {};
    std::string text(size, '\0');
    if (copy(m_program, text.data()) != Nvrtc::success) return {};
    text.resize(size - 1);
    return text;
  }

 private:
  const Nvrtc& m_nvrtc;
  NvrtcProgram* m_program = nullptr;
};

// The newest architecture that the compiler knows and the device can run. If this version cannot list its
// architectures, the requested one.
Result<uint32_t> architecture_for(const Nvrtc& nvrtc, ComputeCapability wanted) {
  int count = 0;
  if (!nvrtc.supported_arch_count || !nvrtc.supported_archs ||
      nvrtc.supported_arch_count(&count) != Nvrtc::success || count <= 0)
    return wanted.number();
  std::vector<int> known(static_cast<size_t>(count));
  if (nvrtc.supported_archs(known.data()) != Nvrtc::success) return wanted.number();
  std::ranges::sort(known);
  auto above = std::ranges::upper_bound(known, static_cast<int>(wanted.number()));
  if (above != known.begin()) return static_cast<uint32_t>(*std::prev(above));
  return missing(fmt::format(
      "The CUDA compiler {} knows no architecture older than sm_{}, but the device is sm_{}. Choose a "
      "newer device, or run warplens fetch to bring NVRTC 12.9, which knows sm_50 and later.",
      nvrtc.path, known.front(), wanted.number()));
}

std::vector<std::string> include_directories_of(const CompileOptions& options) {
  return options.include_directories.empty() ? cuda_include_directories() : options.include_directories;
}

std::vector<std::string> command_line(uint32_t architecture, const CompileOptions& options) {
  std::vector<std::string> line{fmt::format("--gpu-architecture=compute_{}", architecture), "-lineinfo"};
  if (options.debug) line.emplace_back("--device-debug");
  for (const std::string& directory : include_directories_of(options))
    line.push_back("--include-path=" + directory);
  line.insert(line.end(), options.extra.begin(), options.extra.end());
  return line;
}

// NVRTC names only the missing header. If CUDA's own headers are absent, that is the likely reason.
void explain_missing_headers(const CompileOptions& options, std::vector<Diagnostic>& diagnostics) {
  if (!include_directories_of(options).empty()) return;
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.message.find("open source file") != std::string::npos)
      diagnostic.message +=
          ". CUDA's headers are not on this machine: run warplens fetch to bring them, or let CUDA_HOME name "
          "a "
          "toolkit or WARPLENS_CUDA_INCLUDE_DIRS their folder";
}

int stop_was_requested(void* stop, void*) {
  return static_cast<std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

// NVRTC puts the working folder before the program's name in `.file 1 "/folder/add.cu"`: PTX must not depend
// on where it was made.
std::string with_plain_file_name(std::string ptx, const std::string& name) {
  const std::string end = "/" + name + "\"";
  for (size_t at = ptx.find("\n\t.file\t"); at != ptx.npos; at = ptx.find("\n\t.file\t", at + 1)) {
    size_t open = ptx.find('"', at), line_end = ptx.find('\n', at + 1);
    if (open == ptx.npos || open > line_end) continue;
    size_t close = ptx.find('"', open + 1);
    if (close == ptx.npos || close > line_end) continue;
    if (std::string_view(ptx).substr(open + 1, close - open).ends_with(end))
      ptx.replace(open + 1, close - open - 1, name);
  }
  return ptx;
}

Error cancelled() { return {ErrorKind::cancelled, "The compilation was cancelled."}; }

Compilation refused_source(const std::string& name, std::string message) {
  Compilation compilation;
  compilation.diagnostics.push_back({Severity::error, name, 0, 0, std::move(message)});
  compilation.log = to_text(compilation.diagnostics);
  return compilation;
}

}  // namespace

Result<Compilation> compile_cuda(std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::string program_name(name.empty() ? "kernel.cu" : name);
  if (source.find('\0') != source.npos)
    return refused_source(program_name,
                          "the source holds a zero byte, so it is not a text: open a CUDA C++ file");
  Result<Nvrtc> nvrtc = load_nvrtc(options.compiler);
  if (!nvrtc) return nvrtc.error();
  Result<uint32_t> architecture = architecture_for(*nvrtc, options.architecture);
  if (!architecture) return architecture.error();
  if (stop.stop_requested()) return cancelled();

  Program program(*nvrtc);
  const std::string text(source);
  int status =
      nvrtc->create_program(&program.handle(), text.c_str(), program_name.c_str(), 0, nullptr, nullptr);
  if (status != Nvrtc::success)
    return failed(fmt::format("NVRTC could not take {}: {}.", program_name, nvrtc->error_string(status)));
  if (nvrtc->set_flow_callback && stop.stop_possible())
    nvrtc->set_flow_callback(program.handle(), stop_was_requested, &stop);

  const std::vector<std::string> line = command_line(*architecture, options);
  std::vector<const char*> arguments;
  arguments.reserve(line.size());
  for (const std::string& option : line) arguments.push_back(option.c_str());
  status = nvrtc->compile_program(program.handle(), static_cast<int>(arguments.size()), arguments.data());
  if (stop.stop_requested()) return cancelled();

  Compilation compilation;
  compilation.log = without_deprecation_note(program.text(nvrtc->log_size, nvrtc->log));
  compilation.diagnostics = parse_nvrtc_log(compilation.log);
  explain_missing_headers(options, compilation.diagnostics);
  compilation.ok = status == Nvrtc::success;
  if (compilation.ok) {
    compilation.ptx = with_plain_file_name(program.text(nvrtc->ptx_size, nvrtc->ptx), program_name);
  } else if (status != Nvrtc::error_compilation) {
    return failed(fmt::format("NVRTC could not compile {}: {}. {}", program_name, nvrtc->error_string(status),
                              compilation.log));
  } else if (compilation.diagnostics.empty()) {
    return refused_source(program_name, compilation.log.empty() ? "compilation failed" : compilation.log);
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  compilation.compile_ms = elapsed.count();
  return compilation;
}

Result<std::string> compiler_version() {
  Result<Nvrtc> nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  int major = 0, minor = 0;
  if (nvrtc->version(&major, &minor) != Nvrtc::success)
    return failed(nvrtc->path + " does not say its version.");
  return fmt::format("{}.{}", major, minor);
}

}  // namespace warplens
