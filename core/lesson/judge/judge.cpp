#include "core/lesson/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/lesson/judge/judging.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {

Result<Runnable> Judge::State::runnable(const Chosen& chosen, std::shared_ptr<const KernelDescription> kernel,
                                        bool numba) const {
  Runnable made{std::move(kernel), numba, device, std::nullopt};
  if (!chosen.device.empty()) {
    const Result<Device> other = find_device(chosen.device);
    if (!other) return other.error();
    made.device = *other;
  }
  for (const auto& [key, value] : chosen.entries)
    if (key == "shared") made.shared_bytes = static_cast<uint32_t>(std::stoul(value));
  return made;
}

Result<std::shared_ptr<const Judge::State::Truth>> Judge::State::truth(const RunAt& run,
                                                                       const KernelDescription& like,
                                                                       const std::stop_token& stop) {
  RunAt plain = run;
  plain.order = 0;
  plain.findings = false;
  plain.step_budget = default_step_budget;
  // Numbers that the answer set are also used for the reference.
  for (const auto* list : {&like.arguments, &like.settings})
    for (const KernelArgument& argument : *list)
      if (!argument.is_buffer && argument.expression.empty())
        plain.at.values.emplace(argument.name, argument.value);
  std::erase_if(plain.at.values, [](const auto& value) { return value.first == "max_registers"; });
  if (challenge.kind != ChallengeKind::kernel) plain.at.block.reset();
  const std::string key = fmt::format("{} data {}", text_of(plain.at), plain.data_seed);
  if (const auto known = truths.find(key); known != truths.end()) return known->second;
  Result<LaunchRequest> request = request_at(reference, challenge, plain);
  if (!request) return request.error();
  Result<RunResult> ran = run_request(std::move(*request), *backend, stop);
  if (!ran) return ran.error();
  if (ran->status != RunStatus::ok)
    return bad_input(fmt::format("The reference fails at {}: {}", text_of(plain.at), ran->message));
  auto made = std::make_shared<Truth>();
  made->warp_instructions = ran->counters ? ran->counters->warp_instructions : 0;
  made->thread_instructions = ran->counters ? ran->counters->thread_instructions : 0;
  made->outputs = std::move(ran->outputs);
  for (OutputBuffer& output : made->outputs) output.writers.reset();  // larger than the rest, and not needed
  truths[key] = made;
  return std::shared_ptr<const Truth>(made);
}

bool fail(Judging& j, Reason reason, std::string message) {
  j.judged.reason = reason;
  j.judged.message = std::move(message);
  return false;
}

bool fail(Judging& j, const Error& error) {
  if (error.kind == ErrorKind::cancelled)
    return fail(j, Reason::time, "It was stopped before it was judged.");
  if (error.kind == ErrorKind::missing) return fail(j, Reason::no_compiler, error.message);
  if (error.kind == ErrorKind::failed && error.message.find("memory") != std::string::npos)
    return fail(j, Reason::memory, error.message);
  return fail(j, Reason::unreadable, error.message);
}

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Judged run(Judging& j) {
  if (j.state.challenge.is_program()) {
    judge_program(j);
    return std::move(j.judged);
  }
  const auto begin = Clock::now();
  const bool made = make_kernel(j);
  j.judged.compile_ms = milliseconds_since(begin);
  if (made && j.options.compiled) j.options.compiled();
  const auto ran = Clock::now();
  if (made && j.state.challenge.expects_wrong) {
    judge_loss(j);
  } else if (made && judge_cases(j)) {
    j.judged.stars = 1;
    count_stars(j);
  }
  j.judged.run_ms = milliseconds_since(ran);
  if (!j.judged.right()) j.judged.stars = 0;
  return std::move(j.judged);
}

std::string sentence_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) errors.push_back(diagnostic);
  std::string text = to_text(errors);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Judge::Judge(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Judge::Judge(Judge&&) noexcept = default;
Judge& Judge::operator=(Judge&&) noexcept = default;
Judge::~Judge() = default;

Result<Judge> Judge::open(const Folder& folder, std::stop_token stop, std::string reference_ptx,
                          RunsProgram runs_program) {
  LoadedChallenge read = load_challenge(folder);
  if (!read.ok()) return bad_input(sentence_of(read.diagnostics));
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->challenge = std::move(read.challenge);
  const Result<Device> device = find_device(state->challenge.device);
  if (!device) return device.error();
  state->device = *device;
  state->runs_program = std::move(runs_program);
  const ChallengeFile* reference = state->challenge.reference(".cu");
  if (reference == nullptr)
    return bad_input(fmt::format(
        "{}: ```files names no right answer in CUDA C++, with which others are compared.", folder.name));
  // If the student chooses a launch, the comment of the right answer has the right launch; the code is the
  // starter's.
  const std::string& right = folder.files.at(reference->name);
  if (state->challenge.is_program()) {
    state->reference_source = right;
    return Judge(std::move(state));
  }
  const Chosen chosen = chosen_by(state->challenge, right);
  if (!chosen.mistake.empty()) return bad_input(fmt::format("{}: {}", reference->name, chosen.mistake));
  const bool fixed =
      state->challenge.kind == ChallengeKind::launch && state->challenge.starter(".cu") != nullptr;
  state->reference_source = fixed ? folder.files.at(state->challenge.starter(".cu")->name) : right;
  if (reference_ptx.empty()) {
    Result<Compilation> made = compile_for(state->device, state->reference_source, reference->name, stop);
    if (!made) return made.error();
    if (!made->ok)
      return bad_input(fmt::format("The reference does not compile:\n{}", sentence_of(made->diagnostics)));
    reference_ptx = std::move(made->ptx);
  }
  state->reference_ptx = std::move(reference_ptx);
  const auto kernel = describe(state->challenge, state->reference_source, state->reference_ptx, chosen);
  if (!kernel)
    return bad_input(fmt::format("{}: challenge.md:{}: ```data: {}", folder.name, state->challenge.data_line,
                                 kernel.error().message));
  const Result<Runnable> runnable = state->runnable(chosen, *kernel, false);
  if (!runnable) return runnable.error();
  state->reference = *runnable;
  return Judge(std::move(state));
}

const Challenge& Judge::challenge() const { return m_state->challenge; }
const KernelDescription& Judge::reference() const { return *m_state->reference.kernel; }
const std::string& Judge::reference_ptx() const { return m_state->reference_ptx; }

Judged Judge::judge(const Submission& answer, const JudgeOptions& options) {
  Judging judging{*m_state, answer, options};
  return run(judging);
}

Result<Specification> Judge::specification() {
  if (m_state->challenge.is_program()) return specification_of_program(*m_state, {});
  return specification_of(m_state->reference, m_state->challenge, *m_state->backend);
}

std::string differs_from(const Expected& expected, const Judged& judged) {
  if (std::ranges::any_of(expected.others,
                          [&](const Expected& other) { return differs_from(other, judged).empty(); }))
    return {};
  if (expected.reason != judged.reason)
    return fmt::format(
        "it should be {}, and it is {}: {}",
        expected.reason == Reason::none ? "right" : fmt::format("rejected as {}", to_string(expected.reason)),
        judged.right() ? "right" : to_string(judged.reason), judged.message);
  if (expected.reason == Reason::none && expected.stars != judged.stars)
    return fmt::format("it should earn {} stars, and it earns {}", expected.stars, judged.stars);
  if (!expected.kind.empty() && expected.kind != judged.kind)
    return fmt::format("it should be {} {}, and it is {}", to_string(expected.reason), expected.kind,
                       judged.kind);
  if (expected.at)
    for (const auto& [name, value] : expected.at->values) {
      const bool there = judged.failed && judged.failed->at.values.contains(name) &&
                         judged.failed->at.values.at(name) == value;
      if (!there)
        return fmt::format("it should fail at {}, and it fails at {}", text_of(*expected.at),
                           judged.failed ? text_of(judged.failed->at) : "no case");
    }
  return {};
}

}  // namespace warplens::lesson
