#include "app/worker/judge_worker.h"

#include "app/state/judged_answer.h"
#include "app/state/update.h"

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

JudgedAnswer answer_of(OpenJudge& open, const JudgeOrder& order, const std::stop_token& stop) {
  JudgedAnswer answer;
  open_judge(open, order, stop);
  answer.error = open.error;
  if (!open.judge) return answer;
  if (order.source.empty()) {
    auto specification = open.judge->specification();
    if (specification)
      answer.specification = std::make_shared<const lesson::Specification>(std::move(specification).value());
    return answer;
  }
  lesson::Submission submission;
  submission.name = order.file;
  submission.source = order.source;
  lesson::JudgeOptions options;
  options.stop = stop;
  answer.judged = open.judge->judge(submission, options);
  answer.source = order.source;
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

void JudgeWorker::judge(JudgeOrder order) {
  {
    const std::lock_guard lock(m_mutex);
    const bool other = !m_orders.empty() && m_orders.front().challenge != order.challenge;
    if (other) m_orders.clear();
    m_orders.push_back(std::move(order));
  }
  m_wake.notify_one();
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
    m_stop = {};
    const std::stop_token stop = m_stop.get_token();
    lock.unlock();
    JudgedAnswer answer;
    try {
      answer = answer_of(open, order, stop);
    } catch (const std::exception& e) {
      answer.error = std::string("This answer could not be judged: ") + e.what();
    }
    lock.lock();
    m_judging = false;
    m_news.emplace_back(AnswerJudged{order.serial, std::make_shared<const JudgedAnswer>(std::move(answer))});
    lock.unlock();
    m_on_news();
    lock.lock();
  }
}

void drive_judge(AppState& state, JudgeWorker& worker) {
  for (const Action& news : worker.poll()) update(state, news);
  const ChallengeState& own = state.challenge;
  if (!own.is_open()) {
    worker.specified.reset();
    return;
  }
  if (worker.specified != own.open) {
    worker.specified = own.open;
    worker.judge({own.serial, own.open, "", ""});
  }
  if (!own.judging || worker.submitted == own.serial) return;
  worker.submitted = own.serial;
  worker.judge({own.serial, own.open, answer_source(state), own.open->folder.name + ".cu"});
}

}  // namespace warplens
