#include "cuda/stand_in/libraries/nccl/meeting.h"

#include <algorithm>

#include "cuda/stand_in/libraries/nccl/exchange.h"
#include "cuda/stand_in/libraries/nccl/reduction.h"

namespace warplens::nccl {

namespace {

using libraries::Memory;

bool is_reduction(Kind kind) {
  return kind == Kind::all_reduce || kind == Kind::reduce || kind == Kind::reduce_scatter;
}

warplens_unit unit_of_type(ncclDataType_t type) {
  if (type == ncclFloat64) return warplens_fp64;
  return is_floating(type) ? warplens_fp32 : warplens_integer;
}

std::string elements_of(const Part& part) { return std::to_string(part.count) + " × " + name_of(part.type); }

std::string shape_of(const Part& part, size_t ranks) {
  std::string text =
      "rank " + std::to_string(part.comm->rank) + " of " + std::to_string(ranks) + ": " + elements_of(part);
  if (is_reduction(part.kind)) text += std::string(", ") + name_of(part.op);
  if (part.kind == Kind::reduce || part.kind == Kind::broadcast)
    text += (part.kind == Kind::reduce ? " to " : " from ") + std::to_string(part.peer);
  return text;
}

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

// What the ranks have read, and what comes of it.
struct Staged {
  explicit Staged(size_t ranks) : of(ranks) {}
  bool is_whole() const { return read == of.size(); }

  std::vector<Bytes> of;
  size_t read = 0;  // ranks whose memory was there
  bool is_reduced = false;
};

// The order of additions is that of the ranks, for every element.
void reduce(Staged& staged, const Part& part) {
  if (std::exchange(staged.is_reduced, true)) return;
  Bytes& sum = staged.of[0];
  for (size_t i = 1; i < staged.of.size(); ++i) {
    combine(part.type, part.op, sum, staged.of[i]);
    Bytes().swap(staged.of[i]);
  }
  if (part.op == ncclAvg) divide(part.type, sum, staged.of.size());
}

size_t bytes_read(const Part& part, size_t ranks) {
  if (part.from == nullptr) return 0;
  return part.count * size_of(part.type) * (part.kind == Kind::reduce_scatter ? ranks : 1);
}

bool read_part(const Memory& memory, const Part& part, Staged& staged) {
  Bytes& to = staged.of[static_cast<size_t>(part.comm->rank)];
  const size_t bytes = bytes_read(part, staged.of.size());
  if (bytes != 0) {
    const auto* from = memory.array<const std::byte>(part.from, static_cast<int64_t>(bytes), warplens_reads);
    if (from == nullptr) return false;
    to.assign(from, from + bytes);
  }
  if (is_reduction(part.kind) && part.factor != nullptr) {
    const std::byte* factor = part.factor->bytes.data();
    if (part.factor->on_device != nullptr)
      factor = memory.array<const std::byte>(part.factor->on_device, static_cast<int64_t>(size_of(part.type)),
                                             warplens_reads);
    if (factor == nullptr) return false;
    multiply(part.type, to, factor);
  } else if (is_reduction(part.kind) && part.op == ncclAvg && is_floating(part.type)) {
    multiply(part.type, to, share_of_average(part.type, staged.of.size()).data());
  }
  ++staged.read;
  return true;
}

bool write_bytes(const Memory& memory, void* address, const std::byte* from, size_t bytes) {
  if (bytes == 0) return true;
  auto* to = memory.array<std::byte>(address, static_cast<int64_t>(bytes), warplens_writes);
  if (to == nullptr) return false;
  std::copy_n(from, bytes, to);
  return true;
}

bool write_part(const Memory& memory, const Part& part, Staged& staged) {
  if (part.to == nullptr || !staged.is_whole()) return true;  // the rank that lacks memory has said so
  if (is_reduction(part.kind)) reduce(staged, part);
  const size_t bytes = part.count * size_of(part.type);
  switch (part.kind) {
    case Kind::reduce_scatter:
      return write_bytes(memory, part.to, staged.of[0].data() + static_cast<size_t>(part.comm->rank) * bytes,
                         bytes);
    case Kind::all_gather: {
      Bytes all;
      for (const Bytes& one : staged.of) all.insert(all.end(), one.begin(), one.end());
      return write_bytes(memory, part.to, all.data(), all.size());
    }
    case Kind::broadcast:
      return part.to == part.from ||
             write_bytes(memory, part.to, staged.of[static_cast<size_t>(part.peer)].data(), bytes);
    default:
      return write_bytes(memory, part.to, staged.of[0].data(), bytes);
  }
}

// The bytes that each rank sends and receives in a ring (NCCL's tests, "Performance reported by NCCL tests").
uint64_t link_bytes(const Part& part, size_t ranks) {
  const uint64_t bytes = part.count * size_of(part.type);
  if (ranks == 1) return 0;
  if (part.kind == Kind::all_reduce) return 2 * (ranks - 1) * bytes / ranks;
  return part.kind == Kind::all_gather || part.kind == Kind::reduce_scatter ? (ranks - 1) * bytes : bytes;
}

// The parts of all ranks, in their order.
CUresult run_collective(const std::vector<Part>& parts) {
  const size_t ranks = parts.size();
  const auto staged = std::make_shared<Staged>(ranks);
  std::vector<Member> members;
  for (const Part& part : parts) {
    Member one{.comm = part.comm, .stream = part.stream, .call = {}, .read = {}, .write = {}};
    one.call = {part.name, shape_of(part, ranks), 0, unit_of_type(part.type), false};
    if (is_reduction(part.kind)) one.call.operations = double(part.count) * double(ranks - 1);
    one.moved.sent_bytes = one.moved.received_bytes = link_bytes(part, ranks);
    one.read = [part, staged](const Memory& memory) { return read_part(memory, part, *staged); };
    one.write = [part, staged](const Memory& memory) { return write_part(memory, part, *staged); };
    members.push_back(std::move(one));
  }
  return run_exchange(members);
}

struct Pair {
  Part send, receive;
};

// What one stream of a rank sends and receives at the same time.
struct Traffic {
  const ncclComm* comm = nullptr;
  CUstream stream = nullptr;
  std::vector<std::pair<Part, std::shared_ptr<Bytes>>> sends, receives;
};

Traffic& traffic_of(std::vector<Traffic>& all, const Part& part) {
  for (Traffic& one : all)
    if (one.comm == part.comm && one.stream == part.stream) return one;
  return all.emplace_back(Traffic{part.comm, part.stream, {}, {}});
}

std::string shape_of(const Traffic& traffic) {
  std::string text = "rank " + std::to_string(traffic.comm->rank) + ":";
  for (const auto& [part, bytes] : traffic.sends)
    text += " " + elements_of(part) + " to " + std::to_string(part.peer) + ",";
  for (const auto& [part, bytes] : traffic.receives)
    text += " " + elements_of(part) + " from " + std::to_string(part.peer) + ",";
  text.pop_back();
  return text;
}

uint64_t bytes_over_link(const std::vector<std::pair<Part, std::shared_ptr<Bytes>>>& parts) {
  uint64_t bytes = 0;
  for (const auto& [part, staged] : parts)
    if (part.peer != part.comm->rank) bytes += part.count * size_of(part.type);
  return bytes;
}

bool read_sends(const Memory& memory, const Traffic& traffic) {
  for (const auto& [part, staged] : traffic.sends) {
    const size_t bytes = part.count * size_of(part.type);
    if (bytes == 0) continue;
    const auto* from = memory.array<const std::byte>(part.from, static_cast<int64_t>(bytes), warplens_reads);
    if (from == nullptr) return false;
    staged->assign(from, from + bytes);
  }
  return true;
}

// A sender that lacked memory has left nothing.
bool write_receives(const Memory& memory, const Traffic& traffic) {
  for (const auto& [part, staged] : traffic.receives)
    if (!staged->empty() && !write_bytes(memory, part.to, staged->data(), staged->size())) return false;
  return true;
}

CUresult run_pairs(const std::vector<Pair>& pairs) {
  std::vector<Traffic> all;
  for (const auto& [send, receive] : pairs) {
    const auto staged = std::make_shared<Bytes>();
    traffic_of(all, send).sends.emplace_back(send, staged);
    traffic_of(all, receive).receives.emplace_back(receive, staged);
  }
  std::vector<Member> members;
  for (const Traffic& traffic : all) {
    const bool sends = !traffic.sends.empty(), receives = !traffic.receives.empty();
    Member one{.comm = traffic.comm, .stream = traffic.stream, .call = {}, .read = {}, .write = {}};
    one.call = {sends && receives ? "ncclSend and ncclRecv"
                : sends           ? "ncclSend"
                                  : "ncclRecv",
                shape_of(traffic), 0, warplens_fp32, false};
    one.moved.sent_bytes = bytes_over_link(traffic.sends);
    one.moved.received_bytes = bytes_over_link(traffic.receives);
    one.read = [traffic](const Memory& memory) { return read_sends(memory, traffic); };
    one.write = [traffic](const Memory& memory) { return write_receives(memory, traffic); };
    members.push_back(std::move(one));
  }
  return run_exchange(members);
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
    if (send.count * size_of(send.type) != receive.count * size_of(receive.type))
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
