#include "core/gpu/stepping/stops/lane_names.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/half.h"
#include "core/compile/cuda_source/source_signature.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::stepping {

using expression::Value;

namespace {

constexpr uint32_t row_bytes_of(uint32_t lane_bytes) { return lane_bytes * warp_lanes; }

}  // namespace

LaneBits lane_bits(const RegisterInfo& info, const exec::Warp& warp, uint32_t lane, uint32_t component) {
  return lane_bits_at(info, warp.frame + info.slot, lane, component);
}

LaneBits lane_bits_at(const RegisterInfo& info, const std::byte* rows, uint32_t lane, uint32_t component) {
  if (info.lane_bytes == 0) {
    uint32_t mask = 0;
    std::memcpy(&mask, rows, sizeof mask);
    return {mask >> lane & 1, 0};
  }
  LaneBits bits;
  const std::byte* at = rows + component * row_bytes_of(info.lane_bytes) + size_t{lane} * info.lane_bytes;
  std::memcpy(&bits.low, at, std::min<uint32_t>(info.lane_bytes, 8));
  if (info.lane_bytes > 8) std::memcpy(&bits.high, at + 8, 8);
  return bits;
}

Value number_of(ptx::Modifier type, LaneBits bits) {
  using ptx::Modifier;
  switch (type) {
    case Modifier::f64:
      return std::bit_cast<double>(bits.low);
    case Modifier::f32:
      return double{std::bit_cast<float>(static_cast<uint32_t>(bits.low))};
    case Modifier::f16:
      return double{float_of_f16(static_cast<uint16_t>(bits.low))};
    case Modifier::bf16:
      return double{float_of_bf16(static_cast<uint16_t>(bits.low))};
    case Modifier::s8:
      return static_cast<int8_t>(bits.low);
    case Modifier::s16:
      return static_cast<int16_t>(bits.low);
    case Modifier::s32:
      return static_cast<int32_t>(bits.low);
    case Modifier::s64:
      return static_cast<int64_t>(bits.low);
    default:
      return bits.low;
  }
}

LaneNames::LaneNames(const ProgramTable& table, const std::string& source,
                     std::span<const std::byte> parameters, Dim3 grid, Dim3 block, Dim3 position, Names names)
    : m_table(table), m_block(block), m_names(std::move(names)) {
  add_parameters(source, parameters);
  const auto add = [&](const char* special, const char* cuda, Dim3 value) {
    for (const auto& [field, part] :
         {std::pair{".x", value.x}, std::pair{".y", value.y}, std::pair{".z", value.z}}) {
      m_constants[std::string(special) + field] = part;
      m_constants[std::string("%") + special + field] = part;
      m_constants[std::string(cuda) + field] = part;
    }
  };
  add("ctaid", "blockIdx", position);
  add("ntid", "blockDim", block);
  add("nctaid", "gridDim", grid);
}

void LaneNames::add_parameters(const std::string& source, std::span<const std::byte> parameters) {
  const program::Program& program = m_table.program();
  const auto& declared = program.function->parameters;
  std::vector<std::string> names(declared.size());
  for (const SourceKernel& kernel : kernels_of_source(source)) {
    if (kernel.name != plain_entry_name(program.function->name)) continue;
    for (size_t i = 0; i < names.size() && i < kernel.parameters.size(); ++i)
      names[i] = kernel.parameters[i].name;
  }
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].bytes > 8 || program.parameter_offsets[i] + declared[i].bytes > parameters.size())
      continue;
    LaneBits bits;
    std::memcpy(&bits.low, parameters.data() + program.parameter_offsets[i], declared[i].bytes);
    const Value value = number_of(declared[i].type, bits);
    m_constants[std::string(declared[i].name)] = value;
    if (!names[i].empty()) m_constants[names[i]] = value;
    m_parameter_names.push_back(names[i].empty() ? std::string(declared[i].name) : names[i]);
  }
}

std::string LaneNames::known() const {
  std::string text;
  for (const auto& [name, stands_for] : m_names) text += name + ", ";
  for (const std::string& name : m_parameter_names) text += name + ", ";
  return text + "lane, warp, thread, tid.x, ctaid.x, ntid.x, nctaid.x";
}

std::optional<LaneSource> LaneNames::find(uint32_t function, std::string_view name) const {
  using Kind = LaneSource::Kind;
  if (const auto own = m_names.find(name); own != m_names.end() && own->second != name) {
    // A name whose meaning is another of these names is not resolved further, so that there are no cycles.
    const std::string_view real = own->second;
    if (const uint32_t r = m_table.find_register(function, real); r != UINT32_MAX)
      return LaneSource{Kind::reg, r};
    const auto constant = m_constants.find(real);
    if (constant != m_constants.end()) return LaneSource{.value = constant->second};
    return std::nullopt;
  }
  if (const auto constant = m_constants.find(name); constant != m_constants.end())
    return LaneSource{.value = constant->second};
  if (name == "lane" || name == "laneid" || name == "%laneid") return LaneSource{Kind::lane};
  if (name == "warp" || name == "warpid" || name == "%warpid") return LaneSource{Kind::warp};
  if (name == "thread") return LaneSource{Kind::thread};
  for (const std::string_view prefix : {"tid.", "%tid.", "threadIdx."}) {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 1) continue;
    const char field = name.back();
    if (field >= 'x' && field <= 'z') return LaneSource{Kind::tid, static_cast<uint32_t>(field - 'x')};
  }
  const uint32_t r = m_table.find_register(function, name);
  return r == UINT32_MAX ? std::nullopt : std::optional(LaneSource{Kind::reg, r});
}

Value LaneNames::value(const LaneSource& source, const exec::Warp& warp, uint32_t lane,
                       std::span<const uint32_t> set) const {
  const uint64_t thread = uint64_t{warp.index} * warp_lanes + lane;
  switch (source.kind) {
    case LaneSource::Kind::lane:
      return lane;
    case LaneSource::Kind::warp:
      return warp.index;
    case LaneSource::Kind::thread:
      return thread;
    case LaneSource::Kind::tid: {
      const Dim3 at = position_at(thread, m_block);
      return source.reg == 0 ? at.x : source.reg == 1 ? at.y : at.z;
    }
    case LaneSource::Kind::constant:
      return source.value;
    case LaneSource::Kind::reg:
      break;
  }
  if ((set[source.reg] >> lane & 1) == 0) return {};
  const RegisterInfo& info = m_table.reg(source.reg);
  return number_of(info.type, lane_bits(info, warp, lane));
}

}  // namespace warplens::stepping
