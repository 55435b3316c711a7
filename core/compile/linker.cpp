#include <fmt/format.h>

#include <deque>
#include <memory>
#include <mutex>

#include "core/compile/compiler.h"
#include "core/compile/compiler_log.h"
#include "core/compile/cubin.h"
#include "core/compile/locations.h"
#include "core/compile/nvjitlink.h"
#include "core/compile/ptx_header.h"

namespace warplens {

namespace {

struct Linked {
  std::string cubin, log;
};

struct Job {
  std::string ptx, architecture;  // "sm_86", "sm_90a"
  uint32_t architecture_number = 0;
  LinkOptions options;
  bool newer_linker = false;  // 13.x
  bool operator==(const Job& other) const {
    return ptx == other.ptx && architecture == other.architecture && newer_linker == other.newer_linker &&
           options.max_registers == other.options.max_registers && options.contract == other.options.contract;
  }
};

// Owns one link.
class Link {
 public:
  explicit Link(const NvJitLink& library) : m_library(library) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link() {
    if (m_handle) m_library.destroy(&m_handle);
  }
  NvJitLinkHandle*& handle() { return m_handle; }

  template <class Pointer>
  std::string text(int (*size_of)(NvJitLinkHandle*, size_t*), int (*copy)(NvJitLinkHandle*, Pointer*)) {
    size_t size = 0;
    if (size_of(m_handle, &size) != NvJitLink::success || size == 0) return {};
    std::string text(size, '\0');
    if (copy(m_handle, text.data()) != NvJitLink::success) return {};
    return text;
  }

 private:
  const NvJitLink& m_library;
  NvJitLinkHandle* m_handle = nullptr;
};

Error link_error(const Job& job, std::string log) {
  while (!log.empty() && log.back() == '\0') log.pop_back();
  std::vector<Diagnostic> diagnostics = parse_ptxas_errors(log, "PTX");
  std::string reason = diagnostics.empty() ? log : std::string();
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!reason.empty()) reason += "; ";
    if (diagnostic.line != 0) reason += fmt::format("line {}: ", diagnostic.line);
    reason += diagnostic.message;
  }
  return bad_input(fmt::format("CUDA's assembler does not take this PTX for {}: {}", job.architecture,
                               reason.empty() ? "it gives no reason" : reason));
}

Error unknown_architecture(const NvJitLink& library, const Job& job) {
  return missing(
      fmt::format("CUDA's linker {} (version {}.{}) makes no code for {}: choose another device, or point "
                  "WARPLENS_NVJITLINK at a newer one.",
                  library.path, library.version_major, library.version_minor, job.architecture));
}

Result<Linked> link(const Job& job) {
  auto library = load_nvjitlink(job.newer_linker ? nvjitlink13_candidates() : nvjitlink_candidates());
  if (!library) return library.error();

  if (!knows_architecture(*library, job.architecture_number)) return unknown_architecture(*library, job);

  std::vector<std::string> line{"-arch=" + job.architecture, "-verbose"};
  if (job.options.max_registers != 0)
    line.push_back(fmt::format("-maxrregcount={}", job.options.max_registers));
  if (!job.options.contract) line.emplace_back("-Xptxas=-fmad=false");
  std::vector<const char*> options;
  options.reserve(line.size());
  for (const std::string& option : line) options.push_back(option.c_str());

  Link link(*library);
  if (library->create(&link.handle(), static_cast<uint32_t>(options.size()), options.data()) !=
      NvJitLink::success) {
    link.handle() = nullptr;  // what a failed call leaves there must not be destroyed
    return unknown_architecture(*library, job);
  }
  // The log has the reason of a failed link.
  if (library->add_data(link.handle(), NvJitLink::input_ptx, job.ptx.data(), job.ptx.size(), "kernel.ptx") !=
          NvJitLink::success ||
      library->complete(link.handle()) != NvJitLink::success)
    return link_error(job, link.text(library->error_log_size, library->error_log));
  Linked linked{link.text(library->cubin_size, library->cubin),
                link.text(library->info_log_size, library->info_log)};
  if (linked.cubin.empty()) return failed("CUDA's linker gave no machine code and no reason.");
  return linked;
}

// The last links of the process, newest first. Failures are kept too: the same PTX fails again.
struct Cache {
  static constexpr size_t capacity = 32;
  std::mutex mutex;
  std::deque<std::pair<Job, std::shared_ptr<const Result<Linked>>>> entries;
};

Cache& process_cache() {
  static Cache cache;
  return cache;
}

// The lock is held while linking: nvJitLink does not promise to run twice at once, and two views that ask for
// the same kernel should wait for one link.
std::shared_ptr<const Result<Linked>> cached_link(Job job) {
  Cache& cache = process_cache();
  std::lock_guard lock(cache.mutex);
  for (const auto& [known, linked] : cache.entries)
    if (known == job) return linked;
  auto linked = std::make_shared<const Result<Linked>>(link(job));
  // A missing linker may be installed while the program runs.
  if (!*linked && linked->error().kind == ErrorKind::missing) return linked;
  cache.entries.emplace_front(std::move(job), linked);
  if (cache.entries.size() > Cache::capacity) cache.entries.pop_back();
  return linked;
}

// CUDA 12.9 reads PTX up to ISA 8.8. CUDA 13 reads newer PTX, but makes code only for sm_75 and later.
constexpr uint32_t newest_isa_of_12_9 = 808;
constexpr ComputeCapability oldest_of_13{7, 5};

Result<Job> job_for(std::string_view ptx, ComputeCapability architecture, LinkOptions options) {
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
  return Job{std::string(ptx), std::move(arch), architecture.number(), options, newer};
}

}  // namespace

Result<std::string> link_cubin(std::string_view ptx, ComputeCapability architecture, LinkOptions options) {
  Result<Job> job = job_for(ptx, architecture, options);
  if (!job) return job.error();
  auto linked = cached_link(std::move(*job));
  if (!*linked) return linked->error();
  return linked->value().cubin;
}

Result<Resources> resources_of(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                               LinkOptions options) {
  Result<Job> job = job_for(ptx, architecture, options);
  if (!job) return job.error();
  auto linked = cached_link(std::move(*job));
  if (!*linked) return linked->error();
  Result<Resources> resources = read_cubin(linked->value().cubin, entry);
  if (!resources) return resources.error();
  const PtxasInfo info = parse_ptxas_info(linked->value().log, entry);
  resources->spill_store_bytes = info.spill_store_bytes.value_or(0);
  resources->spill_load_bytes = info.spill_load_bytes.value_or(0);
  return resources;
}

}  // namespace warplens
