// Checks in the background whether there is a compiler, and fetches one if the user agrees.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/system/mailbox.h"
#include "core/compile/fetch.h"

namespace warplens {

// The functions that it calls, on its own thread. Tests replace them.
struct FetchTools {
  std::function<Result<std::vector<FetchPart>>()> missing_parts;  // for own kernels and their registers
  std::function<Result<void>(const FetchPart&, const std::function<void(uint64_t)>& told, std::stop_token)>
      fetch;
};
FetchTools real_fetch_tools();

enum class FetchPhase : uint8_t { rest, looking, found, fetching, done, cancelled, failed };

struct FetchStatus {
  FetchPhase phase = FetchPhase::rest;
  std::vector<FetchPart> parts;  // missing parts; from phase found on
  size_t at = 0;                 // the part that is fetched
  uint64_t megabytes = 0;        // of that part, downloaded so far
  std::string why;               // the reason; only in phase failed
};

class Fetcher {
 public:
  // It calls `on_event` on its thread whenever status() has changed.
  Fetcher(FetchTools tools, std::function<void()> on_event);
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  void look();   // what is missing; nothing happens while something is fetched
  void fetch();  // everything that look() found
  void cancel() { m_box.stop(); }
  const FetchStatus& status();
  bool busy();

 private:
  enum class Order : uint8_t { look, fetch };
  struct Job {
    Order order = Order::look;
    FetchStatus from = {};
  };
  using Box = Mailbox<Job, FetchStatus>;
  void begin(Order order, FetchPhase phase);
  FetchStatus look_for_parts() const;
  FetchStatus fetch_all(FetchStatus status, const Box::Worker& worker) const;

  FetchTools m_tools;
  FetchStatus m_status;
  Box m_box;  // last member: its thread uses the others
};

}  // namespace warplens
