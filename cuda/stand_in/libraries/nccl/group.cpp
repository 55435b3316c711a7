// Group calls (NCCL documentation, "Group Calls"): what a thread gives in a group is given at its end at
// once.
#include "cuda/stand_in/libraries/nccl/group.h"

#include <algorithm>
#include <utility>

#include "cuda/stand_in/libraries/nccl/meeting.h"
#include "cuda/stand_in/libraries/nccl/patience.h"

namespace warplens::nccl {

namespace {

struct Group {
  int depth = 0;
  ncclResult_t code = ncclSuccess;  // of its first wrong call
  std::vector<Join> joins;
  std::vector<Part> parts;
};
thread_local Group group;

using Lock = std::unique_lock<std::mutex>;

// Why the rank cannot join; empty: it can.
std::string clash_of(const ncclComm& comm) {
  const Clique& clique = *comm.clique;
  if (!clique.failure.empty()) return clique.failure;
  if (clique.ranks[static_cast<size_t>(comm.rank)] != nullptr)
    return "ncclCommInitRank: rank " + std::to_string(comm.rank) + " comes twice.";
  for (const ncclComm* other : clique.ranks)
    if (other != nullptr && other->device == comm.device)
      return "ncclCommInitRank: the ranks " + std::to_string(other->rank) + " and " +
             std::to_string(comm.rank) + " are both on device " + std::to_string(comm.device) +
             ". Each needs a device of its own: call cudaSetDevice before.";
  return {};
}

void give_up(Clique& clique, ncclResult_t code, const std::string& sentence) {
  if (clique.code == ncclSuccess) {
    clique.code = code;
    clique.failure = sentence;
  }
  communicators().changed.notify_all();
}

ncclResult_t refuse_unlocked(Lock& lock, ncclResult_t code, const std::string& sentence) {
  lock.unlock();
  refuse(code, sentence);
  lock.lock();
  return code;
}

std::string missing_ranks(const Clique& clique, const std::vector<size_t>& missing) {
  std::string text = missing.size() == 1 ? "rank " : "the ranks ";
  for (size_t i = 0; i < missing.size(); ++i)
    text += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + std::to_string(missing[i]);
  return text + " of " + std::to_string(clique.ranks.size());
}

std::string sentence_on(const ncclComm& comm) {
  std::vector<size_t> missing;
  for (size_t i = 0; i < comm.clique->ranks.size(); ++i)
    if (comm.clique->ranks[i] == nullptr) missing.push_back(i);
  return "ncclCommInitRank: rank " + std::to_string(comm.rank) + " waits for " +
         missing_ranks(*comm.clique, missing) +
         ", and nothing else goes on. Call it for all ranks in one process: from one thread between "
         "ncclGroupStart and ncclGroupEnd, or from a thread for each rank. Several processes (MPI) are not "
         "supported.";
}

ncclResult_t join(Lock& lock, const std::vector<Join>& joins) {
  Communicators& all = communicators();
  for (const Join& one : joins) {
    Clique& clique = *one.comm->clique;
    if (const std::string clash = clash_of(*one.comm); !clash.empty()) {
      give_up(clique, ncclInvalidUsage, clash);
      return refuse_unlocked(lock, clique.code, clash);
    }
    clique.ranks[static_cast<size_t>(one.comm->rank)] = one.comm;
    if (++clique.joined == clique.ranks.size())
      std::erase_if(all.cliques, [&](const auto& row) { return row.second == one.comm->clique; });
  }
  all.changed.notify_all();
  Patience patience;
  for (const Join& one : joins) {
    Clique& clique = *one.comm->clique;
    while (clique.joined < clique.ranks.size() && clique.code == ncclSuccess)
      if (!patience.wait(lock)) give_up(clique, ncclInvalidUsage, sentence_on(*one.comm));
    if (clique.code != ncclSuccess) {
      const std::string failure = clique.failure;
      return refuse_unlocked(lock, clique.code, failure);
    }
  }
  for (const Join& one : joins) all.alive.insert(one.comm);
  return ncclSuccess;
}

std::string sentence_on(const Part& part) {
  const Clique& clique = *part.comm->clique;
  const std::string begin =
      std::string(part.name) + ": rank " + std::to_string(part.comm->rank) + " waits for ";
  if (part.kind == Kind::send || part.kind == Kind::receive)
    return begin + "rank " + std::to_string(part.peer) + " to " +
           (part.kind == Kind::send ? "receive" : "send") +
           ", and nothing else goes on. Put sends and receives that need each other between ncclGroupStart "
           "and ncclGroupEnd.";
  std::vector<size_t> missing;
  for (size_t i = 0; i < clique.ranks.size(); ++i)
    if (clique.collectives[i].empty()) missing.push_back(i);
  return begin + missing_ranks(clique, missing) +
         ", and nothing else goes on. All ranks must make the call: from one thread between ncclGroupStart "
         "and ncclGroupEnd, or from a thread for each rank.";
}

ncclResult_t run(Lock& lock, const std::vector<Part>& parts) {
  const auto ticket = std::make_shared<Ticket>();
  ticket->open = static_cast<int>(parts.size());
  for (const Part& part : parts) {
    Clique& clique = *part.comm->clique;
    if (clique.code != ncclSuccess)
      return refuse_unlocked(
          lock, clique.code,
          std::string(part.name) + " cannot run any more, since an earlier call failed: " + clique.failure);
    Part given = part;
    given.ticket = ticket;
    post(std::move(given));
  }
  for (const Part& part : parts) run_what_is_ready(lock, *part.comm->clique);
  const auto failed = [](const Part& part) { return part.comm->clique->code != ncclSuccess; };
  Patience patience;
  while (ticket->open > 0 && std::none_of(parts.begin(), parts.end(), failed)) {
    if (patience.wait(lock)) continue;
    const auto waits = std::find_if(parts.begin(), parts.end(), is_waiting);
    if (waits != parts.end()) give_up(*waits->comm->clique, ncclInvalidUsage, sentence_on(*waits));
  }
  if (ticket->open == 0) return ticket->result;
  const Clique& clique = *std::find_if(parts.begin(), parts.end(), failed)->comm->clique;
  const std::string failure = clique.failure;
  return refuse_unlocked(lock, clique.code, failure);
}

// Ranks that could not join.
void drop(const std::vector<Join>& joins) {
  for (const Join& one : joins) {
    {
      const Lock lock(communicators().mutex);
      auto& ranks = one.comm->clique->ranks;
      std::replace(ranks.begin(), ranks.end(), one.comm, static_cast<ncclComm*>(nullptr));
    }
    *one.where = nullptr;
    release(one.comm);
  }
}

ncclResult_t finish() {
  const Group ended = std::exchange(group, {});
  ncclResult_t code = ended.code;
  if (code == ncclSuccess) {
    Lock lock(communicators().mutex);
    code = join(lock, ended.joins);
  }
  if (code != ncclSuccess) {
    drop(ended.joins);
    return code;
  }
  Lock lock(communicators().mutex);
  return ended.parts.empty() ? ncclSuccess : run(lock, ended.parts);
}

}  // namespace

ncclResult_t give_join(Join join) {
  group.joins.push_back(join);
  return group.depth > 0 ? ncclSuccess : finish();
}
ncclResult_t give_part(Part part) {
  group.parts.push_back(std::move(part));
  return group.depth > 0 ? ncclSuccess : finish();
}
ncclResult_t note_in_group(ncclResult_t code) {
  if (group.depth > 0 && group.code == ncclSuccess) group.code = code;
  return code;
}

void begin_group() { ++group.depth; }
ncclResult_t end_group() {
  if (group.depth == 0) return refuse(ncclInvalidUsage, "ncclGroupEnd without a ncclGroupStart before it.");
  return --group.depth > 0 ? ncclSuccess : finish();
}

}  // namespace warplens::nccl

extern "C" {

ncclResult_t ncclGroupStart() {
  warplens::nccl::begin_group();
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() { return warplens::nccl::end_group(); }

}  // extern "C"
