#include "core/compile/ptxas.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "core/base/system/files.h"
#include "core/compile/compiler_log.h"
#include "core/system/paths.h"
#include "core/system/run_program.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_assembly{120};
constexpr uint64_t largest_cubin = uint64_t{256} << 20;

// A temporary folder, removed with its contents.
class WorkFolder {
 public:
  static Result<WorkFolder> make() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    Result<std::string> made = error ? failed("") : make_folder_in(parent, "warplens-");
    if (!made)
      return failed(fmt::format(
          "There is no folder for temporary files ({}), which CUDA's assembler needs: let TMPDIR name one.",
          parent.string()));
    return WorkFolder(std::move(made).value());
  }
  WorkFolder(WorkFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!m_path.empty()) fs::remove_all(m_path, ignored);
  }
  std::string file(const char* name) const { return m_path + "/" + name; }

 private:
  explicit WorkFolder(std::string path) : m_path(std::move(path)) {}
  std::string m_path;
};

bool is_unknown_architecture(std::string_view log) {
  return log.find("is not defined for option 'gpu-name'") != log.npos;
}

Error refused_ptx(const std::string& log, const std::string& architecture) {
  std::string reason;
  size_t count = 0;
  constexpr size_t most = 5;
  const std::vector<Diagnostic> diagnostics = parse_ptxas_errors(log, "PTX");
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (diagnostic.message.find("assembly aborted due to errors") != std::string::npos) continue;
    if (++count > most) continue;
    if (!reason.empty()) reason += "; ";
    if (diagnostic.line != 0) reason += fmt::format("line {}: ", diagnostic.line);
    reason += diagnostic.message;
  }
  if (count > most) reason += fmt::format("; and {} more", count - most);
  if (reason.empty()) reason = log.empty() ? "it gives no reason" : log;
  return bad_input(fmt::format("CUDA's assembler does not take this PTX for {}: {}", architecture, reason));
}

}  // namespace

Result<Assembled> run_ptxas(const std::string& program, const std::string& ptx,
                            const std::string& architecture, const std::vector<std::string>& options) {
  const Result<WorkFolder> folder = WorkFolder::make();
  if (!folder) return folder.error();
  const std::string input = folder->file("kernel.ptx"), output = folder->file("kernel.cubin");
  if (const Result<void> written = write_text(input, ptx); !written) return written.error();

  std::vector<std::string> arguments = options;
  arguments.insert(arguments.end(), {"-arch=" + architecture, "-v", input, "-o", output});
  Result<ProgramEnd> end = run_program(program, arguments, longest_assembly);
  if (!end) return end.error();
  if (end->status != 0) {
    if (is_unknown_architecture(end->output))
      return missing(fmt::format("{} makes no code for {}", program, architecture));
    if (end->status < 0) return failed(program + " ended by a signal, with no machine code.");
    return refused_ptx(end->output, architecture);
  }
  const Result<std::string> cubin = read_text(output, largest_cubin);
  if (!cubin || cubin->empty()) return failed(program + " gave no machine code and no reason.");
  return Assembled{*cubin, std::move(end->output)};
}

}  // namespace warplens
