#include "core/lesson/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "core/compile/compiler.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/lesson/judge_parts.h"
#include "core/lesson/read_cases.h"

namespace warplens::lesson {
namespace {

// Findings are looked for while the reference needs no more than this; beyond it they take seconds.
constexpr uint64_t most_searched_instructions = 2'000'000;
// Where an order parts the lanes of a warp, each thread's instructions may be counted on their own.
constexpr uint64_t least_step_budget = 10'000'000, times_the_threads = 20;

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Result<Compilation> compiled(const std::string& source, const std::string& name, const Device& device,
                             const std::stop_token& stop) {
  CompileOptions options;
  options.architecture = device.compute_capability;
  return compile_cuda(source, name, options, stop);
}

std::string text_of_case(const JudgedCase& at) {
  std::string text = text_of(at.at);
  if (at.order != 0) text += fmt::format(", order {}", at.order);
  return text;
}

const OutputBuffer* output_of(const RunResult& result, uint32_t buffer) {
  const auto found = std::ranges::find(result.outputs, buffer, &OutputBuffer::index);
  return found == result.outputs.end() || !found->bytes ? nullptr : &*found;
}

// The thread that wrote an element last.
void add_writer(const RunResult& result, uint32_t buffer, WrongElement& wrong) {
  const OutputBuffer* output = output_of(result, buffer);
  if (output == nullptr || !output->writers || wrong.index >= output->writers->writer.size()) return;
  const WriterMap& map = *output->writers;
  const uint64_t writer = map.writer[wrong.index];
  if (writer == 0 || map.block.count() == 0) return;
  wrong.block = position_at((writer - 1) / map.block.count(), map.grid);
  wrong.thread = position_at((writer - 1) % map.block.count(), map.block);
}

std::string words_for(const WrongElement& wrong) {
  std::string text = fmt::format("{}[{}] is {}, and {} is right", wrong.array, wrong.index,
                                 number_text(wrong.got), number_text(wrong.want));
  if (!wrong.block) return text + "; no thread wrote it";
  return text + fmt::format("; thread ({}, {}, {}) of block ({}, {}, {}) wrote it", wrong.thread->x,
                            wrong.thread->y, wrong.thread->z, wrong.block->x, wrong.block->y, wrong.block->z);
}

bool names_any(const std::vector<Condition>& conditions, std::string_view word) {
  return std::ranges::any_of(conditions, [&](const Condition& condition) {
    return condition.expression.text.find(word) != std::string::npos;
  });
}

}  // namespace

struct Judge::State {
  // What the reference makes of a case.
  struct Truth {
    RunResult result;
    uint64_t warp_instructions = 0, thread_instructions = 0;
  };

  Folder folder;
  Challenge challenge;
  Device device;
  std::string reference_ptx, reference_source;
  Runnable reference;
  std::unique_ptr<Backend> backend = make_virtual_gpu();
  std::map<std::string, std::shared_ptr<const Truth>> truths;  // of the reference, by case and data

  Result<Runnable> runnable(const Chosen& chosen, std::shared_ptr<const KernelDescription> kernel,
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

  // The expected outputs do not depend on how an answer launches: only on numbers and data.
  Result<std::shared_ptr<const Truth>> truth(const RunAt& run, const KernelDescription& like,
                                             const std::stop_token& stop) {
    RunAt plain = run;
    plain.order = 0;
    plain.findings = false;
    plain.step_budget = default_step_budget;
    // Numbers that the answer chose hold for the reference too.
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
    made->result = std::move(*ran);
    truths[key] = made;
    return std::shared_ptr<const Truth>(made);
  }
};

namespace {

// One answer on its way through the judge.
class Judging {
 public:
  Judging(Judge::State& state, const Submission& answer, const JudgeOptions& options)
      : m_state(state), m_answer(answer), m_options(options) {}

  Judged judge() {
    const auto begin = Clock::now();
    const bool made = make_kernel();
    m_judged.compile_ms = milliseconds_since(begin);
    if (made && m_options.compiled) m_options.compiled();
    const auto ran = Clock::now();
    if (made && m_state.challenge.expects_wrong) {
      judge_loss();
    } else if (made && judge_cases()) {
      m_judged.stars = 1;
      count_stars();
    }
    m_judged.run_ms = milliseconds_since(ran);
    if (!m_judged.right()) m_judged.stars = 0;
    return std::move(m_judged);
  }

 private:
  bool fail(Reason reason, std::string message) {
    m_judged.reason = reason;
    m_judged.message = std::move(message);
    return false;
  }

  bool fail(const Error& error) {
    if (error.kind == ErrorKind::cancelled) return fail(Reason::time, "It was stopped before it was judged.");
    if (error.kind == ErrorKind::missing) return fail(Reason::no_compiler, error.message);
    if (error.kind == ErrorKind::failed && error.message.find("memory") != std::string::npos)
      return fail(Reason::memory, error.message);
    return fail(Reason::unreadable, error.message);
  }

  // --- the kernel

  bool make_kernel() {
    const Challenge& challenge = m_state.challenge;
    m_chosen = chosen_by(challenge, m_answer.source);
    if (!m_chosen.mistake.empty()) return fail(Reason::choice, m_chosen.mistake);
    const bool numba = !m_answer.ptx.empty();
    std::string ptx = m_answer.ptx;
    Submission code = m_answer;
    if (challenge.kind == ChallengeKind::launch) {
      if (!launch_only(code)) return false;
      ptx = m_starter_ptx;
    } else if (!numba && !compile(code, ptx)) {
      return false;
    }
    const auto base = describe(challenge, m_state.reference_source, m_state.reference_ptx, m_chosen);
    if (!base) return fail(Reason::choice, base.error().message);
    const auto kernel = with_code(**base, challenge, code, ptx, numba);
    if (!kernel) return fail(Reason::signature, kernel.error().message);
    const Result<Runnable> runnable = m_state.runnable(m_chosen, *kernel, numba);
    if (!runnable) return fail(Reason::choice, runnable.error().message);
    m_kernel = *runnable;
    // What the assembler refuses, no GPU would run: too much shared memory, for example.
    const Result<Resources> resources =
        resources_of(m_kernel.kernel->ptx, m_kernel.kernel->entry, m_kernel.device.compute_capability);
    if (!resources && resources.error().kind == ErrorKind::bad_input)
      return fail(Reason::compile, "It cannot be assembled: " + resources.error().message);
    return true;
  }

  bool compile(const Submission& code, std::string& ptx) {
    if (code.source.empty()) return fail(Reason::unreadable, "The file is empty.");
    if (code.source.find('\0') != std::string::npos)
      return fail(Reason::unreadable, "The file is no text: it has bytes of zero in it.");
    const Result<Compilation> made = compiled(code.source, code.name, m_state.device, m_options.stop);
    if (!made) return fail(made.error());
    m_judged.diagnostics = made->diagnostics;
    ptx = made->ptx;
    if (made->ok) return true;
    for (const Diagnostic& diagnostic : made->diagnostics)
      if (diagnostic.severity == Severity::error) {
        m_judged.line = diagnostic.line;
        return fail(Reason::compile,
                    fmt::format("It does not compile: line {}: {}", diagnostic.line, diagnostic.message));
      }
    return fail(Reason::compile, "It does not compile.");
  }

  // The starter's code with the answer's comment. Code of the answer must be the starter's.
  bool launch_only(Submission& code) {
    const ChallengeFile* starter = m_state.challenge.starter(".cu");
    const std::string& source = m_state.folder.files.at(starter->name);
    if (!is_comment_only(m_answer.source) && !same_code(m_answer.source, source))
      return fail(Reason::choice, "The source may not be changed here: only the line // warplens: counts.");
    code.source = source;
    code.name = starter->name;
    return compile(code, m_starter_ptx);
  }

  static bool same_code(const std::string& a, const std::string& b) {
    const auto plain = [](const std::string& source) {
      std::string text = without_annotation(source);
      std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
      return text;
    };
    return plain(a) == plain(b);
  }

  // --- cases

  // What a case touches, to begin with the smallest. Those that cannot be made come last.
  uint64_t size_of(const Case& at) {
    const Result<LaunchRequest> request = request_at(m_kernel, m_state.challenge, {at});
    if (!request) return UINT64_MAX;
    uint64_t size = 0;
    for (const BufferSpec& buffer : request->buffers) size += buffer.bytes;
    for (const Step& step : request->steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step))
        size += launch->grid.count() * launch->block.count();
    return size;
  }

  bool judge_cases() {
    std::vector<std::pair<uint64_t, Case>> cases;
    for (const Case& at : all_cases(m_state.challenge, m_options.seed)) cases.emplace_back(size_of(at), at);
    std::stable_sort(cases.begin(), cases.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const uint32_t sets = m_options.data_sets == 0 ? m_state.challenge.data_sets : m_options.data_sets;
    for (const auto& [size, at] : cases) {
      for (uint32_t set = 0; set < sets; ++set)
        for (size_t i = 0; i < m_state.challenge.orders.size(); ++i)
          if (!judge_case({at, m_state.challenge.orders[i], m_options.seed * 1000 + set}, i == 0))
            return false;
      ++m_judged.cases;
    }
    return true;
  }

  bool judge_case(const JudgedCase& at, bool first_order) {
    if (m_options.stop.stop_requested()) return fail(Reason::time, "It was stopped before it was judged.");
    m_at = at;
    RunAt run{at.at, at.order, at.data_seed};
    const auto truth = m_state.truth(run, *m_kernel.kernel, m_options.stop);
    if (!truth) return fail(truth.error());
    run.step_budget = std::max(least_step_budget, times_the_threads * (*truth)->thread_instructions);
    run.findings = (*truth)->warp_instructions <= most_searched_instructions;
    Result<LaunchRequest> request = request_at(m_kernel, m_state.challenge, run);
    if (!request) return fail_case(Reason::choice, "", request.error().message, nullptr);
    const Result<RunResult> ran = run_request(std::move(*request), *m_state.backend, m_options.stop);
    ++m_judged.runs;
    if (!ran)
      return ran.error().kind == ErrorKind::cancelled || ran.error().kind == ErrorKind::missing
                 ? fail(ran.error())
                 : fail_case(Reason::refused, "", ran.error().message, nullptr);
    return survives(*ran) && as_expected(*ran, (*truth)->result, first_order);
  }

  bool fail_case(Reason reason, std::string kind, std::string_view what, const RunResult* result) {
    m_judged.kind = std::move(kind);
    m_judged.failed = m_at;
    if (result) m_judged.request = result->request;
    return fail(reason, fmt::format("With {}: {}", text_of_case(m_at), what));
  }

  bool survives(const RunResult& ran) {
    if (ran.status == RunStatus::cancelled) return fail(Reason::time, "It was stopped before it was judged.");
    if (ran.status == RunStatus::refused)
      return fail_case(Reason::refused, ran.cuda_error.value_or(""), ran.message, &ran);
    if (ran.status == RunStatus::fault && !ran.faults.empty()) {
      const Incident& fault = ran.faults.front();
      m_judged.line = fault.line;
      if (fault.kind == IncidentKind::step_limit)
        return fail_case(Reason::steps, "step_limit",
                         "it ran many times the instructions that the work needs, so it was stopped: "
                         "it may never end.",
                         &ran);
      return fail_case(Reason::fault, to_string(fault.kind), incident_words(fault), &ran);
    }
    if (!ran.findings.empty()) {
      const Incident& finding = ran.findings.front();
      m_judged.line = finding.line;
      return fail_case(Reason::finding, to_string(finding.kind), incident_words(finding), &ran);
    }
    return true;
  }

  static std::string incident_words(const Incident& incident) {
    const std::string line = incident.line == 0 ? "" : fmt::format("line {}: ", incident.line);
    return line + incident.message;
  }

  double tolerance_of(const std::string& name) const {
    for (const auto& [buffer, rtol] : m_state.challenge.tolerances)
      if (buffer == name) return rtol;
    return 0;
  }

  // Inputs as they were, outputs as the reference has them.
  bool as_expected(const RunResult& ran, const RunResult& truth, bool first_order) {
    for (const bool inputs : {true, false})
      for (uint32_t i = 0; i < ran.request->buffers.size(); ++i) {
        const BufferSpec& spec = ran.request->buffers[i];
        if (is_output(spec.name) == inputs) continue;
        const OutputBuffer *got = output_of(ran, i), *want = output_of(truth, i);
        if (got == nullptr || want == nullptr) continue;
        const double rtol = inputs ? 0 : tolerance_of(spec.name);
        const Check check = compare_buffers(spec.name, spec.dtype, *got->bytes, *want->bytes, rtol);
        if (check.equal) continue;
        WrongElement wrong{spec.name, check.first_mismatch.value_or(0), 0, 0, {}, {}};
        wrong.got = element_at(*got->bytes, spec.dtype, wrong.index).value_or(0);
        wrong.want = element_at(*want->bytes, spec.dtype, wrong.index).value_or(0);
        add_writer(ran, i, wrong);
        m_judged.wrong = wrong;
        if (inputs)
          return fail_case(
              Reason::input, "",
              fmt::format("{} may only be read, and it was changed: {}.", spec.name, words_for(wrong)), &ran);
        const Reason reason = first_order ? Reason::mismatch : Reason::order;
        return fail_case(
            reason, "",
            words_for(wrong) + (first_order ? "." : "; in another order of warps and blocks it was right."),
            &ran);
      }
    return true;
  }

  bool is_output(const std::string& name) const {
    for (const KernelArgument& argument : m_kernel.kernel->arguments)
      if (argument.name == name) return argument.output;
    return true;
  }

  // --- a launch that has to show the mistake

  void judge_loss() {
    m_at = {m_state.challenge.stars_at, m_chosen.order, m_options.seed * 1000};
    RunAt run{m_at.at, m_at.order, m_at.data_seed, false};
    const auto truth = m_state.truth(run, *m_kernel.kernel, m_options.stop);
    if (!truth) {
      fail(truth.error());
      return;
    }
    Result<LaunchRequest> request = request_at(m_kernel, m_state.challenge, run);
    const Result<RunResult> ran = request ? run_request(std::move(*request), *m_state.backend, m_options.stop)
                                          : Result<RunResult>(request.error());
    ++m_judged.runs;
    if (!ran) {
      fail_case(Reason::refused, "", ran.error().message, nullptr);
      return;
    }
    if (ran->status == RunStatus::refused) {
      fail_case(Reason::refused, ran->cuda_error.value_or(""), ran->message, &*ran);
      return;
    }
    if (ran->status == RunStatus::ok && as_expected(*ran, (*truth)->result, true)) {
      fail_case(Reason::goal, "", "the result is right in this launch, so it does not show the mistake.",
                &*ran);
      return;
    }
    // as_expected() has described the loss as a failure.
    const std::optional<WrongElement> shown = m_judged.wrong;
    m_judged = Judged{};
    m_judged.wrong = shown;
    m_judged.runs = 1;
    m_judged.stars = 1;
    count_stars();
  }

  // --- goals

  Result<RunResult> run_at_goal(const Runnable& runnable, uint64_t order) {
    RunAt run{m_state.challenge.stars_at, order, m_options.seed * 1000, false};
    Result<LaunchRequest> request = request_at(runnable, m_state.challenge, run);
    if (!request) return request.error();
    return run_request(std::move(*request), *m_state.backend, m_options.stop);
  }

  void add_goal_facts(Facts& facts, const std::string& prefix, const Result<RunResult>& ran) {
    add_run(facts, prefix, ran ? &*ran : nullptr);
    add_launch(facts, prefix, ran ? std::optional(ran->shape) : std::nullopt);
  }

  void count_stars() {
    const Challenge& challenge = m_state.challenge;
    if (challenge.goal.empty() && challenge.two.empty() && challenge.three.empty()) {
      m_judged.stars = 3;
      return;
    }
    const Result<RunResult> ran = run_at_goal(m_kernel, m_chosen.order);
    if (!ran) {
      fail(ran.error());
      return;
    }
    Facts facts;
    KernelSetup setup = default_setup(*m_kernel.kernel);
    for (const auto& [name, value] : challenge.stars_at.values) setup.values[name] = value;
    if (challenge.stars_at.block) setup.block = *challenge.stars_at.block;
    add_numbers(facts, *m_kernel.kernel, setup);
    add_goal_facts(facts, "", ran);
    facts.set("right", challenge.expects_wrong ? 0 : 1);
    facts.set("order", double(m_chosen.order));
    facts.set("device.sms", m_kernel.device.sms);
    add_arrays(facts, std::make_shared<const RunResult>(*ran));
    m_judged.counters = ran->counters;
    add_reference(facts);
    if (!conditions_hold(challenge.goal, 1, facts)) {
      const GoalResult& missed = *std::ranges::find(m_judged.goals, false, &GoalResult::holds);
      m_at = {challenge.stars_at, m_chosen.order, m_options.seed * 1000};
      fail(Reason::goal, missed.otherwise.empty()
                             ? fmt::format("The goal is not reached: {}.", missed.expression)
                             : missed.otherwise);
      return;
    }
    const bool two = conditions_hold(challenge.two, 2, facts);
    const bool three = conditions_hold(challenge.three, 3, facts);
    m_judged.stars = two ? (three ? 3 : 2) : 1;
  }

  void add_reference(Facts& facts) {
    const Challenge& challenge = m_state.challenge;
    const auto used = [&](std::string_view word) {
      return names_any(challenge.two, word) || names_any(challenge.three, word) ||
             names_any(challenge.goal, word);
    };
    if (used("reference.")) {
      const Result<RunResult> reference = run_reference();
      add_goal_facts(facts, "reference.", reference);
      if (reference) m_judged.reference = reference->counters;
    }
    if (used("start.")) add_goal_facts(facts, "start.", run_start());
  }

  // In the answer's language, where the challenge has a right answer in it.
  Result<RunResult> run_reference() {
    if (!m_kernel.numba || m_answer.reference_ptx.empty()) return run_at_goal(m_state.reference, 0);
    const Submission code{"right.py", "", m_answer.reference_ptx, m_answer.reference_entry, "", ""};
    const auto kernel = with_code(*m_state.reference.kernel, m_state.challenge, code, code.ptx, true);
    if (!kernel) return kernel.error();
    Runnable runnable = m_state.reference;
    runnable.kernel = *kernel;
    runnable.numba = true;
    return run_at_goal(runnable, 0);
  }

  Result<RunResult> run_start() {
    const ChallengeFile* starter = m_state.challenge.starter(".cu");
    const Submission code{starter->name, m_state.folder.files.at(starter->name), "", "", "", ""};
    const Result<Compilation> made = compiled(code.source, code.name, m_state.device, m_options.stop);
    if (!made) return made.error();
    const auto kernel = with_code(*m_state.reference.kernel, m_state.challenge, code, made->ptx, false);
    if (!kernel) return kernel.error();
    Runnable runnable = m_state.reference;
    runnable.kernel = *kernel;
    return run_at_goal(runnable, 0);
  }

  bool conditions_hold(const std::vector<Condition>& conditions, uint32_t stars, const Facts& facts) {
    bool all = true;
    for (const Condition& condition : conditions) {
      const Result<bool> held = holds(condition.expression.text, facts);
      m_judged.goals.push_back(
          {stars, condition.expression.text, filled_in(condition.otherwise.text, facts), held && *held});
      all = all && held && *held;
    }
    return all;
  }

  Judge::State& m_state;
  const Submission& m_answer;
  JudgeOptions m_options;
  Judged m_judged;
  Chosen m_chosen;
  Runnable m_kernel;
  std::string m_starter_ptx;
  JudgedCase m_at;
};

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

Result<Judge> Judge::open(const Folder& folder, std::stop_token stop) {
  ReadChallenge read = read_challenge(folder);
  if (!read.ok()) return bad_input(sentence_of(read.diagnostics));
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->challenge = std::move(read.challenge);
  const Result<Device> device = find_device(state->challenge.device);
  if (!device) return device.error();
  state->device = *device;
  const ChallengeFile* reference = state->challenge.reference(".cu");
  if (reference == nullptr)
    return bad_input(fmt::format(
        "{}: ```files names no right answer in CUDA C++, with which others are compared.", folder.name));
  // Where the student chooses a launch, the right answer's comment says a right one; the code is the
  // starter's.
  const std::string& right = folder.files.at(reference->name);
  const Chosen chosen = chosen_by(state->challenge, right);
  if (!chosen.mistake.empty()) return bad_input(fmt::format("{}: {}", reference->name, chosen.mistake));
  const bool fixed =
      state->challenge.kind == ChallengeKind::launch && state->challenge.starter(".cu") != nullptr;
  state->reference_source = fixed ? folder.files.at(state->challenge.starter(".cu")->name) : right;
  const Result<Compilation> made = compiled(state->reference_source, reference->name, state->device, stop);
  if (!made) return made.error();
  if (!made->ok)
    return bad_input(fmt::format("The reference does not compile:\n{}", sentence_of(made->diagnostics)));
  state->reference_ptx = made->ptx;
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

Judged Judge::judge(const Submission& answer, const JudgeOptions& options) {
  return Judging(*m_state, answer, options).judge();
}

Result<Specification> Judge::specification() {
  return specification_of(m_state->reference, m_state->challenge, *m_state->backend);
}

std::string differs_from(const Expected& expected, const Judged& judged) {
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
