// Finds mistakes that do not stop a kernel: races, uninitialised memory and registers, misused masks,
// divisions by zero, leaks. docs/findings.md says what is found, docs/adr/0014-findings-by-shadow-memory.md
// says how.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/gpu/exec/state/watch.h"
#include "core/gpu/sanitize/clocks.h"
#include "core/gpu/sanitize/findings.h"
#include "core/gpu/sanitize/interval.h"
#include "core/gpu/sanitize/pattern.h"
#include "core/gpu/sanitize/places.h"
#include "core/gpu/sanitize/race_shadow.h"
#include "core/gpu/sanitize/shape.h"
#include "core/launch/launch_request.h"

namespace warplens::sanitize {

// The times at which strong accesses published at an address.
struct SyncVariable {
  Time device = 0, block = 0, reads = 0;
};

// The shadow of one allocation of device memory.
struct GlobalShadow {
  uint64_t begin = 0, end = 0;
  const std::byte* host = nullptr;
  std::string name;
  int32_t buffer = -1;  // of the request; below 0 for other memory
  RaceShadow races;
  WrittenBytes written;
  bool tracks_written = false;  // it was allocated without data
  bool is_written = false;      // a store in this launch's kernel is meant for it
};

// A bulk copy whose end is signalled by a barrier in shared memory.
struct BulkCopy {
  uint32_t thread = 0;
  uint64_t address = 0, bytes = 0;
};

// The lanes of a warp in which a register holds undefined bytes that are only copied. It is sparse: registers
// without an entry count as defined.
struct UndefinedRegister {
  uint32_t lanes = 0;
  std::array<uint16_t, warp_lanes> bytes{};      // a bit for each byte
  const exec::Op* load = nullptr;                // null if the thread has not written the register
  Space space = Space::global;                   // of the load
  std::array<uint64_t, warp_lanes> addresses{};  // of the load
};
using RegisterKey = std::tuple<uint32_t, uint32_t, uint32_t>;  // warp, function, register

// The first instruction that computed with a register without a value, and the register and lane.
struct UndefinedOrigin {
  const exec::Op* op = nullptr;
  uint32_t reg = 0, lane = 0;
};

// The shadow of one block that is running.
struct BlockShadow {
  BlockClocks clocks;
  RaceShadow races;
  WrittenBytes written;
  std::vector<WrittenBytes> local;  // per thread, in whole warps
  std::unordered_map<uint64_t, SyncVariable> sync;
  std::unordered_map<uint64_t, std::vector<BulkCopy>> copies;  // unfinished, by their barrier
  Interval interval;                                           // of shared memory
  std::map<RegisterKey, UndefinedRegister> undefined;
  std::map<RegisterKey, UndefinedOrigin> origins;  // of what was computed from it
  bool may_pend = false;                           // there was an asynchronous copy, which no barrier ends
};

class Sanitizer final : public exec::Watch {
 public:
  // With `everything`, all accesses are followed. Otherwise it finds only mistakes that an ordinary run
  // shows.
  explicit Sanitizer(bool everything) : m_everything(everything) {}

  bool follows_accesses() const { return m_everything; }

  // The element types of the request's buffers, used to print values.
  void know_types(std::vector<DType> of_buffers) { m_types = std::move(of_buffers); }

  // Called for the host's steps.
  void allocate_buffer(const exec::Allocation& allocation);
  void copy_in(const exec::Allocation& allocation, uint64_t bytes);
  void copy_to(const exec::Allocation& allocation, uint64_t offset, uint64_t bytes);  // a part of it
  void free_buffer(const exec::Allocation& allocation);
  // With `lockstep`, the lanes of a warp run in lockstep, as before Volta.
  void start_launch(const LaunchStep& step, std::shared_ptr<const program::Program> program,
                    const exec::Memory& memory, const std::vector<std::byte>& parameters, bool lockstep);
  // Call finish() after the last step: it finds memory that was never freed. Then incidents() gives all
  // findings.
  void finish();
  std::vector<Incident> incidents() const { return m_findings.incidents(); }

  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;
  void record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                     exec::AccessShape& shape, uint64_t first) override;
  void enter(uint64_t block, std::span<exec::Warp> warps) override;
  void leave(uint64_t block) override;
  void arrive(const exec::Warp& warp) override;
  void depart(const exec::Warp& warp) override;
  void close(uint32_t barrier) override;
  void meet_at_object(const exec::Warp& warp, uint64_t address, bool arrives) override;
  void finish_copy(const exec::Warp& warp, uint32_t lane, uint64_t address, uint32_t bytes) override;
  void access(const exec::Op& op, const exec::Warp& warp, uint32_t lane,
              const exec::WatchedAccess& what) override;
  void initialise(const exec::Warp& warp, uint32_t lane, Space space, uint64_t address,
                  uint64_t bytes) override;
  void allocate(const exec::Op& op, const exec::Warp& warp, uint32_t lane, uint64_t address,
                uint64_t bytes) override;
  void release(uint64_t address) override;
  void note(const exec::Op& op, const exec::Warp& warp) override;

 private:
  // The access of one warp instruction to one memory space.
  struct Event {
    const exec::Op& op;
    const exec::Warp& warp;
    const Place& place;
    uint32_t mask = 0;
    AccessKind kind = AccessKind::load;
    Space space = Space::global;
    const uint64_t* addresses = nullptr;
    uint32_t bytes = 0;  // of a lane
    bool pending = false;
    bool through_texture = false;
    bool in_pieces = false;  // pieces of one access; only the first is reported
    Time floor = 0;          // accesses before this are ordered before it
    Access first = {};       // of lane 0, as it is stored

    Access of(uint32_t lane) const { return {first.time, first.block, first.info + lane}; }
  };
  // The memory that a lane accesses.
  struct Target {
    RaceShadow* races = nullptr;
    WrittenBytes* written = nullptr;  // null if all of it was written
    uint64_t begin = 0, end = 0;
    const std::byte* host = nullptr;  // of `begin`
    const GlobalShadow* global = nullptr;
  };

  // The shadow cells that a lane accesses.
  struct Cells {
    RaceRow& row;
    uint32_t first = 0, count = 1;
    uint32_t shift = 2;  // log2 of a cell's bytes
  };

  // What is known of an instruction of this launch.
  struct Known {
    GlobalShadow* used = nullptr;   // the one that it accessed last
    GlobalShadow* meant = nullptr;  // the last one that its addresses may belong to
    std::unique_ptr<Shape> shape;   // of its last access
    uint64_t pattern_of = 0;        // AccessShape::id
    Pattern* pattern = nullptr;
  };

  // sanitizer_interval.cpp
  static constexpr size_t most_in_vain = 4096;
  bool note_shared(const Event& event);
  bool note_shared(const exec::Op& op, const exec::Warp& warp, AccessKind kind, Pattern& pattern,
                   uint64_t first);
  void end_interval();
  void end_or_renew_interval();
  void forget_interval();
  bool takes_notes() const { return m_takes_notes && m_in_vain < most_in_vain; }
  Pattern* pattern_of(Known& known, const exec::AccessShape& shape);

  // sanitizer_access.cpp
  Event event_of(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                 const uint64_t* addresses) const;
  bool orders(const Event& event) const {
    return event.place.strong && m_places->orders(event.space == Space::shared);
  }
  void record(Event& event);
  GlobalShadow& shadow_of(const exec::Allocation& allocation);
  GlobalShadow* find_shadow(uint32_t instruction, uint64_t address);
  void record_local(const Event& event);
  void record_lanes(const Event& event);
  Target shared_target(const Event& event);
  bool find_target(const Event& event, uint32_t lane, Target& target);
  static Target target_in(GlobalShadow& shadow);
  void record_each(const Event& event, Target target, uint32_t lanes);
  void record_lane(const Event& event, const Target& target, uint32_t lane);
  bool cannot_race(const Event& event, const Target& target) const;
  void read_cells(const Event& event, const Target& target, const Cells& cells, const Access& mine);
  void note_reading(RaceRow& row, uint32_t cell, uint32_t count, const Access& mine, Time floor);
  void note_reader(RaceRow& row, uint32_t cell, const Access& mine, Time floor);
  void replace_reader(RaceRow& row, uint32_t cell, uint32_t which, const Access& mine, Time floor);
  bool counts_beside(const Access& reader, const Access& mine, Time floor) const;
  Time told(const Access& mine) const { return m_shadow->clocks.told(mine.warp()); }
  void write_cells(const Event& event, const Target& target, const Cells& cells, const Access& mine);
  bool conflicts(const Access& earlier, const Access& mine, Time floor, bool earlier_reads) const;
  bool writes_the_same(const Event& event, const Target& target, const Access& earlier, uint32_t lane,
                       uint64_t at, uint32_t bytes) const;

  uint64_t address_of(uint32_t instruction, const std::byte* texel);
  void remember_first(Event& event) const;
  void finish_pending(uint32_t thread, uint64_t address, uint32_t bytes, Time time);
  void finish_copies_at(uint64_t barrier);

  // sanitizer_together.cpp
  uint32_t record_together(const Event& event, Target& target);
  uint32_t record_rows(const Event& event, const Target& target, uint64_t low, uint32_t lane, uint32_t lanes);
  bool record_row(const Event& event, RaceRow& row, const Track::Part& mine);
  bool record_global_shaped(const exec::Op& op, uint32_t warp, AccessKind kind,
                            const exec::AccessShape& shape, uint64_t first);
  uint32_t read_together(const Event& event, const Target& target, Shape& shape, uint64_t low);

  // sanitizer_undefined.cpp
  void read_unwritten(const Event& event, const Target& target, uint32_t lane, uint64_t missing);
  RegisterKey key_of(const exec::Op& op, const exec::Warp& warp, uint32_t r) const;
  void forget_registers(const Event& event);
  bool hold_register(const exec::Op& op, const exec::Warp& warp, uint32_t r, uint32_t lanes);
  void store_undefined(const Event& event);
  void store_undefined(const Event& event, const Part& part, UndefinedRegister& held);
  bool is_reported(const Event& event, const Part& part, const UndefinedRegister& held, uint32_t lane);
  WrittenBytes* written_at(const Event& event, uint32_t lane, uint64_t& offset);

  // sanitizer_report.cpp
  void report_race(const Event& event, const Target& target, uint32_t lane, const Access& earlier,
                   AccessKind earlier_kind);
  void report_uninitialized(const Event& event, const Target& target, uint32_t lane, uint64_t missing);
  void name_place(const Event& event, const Target& target, uint32_t lane, Finding& finding) const;

  // sanitizer_arguments.cpp
  std::vector<GlobalShadow*> allocations_of(uint64_t parameters, const LaunchStep& step,
                                            const std::vector<std::byte>& values);
  void note_arguments(const LaunchStep& step, const std::vector<std::byte>& values);
  // Whether the access is meant for this allocation, as far as that is known.
  bool check_allocation(const Event& event, GlobalShadow& shadow, uint32_t lane);

  // sanitizer_order.cpp
  Time tick() { return ++m_now; }
  bool is_ordered(const Access& earlier, const Reader& now, bool earlier_reads = false) const;
  bool is_ordered_in_interval(const Access& earlier, const Reader& now) const;
  bool is_published(const Access& earlier, const Reader& now, bool earlier_reads) const;
  void acquire(const Event& event);
  void publish(const Event& event);
  Time publish(std::vector<Published>& list, const Row& row, Time acquired);
  SyncVariable* sync_variable(const Event& event, uint64_t address, bool create);

  // sanitizer_notes.cpp
  void note_divisor(const exec::Op& op, const exec::Warp& warp);
  void note_register(const exec::Op& op, const exec::Warp& warp);
  UndefinedOrigin origin_of(const exec::Op& op, const exec::Warp& warp, uint32_t r, uint32_t lane) const;
  void report_register(const exec::Op& op, const exec::Warp& warp, uint32_t lane, uint32_t r);
  void note_collective(const exec::Op& op, const exec::Warp& warp);
  void note_shuffle(const exec::Op& op, const exec::Warp& warp, const uint32_t (&masks)[warp_lanes]);
  Finding finding_at(IncidentKind kind, const exec::Op& op, const exec::Warp& warp, uint32_t lane);

  const Places& places();

  bool m_everything;
  Findings m_findings;
  std::vector<DType> m_types;

  std::map<std::shared_ptr<const program::Program>, std::unique_ptr<const Places>> m_all_places;
  std::mutex m_places_mutex;

  // State of the launch.
  std::shared_ptr<const program::Program> m_program;
  const Places* m_places = nullptr;
  const exec::Memory* m_memory = nullptr;
  Dim3 m_grid, m_block_extent;
  uint64_t m_launch = 0;
  bool m_lockstep = false;
  Time m_floor = 1;                                        // when the launch began
  std::unordered_map<uint32_t, Publications> m_published;  // by block
  std::unordered_map<uint64_t, SyncVariable> m_sync;       // by address
  std::vector<std::vector<GlobalShadow*>> m_belongs_to;    // per instruction; empty if not known
  bool m_writes_anywhere = true;                           // a store of the kernel may be meant for any array
  std::vector<Known> m_known;                              // per instruction
  std::unordered_map<uint64_t, std::unique_ptr<Pattern>> m_patterns;  // by AccessShape::id
  // Noted accesses that had to be compared after all, minus those that did not. In kernels with many of them,
  // noting does not pay off.
  size_t m_in_vain = 0;
  bool m_takes_notes = true;
  bool m_replays = false;  // noted accesses are being compared

  Time m_now = 1;
  std::map<uint64_t, GlobalShadow> m_global;  // by address
  std::unordered_map<uint64_t, std::unique_ptr<BlockShadow>> m_open;
  std::vector<std::unique_ptr<BlockShadow>> m_spare;
  std::map<uint64_t, Finding> m_heap;  // memory from malloc that is not freed yet

  // State of the block that runs.
  BlockShadow* m_shadow = nullptr;
  std::span<exec::Warp> m_warps;
  uint32_t m_block = 0;
};

}  // namespace warplens::sanitize
