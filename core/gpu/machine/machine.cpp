#include "core/gpu/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/dtype.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

// The end of a process's address space.
constexpr uint64_t largest_placed_address = uint64_t{1} << 48;

std::string module_name(const LaunchRequest& request) {
  return request.module->ptx_name.empty() ? "kernel.ptx" : request.module->ptx_name;
}

uint32_t log2_bytes(DType type) { return static_cast<uint32_t>(std::countr_zero(bytes_of(type))); }

// The scalar's bits, sign-extended to 64 if it is signed.
uint64_t extended(const ScalarArgument& scalar) {
  const uint32_t bits = 8 * bytes_of(scalar.type);
  if (bits == 64) return scalar.bits;
  const uint64_t low = scalar.bits & ((uint64_t{1} << bits) - 1);
  if (!is_signed_integer(scalar.type) || (low >> (bits - 1)) == 0) return low;
  return low | ~((uint64_t{1} << bits) - 1);
}

bool fits(uint64_t value, uint64_t bytes, bool as_signed) {
  if (bytes >= 8) return true;
  const uint64_t bits = 8 * bytes;
  if (as_signed) {
    const auto v = static_cast<int64_t>(value);
    return v >= -(int64_t{1} << (bits - 1)) && v < (int64_t{1} << bits);
  }
  return value >> bits == 0;
}

}  // namespace

program::ModuleBase module_base_of(const LaunchRequest& request) {
  program::ModuleBase base;
  if (request.place.global != 0) base.global = request.place.global;
  if (request.place.constant != 0) base.constant = request.place.constant;
  return base;
}

Result<Programs> load_programs(const LaunchRequest& request, program::DecodeMode mode) {
  mode.base = module_base_of(request);
  if (request.module == nullptr || request.module->ptx.empty()) return bad_input("There is no PTX to run.");
  ptx::ParseResult parsed = ptx::parse(request.module->ptx, module_name(request));
  if (parsed.module == nullptr) return bad_input(to_text(parsed.diagnostics));
  Programs programs{parsed.module, {}};
  for (const Step& step : request.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr || programs.by_entry.contains(launch->entry)) continue;
    program::DecodeResult decoded = program::decode(programs.module, launch->entry, exec::best_ops(), mode);
    if (decoded.program == nullptr) return bad_input(to_text(decoded.diagnostics));
    programs.by_entry.emplace(launch->entry, std::move(decoded.program));
  }
  if (programs.by_entry.empty()) return bad_input("The request launches no kernel.");
  return programs;
}

Result<Machine> Machine::create(const LaunchRequest& request, const Programs& programs) {
  Machine machine(request);
  machine.m_buffers.resize(request.buffers.size());
  machine.m_writers.resize(request.buffers.size());
  if (const Result<void> made = machine.create_variables(programs); !made) return made.error();
  return machine;
}

Result<void> Machine::create_variables(const Programs& programs) {
  const program::Program& program = *programs.by_entry.begin()->second;
  const auto address_of = [&](std::string_view name) -> uint64_t {
    for (const program::ModuleVariable& v : program.variables) {
      if (v.variable->name == name) return v.address;
    }
    const auto& functions = programs.module->functions;
    for (uint32_t f = 0; f < functions.size(); ++f) {
      if (functions[f].name == name) return program::address_of_function(f);
    }
    return 0;
  };
  for (const program::ModuleVariable& v : program.variables) {
    const ptx::Variable& variable = *v.variable;
    exec::Allocation* allocation =
        m_memory->allocate_at(v.address, variable.bytes, std::string(variable.name));
    if (allocation == nullptr) {
      return failed(
          fmt::format("There is no memory for the variable {} of {} bytes.", variable.name, variable.bytes));
    }
    m_variables.emplace(variable.name, v.address);
    if (allocation->end < program::kernel_heap_base) m_memory->keep_free(allocation->end);
    allocation->read_only = variable.space == ptx::StateSpace::constant;
    std::copy_n(reinterpret_cast<const std::byte*>(variable.initial.data()), variable.initial.size(),
                allocation->host);
    for (const ptx::Relocation& relocation : variable.relocations) {
      uint64_t value = address_of(relocation.symbol) + static_cast<uint64_t>(relocation.addend);
      if (relocation.mask != 0) value = (value & relocation.mask) >> std::countr_zero(relocation.mask);
      if (relocation.offset + relocation.bytes > variable.bytes) continue;
      std::memcpy(allocation->host + relocation.offset, &value, std::min<size_t>(relocation.bytes, 8));
    }
  }
  for (const GlobalInit& global : m_request->globals) {
    const uint64_t address = address_of(global.symbol);
    exec::Allocation* allocation = address == 0 ? nullptr : m_memory->find(address);
    if (allocation == nullptr) {
      return bad_input(fmt::format("The module has no variable \"{}\".", global.symbol));
    }
    if (global.bytes.size() > allocation->end - allocation->begin) {
      return bad_input(fmt::format("The variable {} has {} bytes; {} were given.", global.symbol,
                                   allocation->end - allocation->begin, global.bytes.size()));
    }
    std::copy(global.bytes.begin(), global.bytes.end(), allocation->host);
  }
  return {};
}

namespace {

// Null if the address is not free, or if there is no memory.
exec::Allocation* place(exec::Memory& memory, const BufferSpec& spec) {
  if (spec.address >= largest_placed_address || spec.bytes > largest_placed_address - spec.address)
    return nullptr;
  const exec::Allocation* below = memory.nearest_below(spec.address + spec.bytes);
  if (below != nullptr && std::max(below->end, below->begin + 1) > spec.address) return nullptr;
  exec::Allocation* made = memory.allocate_at(spec.address, spec.bytes, spec.name);
  // Buffers without an address are placed after those in the heap that have one.
  if (made != nullptr && made->end < program::kernel_heap_base) memory.keep_free(made->end);
  return made;
}

}  // namespace

Result<void> Machine::allocate(uint32_t buffer) {
  const BufferSpec& spec = m_request->buffers[buffer];
  if (m_buffers[buffer] != nullptr) {
    return bad_input(fmt::format("The buffer {} is allocated twice.", spec.name));
  }
  exec::Allocation* allocation =
      spec.address == 0 ? m_memory->allocate(spec.bytes, spec.name) : place(*m_memory, spec);
  if (allocation == nullptr) {
    return failed(fmt::format("There is no memory for the buffer {} of {} bytes.", spec.name, spec.bytes));
  }
  allocation->buffer = static_cast<int32_t>(buffer);
  m_buffers[buffer] = allocation;
  if (m_request->record_writers && spec.output) {
    m_writers[buffer].assign(static_cast<size_t>(ceil_div(spec.bytes, bytes_of(spec.dtype))), 0);
    allocation->writers = m_writers[buffer].data();
    allocation->writer_shift = log2_bytes(spec.dtype);
  }
  return {};
}

Result<void> Machine::copy_in(uint32_t buffer, const Bytes* host) {
  const BufferSpec& spec = m_request->buffers[buffer];
  exec::Allocation* allocation = m_buffers[buffer];
  if (allocation == nullptr) {
    return bad_input(fmt::format("The buffer {} is copied to before it is allocated.", spec.name));
  }
  if (host == nullptr) host = spec.initial.get();
  if (host == nullptr) {
    std::fill_n(allocation->host, spec.bytes, std::byte{0});
  } else {
    std::copy_n(host->data(), std::min<uint64_t>(spec.bytes, host->size()), allocation->host);
  }
  return {};
}

void Machine::free(uint32_t buffer) {
  if (m_buffers[buffer] == nullptr) return;
  m_memory->free(m_buffers[buffer]);
  m_buffers[buffer] = nullptr;
}

std::shared_ptr<const Bytes> Machine::copy_out(uint32_t buffer) const {
  const exec::Allocation* allocation = m_buffers[buffer];
  if (allocation == nullptr) return nullptr;
  return std::make_shared<const Bytes>(allocation->host,
                                       allocation->host + (allocation->end - allocation->begin));
}

std::shared_ptr<const WriterMap> Machine::writers(uint32_t buffer, const LaunchStep& launch) const {
  if (m_writers[buffer].empty()) return nullptr;
  auto map = std::make_shared<WriterMap>();
  map->element_bytes = bytes_of(m_request->buffers[buffer].dtype);
  map->grid = launch.grid;
  map->block = launch.block;
  map->writer = m_writers[buffer];
  return map;
}

namespace {

std::string argument_name(const LaunchStep& step, size_t index) {
  return fmt::format("Argument {} of {}", index, step.entry);
}

}  // namespace

Result<uint64_t> Machine::address_of(const BufferArgument& buffer, const std::string& where) const {
  const exec::Allocation* allocation = m_buffers[buffer.buffer];
  if (allocation == nullptr) {
    return bad_input(fmt::format("{}: the buffer {} is not allocated when the kernel is launched.", where,
                                 m_request->buffers[buffer.buffer].name));
  }
  return allocation->begin + buffer.offset;
}

Result<uint64_t> Machine::texture_handle(const TextureArgument& texture, const std::string& where) {
  const BufferSpec& spec = m_request->buffers[texture.buffer];
  const exec::Allocation* allocation = m_buffers[texture.buffer];
  if (allocation == nullptr) {
    return bad_input(fmt::format(
        "{}: the buffer {} of a texture is not allocated when the kernel is launched.", where, spec.name));
  }
  if (texture.spec.width == 0 || texture.spec.height == 0 || texture.spec.depth == 0) {
    return bad_input(fmt::format("{}: a texture needs at least one texel in each dimension.", where));
  }
  if (texture.spec.bytes() > spec.bytes) {
    return bad_input(fmt::format("{}: {} × {} × {} texels of {} bytes need {} bytes; the buffer {} has {}.",
                                 where, texture.spec.width, texture.spec.height, texture.spec.depth,
                                 texture.spec.texel_bytes(), texture.spec.bytes(), spec.name, spec.bytes));
  }
  return m_memory->add_texture({texture.spec, allocation->host, spec.name, allocation->begin});
}

// Buffers are allocated and freed between launches, so the bindings are made again for each launch.
Result<void> Machine::bind_textures() {
  for (const TextureBinding& binding : m_request->textures) {
    const auto variable = m_variables.find(binding.symbol);
    exec::Allocation* allocation = variable == m_variables.end() ? nullptr : m_memory->find(variable->second);
    if (allocation == nullptr || allocation->end - allocation->begin != 8) {
      return bad_input(fmt::format("The module has no .texref or .surfref \"{}\".", binding.symbol));
    }
    const Result<uint64_t> handle = texture_handle(binding.texture, "The texture " + binding.symbol);
    if (!handle) return handle.error();
    std::memcpy(allocation->host, &*handle, 8);
  }
  return {};
}

Result<Bytes> Machine::struct_bytes(const StructArgument& given, const std::string& where,
                                    const ptx::Variable& parameter) const {
  if (given.bytes.size() != parameter.bytes) {
    return bad_input(fmt::format("{} is a structure of {} bytes, the kernel's parameter has {}.", where,
                                 given.bytes.size(), parameter.bytes));
  }
  Bytes bytes = given.bytes;
  for (const StructArgument::Pointer& pointer : given.pointers) {
    if (pointer.at > bytes.size() || bytes.size() - pointer.at < 8)
      return bad_input(fmt::format("{}: a pointer at byte {} does not fit into {} bytes.", where, pointer.at,
                                   bytes.size()));
    const Result<uint64_t> address = address_of(pointer.to, where);
    if (!address) return address.error();
    std::memcpy(bytes.data() + pointer.at, &*address, 8);
  }
  return bytes;
}

Result<uint64_t> Machine::argument_bits(const LaunchStep& step, size_t index,
                                        const ptx::Variable& parameter) {
  const auto where = [&] { return argument_name(step, index); };
  if (const auto* buffer = std::get_if<BufferArgument>(&step.arguments[index])) {
    if (parameter.bytes != 8) {
      return bad_input(
          fmt::format("{} is a buffer, but the kernel's parameter has {} bytes and is no pointer.", where(),
                      parameter.bytes));
    }
    return address_of(*buffer, where());
  }
  if (const auto* texture = std::get_if<TextureArgument>(&step.arguments[index])) {
    if (parameter.bytes == 8) return texture_handle(*texture, where());
    return bad_input(
        fmt::format("{} is a texture, but the kernel's parameter has {} bytes; a texture object has 8.",
                    where(), parameter.bytes));
  }
  const auto& scalar = std::get<ScalarArgument>(step.arguments[index]);
  const bool wants_float = ptx::is_float(parameter.type);
  if (is_float(scalar.type) && parameter.bytes != bytes_of(scalar.type)) {
    if (scalar.type == DType::f32 && parameter.bytes == 8) {
      return std::bit_cast<uint64_t>(double{std::bit_cast<float>(static_cast<uint32_t>(scalar.bits))});
    }
    if (scalar.type == DType::f64 && parameter.bytes == 4) {
      return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(scalar.bits)));
    }
  }
  if (!is_float(scalar.type) && wants_float) {
    return bad_input(
        fmt::format("{} is an integer, the kernel's parameter is a floating-point number: write {}.", where(),
                    parameter.bytes == 8 ? "f64" : "f32"));
  }
  const uint64_t value = is_float(scalar.type) ? scalar.bits : extended(scalar);
  if (parameter.bytes > 8 || !fits(value, parameter.bytes, is_signed_integer(scalar.type))) {
    return bad_input(
        fmt::format("{} does not fit into the kernel's parameter of {} bytes.", where(), parameter.bytes));
  }
  return value;
}

Result<exec::GridLaunch> Machine::prepare(const LaunchStep& step, const program::Program& program,
                                          uint32_t workers) {
  const auto& parameters = program.function->parameters;
  if (step.arguments.size() != parameters.size()) {
    return bad_input(fmt::format("{} takes {} arguments; {} were given.", step.entry, parameters.size(),
                                 step.arguments.size()));
  }
  m_memory->forget_textures();
  if (const Result<void> bound = bind_textures(); !bound) return bound.error();
  exec::GridLaunch launch;
  launch.parameters.resize(program.parameter_bytes);
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (const auto* given = std::get_if<StructArgument>(&step.arguments[i])) {
      const Result<Bytes> bytes = struct_bytes(*given, argument_name(step, i), parameters[i]);
      if (!bytes) return bytes.error();
      std::memcpy(launch.parameters.data() + program.parameter_offsets[i], bytes->data(), bytes->size());
      continue;
    }
    const Result<uint64_t> bits = argument_bits(step, i, parameters[i]);
    if (!bits) return bits.error();
    std::memcpy(launch.parameters.data() + program.parameter_offsets[i], &*bits,
                std::min<size_t>(parameters[i].bytes, 8));
  }
  launch.program = &program;
  launch.memory = m_memory.get();
  launch.grid = step.grid;
  launch.block = step.block;
  launch.shared_dynamic_bytes = step.shared_dynamic_bytes;
  launch.shared_bytes = program.shared_static_bytes + step.shared_dynamic_bytes;
  launch.index = next_launch();
  if (step.cooperative) {
    // %envreg1 and %envreg2 point to this word, in which the blocks count themselves for grid.sync().
    const exec::Allocation* workspace = m_memory->allocate(256, "the grid's barrier");
    if (workspace == nullptr) return failed("There is no memory for the barrier of a cooperative launch.");
    launch.grid_workspace = workspace->begin;
    launch.cooperative = true;
  }
  launch.sms = std::max(1u, m_request->device.sms);
  launch.count_memory = m_request->observe != Observe::none;
  launch.learn_shapes = exec::shapes_are_learnt();
  launch.tier = exec::tier_from_environment();
  launch.record_blocks = m_request->record_blocks;
  launch.workers = program.order_dependent ? 1 : workers;
  launch.step_budget = m_request->step_budget;
  launch.seed = m_request->seed;
  launch.may_part = !program.needs_whole_warps;
  launch.end_block = step.grid.count();
  return launch;
}

}  // namespace warplens
