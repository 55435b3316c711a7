#include "cuda/stand_in/driver/state/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/recording/event.h"
#include "core/streams/conflict_text.h"
#include "cuda/stand_in/driver/state/host_faults.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

// The line of events of this thread: the host's, or the stream's whose function runs in it.
thread_local streams::Line caller = streams::host_line;
thread_local streams::OperationPointer function_of_host;  // that runs in this thread; null: none

streams::Line line_of(const Stream* stream) {
  return stream == nullptr ? streams::default_line : stream->line;
}

bool is_host_memory(const Block& block) {
  return block.kind == Block::Kind::pinned || block.kind == Block::Kind::registered ||
         block.kind == Block::Kind::managed;
}

// Whether the order of this thread's calls is followed, to find missing waits or to do work in another order.
bool follows_order(const Gpu& device) {
  return device.waits.on || (device.deferred.on && !performs_deferred());
}

streams::Memory memory_at(Gpu& device, uint64_t address, bool host) {
  const Block* block = device.block_of(address);
  if (block == nullptr) return host ? streams::Memory::pageable : streams::Memory::device;
  if (block->kind == Block::Kind::managed) return streams::Memory::managed;
  return is_host_memory(*block) ? streams::Memory::pinned : streams::Memory::device;
}

uint64_t page_of(uint64_t address) { return address / guard_page_bytes * guard_page_bytes; }
uint64_t page_after(uint64_t address) { return page_of(address + guard_page_bytes - 1); }

// The pages that hold nothing else. Bytes past the end of an allocation of ours are nobody's; registered
// memory shares its first and its last page.
streams::Range own_pages(const Block& block) {
  if (!is_host_memory(block) || block.never_guarded) return {};
  const uint64_t begin = block.allocation->begin, end = begin + block.bytes;
  return {page_after(begin), block.kind == Block::Kind::registered ? page_of(end) : page_after(end)};
}

// Not where the program handles such faults itself.
bool may_guard(Gpu& device) {
  if (watches_host_faults()) return true;
  if (!std::exchange(device.waits.told_of_handler, true) && !device.settings.quiet)
    std::fputs(
        "warplens: The program handles SIGSEGV itself: what it reads and writes before the device is done "
        "is not looked for.\n",
        stderr);
  return false;
}

// At a place of the program, once.
void hint(Gpu& device, std::string_view kind, std::string_view what, std::string_view advice) {
  if (host_place() != nullptr && device.waits.hinted.insert({std::string(kind), host_place()}).second)
    device.journal.warning(kind, what, advice, host_place());
}

// After the host has waited.
void guard_again(Gpu& device) {
  const std::set<uint64_t> guarded = std::exchange(device.waits.guarded, {});
  for (const uint64_t address : guarded)
    if (const Block* block = device.block_of(address)) guard_host_memory(device, *block);
}

void tell_conflict(Gpu& device, const streams::Conflict& conflict) {
  const streams::Operation &first = *conflict.first, &second = *conflict.second;
  if (first.place != nullptr && second.place != nullptr &&
      !device.waits.told.emplace(first.place, second.place).second)
    return;
  const Block* block = device.block_of(conflict.bytes.begin);
  const streams::ConflictText text =
      text_of(conflict, block == nullptr ? "the same bytes" : std::string_view(block->allocation->name));
  std::string sentence = text.what + " ";
  const auto empty = device.waits.empty_waits.find(second.stamp.line);
  if (empty != device.waits.empty_waits.end())
    sentence += fmt::format("The wait of {} orders nothing: its event was not recorded before. ",
                            recording::place_text(*empty->second));
  device.tell("missing_wait", CUDA_SUCCESS, sentence + text.advice, {}, {}, 0, {first.work, second.work});
}

// A kernel that orders its accesses for the host as well (membar.sys and the like, PTX ISA "Memory
// Consistency Model") may do so with a host that waits for its data, and not for its end.
bool talks_to_host(Module& module) {
  if (!module.talks_to_host)
    module.talks_to_host =
        module.tree->text != nullptr && module.tree->text->find(".sys") != std::string::npos;
  return *module.talks_to_host;
}

// From `at` on, the end of the notes that all are `note`.
uint64_t end_of_run(const uint8_t* notes, uint64_t at, uint64_t bytes, uint8_t note) {
  constexpr uint64_t stride = 4096;
  while (at + stride <= bytes && notes[at] == note &&
         std::memcmp(notes + at, notes + at + 1, stride - 1) == 0)
    at += stride;
  const uint64_t eight = note * uint64_t{0x0101010101010101};
  for (uint64_t word = 0; at + 8 <= bytes; at += 8) {
    std::memcpy(&word, notes + at, 8);
    if (word != eight) break;
  }
  while (at < bytes && notes[at] == note) ++at;
  return at;
}

// Runs of bytes that have a note, each from its begin to its end. The notes are taken away.
template <class F>
void take_runs(uint8_t* notes, uint64_t bytes, F f) {
  for (uint64_t at = 0; at < bytes;) {
    const uint64_t begin = end_of_run(notes, at, bytes, 0);
    at = end_of_run(notes, begin, bytes, 1);
    std::memset(notes + begin, 0, at - begin);
    if (at != begin) f(begin, at);
  }
}

void take_notes(Gpu& device, const streams::OperationPointer& operation, const Block& block, uint8_t* notes,
                bool& any, streams::Access access) {
  if (!std::exchange(any, false)) return;
  std::vector<streams::Range> runs;
  const uint64_t address = block.allocation->begin;
  take_runs(notes, block.bytes, [&](uint64_t begin, uint64_t end) {
    if (runs.size() <= StreamOrder::most_pieces) runs.push_back({address + begin, address + end});
  });
  if (operation == nullptr || runs.size() > StreamOrder::most_pieces) return;
  for (const streams::Range& run : runs) touch(device, operation, run.begin, run.end - run.begin, access);
}

// A wait for an event that was never recorded is over at once (cudaStreamWaitEvent, cudaEventSynchronize).
void note_wait(Gpu& device, streams::Line line, const Event& event) {
  if (event.recorded || host_place() == nullptr)
    device.waits.empty_waits.erase(line);
  else
    device.waits.empty_waits[line] = host_place();
}

// The launch, copy or library's call that the journal has or will have under this number.
void note_work(Gpu& device, const Stream* stream, streams::Operation& operation, uint64_t work) {
  operation.work = work;
  if (work != 0) device.waits.last_work[number_of(stream)] = work;
}

// Streams of one thread each need no agreement of their threads.
void note_thread(Gpu& device, const Stream& stream) {
  const auto [at, is_new] = device.waits.threads.emplace(stream.id, std::this_thread::get_id());
  if (is_new || at->second == std::this_thread::get_id()) return;
  hint(device, "shared_stream", "Several threads of the host give work to one stream.",
       "Its work is done in the order in which the calls come, which the threads have to agree on. Give each "
       "thread a stream of its own.");
}

void hint_of_pageable(Gpu& device, const OrderedCopy& copy, streams::Memory to, streams::Memory from) {
  const bool to_host = to == streams::Memory::pageable, from_host = from == streams::Memory::pageable;
  if (!device.waits.on || !copy.async || to_host == from_host || device.streams.size() == 0) return;
  hint(device, "pageable_copy",
       fmt::format("An asynchronous copy {} memory that is not pinned {}.", to_host ? "to" : "from",
                   to_host ? "waits until it is done" : "may wait, and overlaps with nothing"),
       "Allocate the memory of the host with cudaMallocHost (Numba: cuda.pinned_array).");
}

}  // namespace

void order_stream(Gpu& device, Stream& stream) {
  if (device.has_several_devices() && stream.context->on->ordinal != 0)
    device.journal.stream(stream.id, stream.context->on->ordinal, false);
  if (device.waits.on || device.deferred.on)
    stream.line = device.waits.order.add_stream((stream.flags & CU_STREAM_NON_BLOCKING) == 0,
                                                stream.context->on->default_line);
}

void forget_stream(Gpu& device, const Stream& stream) {
  if (!device.waits.on && !device.deferred.on) return;
  device.waits.order.remove_stream(stream.line);
  device.waits.threads.erase(stream.id);
  device.waits.last_work.erase(stream.id);
}

std::shared_ptr<streams::Operation> begin_operation(Gpu& device, const Stream* stream,
                                                    streams::Operation::Kind kind, std::string_view name,
                                                    WorkPart part) {
  if (!device.waits.on) return nullptr;
  auto made = std::make_shared<streams::Operation>();
  made->kind = kind;
  made->stamp = device.waits.order.begin(line_of(stream), caller);
  made->name = name;
  if (!is_legacy(stream) && kind != streams::Operation::Kind::host_function && part == WorkPart::whole)
    note_thread(device, *stream);
  made->stream = is_legacy(stream) ? 0 : stream->id;
  if (device.has_several_devices()) made->device = device.device_of(stream).ordinal;
  if (kind == streams::Operation::Kind::kernel || kind == streams::Operation::Kind::library)
    note_work(
        device, stream, *made,
        part == WorkPart::last ? device.waits.last_work[number_of(stream)] : device.journal.next_work());
  made->place = host_place();
  return made;
}

void touch(Gpu& device, const streams::OperationPointer& operation, uint64_t address, uint64_t bytes,
           streams::Access access) {
  if (operation == nullptr || bytes == 0 || device.block_of(address) == nullptr) return;
  if (const auto found =
          device.waits.accesses.add({address, address + bytes}, access, operation, device.waits.order))
    tell_conflict(device, *found);
}

bool touch_by_host(Gpu& device, uint64_t address, streams::Access access) {
  if (function_of_host != nullptr) {
    touch(device, function_of_host, address, 1, access);
    return false;
  }
  const auto operation =
      std::make_shared<streams::Operation>(streams::Operation{.kind = streams::Operation::Kind::host_access,
                                                              .stamp = {caller, 0},
                                                              .name = {},
                                                              .place = host_place()});
  if (const auto found =
          device.waits.accesses.find({address, address + 1}, access, operation, device.waits.order))
    tell_conflict(device, *found);
  return true;
}

void guard_host_memory(Gpu& device, const Block& block) {
  const streams::Range own = own_pages(block);
  if (!device.waits.on || own.begin >= own.end) return;
  const uint64_t begin = block.allocation->begin, end = begin + block.bytes;
  open_pages(begin, end);
  device.waits.guarded.erase(begin);
  const auto uses = device.waits.accesses.uses({begin, end}, device.waits.order);
  if (uses.empty() || !may_guard(device)) return;
  for (const auto& [range, written] : uses) {
    const uint64_t first = page_after(range.begin);
    const uint64_t last = range.end == end ? own.end : page_of(range.end);
    if (first < last && guard_pages(first, last, written ? Guard::against_all : Guard::against_writes))
      device.waits.guarded.insert(begin);
  }
}

void wait_for_copy(Gpu& device, const Stream* stream, const OrderedCopy& copy) {
  if (!follows_order(device)) return;
  using recording::Direction;
  const bool is_set = copy.direction == Direction::memset;
  const bool to_host = copy.direction == Direction::from_device || copy.direction == Direction::on_host;
  const bool from_host = copy.direction == Direction::to_device || copy.direction == Direction::on_host;
  const streams::Memory to = memory_at(device, copy.to.address, to_host);
  const streams::Memory from = memory_at(device, copy.from.address, from_host);
  const streams::HostWaits waits =
      is_set ? streams::waits_of_set(copy.async, to) : streams::waits_of_copy(copy.async, to, from);
  if (!is_set) hint_of_pageable(device, copy, to, from);
  // Right programs take it that memory that was read is also on the device, so for_earlier counts as done.
  if (waits != streams::HostWaits::no) wait_for_stream(device, stream);
}

void order_copy(Gpu& device, const Stream* stream, const OrderedCopy& copy) {
  if (!device.waits.on) return;
  using recording::Direction;
  const bool is_set = copy.direction == Direction::memset;
  const std::shared_ptr<streams::Operation> operation =
      begin_operation(device, stream, is_set ? streams::Operation::Kind::set : streams::Operation::Kind::copy,
                      recording::to_string(copy.direction));
  // Its line has just been written.
  note_work(device, stream, *operation, std::max<uint64_t>(device.journal.next_work(), 1) - 1);
  const auto touch_rows = [&](const CopyRows& rows, streams::Access access) {
    if (rows.address == 0) return;
    const bool side_by_side = (copy.rows == 1 || rows.pitch == copy.width) && copy.layers == 1;
    if (side_by_side) return touch(device, operation, rows.address, copy.width * copy.rows, access);
    if (copy.rows > StreamOrder::most_pieces / copy.layers) return;
    for (uint64_t layer = 0; layer < copy.layers; ++layer)
      for (uint64_t row = 0; row < copy.rows; ++row)
        touch(device, operation, rows.address + layer * rows.layer + row * rows.pitch, copy.width, access);
  };
  touch_rows(copy.from, streams::Access::read);
  touch_rows(copy.to, streams::Access::write);
  wait_for_copy(device, stream, copy);
  for (const uint64_t address : {copy.to.address, copy.from.address})
    if (const Block* block = device.block_of(address)) guard_host_memory(device, *block);
}

void wait_for_stream(Gpu& device, const Stream* stream) {
  if (!follows_order(device)) return;
  device.waits.order.call_waits(line_of(stream), caller);
  guard_again(device);
}

void wait_for_event(Gpu& device, const Event& event) {
  if (!follows_order(device)) return;
  note_wait(device, caller, event);
  device.waits.order.call_waits(event.order, caller);
  guard_again(device);
}

void wait_for_all(Gpu& device) {
  if (!follows_order(device)) return;
  device.waits.order.call_waits_for_all(caller);
  if (caller != streams::host_line) return guard_again(device);
  device.waits.accesses.forget_all();
  device.waits.guarded.clear();
  open_all_pages();
}

void wait_for_device(Gpu& device, const DeviceState& on) {
  if (!follows_order(device)) return;
  device.waits.order.call_waits_for_device(on.default_line, caller);
  const bool is_all = caller == streams::host_line && device.waits.order.streams_under_way() == 0;
  return is_all ? wait_for_all(device) : guard_again(device);
}

void meet_devices(Gpu& device, DeviceState& one, DeviceState& other) {
  if (device.settings.modelled_clock) Clock::meet_devices(one.clock, other.clock);
  if (follows_order(device)) device.waits.order.meet({one.default_line, other.default_line});
}

void record_order(Gpu& device, const Stream* stream, Event& event) {
  if (!follows_order(device)) return;
  event.order = device.waits.order.record(line_of(stream));
  event.stream = number_of(stream);
  const auto last = device.waits.last_work.find(event.stream);
  event.after_work = last == device.waits.last_work.end() ? 0 : last->second;
}

void order_after(Gpu& device, const Stream* stream, const Event& event) {
  if (!follows_order(device)) return;
  note_wait(device, line_of(stream), event);
  device.waits.order.wait(line_of(stream), event.order);
  if (event.stream != number_of(stream)) device.journal.wait(event.after_work, number_of(stream));
}

// cudaFree waits for the whole device, cudaFreeHost is not said to.
void order_free(Gpu& device, const Block& block, std::string_view call) {
  if (!device.waits.on) return;
  const streams::Range range{block.allocation->begin, block.allocation->begin + block.bytes};
  if (block.kind == Block::Kind::pinned || block.kind == Block::Kind::registered) {
    const auto operation =
        std::make_shared<streams::Operation>(streams::Operation{.kind = streams::Operation::Kind::free,
                                                                .stamp = {caller, 0},
                                                                .name = std::string(call),
                                                                .place = host_place()});
    if (const auto found =
            device.waits.accesses.find(range, streams::Access::write, operation, device.waits.order))
      tell_conflict(device, *found);
  } else {
    if (device.waits.order.streams_under_way(block.on->default_line) > 1)
      hint(device, "free_waits", fmt::format("{} waits until the device has done all its work.", call),
           "Free memory at the end, or with cudaFreeAsync in its stream.");
    wait_for_device(device, *block.on);
  }
}

void order_free(Gpu& device, const Stream* stream, const Block& block) {
  if (block.allocation == nullptr) return;
  const streams::OperationPointer operation =
      begin_operation(device, stream, streams::Operation::Kind::free, "cudaFreeAsync");
  touch(device, operation, block.allocation->begin, block.bytes, streams::Access::write);
}

// The first read and the first write of each piece of memory of the host are noted.
InHostFunction::InHostFunction(Gpu& device, const Stream* stream) : m_device(device) {
  function_of_host = begin_operation(device, stream, streams::Operation::Kind::host_function, {});
  if (function_of_host == nullptr) return;
  caller = line_of(stream);
  if (!may_guard(device)) return;
  for (const auto& [address, block] : device.blocks)
    if (const auto [begin, end] = own_pages(block); begin < end) guard_pages(begin, end, Guard::against_all);
}

InHostFunction::~InHostFunction() {
  if (function_of_host == nullptr) return;
  function_of_host = nullptr;
  const streams::Line stream = std::exchange(caller, streams::host_line);
  const std::scoped_lock lock(m_device.mutex);
  m_device.waits.order.may_be_heard(stream);
  for (const auto& [begin, block] : m_device.blocks) guard_host_memory(m_device, block);
}

NotedLaunch::NotedLaunch(Gpu& device, const Function& function, std::span<const std::byte> parameters,
                         uint64_t threads)
    : m_device(device) {
  StreamOrder& waits = device.waits;
  if (!waits.on || threads > waits.threads_left) return;
  const bool several =
      device.streams.size() != 0 || !device.own_streams.empty() || device.has_several_devices();
  const bool talks = talks_to_host(*function.module);
  const auto add = [&](uint64_t address) {
    Block* block = device.block_of(address);
    if (block == nullptr || (is_host_memory(*block) ? talks : !several)) return;
    if (block->allocation->touched != nullptr) return;
    if (block->touches == nullptr && block->bytes <= waits.note_bytes_left / 3) {
      waits.note_bytes_left -= 3 * block->bytes;
      block->touches = std::make_shared<TouchNotes>(block->bytes);
    }
    if (block->touches == nullptr || block->touches->notes == nullptr) return;
    block->allocation->touched = &block->touches->touched;
    open_pages(block->allocation->begin, block->allocation->end);
    m_blocks.push_back(block);
  };
  for (size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, 8);
    add(word);
  }
  for (const Module::Variable& variable : function.module->variables) add(variable.address);
  if (!m_blocks.empty()) waits.threads_left -= threads;
}

void NotedLaunch::give(const streams::OperationPointer& operation) {
  for (const Block* block : m_blocks) {
    exec::Touched& touched = block->touches->touched;
    take_notes(m_device, operation, *block, touched.loads, touched.any_load, streams::Access::read);
    take_notes(m_device, operation, *block, touched.stores, touched.any_store, streams::Access::write);
    take_notes(m_device, operation, *block, touched.atomics, touched.any_atomic, streams::Access::atomic);
    guard_host_memory(m_device, *block);
  }
}

NotedLaunch::~NotedLaunch() {
  for (const Block* block : m_blocks) block->allocation->touched = nullptr;
}

void tell_unflushed(Gpu& device) {
  const streams::OperationPointer printed = device.waits.printed;
  if (printed == nullptr) return;
  device.tell(
      "unflushed_output", CUDA_SUCCESS,
      fmt::format(
          "The kernel {}{} prints, and the program ends without a wait: on a GPU its output may never be "
          "shown. Call cudaDeviceSynchronize() before the end.",
          printed->name,
          printed->place == nullptr
              ? std::string()
              : fmt::format(", launched at {},", recording::place_text(*printed->place))));
}

}  // namespace warplens::driver
