// Makes a kernel that can be run from an answer: its settings, its code, its machine code.
#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/judge/judging.h"

namespace warplens::lesson {
namespace {

bool compile_answer(Judging& j, const Submission& code, std::string& ptx) {
  if (code.source.empty()) return fail(j, Reason::unreadable, "The file is empty.");
  if (code.source.find('\0') != std::string::npos)
    return fail(j, Reason::unreadable, "The file is no text: it has bytes of zero in it.");
  std::optional<Judge::State::Compiled>& known = j.state.compiled;
  if (!known || known->source != code.source || known->name != code.name) {
    Result<Compilation> compiled = compile_for(j.state.device, code.source, code.name, j.options.stop);
    if (!compiled) return fail(j, compiled.error());
    known = {code.source, code.name, std::move(compiled).value()};
  }
  const Compilation& made = known->made;
  j.judged.diagnostics = made.diagnostics;
  ptx = made.ptx;
  if (made.ok) return true;
  for (const Diagnostic& diagnostic : made.diagnostics)
    if (diagnostic.severity == Severity::error) {
      j.judged.line = diagnostic.line;
      return fail(j, Reason::compile,
                  fmt::format("It does not compile: line {}: {}", diagnostic.line, diagnostic.message));
    }
  return fail(j, Reason::compile, "It does not compile.");
}

bool same_code(const std::string& a, const std::string& b) {
  const auto plain = [](const std::string& source) {
    std::string text = without_annotation(source);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    return text;
  };
  return plain(a) == plain(b);
}

// The starter's code with the answer's comment. If the answer has code, it must be the starter's.
bool launch_only(Judging& j, Submission& code, std::string& ptx) {
  const ChallengeFile* starter = j.state.challenge.starter(".cu");
  const std::string& source = j.state.folder.files.at(starter->name);
  if (!is_comment_only(j.answer.source) && !same_code(j.answer.source, source))
    return fail(j, Reason::choice, "The source may not be changed here: only the line // warplens: counts.");
  code.source = source;
  code.name = starter->name;
  return compile_answer(j, code, ptx);
}

}  // namespace

Result<Compilation> compile_for(const Device& device, const std::string& source, const std::string& name,
                                const std::stop_token& stop) {
  CompileOptions options;
  options.architecture = device.compute_capability;
  return compile_cuda(source, name, options, stop);
}

bool make_kernel(Judging& j) {
  const Challenge& challenge = j.state.challenge;
  j.chosen = chosen_by(challenge, j.answer.source);
  if (!j.chosen.mistake.empty()) return fail(j, Reason::choice, j.chosen.mistake);
  const bool numba = !j.answer.ptx.empty();
  std::string ptx = j.answer.ptx;
  Submission code = j.answer;
  if (challenge.kind == ChallengeKind::launch) {
    if (!launch_only(j, code, ptx)) return false;
  } else if (!numba && !compile_answer(j, code, ptx)) {
    return false;
  }
  const auto base = describe(challenge, j.state.reference_source, j.state.reference_ptx, j.chosen);
  if (!base) return fail(j, Reason::choice, base.error().message);
  const auto kernel = with_code(**base, challenge, code, ptx, numba);
  if (!kernel)
    return fail(j, kernel.error().kind == ErrorKind::refused ? Reason::compile : Reason::signature,
                kernel.error().message);
  const Result<Runnable> runnable = j.state.runnable(j.chosen, *kernel, numba);
  if (!runnable) return fail(j, Reason::choice, runnable.error().message);
  j.kernel = *runnable;
  // Code that the assembler refuses cannot run on any GPU: for example, it has too much shared memory.
  const Result<Resources> resources =
      resources_of(j.kernel.kernel->ptx, j.kernel.kernel->entry, j.kernel.device.compute_capability);
  if (!resources && resources.error().kind == ErrorKind::bad_input)
    return fail(j, Reason::compile, "It cannot be assembled: " + resources.error().message);
  return true;
}

}  // namespace warplens::lesson
