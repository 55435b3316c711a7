#include "app/worker/judge_worker.h"

#include <filesystem>
#include <utility>

#include "app/state/parts/judged_answer.h"
#include "app/state/update.h"
#include "app/user_program/given_program.h"
#include "core/base/system/files.h"
#include "core/compile/served.h"
#include "core/lesson/judge/judge_process.h"
#include "core/lesson/judge/judge_report.h"
#include "core/system/server.h"

namespace warplens {

// The judge of the challenge that was asked for last, which has its reference compiled.
struct JudgeWorker::OpenJudge {
  std::shared_ptr<const LoadedChallenge> of;
  std::optional<lesson::Judge> judge;
  std::string error;

  void open(const JudgeOrder& order, const std::stop_token& stop) {
    if (of == order.challenge && judge) return;
    *this = {order.challenge, std::nullopt, ""};
    Result<lesson::Judge> opened =
        lesson::Judge::open(order.challenge->folder, stop, {}, program_run::runs_given_programs());
    if (opened)
      judge.emplace(std::move(opened).value());
    else
      error = opened.error().message;
  }
  JudgedAnswer specify(const JudgeOrder& order, const std::stop_token& stop);
  JudgedAnswer judge_one(const JudgeOrder& order, const std::stop_token& stop);
};

namespace {

// An empty source is an answer too: the judge says what is wrong with it.
bool is_answer(const JudgeOrder& order) { return !order.file.empty(); }

constexpr uint64_t most_answer_bytes = uint64_t{1} << 20;

Result<lesson::HandIn> hand_in_of(const JudgeOrder& order) {
  lesson::HandIn hand_in;
  hand_in.source = order.source;
  if (order.path.empty()) return hand_in;
  const Result<std::string> bytes = read_text(order.path, most_answer_bytes);
  if (!bytes) return bytes.error();
  return lesson::read_hand_in(*bytes, order.file);
}

}  // namespace

JudgedAnswer JudgeWorker::OpenJudge::specify(const JudgeOrder& order, const std::stop_token& stop) {
  JudgedAnswer answer;
  open(order, stop);
  answer.error = error;
  if (!judge) return answer;
  auto specification = judge->specification();
  if (specification)
    answer.specification = std::make_shared<const lesson::Specification>(std::move(specification).value());
  return answer;
}

// What this machine lacks is not the answer's fault.
JudgedAnswer without_blame(JudgedAnswer answer) {
  if (answer.judged && answer.judged->reason == lesson::Reason::no_compiler) {
    answer.error = answer.judged->message;
    answer.judged.reset();
  }
  return answer;
}

// A page has no Python, and the server of its class may have one.
JudgedAnswer judged_by_server(const JudgeOrder& order, const lesson::HandIn& hand_in, JudgedAnswer answer) {
  const Json request = {
      {"challenge", order.challenge->folder.name}, {"language", "numba"}, {"source", hand_in.source}};
  const Result<std::string> said =
      ask_server("/api/judge", request.dump(-1, ' ', false, Json::error_handler_t::replace));
  const Result<Json> taken = said ? json_of_server(*said) : said.error();
  Result<lesson::Judged> judged = taken ? lesson::judged_from_json(*said) : taken.error();
  if (judged)
    answer.judged = std::move(*judged);
  else
    answer.error = judged.error().message;
  return without_blame(std::move(answer));
}

JudgedAnswer JudgeWorker::OpenJudge::judge_one(const JudgeOrder& order, const std::stop_token& stop) {
  JudgedAnswer answer;
  const Result<lesson::HandIn> hand_in = hand_in_of(order);
  if (!hand_in) {
    answer.error = hand_in.error().message;
    return answer;
  }
  answer.source = hand_in->source;
  if (!order.path.empty()) answer.file = order.file;
  if (hand_in->language == lesson::Language::numba && has_server())
    return judged_by_server(order, *hand_in, std::move(answer));
  lesson::JudgeOptions options;
  options.stop = stop;
  options.language = order.challenge->challenge.language;
  if (!order.program.empty()) {
    lesson::JudgeLimits limits;
    limits.trusts_author = true;  // the user of this window wrote it
    answer.judged =
        lesson::judge_apart(order.program, order.challenge->folder, *hand_in, order.file, options, limits)
            .judged;
    return without_blame(std::move(answer));
  }
  open(order, stop);
  answer.error = error;
  if (!judge) return answer;
  lesson::Submission submission;
  submission.name = order.file;
  submission.source = hand_in->source;
  answer.judged = judge->judge(submission, options);
  return without_blame(std::move(answer));
}

JudgeWorker::JudgeWorker(std::function<void()> on_event)
    : m_open(std::make_unique<OpenJudge>()),
      m_box(
          {.replaces = [](const JudgeOrder& newer,
                          const JudgeOrder& waiting) { return newer.challenge != waiting.challenge; }},
          [this](const JudgeOrder& order, const auto& worker) -> std::optional<Action> {
            JudgedAnswer answer;
            try {
              answer = is_answer(order) ? m_open->judge_one(order, worker.stop)
                                        : m_open->specify(order, worker.stop);
            } catch (const std::exception& e) {
              answer.error = std::string("This answer could not be judged: ") + e.what();
            }
            return AnswerJudged{order.serial, std::make_shared<const JudgedAnswer>(std::move(answer))};
          },
          std::move(on_event)) {}

JudgeWorker::~JudgeWorker() = default;

void JudgeWorker::judge(JudgeOrder order) {
  order.program = m_program;
  m_box.send(std::move(order));
}

void JudgeWorker::cancel() { m_box.cancel(is_answer); }

void drive_judge(AppState& state, JudgeWorker& worker) {
  for (const Action& event : worker.poll()) update(state, event);
  const ChallengeState& own = state.challenge;
  // Cancelled, or another one was given: the current verdict is not needed any more.
  if (worker.submitted != 0 && worker.submitted != own.serial) {
    worker.cancel();
    worker.submitted = 0;
  }
  if (!own.is_open()) {
    worker.specified.reset();
    return;
  }
  if (worker.specified != own.open) {
    worker.specified = own.open;
    worker.judge({own.serial, own.open, "", "", ""});
  }
  if (!own.judging || worker.submitted == own.serial) return;
  worker.submitted = own.serial;
  if (!own.file.empty())
    worker.judge({own.serial, own.open, "", std::filesystem::path(own.file).filename().string(), own.file});
  else
    worker.judge({own.serial, own.open, answer_source(state), own.open->folder.name + ".cu", ""});
}

}  // namespace warplens
