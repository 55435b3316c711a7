// Collectives: all ranks read, then all write.
#include <algorithm>
#include <utility>

#include "cuda/stand_in/libraries/nccl/exchange.h"
#include "cuda/stand_in/libraries/nccl/parts.h"

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

std::string shape_of(const Part& part, size_t ranks) {
  std::string text =
      "rank " + std::to_string(part.comm->rank) + " of " + std::to_string(ranks) + ": " + elements_of(part);
  if (is_reduction(part.kind)) text += std::string(", ") + name_of(part.op);
  if (part.kind == Kind::reduce || part.kind == Kind::broadcast)
    text += (part.kind == Kind::reduce ? " to " : " from ") + std::to_string(part.peer);
  return text;
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
  return bytes_of(part) * (part.kind == Kind::reduce_scatter ? ranks : 1);
}

bool read_part(const Memory& memory, const Part& part, Staged& staged) {
  Bytes& to = staged.of[static_cast<size_t>(part.comm->rank)];
  const size_t bytes = bytes_read(part, staged.of.size());
  if (!read_bytes(memory, part.from, bytes, to)) return false;
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

bool write_part(const Memory& memory, const Part& part, Staged& staged) {
  if (part.to == nullptr || !staged.is_whole()) return true;  // the rank that lacks memory has said so
  if (is_reduction(part.kind)) reduce(staged, part);
  const size_t bytes = bytes_of(part);
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
  const uint64_t bytes = bytes_of(part);
  if (ranks == 1) return 0;
  if (part.kind == Kind::all_reduce) return 2 * (ranks - 1) * bytes / ranks;
  return part.kind == Kind::all_gather || part.kind == Kind::reduce_scatter ? (ranks - 1) * bytes : bytes;
}

}  // namespace

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

}  // namespace warplens::nccl
