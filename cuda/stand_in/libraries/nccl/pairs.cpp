// Sends and receives, each of which has its counterpart.
#include <algorithm>
#include <utility>

#include "cuda/stand_in/libraries/nccl/exchange.h"
#include "cuda/stand_in/libraries/nccl/parts.h"

namespace warplens::nccl {

std::string elements_of(const Part& part) { return std::to_string(part.count) + " × " + name_of(part.type); }

bool read_bytes(const libraries::Memory& memory, const void* address, size_t bytes, Bytes& to) {
  if (bytes == 0) return true;
  const auto* from = memory.array<const std::byte>(address, static_cast<int64_t>(bytes), warplens_reads);
  if (from == nullptr) return false;
  to.assign(from, from + bytes);
  return true;
}

bool write_bytes(const libraries::Memory& memory, void* address, const std::byte* from, size_t bytes) {
  if (bytes == 0) return true;
  auto* to = memory.array<std::byte>(address, static_cast<int64_t>(bytes), warplens_writes);
  if (to == nullptr) return false;
  std::copy_n(from, bytes, to);
  return true;
}

namespace {

using libraries::Memory;

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
    if (part.peer != part.comm->rank) bytes += bytes_of(part);
  return bytes;
}

bool read_sends(const Memory& memory, const Traffic& traffic) {
  for (const auto& [part, staged] : traffic.sends)
    if (!read_bytes(memory, part.from, bytes_of(part), *staged)) return false;
  return true;
}

// A sender that lacked memory has left nothing.
bool write_receives(const Memory& memory, const Traffic& traffic) {
  for (const auto& [part, staged] : traffic.receives)
    if (!staged->empty() && !write_bytes(memory, part.to, staged->data(), staged->size())) return false;
  return true;
}

}  // namespace

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

}  // namespace warplens::nccl
