// Runs the block of a BlockStepper forward, keeps checkpoints, and goes back to them. Private to
// core/gpu/stepping.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/gpu/exec/block_steps.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/machine/machine.h"
#include "core/gpu/stepping/engine/options.h"
#include "core/gpu/stepping/engine/stepped_access.h"
#include "core/gpu/stepping/program/memory_history.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/gpu/stepping/variables/shared_arrays.h"
#include "core/gpu/stepping/variables/variable_state.h"
#include "core/gpu/stepping/variables/variable_table.h"
#include "core/launch/run_result.h"

namespace warplens::stepping {

class Engine final : public exec::AccessRecorder {
 public:
  static Result<std::unique_ptr<Engine>> open(std::shared_ptr<const LaunchRequest> request, Dim3 block,
                                              const Options& options, const std::stop_token& stop);

  const ProgramTable& table() const { return *m_table; }
  const VariableTable& variable_table() const { return *m_variable_table; }
  // Null if the program does not say where its variables are.
  const VariableState* variables() const { return m_variables.get(); }
  const std::vector<SharedArray>& shared_arrays() const { return m_shared_arrays; }
  const exec::GridLaunch& launch() const { return m_launch; }
  const exec::Memory& memory() const { return m_machine->memory(); }
  exec::Block& block() { return *m_block; }
  const exec::Block& block() const { return *m_block; }
  const exec::BlockSteps& steps() const { return *m_steps; }
  const LaunchRequest& request() const { return *m_request; }
  const LaunchStep& step() const { return *m_step; }
  Dim3 position() const { return m_position; }
  // Per byte of shared memory, the warp that wrote it last + 1; 0 if none did.
  std::span<const uint8_t> shared_writers() const { return m_shared_writers; }
  std::span<const uint32_t> set(uint32_t warp) const;  // per register, in which lanes it was written
  // Like set(), for a function that called another which may call it again, by the frame of the call. Has
  // only the registers of that function. Null if nothing had to be saved.
  const std::vector<uint32_t>* saved_set(uint32_t warp, size_t frame) const;
  const std::vector<SteppedAccess>& accesses() const {
    return m_accesses;
  }  // of the instruction that ran last
  const std::vector<TraceEntry>& entries() const { return m_entries; }
  const std::vector<exec::BlockCount>& counts() const { return m_counts; }
  const std::vector<exec::MemoryOpState>& memory_ops() const { return m_memory_ops; }

  uint64_t index() const { return m_index; }
  uint64_t recorded() const { return m_recorded; }
  std::optional<uint64_t> length() const { return m_length; }
  End end() const { return m_end; }
  std::optional<Incident> incident() const;
  std::string end_message() const;

  TraceEntry next_entry() const;  // without its memory access; only if end() is none
  // If memory runs out, these end with End::no_memory.
  void advance();              // end() is none
  void go_to(uint64_t index);  // at most recorded()
  // Gives this warp the turn. If another warp was next, the recording after this position is forgotten.
  // Returns false if the warp cannot continue.
  bool turn_to(uint32_t warp);

  uint64_t hash() const;
  size_t checkpoints() const { return m_checkpoints.size(); }
  size_t checkpoint_bytes() const;

  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;

 private:
  // The `set` masks of callers that may be called again, by warp and frame. Checkpoints share them.
  using SavedSets = std::vector<std::vector<std::shared_ptr<const std::vector<uint32_t>>>>;
  struct Checkpoint {
    uint64_t index = 0;
    exec::Block::Image image;
    exec::BlockSteps::Place place;
    exec::Memory::KernelHeap heap;
    std::vector<exec::BlockCount> counts;
    std::vector<exec::MemoryOpState> memory_ops;
    int64_t granted = 0;
    SavedSets saved_sets;
    VariableState::Saved saved_places;
    size_t bytes = 0;
  };
  struct Waiting {  // lanes that wait for others at a collective instruction
    uint32_t instruction = 0, lanes = 0;
  };
  struct Return {  // lanes that return from a call
    uint32_t call = UINT32_MAX;
    int32_t frame = -1;
    const program::CallSite* site = nullptr;
  };

  Engine() = default;
  static Result<std::unique_ptr<Engine>> open_there(const std::shared_ptr<const LaunchRequest>& request,
                                                    Dim3 block, const Options& options,
                                                    const std::stop_token& stop);
  Result<void> prepare(Dim3 block, const Options& options, const std::stop_token& stop);
  Result<void> run_steps_before(const Options& options, const std::stop_token& stop);
  Result<void> run_before(const exec::GridLaunch& launch, const LaunchStep& step,
                          const std::stop_token& stop);
  void start_block();

  uint32_t executed_lanes(const InstructionInfo& info, const exec::Warp& warp, uint32_t mask) const;
  std::vector<Waiting> waiting_lanes(const exec::Warp& warp) const;
  Return return_of(const exec::Warp& warp, const exec::Path& path) const;
  void mark(uint32_t warp, uint32_t instruction, uint32_t lanes);
  void mark_collectives(uint32_t warp, const TraceEntry& entry, std::vector<Waiting> before);
  void mark_entered(uint32_t warp, const TraceEntry& entry);
  void keep_set(uint32_t warp, size_t frame, uint32_t function);
  void mark_returned(uint32_t warp, const TraceEntry& entry, const Return& back);
  void note_writer(uint32_t warp, uint64_t address, uint32_t bytes);
  void run_next();
  void replay_to(uint64_t index);
  void give_turn(uint32_t warp);
  void apply_turns();
  void refill();
  void note_end();
  void note_waiting();
  void take_checkpoint();
  void try_checkpoint();
  void thin();
  void forget_after(uint64_t index);
  void load(const Checkpoint& checkpoint);
  void watch_locals();

  std::shared_ptr<const LaunchRequest> m_request;
  Options m_options;
  Programs m_programs;
  std::optional<Machine> m_machine;
  const LaunchStep* m_step = nullptr;
  Dim3 m_position{0, 0, 0};
  exec::GridLaunch m_launch;
  std::unique_ptr<ProgramTable> m_table;
  std::unique_ptr<VariableTable> m_variable_table;
  std::vector<SharedArray> m_shared_arrays;
  std::vector<exec::BlockCount> m_counts;
  std::vector<exec::MemoryOpState> m_memory_ops;
  std::unique_ptr<exec::Block> m_block;
  std::unique_ptr<exec::BlockSteps> m_steps;
  std::vector<uint32_t> m_set;
  std::vector<uint8_t> m_shared_writers;
  SavedSets m_saved_sets;
  std::unique_ptr<VariableState> m_variables;

  MemoryHistory m_history;
  std::vector<Checkpoint> m_checkpoints;
  std::vector<size_t> m_watched_local;  // bytes of a lane, per warp
  uint64_t m_spacing = 1;
  std::vector<TraceEntry> m_entries;
  std::vector<SteppedAccess> m_accesses;
  std::map<uint64_t, std::vector<uint32_t>> m_turns;  // by index: the warp that was given the turn there
  uint64_t m_index = 0, m_recorded = 0;
  std::optional<uint64_t> m_length;
  std::optional<uint64_t> m_waits_at;
  End m_end = End::none;
  bool m_broken = false;  // memory ran out in an instruction, and no checkpoint was loaded since
  int64_t m_granted = 0;  // steps of all slices
  // State of the detection of a block that waits forever.
  uint64_t m_looked_at = 0, m_looked_round = 0, m_seen_hash = 0, m_looks = 0, m_next_keep = 1;
};

}  // namespace warplens::stepping
