#include "cuda/stand_in/libraries/nccl/meeting.h"

#include <algorithm>

#include "cuda/stand_in/libraries/nccl/parts.h"

namespace warplens::nccl {

namespace {

bool is_own(ncclRedOp_t op) { return op >= ncclNumOps; }

// How a rank's call differs from that of rank 0; empty: not.
std::string difference(const Part& one, const Part& other) {
  const std::string ranks = "rank " + std::to_string(other.comm->rank) + " calls " + other.name;
  const std::string first = "rank " + std::to_string(one.comm->rank);
  if (one.kind != other.kind) return ranks + ", and " + first + " " + one.name;
  if (one.count != other.count || one.type != other.type)
    return ranks + " with " + elements_of(other) + ", and " + first + " with " + elements_of(one);
  if (one.peer != other.peer)
    return ranks + " with the root " + std::to_string(other.peer) + ", and " + first + " with " +
           std::to_string(one.peer);
  if (is_own(one.op) != is_own(other.op) || (!is_own(one.op) && one.op != other.op))
    return ranks + " for the " + name_of(other.op) + ", and " + first + " for the " + name_of(one.op);
  return {};
}

// Parts that belong together, and are no longer looked for. Empty: some rank has not come.
std::vector<Part> take_collective(Clique& clique) {
  const auto lacks = [](const std::deque<Part>& parts) { return parts.empty(); };
  if (std::any_of(clique.collectives.begin(), clique.collectives.end(), lacks)) return {};
  std::vector<Part> taken;
  for (std::deque<Part>& parts : clique.collectives) {
    taken.push_back(std::move(parts.front()));
    parts.pop_front();
  }
  return taken;
}
std::vector<Pair> take_pairs(Clique& clique) {
  std::vector<Pair> taken;
  for (auto& [between, sends] : clique.sends) {
    std::deque<Part>& receives = clique.receives[between];
    while (!sends.empty() && !receives.empty()) {
      taken.push_back({std::move(sends.front()), std::move(receives.front())});
      sends.pop_front();
      receives.pop_front();
    }
  }
  return taken;
}

std::string clash_of(const std::vector<Part>& parts) {
  for (const Part& part : parts)
    if (std::string text = difference(parts.front(), part); !text.empty())
      return std::string(parts.front().name) + ": " + text + ". All ranks must make the same call.";
  return {};
}
std::string clash_of(const std::vector<Pair>& pairs) {
  for (const auto& [send, receive] : pairs)
    if (bytes_of(send) != bytes_of(receive))
      return "ncclSend: rank " + std::to_string(send.comm->rank) + " sends " + elements_of(send) +
             ", and rank " + std::to_string(receive.comm->rank) + " receives " + elements_of(receive) +
             ". Both must be as many.";
  return {};
}

void end_part(const Part& part, ncclResult_t result) {
  --part.ticket->open;
  if (part.ticket->result == ncclSuccess) part.ticket->result = result;
}

}  // namespace

void post(Part part) {
  Clique& clique = *part.comm->clique;
  const int rank = part.comm->rank;
  if (part.kind == Kind::send) return clique.sends[{rank, part.peer}].push_back(std::move(part));
  if (part.kind == Kind::receive) return clique.receives[{part.peer, rank}].push_back(std::move(part));
  clique.collectives[static_cast<size_t>(rank)].push_back(std::move(part));
}

bool is_waiting(const Part& part) {
  const Clique& clique = *part.comm->clique;
  const int rank = part.comm->rank;
  const auto has = [](const auto& map, std::pair<int, int> between) {
    const auto found = map.find(between);
    return found != map.end() && !found->second.empty();
  };
  if (part.kind == Kind::send) return has(clique.sends, {rank, part.peer});
  if (part.kind == Kind::receive) return has(clique.receives, {part.peer, rank});
  return !clique.collectives[static_cast<size_t>(rank)].empty();
}

void run_what_is_ready(std::unique_lock<std::mutex>& lock, Clique& clique) {
  if (std::exchange(clique.runs, true)) return;  // that thread looks again before it ends
  while (clique.code == ncclSuccess) {
    const std::vector<Part> parts = take_collective(clique);
    const std::vector<Pair> pairs = parts.empty() ? take_pairs(clique) : std::vector<Pair>();
    if (parts.empty() && pairs.empty()) break;
    if (const std::string clash = parts.empty() ? clash_of(pairs) : clash_of(parts); !clash.empty()) {
      clique.code = ncclInvalidUsage;
      clique.failure = clash;
      break;
    }
    lock.unlock();
    const ncclResult_t result = code_of(parts.empty() ? run_pairs(pairs) : run_collective(parts));
    lock.lock();
    for (const Part& part : parts) end_part(part, result);
    for (const auto& [send, receive] : pairs) {
      end_part(send, result);
      end_part(receive, result);
    }
    communicators().changed.notify_all();
  }
  clique.runs = false;
  communicators().changed.notify_all();
}

}  // namespace warplens::nccl
