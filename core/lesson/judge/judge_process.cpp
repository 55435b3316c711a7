#include "core/lesson/judge/judge_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "core/base/json/json_values.h"
#include "core/compile/choice.h"
#include "core/job/report/report_fields.h"
#include "core/lesson/judge/judge_report.h"
#include "core/lesson/read/field_readers.h"
#include "core/system/library.h"
#include "core/system/places.h"
#include "core/system/process.h"

namespace warplens::lesson {
namespace {

constexpr const char* worker_word = "--judge-worker";

// The format of data for the worker: pieces of a name, a size and bytes, since sources need not be UTF-8.
void add_piece(std::string& parcel, std::string_view name, std::string_view bytes) {
  parcel += fmt::format("{} {}\n", name, bytes.size());
  parcel.append(bytes);
}

struct ParcelEntry {
  std::string name, bytes;
};
std::vector<ParcelEntry> pieces_in(std::string_view parcel) {
  std::vector<ParcelEntry> pieces;
  while (!parcel.empty()) {
    const size_t end = parcel.find('\n');
    if (end == parcel.npos) break;
    const std::string_view head = parcel.substr(0, end);
    const size_t blank = head.rfind(' ');
    const std::optional<uint64_t> size =
        blank == head.npos ? std::nullopt : whole_number_in(head.substr(blank + 1), parcel.size() - end - 1);
    if (!size) break;
    pieces.push_back({std::string(head.substr(0, blank)), std::string(parcel.substr(end + 1, *size))});
    parcel.remove_prefix(end + 1 + *size);
  }
  return pieces;
}

std::string parcel_of(const Folder& folder, const HandIn& hand_in, const std::string& name,
                      const JudgeOptions& options) {
  std::string parcel;
  for (const auto& [file, bytes] : folder.files)
    if (file.ends_with(".md") || file.ends_with(".cu") || file.ends_with(".py"))
      add_piece(parcel, "file:" + file, bytes);
  add_piece(parcel, "folder", folder.name);
  add_piece(parcel, "name", name);
  add_piece(parcel, "source", hand_in.source);
  add_piece(parcel, "seed", std::to_string(options.seed));
  add_piece(parcel, "data_sets", std::to_string(options.data_sets));
  if (const Result<CompilerKind> compiler = chosen_compiler())
    add_piece(parcel, "compiler", to_string(*compiler));
  add_piece(parcel, "compiled_reference", options.reference_ptx);
  add_piece(parcel, "language", options.language);
  return parcel;
}

Judged rejected(Reason reason, std::string message) {
  Judged judged;
  judged.reason = reason;
  judged.message = std::move(message);
  return judged;
}

// Why a worker ended without an answer.
Judged died_of(const ProcessEnd& end, const JudgeLimits& limits) {
  const bool compiling = end.out.find("\nrun\n") == end.out.npos;
  const char* when = compiling ? "while it was compiled" : "while it ran";
  if (end.stopped) return rejected(Reason::time, "It was stopped before it was judged.");
  if (end.timed_out)
    return rejected(Reason::time, fmt::format("It was stopped after {:.0f} s, {}.",
                                              double(limits.time.count()) / 1000, when));
  if (speaks_of_memory(end.err) || end.peak_bytes > limits.memory_bytes / 10 * 9)
    return rejected(Reason::memory, fmt::format("It needs more memory than the allowed {} MiB, {}.",
                                                limits.memory_bytes >> 20, when));
  // It was not even started, so it is not the answer's fault.
  if (end.out.find("\ncompile\n") == end.out.npos)
    return rejected(Reason::no_compiler,
                    fmt::format("The judge could not be started: {}", trimmed(end.err).substr(0, 300)));
  if (compiling) return rejected(Reason::compile, "The compiler did not survive it.");
  return rejected(Reason::unreadable, fmt::format("The judge's process ended {} ({}).", when,
                                                  end.signal != 0 ? fmt::format("signal {}", end.signal)
                                                                  : fmt::format("status {}", end.status)));
}

// The worker's side.
int work(RunsProgram runs_program) {
  const std::string parcel{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  Folder folder;
  Submission answer;
  JudgeOptions options;
  for (ParcelEntry& piece : pieces_in(parcel)) {
    if (piece.name.starts_with("file:"))
      folder.files[piece.name.substr(5)] = std::move(piece.bytes);
    else if (piece.name == "folder")
      folder.name = piece.bytes;
    else if (piece.name == "name")
      answer.name = piece.bytes;
    else if (piece.name == "source")
      answer.source = std::move(piece.bytes);
    else if (piece.name == "seed")
      options.seed = whole_number_in(piece.bytes, UINT64_MAX).value_or(1);
    else if (piece.name == "data_sets")
      options.data_sets = uint32_t(whole_number_in(piece.bytes, 1000).value_or(0));
    else if (piece.name == "compiled_reference")
      options.reference_ptx = std::move(piece.bytes);
    else if (piece.name == "language")
      options.language = std::move(piece.bytes);
    else if (piece.name == "compiler")
      prefer_compiler(compiler_named(piece.bytes).value_or(CompilerKind::what_is_there));
    else if (piece.name == "ptx")
      answer.ptx = std::move(piece.bytes);
    else if (piece.name == "entry")
      answer.entry = piece.bytes;
    else if (piece.name == "reference_ptx")
      answer.reference_ptx = std::move(piece.bytes);
    else if (piece.name == "reference_entry")
      answer.reference_entry = piece.bytes;
  }
  std::cout << "\ncompile\n" << std::flush;
  options.compiled = [] { std::cout << "\nrun\n" << std::flush; };
  try {
    Result<Judge> judge = Judge::open(folder, {}, options.reference_ptx, std::move(runs_program));
    const Judged judged =
        judge ? judge->judge(answer, options) : rejected(Reason::no_compiler, judge.error().message);
    const Challenge challenge = judge ? judge->challenge() : Challenge{};
    std::cout << "\nanswer\n"
              << json_values::indented(judged_json(judged, challenge, answer.name)) << std::flush;
  } catch (const std::bad_alloc&) {
    std::cerr << "bad_alloc\n";
    std::_Exit(1);
  }
  return 0;
}

}  // namespace

std::chrono::milliseconds time_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

std::optional<int> run_as_judge(int argc, char** argv, RunsProgram runs_program) {
  if (argc != 2 || std::string_view(argv[1]) != worker_word) return std::nullopt;
  return work(std::move(runs_program));
}

namespace {

// Compiles a Python answer, and the challenge's own if goals refer to it. Returns the verdict if that failed.
std::optional<Judged> add_numba(std::string& parcel, const Folder& folder, const HandIn& hand_in,
                                const JudgeOptions& options, const JudgeLimits& limits, Deadline deadline) {
  const Result<Judge> judge = Judge::open(folder, options.stop, options.reference_ptx);
  if (!judge) return rejected(Reason::no_compiler, judge.error().message);
  const Challenge& challenge = judge->challenge();
  const Result<Device> device = find_device(challenge.device);
  if (!device) return rejected(Reason::no_compiler, device.error().message);
  Reason reason = Reason::no_compiler;
  const auto compile = [&](const std::string& source, const char* ptx,
                           const char* entry) -> std::optional<Judged> {
    const Result<NumbaMade> made =
        compile_numba(source, challenge, judge->reference(), *device, limits, deadline, options.stop, reason);
    if (!made) return rejected(reason, made.error().message);
    add_piece(parcel, ptx, made->ptx);
    add_piece(parcel, entry, made->entry);
    return std::nullopt;
  };
  if (std::optional<Judged> failed = compile(hand_in.source, "ptx", "entry")) return failed;
  const ChallengeFile* own = challenge.reference(".py");
  if (own == nullptr || folder.files.at("challenge.md").find("reference.") == std::string::npos)
    return std::nullopt;
  return compile(folder.files.at(own->name), "reference_ptx", "reference_entry");
}

}  // namespace

JudgedApart judge_apart(const std::string& program, const Folder& folder, const HandIn& hand_in,
                        const std::string& name, const JudgeOptions& options, const JudgeLimits& limits) {
  JudgedApart apart;
  if (const std::string why = why_not_apart(); !why.empty() && !limits.trusts_author) {
    apart.judged =
        rejected(Reason::no_compiler, "It cannot be isolated on this machine, so it is not run: " + why);
    return apart;
  }
  const Deadline deadline = std::chrono::steady_clock::now() + limits.time;
  std::string parcel = parcel_of(folder, hand_in, name, options);
  if (hand_in.language == Language::numba)
    if (std::optional<Judged> failed = add_numba(parcel, folder, hand_in, options, limits, deadline)) {
      apart.judged = std::move(*failed);
      return apart;
    }
  ProcessLimits process;
  process.time = time_until(deadline);
  process.address_bytes = limits.memory_bytes;
  const std::vector<std::string> words = {program, worker_word};
  const bool in_bubblewrap = sandbox_works().ok();
  if (!in_bubblewrap)
    if (const Result<OtherUser> user = judge_user()) process.user = *user;
  const Result<ProcessEnd> end = in_bubblewrap ? run_in_sandbox(words, parcel, process, options.stop)
                                               : run_limited(words, parcel, process, options.stop);
  if (!end) {
    apart.judged = rejected(Reason::no_compiler, end.error().message);
    return apart;
  }
  apart.milliseconds = end->milliseconds;
  apart.peak_bytes = end->peak_bytes;
  const size_t at = end->out.rfind("\nanswer\n");
  if (at == std::string::npos || end->status != 0) {
    apart.judged = died_of(*end, limits);
    return apart;
  }
  Result<Judged> judged = judged_from_json(std::string_view(end->out).substr(at + 8));
  apart.judged = judged ? std::move(*judged) : rejected(Reason::unreadable, judged.error().message);
  return apart;
}

}  // namespace warplens::lesson
