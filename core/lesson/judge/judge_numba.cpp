// Numba answers: Python compiles them to PTX, always in the sandbox.
#include <fmt/format.h>

#include <filesystem>

#include "core/base/system/embedded.h"
#include "core/lesson/format/markdown.h"
#include "core/lesson/judge/judge_process.h"
#include "core/lesson/judge/runnable.h"
#include "core/system/places.h"
#include "core/system/process.h"

namespace warplens::lesson {
namespace {

struct PythonPlace {
  std::string program;
  std::vector<std::string> paths;  // what it must read besides the system's libraries
};

// Determined once: which Python has Numba, and where its files are.
Result<PythonPlace> find_python() {
  const std::string program = chosen_python();
  ProcessLimits limits;
  limits.time = std::chrono::seconds(60);
  const Result<ProcessEnd> end =
      run_limited({program, "-c", std::string(find_embedded("judge/python_paths.py"))}, "", limits);
  if (!end || end->status != 0)
    return missing(
        "Numba answers need Python with Numba: python3 -m pip install \"numba-cuda[cu12]\"; WARPLENS_PYTHON "
        "names "
        "another Python.");
  PythonPlace place;
  for (const std::string_view line : parts_of(end->out, '\n'))
    if (!line.empty()) place.paths.emplace_back(line);
  if (place.paths.empty()) return missing("Python did not say where its files are.");
  place.program = place.paths.back();
  place.paths.pop_back();
  std::error_code ignored;
  for (const std::string& toolkit : toolkit_folders())
    if (!toolkit.starts_with("/usr") && std::filesystem::exists(toolkit, ignored))
      place.paths.push_back(toolkit);
  return place;
}

std::string parameters_of(const KernelDescription& reference) {
  std::string text;
  for (const KernelArgument& argument : reference.arguments) {
    text += (text.empty() ? "" : ",") + std::string(numpy_name(argument.dtype));
    if (argument.is_buffer) text += fmt::format(":{}", indices_of(argument));
  }
  return text;
}

Reason reason_of(std::string_view kind) {
  if (kind == "compile") return Reason::compile;
  if (kind == "signature") return Reason::signature;
  return kind == "memory" ? Reason::memory : Reason::no_compiler;
}

// Text that the answer's own code may have written, made safe for a table or a terminal: no control
// characters, and not longer than a message needs.
std::string tamed(std::string_view text) {
  constexpr size_t most_bytes = 1000;
  std::string tame;
  for (const char c : text.substr(0, most_bytes))
    tame += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return tame;
}

}  // namespace

Result<NumbaMade> compile_numba(const std::string& source, const Challenge& challenge,
                                const KernelDescription& reference, const Device& device,
                                const JudgeLimits& limits, Deadline deadline, const std::stop_token& stop,
                                Reason& reason) {
  reason = Reason::no_compiler;
  if (const std::string why = why_not_apart(); !why.empty())
    return missing("A Python answer is a program, so it is only run where it is kept apart: " + why);
  static const Result<PythonPlace> python = find_python();
  if (!python) return python.error();
  ProcessLimits process;
  process.time = time_until(deadline);
  process.address_bytes = limits.memory_bytes;
  std::string script(find_embedded("program/numba_lines.py"));
  script += find_embedded("judge/compile_numba.py");
  const std::string input = fmt::format("{}\n{}\n{}\n{}", challenge.entry, parameters_of(reference),
                                        device.compute_capability.number(), source);
  std::vector<std::string> words = {python->program, "-B", "-c", script};
  if (sandbox_works())
    words = in_sandbox(words, python->paths, OfSystem::libraries);
  else
    process.user = *judge_user();
  const Result<ProcessEnd> end = run_limited(words, input, process, stop);
  if (!end) return end.error();
  if (end->timed_out) {
    reason = Reason::time;
    return failed(fmt::format("It was stopped after {:.0f} s, while Numba compiled it.",
                              double(limits.time.count()) / 1000));
  }
  // From here on the answer's own code may have run, and may have written anything.
  constexpr std::string_view begun_word = "begun\n";
  const bool begun = end->out.starts_with(begun_word);
  const std::string out = end->out.substr(begun ? begun_word.size() : 0);
  const size_t line = out.find('\n');
  const std::string kind = out.substr(0, line);
  if (line == std::string::npos || end->status != 0) {
    const bool memory =
        end->err.find("MemoryError") != std::string::npos || end->err.find("bad_alloc") != std::string::npos;
    reason = memory ? Reason::memory : Reason::compile;
    return failed(memory ? "Compiling it with Numba needs more memory than is allowed."
                         : fmt::format("Python ended without an answer (status {}).", end->status));
  }
  const std::string rest = out.substr(line + 1);
  if (kind != "ptx") {
    reason = reason_of(kind);
    // Numba was there before the answer began, so only the answer can have caused its absence.
    if (begun && reason == Reason::no_compiler) {
      reason = Reason::compile;
      return failed("Python ended with something that is no answer of the judge's script.");
    }
    return failed(kind == "compile" ? "It does not compile: " + tamed(rest) : tamed(rest));
  }
  const size_t name = rest.find('\n');
  reason = Reason::none;
  return NumbaMade{rest.substr(name + 1), rest.substr(0, name)};
}

}  // namespace warplens::lesson
