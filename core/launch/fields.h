// The members of requests and results, each structure described once (core/base/fields.h).
#pragma once

#include <tuple>
#include <type_traits>

#include "core/base/fields.h"
#include "core/base/result.h"
#include "core/launch/launch_request.h"
#include "core/launch/library_work.h"
#include "core/launch/run_result.h"

namespace warplens {

// Shared by requests and results.
auto fields(Is<Error> auto& e) { return std::tuple(Field("kind", e.kind), Field("message", e.message)); }

auto fields(Is<Dim3> auto& d) { return std::tuple(Field("x", d.x), Field("y", d.y), Field("z", d.z)); }

auto fields(Is<Resources> auto& r) {
  return std::tuple(Field("registers_per_thread", r.registers_per_thread),
                    Field("shared_static_bytes", r.shared_static_bytes), Field("local_bytes", r.local_bytes),
                    Field("spill_store_bytes", r.spill_store_bytes),
                    Field("spill_load_bytes", r.spill_load_bytes), Field("constant_bytes", r.constant_bytes),
                    Field("barriers", r.barriers), Field("origin", r.origin));
}

// The device.
auto fields(Is<ComputeCapability> auto& c) {
  return std::tuple(Field("major", c.major), Field("minor", c.minor));
}

auto fields(Is<DeviceLimits> auto& l) {
  return std::tuple(
      Field("max_threads_per_block", l.max_threads_per_block), Field("max_block", l.max_block),
      Field("max_grid", l.max_grid), Field("max_warps_per_sm", l.max_warps_per_sm),
      Field("max_blocks_per_sm", l.max_blocks_per_sm), Field("registers_per_sm", l.registers_per_sm),
      Field("registers_per_block", l.registers_per_block),
      Field("max_registers_per_thread", l.max_registers_per_thread),
      Field("register_allocation_unit", l.register_allocation_unit),
      Field("warp_allocation_granularity", l.warp_allocation_granularity),
      Field("shared_bytes_per_sm", l.shared_bytes_per_sm),
      Field("shared_bytes_per_block", l.shared_bytes_per_block),
      Field("shared_bytes_per_block_optin", l.shared_bytes_per_block_optin),
      Field("shared_reserved_bytes_per_block", l.shared_reserved_bytes_per_block),
      Field("shared_allocation_unit", l.shared_allocation_unit), Field("sub_partitions", l.sub_partitions));
}

auto fields(Is<FieldSource> auto& s) {
  return std::tuple(Field("field", s.field), Field("source", s.source));
}

auto fields(Is<Device> auto& d) {
  return std::tuple(
      Field("id", d.id), Field("name", d.name), Field("is_virtual", d.is_virtual),
      Field("compute_capability", d.compute_capability), Field("sms", d.sms), Field("limits", d.limits),
      Field("boost_clock_mhz", d.boost_clock_mhz), Field("memory_clock_mhz", d.memory_clock_mhz),
      Field("memory_bandwidth_gb_s", d.memory_bandwidth_gb_s), Field("memory_bytes", d.memory_bytes),
      Field("l2_bytes", d.l2_bytes), Field("l1_bytes_per_sm", d.l1_bytes_per_sm),
      Field("fp32_lanes_per_sm", d.fp32_lanes_per_sm), Field("pcie_gb_s", d.pcie_gb_s),
      Field("notes", d.notes), Field("sources", d.sources));
}

// Steps and their operands.
auto fields(Is<BufferSpec> auto& b) {
  return std::tuple(Field("name", b.name), Field("bytes", b.bytes), Field("dtype", b.dtype),
                    Field("initial", b.initial), Field("output", b.output), Field("width", b.width),
                    Field("height", b.height), Field("channels", b.channels), Field("address", b.address));
}

auto fields(Is<BufferArgument> auto& b) {
  return std::tuple(Field("buffer", b.buffer), Field("offset", b.offset));
}

auto fields(Is<ScalarArgument> auto& s) { return std::tuple(Field("type", s.type), Field("bits", s.bits)); }

auto fields(Is<StructArgument::Pointer> auto& p) { return std::tuple(Field("at", p.at), Field("to", p.to)); }

auto fields(Is<StructArgument> auto& s) {
  return std::tuple(Field("bytes", s.bytes), Field("pointers", s.pointers));
}

auto fields(Is<TextureSpec> auto& t) {
  return std::tuple(Field("shape", t.shape), Field("type", t.type), Field("channels", t.channels),
                    Field("width", t.width), Field("height", t.height), Field("depth", t.depth),
                    Field("levels", t.levels), Field("pitch", t.pitch), Field("address", t.address),
                    Field("linear", t.linear), Field("normalized", t.normalized),
                    Field("normalized_read", t.normalized_read), Field("surface", t.surface),
                    Field("linear_levels", t.linear_levels), Field("level_bias", t.level_bias),
                    Field("min_level", t.min_level), Field("max_level", t.max_level));
}

auto fields(Is<TextureArgument> auto& t) {
  return std::tuple(Field("buffer", t.buffer), Field("spec", t.spec));
}

auto fields(Is<GlobalInit> auto& g) { return std::tuple(Field("symbol", g.symbol), Field("bytes", g.bytes)); }

auto fields(Is<TextureBinding> auto& t) {
  return std::tuple(Field("symbol", t.symbol), Field("texture", t.texture));
}

auto fields(Is<ModulePlace> auto& p) {
  return std::tuple(Field("global", p.global), Field("constant", p.constant));
}

auto fields(Is<AllocateStep> auto& s) {
  return std::tuple(Field("buffer", s.buffer), Field("cleared", s.cleared));
}
auto fields(Is<CopyInStep> auto& s) { return std::tuple(Field("buffer", s.buffer)); }
auto fields(Is<CopyOutStep> auto& s) { return std::tuple(Field("buffer", s.buffer)); }
auto fields(Is<FreeStep> auto& s) { return std::tuple(Field("buffer", s.buffer)); }

auto fields(Is<LaunchStep> auto& l) {
  return std::tuple(Field("entry", l.entry), Field("grid", l.grid), Field("block", l.block),
                    Field("shared_dynamic_bytes", l.shared_dynamic_bytes),
                    Field("cooperative", l.cooperative), Field("arguments", l.arguments));
}

auto fields(Is<ModuleText> auto& m) {
  return std::tuple(Field("ptx", m.ptx), Field("ptx_name", m.ptx_name), Field("source", m.source),
                    Field("source_name", m.source_name));
}

// The groups of a request.
auto fields(Is<Work> auto& w) {
  return std::tuple(Field("kernel", w.kernel), Field("module", w.module), Field("buffers", w.buffers),
                    Field("globals", w.globals), Field("textures", w.textures), Field("steps", w.steps),
                    Field("place", w.place));
}

auto fields(Is<Target> auto& t) {
  return std::tuple(Field("device", t.device), Field("resources", t.resources),
                    Field("resources_known", t.resources_known), Field("max_registers", t.max_registers));
}

auto fields(Is<Observation> auto& o) {
  return std::tuple(Field("observe", o.observe), Field("sanitize", o.sanitize),
                    Field("model_caches", o.model_caches), Field("trace_limit", o.trace_limit),
                    Field("record_writers", o.record_writers), Field("record_blocks", o.record_blocks));
}

auto fields(Is<Schedule> auto& s) {
  return std::tuple(Field("seed", s.seed), Field("workers", s.workers), Field("step_budget", s.step_budget),
                    Field("passes_faults", s.passes_faults));
}

auto fields(Is<DeviceOptions> auto& o) {
  return std::tuple(Field("contract", o.contract), Field("preflight", o.preflight),
                    Field("from_idle", o.from_idle), Field("time_limit_ms", o.time_limit_ms));
}

auto fields(Is<Repetition> auto& r) { return std::tuple(Field("repeat", r.repeat)); }

// The groups of a whole request or result, one after the other.
template <class... Groups, class T, class Visit>
void each_of(T& value, Visit visit) {
  (visit(static_cast<std::conditional_t<std::is_const_v<T>, const Groups, Groups>&>(value)), ...);
}

template <Is<LaunchRequest> T, class Visit>
void each_group(T& request, Visit visit) {
  each_of<Work, Target, Observation, Schedule, DeviceOptions, Repetition>(request, visit);
}

// The groups of a result that a real GPU fills. Counts and comparisons stay in this process.
template <Is<RunResult> T, class Visit>
void each_group(T& result, Visit visit) {
  each_of<RunOutcome, RunSubject, RunTiming>(result, visit);
}

// Parts of a result.
auto fields(Is<Counters> auto& c) {
  return std::tuple(
      Field("warp_instructions", c.warp_instructions), Field("thread_instructions", c.thread_instructions),
      Field("branches", c.branches), Field("divergent_branches", c.divergent_branches),
      Field("barriers", c.barriers), Field("global_load_requests", c.global_load_requests),
      Field("global_load_sectors", c.global_load_sectors),
      Field("global_store_requests", c.global_store_requests),
      Field("global_store_sectors", c.global_store_sectors),
      Field("shared_load_requests", c.shared_load_requests),
      Field("shared_load_wavefronts", c.shared_load_wavefronts),
      Field("shared_load_bank_conflicts", c.shared_load_bank_conflicts),
      Field("shared_store_requests", c.shared_store_requests),
      Field("shared_store_wavefronts", c.shared_store_wavefronts),
      Field("shared_store_bank_conflicts", c.shared_store_bank_conflicts),
      Field("shared_atomic_requests", c.shared_atomic_requests),
      Field("shared_atomic_wavefronts", c.shared_atomic_wavefronts),
      Field("shared_atomic_bank_conflicts", c.shared_atomic_bank_conflicts),
      Field("async_copy_requests", c.async_copy_requests),
      Field("async_copy_global_sectors", c.async_copy_global_sectors),
      Field("async_copy_shared_wavefronts", c.async_copy_shared_wavefronts),
      Field("async_copy_bank_conflicts", c.async_copy_bank_conflicts),
      Field("local_load_sectors", c.local_load_sectors), Field("local_store_sectors", c.local_store_sectors),
      Field("constant_load_requests", c.constant_load_requests),
      Field("texture_requests", c.texture_requests), Field("texture_sectors", c.texture_sectors),
      Field("atomic_requests", c.atomic_requests), Field("atomic_sectors", c.atomic_sectors),
      Field("l1_hit_sectors", c.l1_hit_sectors), Field("l2_read_sectors", c.l2_read_sectors),
      Field("dram_read_bytes", c.dram_read_bytes), Field("dram_write_bytes", c.dram_write_bytes));
}

auto fields(Is<InstructionMix> auto& m) {
  return std::tuple(
      Field("warp_instructions", m.warp_instructions), Field("float_operations", m.float_operations),
      Field("double_operations", m.double_operations), Field("integer_operations", m.integer_operations),
      Field("chain", m.chain), Field("store_sectors_ideal", m.store_sectors_ideal),
      Field("load_sectors_ideal", m.load_sectors_ideal),
      Field("local_store_sectors_ideal", m.local_store_sectors_ideal), Field("load_lines", m.load_lines),
      Field("store_lines", m.store_lines), Field("atomic_updates", m.atomic_updates),
      Field("atomic_hottest_lanes", m.atomic_hottest_lanes),
      Field("atomic_hottest_requests", m.atomic_hottest_requests));
}

auto fields(Is<Occupancy> auto& o) {
  return std::tuple(Field("limit_registers", o.limit_registers), Field("limit_shared", o.limit_shared),
                    Field("limit_warps", o.limit_warps), Field("limit_blocks", o.limit_blocks),
                    Field("active_blocks_per_sm", o.active_blocks_per_sm),
                    Field("active_warps_per_sm", o.active_warps_per_sm),
                    Field("theoretical_percent", o.theoretical_percent), Field("waves", o.waves),
                    Field("limiters", o.limiters));
}

auto fields(Is<LaunchShape> auto& s) {
  return std::tuple(Field("grid", s.grid), Field("block", s.block),
                    Field("shared_dynamic_bytes", s.shared_dynamic_bytes),
                    Field("cooperative", s.cooperative), Field("shared_opt_in", s.shared_opt_in));
}

auto fields(Is<CacheSample> auto& s) {
  return std::tuple(Field("blocks", s.blocks), Field("load_sectors", s.load_sectors),
                    Field("hit_sectors", s.hit_sectors));
}

auto fields(Is<BlockWork> auto& w) {
  return std::tuple(Field("blocks_per_cell", w.blocks_per_cell), Field("cells", w.cells));
}

auto fields(Is<LaunchRecord> auto& l) {
  return std::tuple(Field("entry", l.entry), Field("shape", l.shape), Field("resources", l.resources),
                    Field("occupancy", l.occupancy), Field("counters", l.counters), Field("mix", l.mix),
                    Field("cache_sample", l.cache_sample), Field("block_work", l.block_work),
                    Field("execute_ms", l.execute_ms));
}

auto fields(Is<Incident::Caller> auto& c) { return std::tuple(Field("file", c.file), Field("line", c.line)); }

auto fields(Is<Incident> auto& i) {
  return std::tuple(Field("kind", i.kind), Field("message", i.message), Field("file", i.file),
                    Field("line", i.line), Field("ptx_line", i.ptx_line), Field("block", i.block),
                    Field("thread", i.thread), Field("address", i.address), Field("bytes", i.bytes),
                    Field("other", i.other), Field("allocation", i.allocation), Field("offset", i.offset),
                    Field("value", i.value), Field("count", i.count), Field("inlined_at", i.inlined_at));
}

auto fields(Is<WriterMap> auto& w) {
  return std::tuple(Field("element_bytes", w.element_bytes), Field("grid", w.grid), Field("block", w.block),
                    Field("writer", w.writer));
}

auto fields(Is<OutputBuffer> auto& o) {
  return std::tuple(Field("index", o.index), Field("bytes", o.bytes), Field("writers", o.writers));
}

auto fields(Is<TimesUs> auto& t) {
  return std::tuple(Field("compile", t.compile), Field("copy_in", t.copy_in), Field("launch", t.launch),
                    Field("kernel", t.kernel), Field("copy_out", t.copy_out), Field("low", t.low),
                    Field("high", t.high), Field("source", t.source), Field("unknown", t.unknown));
}

auto fields(Is<Spread> auto& s) {
  return std::tuple(Field("median", s.median), Field("minimum", s.minimum), Field("p10", s.p10),
                    Field("p90", s.p90), Field("samples", s.samples));
}

auto fields(Is<DeviceRun> auto& d) {
  return std::tuple(Field("copy_in_us", d.copy_in_us), Field("kernel_us", d.kernel_us),
                    Field("copy_out_us", d.copy_out_us), Field("copy_in_pageable_us", d.copy_in_pageable_us),
                    Field("copy_out_pageable_us", d.copy_out_pageable_us), Field("launch_us", d.launch_us),
                    Field("launches_us", d.launches_us),
                    Field("max_active_blocks_per_sm", d.max_active_blocks_per_sm),
                    Field("sm_clock_mhz", d.sm_clock_mhz), Field("memory_clock_mhz", d.memory_clock_mhz),
                    Field("temperature_c", d.temperature_c), Field("throttled", d.throttled),
                    Field("code", d.code), Field("beside", d.beside));
}

// The groups of a result that a real GPU fills.
auto fields(Is<RunOutcome> auto& o) {
  return std::tuple(Field("status", o.status), Field("cuda_error", o.cuda_error), Field("message", o.message),
                    Field("consequence", o.consequence), Field("faults", o.faults),
                    Field("outputs", o.outputs), Field("console", o.console));
}

auto fields(Is<RunSubject> auto& r) {
  return std::tuple(Field("entry", r.entry), Field("shape", r.shape), Field("resources", r.resources),
                    Field("occupancy", r.occupancy), Field("launches", r.launches));
}

auto fields(Is<RunTiming> auto& m) {
  return std::tuple(Field("time", m.time), Field("measured", m.measured));
}

// The work of libraries.
auto fields(Is<LibraryWork> auto& w) {
  return std::tuple(Field("task", w.task), Field("rows", w.rows), Field("columns", w.columns),
                    Field("inner", w.inner), Field("points", w.points), Field("seed", w.seed),
                    Field("a", w.a), Field("b", w.b), Field("repeat", w.repeat),
                    Field("time_limit_ms", w.time_limit_ms));
}

auto fields(Is<LibraryTime> auto& t) {
  return std::tuple(Field("library", t.library), Field("routine", t.routine), Field("missing", t.missing),
                    Field("time_us", t.time_us), Field("copy_in_us", t.copy_in_us),
                    Field("copy_out_us", t.copy_out_us), Field("result", t.result),
                    Field("inside", t.inside));
}

auto fields(Is<LibraryRun> auto& r) { return std::tuple(Field("routines", r.routines)); }

}  // namespace warplens
