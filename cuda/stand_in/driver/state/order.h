// Notes of what the program's operations touch and what it waits for; conflicts of operations that nothing
// orders are reported. All of it does nothing where missing waits are not looked for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/recording/journal.h"
#include "core/streams/copy_waits.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// A new stream, before it is used, and one that goes.
void order_stream(Gpu& device, Stream& stream);
void forget_stream(Gpu& device, const Stream& stream);

// Which part of its work an operation is: all of it, or the first or the last part of work that several
// streams do together, which any thread of the program may give.
enum class WorkPart : uint8_t { whole, first, last };

// The next operation of a stream. Null if nothing is noted.
std::shared_ptr<streams::Operation> begin_operation(Gpu& device, const Stream* stream,
                                                    streams::Operation::Kind kind, std::string_view name,
                                                    WorkPart part = WorkPart::whole);
// Bytes that it touches; those outside of the program's allocations are the host's own, and are left out.
void touch(Gpu& device, const streams::OperationPointer& operation, uint64_t address, uint64_t bytes,
           streams::Access access);

// The program itself reads or writes a byte, and no call of the API does it. False if a function of the host
// does that a stream calls: its next write is to be seen too.
bool touch_by_host(Gpu& device, uint64_t address, streams::Access access);
// What the program may not touch yet is guarded, and what it may is open.
void guard_host_memory(Gpu& device, const Block& block);

// A copy or memset of rows, all at once.
struct CopyRows {
  uint64_t address = 0;  // 0: in a CUDA array, which is not followed
  uint64_t pitch = 0, layer = 0;
};
struct OrderedCopy {
  recording::Direction direction{};
  CopyRows to, from;  // of a memset `to` alone
  uint64_t width = 0, rows = 1, layers = 1;
  bool async = false;
};
void order_copy(Gpu& device, const Stream* stream, const OrderedCopy& copy);
// The host waits for it, if its call does; order_copy() does this too.
void wait_for_copy(Gpu& device, const Stream* stream, const OrderedCopy& copy);

// The host, or the function of the host that runs in this thread, waits.
void wait_for_stream(Gpu& device, const Stream* stream);
void wait_for_event(Gpu& device, const Event& event);
void wait_for_all(Gpu& device);
void wait_for_device(Gpu& device, const DeviceState& on);
// Two devices wait for each other's work, and the program does not.
void meet_devices(Gpu& device, DeviceState& one, DeviceState& other);
// An event is recorded; a stream waits for it.
void record_order(Gpu& device, const Stream* stream, Event& event);
void order_after(Gpu& device, const Stream* stream, const Event& event);

// Memory is freed, by the host or in the order of a stream.
void order_free(Gpu& device, const Block& block, std::string_view call);
void order_free(Gpu& device, const Stream* stream, const Block& block);

// While it exists, this thread runs a function of the host for the stream. It ends without the device's lock.
class InHostFunction {
 public:
  InHostFunction(Gpu& device, const Stream* stream);
  ~InHostFunction();
  InHostFunction(InHostFunction&&) = delete;

 private:
  Gpu& m_device;
};

// While it exists, the arrays that a launch may touch have notes of what it does.
class NotedLaunch {
 public:
  NotedLaunch(Gpu& device, const Function& function, std::span<const std::byte> parameters, uint64_t threads);
  ~NotedLaunch();
  NotedLaunch(NotedLaunch&&) = delete;
  void give(const streams::OperationPointer& operation);  // what was touched

 private:
  Gpu& m_device;
  std::vector<Block*> m_blocks;
};

// At the end of the program.
void tell_unflushed(Gpu& device);

}  // namespace warplens::driver
