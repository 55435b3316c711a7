#include "core/compile/fetcher.h"

#include "core/compile/found.h"
#include "core/system/places.h"

namespace warplens {

namespace {

Result<std::vector<FetchPart>> missing_parts() {
  const std::filesystem::path cache = cache_folder();
  if (cache.empty()) return missing("There is no folder to fetch into: set HOME or XDG_CACHE_HOME.");
  Result<std::vector<FetchPart>> parts = fetch_parts(cache);
  if (!parts) return parts;
  const bool compiler(find_compiler()), assembler(find_assembler());
  std::erase_if(*parts, [&](const FetchPart& part) {
    return part.here || !(part.name == "cuda" ? !compiler : part.name == "ptxas13" && !assembler);
  });
  return parts;
}

Result<void> fetch_one(const FetchPart& part, const std::function<void(uint64_t)>& told,
                       const std::stop_token& stop) {
  const Result<FetchScript> script = FetchScript::unpack();
  if (!script) return script.error();
  return run_fetch(script->command(part, cache_folder(), true), told, stop);
}

}  // namespace

FetchTools real_fetch_tools() { return {missing_parts, fetch_one}; }

Fetcher::Fetcher(FetchTools tools, std::function<void()> on_news)
    : m_tools(std::move(tools)), m_on_news(std::move(on_news)) {}

Fetcher::~Fetcher() = default;

FetchStatus Fetcher::status() const {
  const std::lock_guard lock(m_mutex);
  return m_status;
}

bool Fetcher::busy() const {
  const FetchPhase phase = status().phase;
  return phase == FetchPhase::looking || phase == FetchPhase::fetching;
}

void Fetcher::tell(const FetchStatus& status) {
  {
    const std::lock_guard lock(m_mutex);
    m_status = status;
  }
  if (m_on_news) m_on_news();
}

void Fetcher::start(FetchPhase phase, std::function<FetchStatus(const std::stop_token&)> work) {
  {
    const std::lock_guard lock(m_mutex);
    m_status.phase = phase;
    m_status.why.clear();
  }
  m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) { tell(work(stop)); });
}

void Fetcher::look() {
  if (busy()) return;
  start(FetchPhase::looking, [this](const std::stop_token&) {
    Result<std::vector<FetchPart>> parts = m_tools.missing_parts();
    if (!parts) return FetchStatus{FetchPhase::failed, {}, 0, 0, parts.error().message};
    if (parts->empty()) return FetchStatus{};
    return FetchStatus{FetchPhase::found, std::move(*parts), 0, 0, ""};
  });
}

void Fetcher::fetch() {
  const FetchStatus now = status();
  if (busy() || now.parts.empty()) return;
  start(FetchPhase::fetching, [this, now](const std::stop_token& stop) { return fetch_all(now, stop); });
}

void Fetcher::cancel() { m_thread.request_stop(); }

FetchStatus Fetcher::fetch_all(FetchStatus status, const std::stop_token& stop) {
  status.phase = FetchPhase::fetching;
  // After a failure it goes on with the part that failed.
  for (; status.at < status.parts.size(); ++status.at) {
    status.megabytes = 0;
    tell(status);
    const auto told = [&](uint64_t megabytes) {
      status.megabytes = megabytes;
      tell(status);
    };
    const Result<void> done = m_tools.fetch(status.parts[status.at], told, stop);
    if (done) continue;
    const bool cancelled = stop.stop_requested() || done.error().kind == ErrorKind::cancelled;
    status.phase = cancelled ? FetchPhase::cancelled : FetchPhase::failed;
    status.why = done.error().message;
    return status;
  }
  status.phase = FetchPhase::done;
  return status;
}

}  // namespace warplens
