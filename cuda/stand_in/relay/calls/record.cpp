#include "cuda/stand_in/relay/calls/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/recording/reach.h"
#include "cuda/stand_in/relay/next.h"

namespace warplens::relay {

namespace {

// Up to this much memory is recorded as a whole, so that even a wild access does the same again.
constexpr uint64_t little_memory = uint64_t{16} << 20;

using Array = RecordedMemory::Array;

const char* kind_name(Block::Kind kind) {
  return kind == Block::Kind::device ? "device" : kind == Block::Kind::pinned ? "pinned" : "managed";
}

bool read(Array& piece) {
  if (piece.host != nullptr) {
    std::memcpy(piece.bytes.data(), piece.host, piece.bytes.size());
    return true;
  }
  return NEXT(cuMemcpyDtoH_v2)(piece.bytes.data(), piece.device_address, piece.bytes.size()) == CUDA_SUCCESS;
}

Array piece_of(uint64_t address, const Block& block) {
  Array piece;
  piece.name = fmt::format("{} {}",
                           block.kind == Block::Kind::device   ? "array"
                           : block.kind == Block::Kind::pinned ? "pinned memory"
                                                               : "managed memory",
                           block.number);
  piece.kind = kind_name(block.kind);
  piece.address = piece.device_address = address;
  piece.host = static_cast<const std::byte*>(block.host);
  piece.bytes.resize(block.bytes);
  return piece;
}

// The parameters as one buffer. Empty: they do not fit the text.
std::optional<std::vector<std::byte>> parameters_of(const ptx::Function& entry, const ParameterLayout& layout,
                                                    void** each, void** extra) {
  std::vector<std::byte> bytes(layout.bytes);
  if (each != nullptr) {
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      if (each[i] == nullptr) return std::nullopt;
      std::memcpy(bytes.data() + layout.offsets[i], each[i], entry.parameters[i].bytes);
    }
    return bytes;
  }
  const void* buffer = nullptr;
  size_t size = 0;
  for (size_t i = 0; extra != nullptr && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[i + 1];
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) std::memcpy(&size, extra[i + 1], sizeof size);
  }
  if (bytes.empty()) return bytes;
  if (buffer == nullptr) return std::nullopt;
  std::memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
  return bytes;
}

// Memory that was allocated without our knowledge, as by a runtime library: the driver knows where it begins.
void find_unknown(Program& notes, const std::vector<std::byte>& parameters) {
  for (size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    CUdeviceptr word = 0, begin = 0;
    size_t bytes = 0;
    std::memcpy(&word, parameters.data() + at, 8);
    const auto after = notes.blocks.upper_bound(word);
    if (after != notes.blocks.begin() && word - std::prev(after)->first < std::prev(after)->second.bytes)
      continue;
    if (word < 4096 || NEXT(cuMemGetAddressRange_v2)(&begin, &bytes, word) != CUDA_SUCCESS) continue;
    notes.allocated(begin, bytes, Block::Kind::device);
  }
}

bool uses_kernel_heap(const ptx::Module& tree) {
  return std::any_of(tree.functions.begin(), tree.functions.end(),
                     [](const ptx::Function& f) { return !f.has_body && f.name == "malloc"; });
}

bool has_textures(const Program& notes, const std::vector<std::byte>& parameters) {
  for (size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, 8);
    if (notes.textures.contains(word)) return true;
  }
  return false;
}

// The module's variables, where the device has them, at the places that the virtual GPU gives them.
std::vector<Array> variables_of_module(Function& function, const program::ModuleBase& base) {
  std::vector<Array> pieces;
  for (const program::ModuleVariable& place : program::variables_of(*function.code->tree(), base)) {
    Array piece;
    piece.name = piece.symbol = std::string(place.variable->name);
    piece.kind = "variable";
    piece.address = place.address;
    size_t bytes = 0;
    const CUresult found =
        function.library != nullptr
            ? NEXT(cuLibraryGetGlobal)(&piece.device_address, &bytes, function.library, piece.symbol.c_str())
            : NEXT(cuModuleGetGlobal_v2)(&piece.device_address, &bytes, function.module,
                                         piece.symbol.c_str());
    // One that nothing uses is not on the device.
    if (found != CUDA_SUCCESS || bytes > place.variable->bytes) continue;
    piece.bytes.resize(bytes);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// All blocks if they are little, else those that parameters and variables lead to; why not, where it cannot
// be.
std::string memory_of(Program& notes, const std::vector<std::byte>& parameters, std::vector<Array> variables,
                      std::vector<Array>& pieces, bool& all) {
  std::vector<recording::Extent> extents;
  std::vector<std::pair<uint64_t, const Block*>> blocks;
  uint64_t whole = 0;
  for (const auto& [address, block] : notes.blocks) {
    if (block.bytes == 0 || (!extents.empty() && address < extents.back().end)) continue;
    extents.push_back({address, address + block.bytes});
    blocks.emplace_back(address, &block);
    whole += block.bytes;
  }
  all = whole <= little_memory;
  uint64_t room = notes.recorder.room();
  std::map<size_t, Array> read_ones;
  bool fits = true, readable = true;
  const auto bytes_of = [&](size_t index) -> std::span<const std::byte> {
    if (blocks[index].second->bytes > room) {
      fits = false;
      return {};
    }
    room -= blocks[index].second->bytes;
    Array piece = piece_of(blocks[index].first, *blocks[index].second);
    readable = read(piece) && readable;
    return read_ones.emplace(index, std::move(piece)).first->second.bytes;
  };
  recording::Reach reach(extents);
  reach.scan(parameters);
  for (Array& variable : variables) {
    readable = read(variable) && readable;
    reach.scan(variable.bytes);
  }
  for (size_t i = 0; all && i < blocks.size(); ++i) reach.add(i);
  reach.follow(bytes_of);
  if (!fits) return std::string(recording::over_the_limit);
  if (!readable) return "its memory could not be read from the device";
  for (auto& [index, piece] : read_ones) pieces.push_back(std::move(piece));
  // On the virtual GPU variables lie elsewhere, so an address of one must not be in memory.
  std::vector<recording::Extent> places;
  places.reserve(variables.size());
  for (const Array& variable : variables)
    places.push_back({variable.device_address, variable.device_address + variable.bytes.size()});
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  recording::Reach to_variables(places);
  to_variables.scan(parameters);
  for (const Array& piece : pieces) to_variables.scan(piece.bytes);
  for (const Array& variable : variables) to_variables.scan(variable.bytes);
  if (!to_variables.found().empty())
    return "its memory holds the address of a variable of the module, which is elsewhere on the virtual GPU";
  for (Array& variable : variables) pieces.push_back(std::move(variable));
  std::sort(pieces.begin(), pieces.end(),
            [](const Array& a, const Array& b) { return a.address < b.address; });
  return {};
}

std::string lacking_of(const Program& notes, const Function& function, const LaunchShape& shape,
                       const std::vector<std::byte>& parameters) {
  const ptx::Module& tree = *function.code->tree();
  if (shape.clusters) return "it has clusters of blocks, which are not simulated";
  if (uses_kernel_heap(tree)) return "kernels take memory with malloc, which is not recorded";
  if (function.code->binds_textures || has_textures(notes, parameters))
    return "it reads textures, which are not recorded";
  return {};
}

}  // namespace

std::vector<recording::MemoryNote> RecordedMemory::notes() const {
  std::vector<recording::MemoryNote> made;
  made.reserve(pieces.size());
  for (const Array& piece : pieces)
    made.push_back({piece.name, piece.kind, piece.symbol, piece.address, piece.bytes});
  return made;
}

std::optional<RecordedMemory> record_launch(Program& notes, Function& function, const LaunchShape& shape,
                                            void** each, void** extra) {
  // One that CUDA refuses leaves its number to the next.
  const uint64_t number = notes.launches + 1;
  if (!notes.recorder.wants(number, function.launches)) return std::nullopt;
  const program::ModuleBase base;
  recording::LaunchRecording note;
  note.number = number;
  note.kernel = function.name;
  note.entry = function.entry;
  note.place_global = base.global;
  note.place_constant = base.constant;
  note.grid = shape.grid;
  note.block = shape.block;
  note.shared_bytes = shape.shared_bytes;
  note.cooperative = shape.cooperative;
  RecordedMemory recorded;
  std::string lacking;
  std::optional<std::vector<std::byte>> parameters;
  if (function.entry_of_ptx == nullptr) {
    lacking = "its code came as machine code, without PTX that WarpLens reads";
  } else {
    const auto tree = function.code->tree();
    note.ptx = *tree->text;
    note.ptx_owner = tree;
    note.max_registers = function.code->max_registers;
    const ParameterLayout layout = layout_of(*function.entry_of_ptx);
    parameters = parameters_of(*function.entry_of_ptx, layout, each, extra);
    if (!parameters) return std::nullopt;  // CUDA refuses the launch
    for (size_t i = 0; i < layout.offsets.size(); ++i) {
      const ptx::Variable& parameter = function.entry_of_ptx->parameters[i];
      note.parameters.push_back({ptx::is_float(parameter.type),
                                 std::span(*parameters).subspan(layout.offsets[i], parameter.bytes)});
    }
    lacking = lacking_of(notes, function, shape, *parameters);
  }
  if (lacking.empty() && NEXT(cuCtxSynchronize)() != CUDA_SUCCESS) return std::nullopt;
  if (lacking.empty()) {
    find_unknown(notes, *parameters);
    lacking =
        memory_of(notes, *parameters, variables_of_module(function, base), recorded.pieces, note.all_memory);
  }
  if (!lacking.empty()) recorded.pieces.clear();
  note.lacking = lacking;
  note.memory = recorded.notes();
  notes.recorder.note(note);
  return recorded;
}

void record_end(Program& notes, RecordedMemory& recorded) {
  bool there = NEXT(cuCtxSynchronize)() == CUDA_SUCCESS;
  for (Array& piece : recorded.pieces) there = there && read(piece);
  notes.recorder.note_end(there ? recorded.notes() : std::vector<recording::MemoryNote>(), !there);
}

}  // namespace warplens::relay
