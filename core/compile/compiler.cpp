#include "core/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "core/base/text.h"
#include "core/compile/compiler_log.h"
#include "core/compile/locations.h"
#include "core/compile/nvrtc.h"
#include "core/compile/ptx_header.h"
#include "core/compile/refused_source.h"

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

// Constants from <math.h>: nvcc includes it automatically, but NVRTC has no headers of the system. They are
// made from bits, since they may be used where a constant is needed, as in a __constant__ variable.
struct MathConstant {
  std::string_view name, value;
};
constexpr MathConstant math_constants[] = {
    {"INFINITY", "__builtin_bit_cast(float, 0x7f800000)"},
    {"NAN", "__builtin_bit_cast(float, 0x7fffffff)"},
    {"HUGE_VALF", "__builtin_bit_cast(float, 0x7f800000)"},
    {"HUGE_VAL", "__builtin_bit_cast(double, 0x7ff0000000000000)"},
    {"M_PI", "3.14159265358979323846"},
    {"M_PI_2", "1.57079632679489661923"},
    {"M_PI_4", "0.78539816339744830962"},
    {"M_E", "2.7182818284590452354"},
    {"M_LN2", "0.69314718055994530942"},
    {"M_SQRT2", "1.41421356237309504880"},
};

// Whether the word occurs in the source; with `defined`, after #define or #undef.
bool has_word(std::string_view source, std::string_view word, bool defined) {
  for (size_t at = source.find(word); at != source.npos; at = source.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at > 0 && is_in_name(source[at - 1])) || (end < source.size() && is_in_name(source[end]))) continue;
    if (!defined) return true;
    const size_t before = at == 0 ? source.npos : source.find_last_not_of(" \t", at - 1);
    if (before == source.npos) continue;
    const std::string_view front = source.substr(0, before + 1);
    if (front.ends_with("define") || front.ends_with("undef")) return true;
  }
  return false;
}

// Defines only constants that the source uses, and that neither it nor the headers of CUDA's standard library
// define: a second definition would give a warning.
void define_math_constants(std::string_view source, std::vector<std::string>& line) {
  if (source.find("cuda/std/") != source.npos) return;
  for (const MathConstant& constant : math_constants)
    if (has_word(source, constant.name, false) && !has_word(source, constant.name, true))
      line.push_back(fmt::format("--define-macro={}={}", constant.name, constant.value));
}

std::vector<std::string> command_line(uint32_t architecture, std::string_view source,
                                      const CompileOptions& options) {
  std::vector<std::string> line{fmt::format("--gpu-architecture=compute_{}", architecture), "-lineinfo"};
  define_math_constants(source, line);
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

std::string name_of(const Nvrtc& nvrtc) {
  int major = 0, minor = 0;
  return nvrtc.version(&major, &minor) == Nvrtc::success ? fmt::format("NVRTC {}.{}", major, minor) : "NVRTC";
}

Error cancelled() { return {ErrorKind::cancelled, "The compilation was cancelled."}; }

Result<Compilation> compile_once(const Nvrtc& nvrtc, std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::string program_name(name);
  Result<uint32_t> architecture = architecture_for(nvrtc, options.architecture);
  if (!architecture) return architecture.error();
  if (stop.stop_requested()) return cancelled();

  Program program(nvrtc);
  const std::string text(source);
  std::vector<const char*> header_texts, header_names;
  for (const KernelHeader& header : options.headers) {
    header_texts.push_back(header.text.c_str());
    header_names.push_back(header.name.c_str());
  }
  int status =
      nvrtc.create_program(&program.handle(), text.c_str(), program_name.c_str(),
                           static_cast<int>(header_names.size()), header_texts.data(), header_names.data());
  if (status != Nvrtc::success)
    return failed(fmt::format("NVRTC could not take {}: {}.", program_name, nvrtc.error_string(status)));
  if (nvrtc.set_flow_callback && stop.stop_possible())
    nvrtc.set_flow_callback(program.handle(), stop_was_requested, &stop);

  const std::vector<std::string> line = command_line(*architecture, source, options);
  std::vector<const char*> arguments;
  arguments.reserve(line.size());
  for (const std::string& option : line) arguments.push_back(option.c_str());
  status = nvrtc.compile_program(program.handle(), static_cast<int>(arguments.size()), arguments.data());
  if (stop.stop_requested()) return cancelled();

  Compilation compilation;
  compilation.compiler = name_of(nvrtc);
  compilation.log = without_deprecation_note(program.text(nvrtc.log_size, nvrtc.log));
  compilation.diagnostics = parse_nvrtc_log(compilation.log);
  explain_missing_headers(options, compilation.diagnostics);
  compilation.ok = status == Nvrtc::success;
  if (compilation.ok) {
    compilation.ptx = with_plain_file_name(program.text(nvrtc.ptx_size, nvrtc.ptx), program_name);
  } else if (status != Nvrtc::error_compilation) {
    return failed(fmt::format("NVRTC could not compile {}: {}. {}", program_name, nvrtc.error_string(status),
                              compilation.log));
  } else if (compilation.diagnostics.empty()) {
    return refused_source(program_name, compilation.log.empty() ? "compilation failed" : compilation.log);
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  compilation.compile_ms = elapsed.count();
  return compilation;
}

// NVRTC declares the runtime for kernels only in relocatable code, and misses it before it sees the launch.
bool lacks_relocation(std::string_view source, std::string_view log) {
  return log.find("requires separate compilation mode") != log.npos ||
         (log.find("identifier \"cuda") != log.npos && source.find("<<<") != source.npos);
}

}  // namespace

// Kernels that launch kernels need relocatable code. Others do not get it: it changes what is inlined.
Result<Compilation> compile_with_nvrtc(const Nvrtc& nvrtc, std::string_view source, std::string_view name,
                                       const CompileOptions& options, std::stop_token stop) {
  Result<Compilation> made = compile_once(nvrtc, source, name, options, stop);
  if (!made || made->ok || !lacks_relocation(source, made->log)) return made;
  CompileOptions relocatable = options;
  relocatable.extra.emplace_back("--relocatable-device-code=true");
  return compile_once(nvrtc, source, name, relocatable, std::move(stop));
}

Result<std::string> compiler_version() {
  Result<Nvrtc> nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  int major = 0, minor = 0;
  if (nvrtc->version(&major, &minor) != Nvrtc::success)
    return failed(nvrtc->path + " does not report its version.");
  return fmt::format("{}.{}", major, minor);
}

}  // namespace warplens
