#include "app/debug/server.h"

#include <condition_variable>
#include <deque>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>

#include "app/debug/framing.h"
#include "app/debug/session.h"

namespace warplens::dap {

namespace {

// What was read and not answered yet. The stop source is that of the moves before the next request to pause.
class Inbox {
 public:
  void add(Result<Request> request) {
    {
      const std::lock_guard lock(m_mutex);
      const bool ends = request && (request->command == "pause" || request->command == "disconnect" ||
                                    request->command == "terminate");
      m_requests.push_back(std::move(request));
      if (ends) m_stop.request_stop();
    }
    m_wake.notify_all();
  }
  void close(std::optional<Error> error) {
    {
      const std::lock_guard lock(m_mutex);
      m_closed = true;
      m_error = std::move(error);
      m_stop.request_stop();
    }
    m_wake.notify_all();
  }
  // The next request, and what stops it. Empty at the end.
  std::optional<std::pair<Result<Request>, std::stop_token>> take() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [&] { return !m_requests.empty() || m_closed; });
    // What was asked before the other end was closed needs no answer.
    if (m_closed || m_requests.empty()) return std::nullopt;
    Result<Request> first = std::move(m_requests.front());
    m_requests.pop_front();
    const bool ended = first && (first->command == "pause" || first->command == "terminate");
    // Moves after a pause run again, unless a further pause is waiting.
    if (ended && !pause_waits()) m_stop = std::stop_source();
    return std::pair(std::move(first), m_stop.get_token());
  }
  std::optional<Error> error() {
    const std::lock_guard lock(m_mutex);
    return m_error;
  }

 private:
  bool pause_waits() const {
    for (const Result<Request>& request : m_requests)
      if (request && (request->command == "pause" || request->command == "disconnect" ||
                      request->command == "terminate"))
        return true;
    return false;
  }
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Result<Request>> m_requests;
  std::stop_source m_stop;
  bool m_closed = false;
  std::optional<Error> m_error;
};

// Reads until the end, until the editor leaves, or until the text is not of the protocol.
void read_all(std::istream& in, Inbox& inbox) {
  for (;;) {
    Result<std::optional<std::string>> frame = read_frame(in);
    if (!frame) return inbox.close(frame.error());
    if (!*frame) return inbox.close(std::nullopt);
    Result<Request> request = parse_request(**frame);
    const bool last = request && request->command == "disconnect";
    inbox.add(std::move(request));
    if (last) return;
  }
}

}  // namespace

Result<void> serve(const std::shared_ptr<std::istream>& in, std::ostream& out, const OpenTarget& open,
                   const std::stop_token& stop) {
  const auto inbox = std::make_shared<Inbox>();
  uint64_t seq = 0;
  const auto send = [&](Json message) {
    message["seq"] = ++seq;
    out << framed(message) << std::flush;
  };
  Session session(open, send);
  const std::stop_callback on_stop(stop, [&] { inbox->close(std::nullopt); });
  // An editor that does not write any more would keep this function waiting for the thread.
  std::thread([in, inbox] { read_all(*in, *inbox); }).detach();
  while (auto next = inbox->take()) {
    auto& [request, token] = *next;
    if (request) {
      session.handle(*request, token);
    } else {
      send(event("output", {{"category", "stderr"}, {"output", request.error().message + "\n"}}));
    }
    if (session.is_over() || !out) break;
  }
  if (const auto error = inbox->error()) return *error;
  return {};
}

}  // namespace warplens::dap
