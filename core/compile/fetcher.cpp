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
  return run_fetch(script->command(part, cache_folder()), told, stop);
}

}  // namespace

FetchTools real_fetch_tools() { return {missing_parts, fetch_one}; }

Fetcher::Fetcher(FetchTools tools, std::function<void()> on_event)
    : m_tools(std::move(tools)),
      m_box(
          {.outdates = [](const FetchStatus&, const FetchStatus&) { return true; }},
          [this](const Job& job, const Box::Worker& worker) -> std::optional<FetchStatus> {
            return job.order == Order::look ? look_for_parts() : fetch_all(job.from, worker);
          },
          std::move(on_event)) {}

const FetchStatus& Fetcher::status() {
  for (FetchStatus& news : m_box.take()) m_status = std::move(news);
  return m_status;
}

bool Fetcher::busy() {
  const FetchPhase phase = status().phase;
  return phase == FetchPhase::looking || phase == FetchPhase::fetching;
}

void Fetcher::begin(Order order, FetchPhase phase) {
  m_status.phase = phase;
  m_status.why.clear();
  m_box.send({order, m_status});
}

void Fetcher::look() {
  if (!busy()) begin(Order::look, FetchPhase::looking);
}

void Fetcher::fetch() {
  if (!busy() && !status().parts.empty()) begin(Order::fetch, FetchPhase::fetching);
}

FetchStatus Fetcher::look_for_parts() const {
  Result<std::vector<FetchPart>> parts = m_tools.missing_parts();
  if (!parts) return {FetchPhase::failed, {}, 0, 0, parts.error().message};
  if (parts->empty()) return {};
  return {FetchPhase::found, std::move(*parts), 0, 0, ""};
}

FetchStatus Fetcher::fetch_all(FetchStatus status, const Box::Worker& worker) const {
  // After a failure it continues with the part that failed.
  for (; status.at < status.parts.size(); ++status.at) {
    status.megabytes = 0;
    worker.report(status);
    const auto told = [&](uint64_t megabytes) {
      status.megabytes = megabytes;
      worker.report(status);
    };
    const Result<void> done = m_tools.fetch(status.parts[status.at], told, worker.stop);
    if (done) continue;
    const bool cancelled = worker.stop.stop_requested() || done.error().kind == ErrorKind::cancelled;
    status.phase = cancelled ? FetchPhase::cancelled : FetchPhase::failed;
    status.why = done.error().message;
    return status;
  }
  status.phase = FetchPhase::done;
  return status;
}

}  // namespace warplens
