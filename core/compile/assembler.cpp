// PTX → machine code and its resources: from the caches of this process and in files, or else from ptxas.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <future>
#include <list>
#include <memory>
#include <mutex>

#include "core/base/system/no_memory.h"
#include "core/compile/assembly_cache.h"
#include "core/compile/compiler.h"
#include "core/compile/compiler_log.h"
#include "core/compile/cubin.h"
#include "core/compile/locations.h"
#include "core/compile/ptx_header.h"
#include "core/compile/ptxas.h"
#include "core/compile/served.h"
#include "core/compile/stored.h"

namespace warplens {

namespace {

struct Job {
  std::string ptx, architecture;  // "sm_86", "sm_90a"
  AssemblyOptions options;
  bool older_assembler = false;  // 12.x: the device is older than sm_75, or its driver older than CUDA 13
  bool operator==(const Job& other) const {
    return ptx == other.ptx && architecture == other.architecture &&
           older_assembler == other.older_assembler && options.max_registers == other.options.max_registers &&
           options.contract == other.options.contract;
  }
};

Error no_assembler(const Job& job, const std::string& tried) {
  const char* variable = job.older_assembler ? "WARPLENS_PTXAS12" : "WARPLENS_PTXAS";
  if (tried.empty())
    return missing(fmt::format(
        "CUDA's assembler (ptxas) is not on this machine, so the registers of kernels are not known; kernels "
        "still run. Run warplens fetch to bring it, or point {} at a ptxas.",
        variable));
  return missing(
      fmt::format("No assembler of CUDA on this machine makes code for {}: choose another device, or "
                  "point {} at a newer ptxas. ({})",
                  job.architecture, variable, tried));
}

std::vector<std::string> options_of(const Job& job) {
  std::vector<std::string> options;
  if (job.options.max_registers != 0)
    options.push_back(fmt::format("-maxrregcount={}", job.options.max_registers));
  if (!job.options.contract) options.emplace_back("-fmad=false");
  // The functions with which kernels launch kernels are no part of the text: a linker would bring them.
  if (job.ptx.find("__cudaCDP2") != std::string::npos) options.emplace_back("--compile-only");
  return options;
}

// Everything on which the outcome depends. Size and time of the program file represent its version, since
// calling it for the version would take as long as assembling a small kernel.
std::string key_of(const Job& job, const std::string& program) {
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(program, ignored);
  const auto changed = std::filesystem::last_write_time(program, ignored).time_since_epoch().count();
  return fmt::format("{}\n{} {}\n{}\n{}\n{}", program, bytes, changed, job.architecture,
                     fmt::join(options_of(job), " "), job.ptx);
}

// Looks in the files, then tries the assemblers in order: the first that knows the architecture decides.
Result<Assembled> assemble(const Job& job) {
  const std::filesystem::path folder = assembly_cache_folder();
  std::string tried;
  for (const std::string& program : job.older_assembler ? ptxas12_candidates() : ptxas_candidates()) {
    const std::string key = key_of(job, program);
    if (std::optional<Assembled> known = find_assembled(folder, key)) return std::move(*known);
    Result<Assembled> made = run_ptxas(program, job.ptx, job.architecture, options_of(job));
    if (made) keep_assembled(folder, key, *made);
    if (made || made.error().kind != ErrorKind::missing) return made;
    tried += (tried.empty() ? "" : "; ") + made.error().message;
  }
  return no_assembler(job, tried);
}

// The last assemblies of the process, newest first. Failures are kept too: the same PTX fails again.
using Outcome = std::shared_ptr<const Result<Assembled>>;
struct Kept {
  Job job;
  std::shared_future<Outcome> outcome;
};
struct ProcessCache {
  static constexpr size_t capacity = 32;
  std::mutex mutex;
  std::list<Kept> entries;
};

ProcessCache& process_cache() {
  static ProcessCache cache;
  return cache;
}

// Two views that request the same kernel wait for one assembly; other kernels are assembled meanwhile.
Outcome cached_assembly(Job job) {
  ProcessCache& cache = process_cache();
  std::promise<Outcome> promise;
  {
    std::unique_lock lock(cache.mutex);
    for (const Kept& kept : cache.entries)
      if (kept.job == job) {
        const std::shared_future<Outcome> outcome = kept.outcome;
        lock.unlock();
        return outcome.get();
      }
    cache.entries.push_front({job, promise.get_future().share()});
    if (cache.entries.size() > ProcessCache::capacity) cache.entries.pop_back();
  }
  Outcome outcome = std::make_shared<const Result<Assembled>>(or_no_memory(
      [&] { return assemble(job); }, "The machine code of this kernel does not fit into memory."));
  promise.set_value(outcome);
  // What is missing may be installed while the program runs.
  if (!*outcome && outcome->error().kind == ErrorKind::missing) {
    const std::lock_guard lock(cache.mutex);
    std::erase_if(cache.entries, [&](const Kept& kept) { return kept.job == job; });
  }
  return outcome;
}

// CUDA 12.9 reads PTX up to ISA 8.8. CUDA 13 reads newer PTX, but makes code only for sm_75 and later.
constexpr uint32_t newest_isa_of_12_9 = 808;
constexpr ComputeCapability oldest_of_13{7, 5};

Result<Job> job_for(std::string_view ptx, ComputeCapability architecture, AssemblyOptions options) {
  auto header = read_ptx_header(ptx);
  if (!header)
    return bad_input("This text is no PTX: it does not begin with .version and .target. Open a .ptx file.");
  const std::string target = fmt::format("sm_{}{}", header->target, header->target_suffix);
  const bool only_there = header->target_suffix == "a";
  const bool family_only = header->target_suffix == "f";
  if (header->target > architecture.number() || (only_there && header->target != architecture.number()) ||
      (family_only && header->target / 10 != architecture.major))
    return Error{
        ErrorKind::refused,
        fmt::format("The PTX is for {}, and the device is sm_{}: CUDA would refuse it "
                    "(cudaErrorNoKernelImageForDevice). Compile it for sm_{} or choose another device.",
                    target, architecture.number(), architecture.number())};
  const bool newer = header->isa_major * 100 + header->isa_minor > newest_isa_of_12_9;
  if (newer && architecture < oldest_of_13)
    return Error{
        ErrorKind::refused,
        fmt::format("PTX ISA {}.{} comes from CUDA 13, which makes code for sm_75 and later, and the device "
                    "is sm_{}. Compile it with CUDA 12.9 or older, or choose a newer device.",
                    header->isa_major, header->isa_minor, architecture.number())};
  // Features of an "a" or "f" target need a target of the same kind.
  std::string arch = fmt::format("sm_{}{}", architecture.number(), header->target_suffix);
  return Job{std::string(ptx), std::move(arch), options,
             architecture < oldest_of_13 || (options.for_driver_of_12 && !newer)};
}

}  // namespace

Result<std::string> assemble_cubin(std::string_view ptx, ComputeCapability architecture,
                                   AssemblyOptions options) {
  Result<Job> job = job_for(ptx, architecture, options);
  if (!job) return job.error();
  auto assembled = cached_assembly(std::move(*job));
  if (!*assembled) return assembled->error();
  return assembled->value().cubin;
}

Result<Resources> resources_of(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                               AssemblyOptions options) {
  Result<Job> job = job_for(ptx, architecture, options);
  if (!job) return job.error();
  auto assembled = cached_assembly(std::move(*job));
  if (!*assembled) {
    const bool missing = assembled->error().kind == ErrorKind::missing;
    const StoredCode* const stored = missing ? stored_code() : nullptr;
    auto known = stored ? stored_resources(*stored, ptx, entry, architecture, options) : std::nullopt;
    if (missing && !known) known = served_resources(ptx, entry);
    return known ? Result<Resources>(*known) : assembled->error();
  }
  Result<Resources> resources = read_cubin(assembled->value().cubin, entry);
  if (!resources) return resources.error();
  const PtxasInfo info = parse_ptxas_info(assembled->value().log, entry);
  resources->spill_store_bytes = info.spill_store_bytes.value_or(0);
  resources->spill_load_bytes = info.spill_load_bytes.value_or(0);
  resources->barriers = info.barriers.value_or(0);
  return resources;
}

}  // namespace warplens
