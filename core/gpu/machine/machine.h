// The virtual GPU's state during one run: device memory, its buffers, and the programs of the request's
// launches.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/memory.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

struct Programs {
  std::shared_ptr<const ptx::Module> module;
  std::map<std::string, std::shared_ptr<const program::Program>, std::less<>> by_entry;
};

// Parses and decodes the entries that the request launches. An error's message has all errors of the text, a
// line for each.
Result<Programs> load_programs(const LaunchRequest& request,
                               program::DecodeMode mode = program::DecodeMode::for_running);

// Where the variables of the request's module are in memory.
program::ModuleBase module_base_of(const LaunchRequest& request);

// Checks a request before anything runs, whatever its origin.
Result<void> check_request(const LaunchRequest& request);

class Machine {
 public:
  // Makes the memory, with the module's variables initialised, or set as the request says.
  static Result<Machine> create(const LaunchRequest& request, const Programs& programs);

  // Allocates a buffer. The request's steps allocate and free buffers; a request without such steps has all
  // buffers from start to end.
  Result<void> allocate(uint32_t buffer);
  // `host` has the current contents of the host's array; null means its initial bytes.
  Result<void> copy_in(uint32_t buffer, const Bytes* host = nullptr);
  void free(uint32_t buffer);
  bool is_allocated(uint32_t buffer) const { return m_buffers[buffer] != nullptr; }
  // Null if the buffer is not allocated.
  const exec::Allocation* allocation(uint32_t buffer) const { return m_buffers[buffer]; }
  std::shared_ptr<const Bytes> copy_out(uint32_t buffer) const;
  std::shared_ptr<const WriterMap> writers(uint32_t buffer, const LaunchStep& launch) const;

  // Prepares a launch: its arguments are widened to the kernel's parameters. An argument that does not fit
  // is an error.
  Result<exec::GridLaunch> prepare(const LaunchStep& step, const program::Program& program, uint32_t workers);

  // The number of a launch, as %gridid has it.
  uint64_t next_launch() { return m_launches++; }

  exec::Memory& memory() { return *m_memory; }
  const exec::Memory& memory() const { return *m_memory; }

 private:
  explicit Machine(const LaunchRequest& request) : m_request(&request) {}
  Result<void> create_variables(const Programs& programs);
  Result<uint64_t> address_of(const BufferArgument& buffer, const std::string& where) const;
  Result<Bytes> struct_bytes(const StructArgument& given, const std::string& where,
                             const ptx::Variable& parameter) const;
  // Makes a texture over an allocated buffer and returns its handle.
  Result<uint64_t> texture_handle(const TextureArgument& texture, const std::string& where);
  Result<void> bind_textures();
  Result<uint64_t> argument_bits(const LaunchStep& step, size_t index, const ptx::Variable& parameter);

  const LaunchRequest* m_request;
  std::map<std::string, uint64_t, std::less<>> m_variables;  // addresses
  std::unique_ptr<exec::Memory> m_memory = std::make_unique<exec::Memory>();
  std::vector<exec::Allocation*> m_buffers;
  std::vector<std::vector<uint64_t>> m_writers;
  uint64_t m_launches = 0;
};

}  // namespace warplens
