// Runs an answer at all cases, data sets and orders, and compares its results with the reference.
#include <fmt/format.h>

#include <algorithm>

#include "core/launch/incident_advice.h"
#include "core/lesson/judge/judging.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {
namespace {

// The sanitizer runs only if the reference needs no more than this; above it, it takes seconds.
constexpr uint64_t most_searched_instructions = 2'000'000;
// If an order splits the lanes of a warp, the instructions of each thread may be counted separately.
constexpr uint64_t least_step_budget = 10'000'000, times_the_threads = 20;

std::string text_of_case(const JudgedCase& at) {
  std::string text = text_of(at.at);
  if (at.order != 0) text += fmt::format(", order {}", at.order);
  return text;
}

const OutputBuffer* output_of(const std::vector<OutputBuffer>& outputs, uint32_t buffer) {
  const auto found = std::ranges::find(outputs, buffer, &OutputBuffer::index);
  return found == outputs.end() || !found->bytes ? nullptr : &*found;
}

// The thread that wrote an element last.
void add_writer(const RunResult& result, uint32_t buffer, WrongElement& wrong) {
  const OutputBuffer* output = output_of(result.outputs, buffer);
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

// The size of a case, to begin with the smallest. Cases that cannot be made come last.
uint64_t size_of(Judging& j, const Case& at) {
  const Result<LaunchRequest> request = request_at(j.kernel, j.state.challenge, {at});
  if (!request) return UINT64_MAX;
  uint64_t size = 0;
  for (const BufferSpec& buffer : request->buffers) size += buffer.bytes;
  for (const Step& step : request->steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step))
      size += launch->grid.count() * launch->block.count();
  return size;
}

std::string incident_words(const Incident& incident) {
  const std::string line = incident.line == 0 ? "" : fmt::format("line {}: ", incident.line);
  return line + without_advice(incident.message);
}

bool survives(Judging& j, const RunResult& ran) {
  if (ran.status == RunStatus::cancelled)
    return fail(j, Reason::time, "It was stopped before it was judged.");
  if (ran.status == RunStatus::refused)
    return fail_case(j, Reason::refused, ran.cuda_error.value_or(""), ran.message, &ran);
  if (ran.status == RunStatus::fault && !ran.faults.empty()) {
    const Incident& fault = ran.faults.front();
    j.judged.line = fault.line;
    if (fault.kind == IncidentKind::step_limit)
      return fail_case(j, Reason::steps, "step_limit",
                       "it ran many times the instructions that the work needs, so it was stopped: "
                       "it may never end.",
                       &ran);
    return fail_case(j, Reason::fault, to_string(fault.kind), incident_words(fault), &ran);
  }
  if (!ran.findings.empty()) {
    const Incident& finding = ran.findings.front();
    j.judged.line = finding.line;
    return fail_case(j, Reason::finding, to_string(finding.kind), incident_words(finding), &ran);
  }
  return true;
}

double tolerance_of(Judging& j, const std::string& name) {
  for (const auto& [buffer, rtol] : j.state.challenge.tolerances)
    if (buffer == name) return rtol;
  return 0;
}

bool is_output(Judging& j, const std::string& name) {
  for (const KernelArgument& argument : j.kernel.kernel->arguments)
    if (argument.name == name) return argument.output;
  return true;
}

// Inputs must be unchanged, and outputs as in the reference.
bool as_expected(Judging& j, const RunResult& ran, const std::vector<OutputBuffer>& truth, bool first_order) {
  for (const bool inputs : {true, false})
    for (uint32_t i = 0; i < ran.request->buffers.size(); ++i) {
      const BufferSpec& spec = ran.request->buffers[i];
      if (is_output(j, spec.name) == inputs) continue;
      const OutputBuffer *got = output_of(ran.outputs, i), *want = output_of(truth, i);
      if (got == nullptr || want == nullptr) continue;
      const double rtol = inputs ? 0 : tolerance_of(j, spec.name);
      const Check check = compare_buffers(spec.name, spec.dtype, *got->bytes, *want->bytes, rtol);
      if (check.equal) continue;
      WrongElement wrong{spec.name, check.first_mismatch.value_or(0), 0, 0, {}, {}};
      wrong.got = element_at(*got->bytes, spec.dtype, wrong.index).number();
      wrong.want = element_at(*want->bytes, spec.dtype, wrong.index).number();
      add_writer(ran, i, wrong);
      j.judged.wrong = wrong;
      if (inputs)
        return fail_case(
            j, Reason::input, "",
            fmt::format("{} may only be read, and it was changed: {}.", spec.name, words_for(wrong)), &ran);
      const Reason reason = first_order ? Reason::mismatch : Reason::order;
      return fail_case(
          j, reason, "",
          words_for(wrong) + (first_order ? "." : "; in another order of warps and blocks it was right."),
          &ran);
    }
  return true;
}

bool judge_case(Judging& j, const JudgedCase& at, bool first_order) {
  if (j.options.stop.stop_requested()) return fail(j, Reason::time, "It was stopped before it was judged.");
  j.at = at;
  RunAt run{at.at, at.order, at.data_seed};
  const auto truth = j.state.truth(run, *j.kernel.kernel, j.options.stop);
  if (!truth) return fail(j, truth.error());
  run.step_budget = std::max(least_step_budget, times_the_threads * (*truth)->thread_instructions);
  run.findings = (*truth)->warp_instructions <= most_searched_instructions;
  Result<LaunchRequest> request = request_at(j.kernel, j.state.challenge, run);
  if (!request) return fail_case(j, Reason::choice, "", request.error().message, nullptr);
  const Result<RunResult> ran = run_request(std::move(*request), *j.state.backend, j.options.stop);
  ++j.judged.runs;
  if (!ran)
    return ran.error().kind == ErrorKind::cancelled || ran.error().kind == ErrorKind::missing
               ? fail(j, ran.error())
               : fail_case(j, Reason::refused, "", ran.error().message, nullptr);
  return survives(j, *ran) && as_expected(j, *ran, (*truth)->outputs, first_order);
}

}  // namespace

bool fail_case(Judging& j, Reason reason, std::string kind, std::string_view what, const RunResult* result) {
  j.judged.kind = std::move(kind);
  j.judged.failed = j.at;
  if (result) j.judged.request = result->request;
  return fail(j, reason, fmt::format("With {}: {}", text_of_case(j.at), what));
}

bool judge_cases(Judging& j) {
  const Challenge& challenge = j.state.challenge;
  std::vector<Case> all = all_cases(challenge, j.options.seed);
  // The size at which the stars are counted is public. An answer that does less work there must fail.
  const bool counts_stars = !challenge.goal.empty() || !challenge.two.empty() || !challenge.three.empty();
  const auto is_stars_case = [&](const Case& at) { return text_of(at) == text_of(challenge.stars_at); };
  if (counts_stars && std::ranges::none_of(all, is_stars_case)) all.push_back(challenge.stars_at);
  std::vector<std::pair<uint64_t, Case>> cases;
  cases.reserve(all.size());
  for (const Case& at : all) cases.emplace_back(size_of(j, at), at);
  std::stable_sort(cases.begin(), cases.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const uint32_t sets = j.options.data_sets == 0 ? j.state.challenge.data_sets : j.options.data_sets;
  for (const auto& [size, at] : cases) {
    for (uint32_t set = 0; set < sets; ++set)
      for (size_t i = 0; i < j.state.challenge.orders.size(); ++i)
        if (!judge_case(j, {at, j.state.challenge.orders[i], j.options.seed * 1000 + set}, i == 0))
          return false;
    ++j.judged.cases;
  }
  return true;
}

void judge_loss(Judging& j) {
  j.at = {j.state.challenge.stars_at, j.chosen.order, j.options.seed * 1000};
  RunAt run{j.at.at, j.at.order, j.at.data_seed, false};
  const auto truth = j.state.truth(run, *j.kernel.kernel, j.options.stop);
  if (!truth) {
    fail(j, truth.error());
    return;
  }
  Result<LaunchRequest> request = request_at(j.kernel, j.state.challenge, run);
  const Result<RunResult> ran = request ? run_request(std::move(*request), *j.state.backend, j.options.stop)
                                        : Result<RunResult>(request.error());
  ++j.judged.runs;
  if (!ran) {
    fail_case(j, Reason::refused, "", ran.error().message, nullptr);
    return;
  }
  if (ran->status == RunStatus::refused) {
    fail_case(j, Reason::refused, ran->cuda_error.value_or(""), ran->message, &*ran);
    return;
  }
  if (ran->status == RunStatus::ok && as_expected(j, *ran, (*truth)->outputs, true)) {
    fail_case(j, Reason::goal, "", "the result is right in this launch, so it does not show the mistake.",
              &*ran);
    return;
  }
  // as_expected() has described the loss as a failure.
  const std::optional<WrongElement> shown = j.judged.wrong;
  j.judged = Judged{};
  j.judged.wrong = shown;
  j.judged.runs = 1;
  j.judged.stars = 1;
  count_stars(j);
}

}  // namespace warplens::lesson
