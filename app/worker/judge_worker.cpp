#include "app/worker/judge_worker.h"

#include <filesystem>
#include <utility>

#include "app/state/judged_answer.h"
#include "app/state/update.h"
#include "core/base/system/files.h"
#include "core/lesson/judge_process.h"

namespace warplens {
namespace {

// The judge of the challenge that was asked for last, which has its reference compiled.
struct OpenJudge {
  std::shared_ptr<const LoadedChallenge> of;
  std::optional<lesson::Judge> judge;
  std::string error;
};

void open_judge(OpenJudge& open, const JudgeOrder& order, const std::stop_token& stop) {
  if (open.of == order.challenge && open.judge) return;
  open = {order.challenge, std::nullopt, ""};
  Result<lesson::Judge> judge = lesson::Judge::open(order.challenge->folder, stop);
  if (judge)
    open.judge.emplace(std::move(judge).value());
  else
    open.error = judge.error().message;
}

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

JudgedAnswer specify(OpenJudge& open, const JudgeOrder& order, const std::stop_token& stop) {
  JudgedAnswer answer;
  open_judge(open, order, stop);
  answer.error = open.error;
  if (!open.judge) return answer;
  auto specification = open.judge->specification();
  if (specification)
    answer.specification = std::make_shared<const lesson::Specification>(std::move(specification).value());
  return answer;
}

JudgedAnswer judge_one(OpenJudge& open, const JudgeOrder& order, const std::string& program,
                       const std::stop_token& stop) {
  JudgedAnswer answer;
  const Result<lesson::HandIn> hand_in = hand_in_of(order);
  if (!hand_in) {
    answer.error = hand_in.error().message;
    return answer;
  }
  answer.source = hand_in->source;
  if (!order.path.empty()) answer.file = order.file;
  lesson::JudgeOptions options;
  options.stop = stop;
  if (!program.empty()) {
    lesson::JudgeLimits limits;
    limits.trusts_author = true;  // who sits here wrote it
    answer.judged =
        lesson::judge_apart(program, order.challenge->folder, *hand_in, order.file, options, limits).judged;
    if (answer.judged->reason == lesson::Reason::no_compiler) {
      answer.error = answer.judged->message;  // not the answer's fault
      answer.judged.reset();
    }
    return answer;
  }
  open_judge(open, order, stop);
  answer.error = open.error;
  if (!open.judge) return answer;
  lesson::Submission submission;
  submission.name = order.file;
  submission.source = hand_in->source;
  answer.judged = open.judge->judge(submission, options);
  return answer;
}

}  // namespace

JudgeWorker::JudgeWorker(std::function<void()> on_news)
    : m_on_news(std::move(on_news)), m_thread([this](const std::stop_token& quit) { work(quit); }) {}

JudgeWorker::~JudgeWorker() {
  m_thread.request_stop();
  const std::lock_guard lock(m_mutex);
  m_stop.request_stop();
}

void JudgeWorker::set_program(std::string program) {
  const std::lock_guard lock(m_mutex);
  m_program = std::move(program);
}

void JudgeWorker::judge(JudgeOrder order) {
  {
    const std::lock_guard lock(m_mutex);
    const bool other = !m_orders.empty() && m_orders.front().challenge != order.challenge;
    if (other) m_orders.clear();
    m_orders.push_back(std::move(order));
  }
  m_wake.notify_one();
}

void JudgeWorker::cancel() {
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_orders, is_answer);
  if (m_answering) m_stop.request_stop();
}

std::vector<Action> JudgeWorker::poll() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_news, {});
}

bool JudgeWorker::busy() const {
  const std::lock_guard lock(m_mutex);
  return m_judging || !m_orders.empty() || !m_news.empty();
}

void JudgeWorker::work(const std::stop_token& quit) {
  OpenJudge open;
  std::unique_lock lock(m_mutex);
  while (m_wake.wait(lock, quit, [this] { return !m_orders.empty(); })) {
    const JudgeOrder order = std::move(m_orders.front());
    m_orders.erase(m_orders.begin());
    m_judging = true;
    m_answering = is_answer(order);
    m_stop = {};
    const std::stop_token stop = m_stop.get_token();
    const std::string program = m_program;
    lock.unlock();
    JudgedAnswer answer;
    try {
      answer = is_answer(order) ? judge_one(open, order, program, stop) : specify(open, order, stop);
    } catch (const std::exception& e) {
      answer.error = std::string("This answer could not be judged: ") + e.what();
    }
    lock.lock();
    m_judging = m_answering = false;
    m_news.emplace_back(AnswerJudged{order.serial, std::make_shared<const JudgedAnswer>(std::move(answer))});
    lock.unlock();
    if (m_on_news) m_on_news();
    lock.lock();
  }
}

void drive_judge(AppState& state, JudgeWorker& worker) {
  for (const Action& news : worker.poll()) update(state, news);
  const ChallengeState& own = state.challenge;
  // Cancelled, or another one was given: nobody waits for what is judged now.
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
