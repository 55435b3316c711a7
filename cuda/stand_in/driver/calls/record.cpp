#include "cuda/stand_in/driver/calls/record.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/recording/reach.h"
#include "cuda/stand_in/driver/calls/modules.h"

namespace warplens::driver {

namespace {

// Up to this much memory is recorded as a whole, so that even a wild access does the same again.
constexpr uint64_t little_memory = uint64_t{16} << 20;

std::span<const std::byte> bytes_of(const exec::Allocation& allocation) {
  return {allocation.host, static_cast<size_t>(allocation.end - allocation.begin)};
}

const char* kind_of(const Gpu& device, const exec::Allocation& allocation) {
  const auto at = device.blocks.find(allocation.begin);
  if (at == device.blocks.end()) return "device";
  switch (at->second.kind) {
    case Block::Kind::device:
    case Block::Kind::mapped:
      return "device";
    case Block::Kind::pinned:
    case Block::Kind::registered:
      return "pinned";
    case Block::Kind::managed:
      return "managed";
    case Block::Kind::module:
      return "variable";
  }
  return "device";
}

bool in_kernel_heap(uint64_t address) {
  return address >= program::kernel_heap_base && address < program::kernel_heap_end;
}

// Why the launch could not be run again; empty: it can.
const char* lacking_of(const Gpu& device, const Function& function, std::span<const std::byte> parameters) {
  for (const exec::Allocation* a : device.memory.allocations())
    if (in_kernel_heap(a->begin)) return "kernels had taken memory with malloc, which is not recorded";
  if (!function.module->references.empty()) return "its module reads textures, which are not recorded";
  for (size_t at = 0; parameters.size() - at >= 8; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, 8);
    if (device.memory.texture(word) != nullptr) return "it is given textures, which are not recorded";
  }
  return "";
}

// The allocations, by address, that the parameters and the module's variables lead to.
std::vector<const exec::Allocation*> reached(const std::vector<const exec::Allocation*>& all,
                                             const Function& function,
                                             std::span<const std::byte> parameters) {
  std::vector<recording::Extent> extents;
  extents.reserve(all.size());
  for (const exec::Allocation* a : all) extents.push_back({a->begin, a->end});
  recording::Reach reach(std::move(extents));
  reach.scan(parameters);
  for (const Module::Variable& variable : function.module->variables) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const auto* a) { return a->begin == variable.address; });
    if (at != all.end()) reach.add(static_cast<size_t>(at - all.begin()));
  }
  reach.follow([&](size_t index) { return bytes_of(*all[index]); });
  std::vector<const exec::Allocation*> found;
  for (const size_t index : reach.found()) found.push_back(all[index]);
  return found;
}

std::vector<recording::MemoryNote> memory_of(const Gpu& device, const Function& function,
                                             std::span<const std::byte> parameters, bool& all) {
  std::vector<const exec::Allocation*> found = device.memory.allocations();
  uint64_t whole = 0;
  for (const exec::Allocation* a : found) whole += a->end - a->begin;
  all = whole <= little_memory;
  std::erase_if(found, [](const exec::Allocation* a) { return a->begin == a->end; });
  if (!all) {
    found = reached(found, function, parameters);
  }
  std::vector<recording::MemoryNote> pieces;
  pieces.reserve(found.size());
  for (const exec::Allocation* a : found) {
    recording::MemoryNote piece{a->name, kind_of(device, *a), {}, a->begin, bytes_of(*a)};
    for (const Module::Variable& variable : function.module->variables)
      if (variable.address == a->begin) piece.symbol = variable.name;
    pieces.push_back(piece);
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  return pieces;
}

}  // namespace

std::optional<RecordedMemory> record_launch(Gpu& device, const Function& function, const RecordedShape& shape,
                                            std::span<const std::byte> parameters) {
  const uint64_t number = device.launches;  // counted already, so from 1
  if (!device.recorder.wants(number, function.launches)) return std::nullopt;
  recording::LaunchRecording note;
  note.number = number;
  note.kernel = function.name;
  note.entry = function.code->name;
  note.ptx = *function.module->tree->text;
  note.ptx_owner = function.module->tree;
  note.place_global = function.module->base.global;
  note.place_constant = function.module->base.constant;
  note.grid = shape.grid;
  note.block = shape.block;
  note.shared_bytes = shape.shared_bytes;
  note.cooperative = shape.cooperative;
  note.max_registers = function.module->max_registers;
  for (size_t i = 0; i < function.code->parameters.size(); ++i) {
    const ptx::Variable& parameter = function.code->parameters[i];
    note.parameters.push_back({ptx::is_float(parameter.type),
                               parameters.subspan(function.program->parameter_offsets[i], parameter.bytes)});
  }
  note.lacking = lacking_of(device, function, parameters);
  RecordedMemory recorded;
  if (note.lacking.empty()) recorded.pieces = memory_of(device, function, parameters, note.all_memory);
  note.memory = recorded.pieces;
  device.recorder.note(note);
  return recorded;
}

void record_end(Gpu& device, const RecordedMemory& recorded, bool fault) {
  device.recorder.note_end(recorded.pieces, fault);
}

}  // namespace warplens::driver
