#include "app/debug/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/base/text.h"
#include "core/ptx/debug/debug_info.h"

namespace warplens::dap {

using stepping::BlockStepper;
using stepping::NamedArray;
using stepping::VariableView;
using Where = VariableView::Where;

namespace {

uint32_t warp_of(uint32_t thread) { return thread / warp_lanes; }
uint32_t lane_of(uint32_t thread) { return thread % warp_lanes; }

// The bytes of the numbers that a pointer of this type points to; 0 if it points to something else.
uint64_t pointed_bytes(std::string_view type) {
  if (!type.ends_with('*')) return 0;
  type.remove_suffix(1);
  for (const std::string_view word : {"const ", "volatile ", "__restrict__ "})
    while (type.starts_with(word)) type.remove_prefix(word.size());
  while (type.ends_with(' ')) type.remove_suffix(1);
  for (const std::string_view wide : {"double", "long", "long long", "unsigned long", "unsigned long long"})
    if (type == wide) return 8;
  for (const std::string_view word : {"float", "int", "unsigned int", "unsigned"})
    if (type == word) return 4;
  for (const std::string_view half : {"short", "unsigned short", "__half"})
    if (type == half) return 2;
  for (const std::string_view byte : {"char", "unsigned char", "signed char", "bool"})
    if (type == byte) return 1;
  return 0;
}

// The array that a pointer points into, and how many elements it has from there on.
const NamedArray* pointed_array(const std::vector<NamedArray>& arrays, const VariableView& view,
                                uint32_t lane, uint64_t& count) {
  const uint64_t bytes = pointed_bytes(view.type);
  if (bytes == 0 || (view.has >> lane & 1) == 0) return nullptr;
  const uint64_t address = view.bits[lane].low;
  const NamedArray* array = stepping::array_at(arrays, Space::global, address);
  if (array == nullptr) return nullptr;
  count = (array->address + array->bytes - address) / bytes;
  return count == 0 ? nullptr : array;
}

bool is_shared_array(const BlockStepper& stepper, const VariableView& view) {
  return std::ranges::any_of(stepper.shared_arrays(),
                             [&](const stepping::SharedArray& array) { return array.name == view.name; });
}

std::string element_name(const NamedArray& array, uint64_t index) {
  const std::vector<NamedArray> one{array};
  const std::string whole =
      stepping::place_text(one, array.space, array.address + index * bytes_of(array.element),
                           static_cast<uint32_t>(bytes_of(array.element)));
  const std::string name = array.name.empty() ? std::string("memory") : array.name;
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

// "p.x", "list[3]", "*p", "(*p)" for parts of what a pointer points to is "p->x".
std::string path_of_part(const std::string& path, const VariableView& part) {
  if (part.name.starts_with('[')) return path + part.name;
  if (part.name == "*") return "*" + path;
  return path.starts_with('*') ? path.substr(1) + "->" + part.name : path + "." + part.name;
}

// The element that "[3]" or "[3][4]" after the array's name means.
std::optional<uint64_t> index_of(const NamedArray& array, std::string_view indices) {
  uint64_t index = 0;
  size_t dimension = 0;
  const size_t dimensions = std::max<size_t>(1, array.extents.size());
  for (; dimension < dimensions && indices.starts_with('['); ++dimension) {
    const size_t close = indices.find(']');
    const std::string_view digits = indices.substr(1, close == indices.npos ? close : close - 1);
    if (close == indices.npos || !is_digits(digits) || digits.size() > 18) return std::nullopt;
    const uint64_t here = std::stoull(std::string(digits));
    const uint64_t extent =
        array.extents.empty() ? array.bytes / bytes_of(array.element) : array.extents[dimension];
    if (here >= extent) return std::nullopt;
    index = index * extent + here;
    indices.remove_prefix(close + 1);
  }
  const bool whole = dimension == dimensions && indices.empty();
  return whole && index < array.bytes / bytes_of(array.element) ? std::optional(index) : std::nullopt;
}

// The array and the element that a text names, as in tile[3][4]; without an element for the array itself.
const NamedArray* named(const std::vector<NamedArray>& arrays, std::string_view text,
                        std::optional<uint64_t>& index) {
  for (const NamedArray& array : arrays) {
    if (array.name.empty() || !text.starts_with(array.name)) continue;
    index.reset();
    if (text == array.name) return &array;
    index = index_of(array, text.substr(array.name.size()));
    if (index) return &array;
  }
  return nullptr;
}

uint64_t bytes_of_view(const BlockStepper& stepper, const VariableView& view) {
  const ::warplens::debug::DebugInfo& info = stepper.variable_table().info();
  uint64_t bytes = ::warplens::debug::type_bytes(info, view.type_index);
  const auto& extents = ::warplens::debug::plain_type(info, view.type_index).extents;
  for (uint32_t i = 0; i < view.row && i < extents.size(); ++i) bytes /= std::max<uint64_t>(1, extents[i]);
  return std::max<uint64_t>(1, bytes);
}

Json plain(std::string name, std::string value, std::string type = {}) {
  Json made = {{"name", std::move(name)}, {"value", std::move(value)}, {"variablesReference", 0}};
  if (!type.empty()) made["type"] = std::move(type);
  return made;
}

Json triple(const char* name, Dim3 value) {
  Json made = plain(name, fmt::format("({}, {}, {})", value.x, value.y, value.z), "uint3");
  made["evaluateName"] = std::string(name) + ".x";
  return made;
}

}  // namespace

std::optional<stepping::FrameView> frame_of(const BlockStepper& stepper, uint32_t thread, size_t number) {
  for (const stepping::StackView& stack : stepper.stacks(warp_of(thread)))
    if ((stack.lanes >> lane_of(thread) & 1) != 0 && number < stack.frames.size())
      return stack.frames[number];
  return std::nullopt;
}

uint64_t Values::add(Handle handle) {
  m_handles.push_back(std::move(handle));
  return m_handles.size();
}

Json Values::scopes(const Debuggee& debuggee, uint32_t thread,
                    const std::optional<stepping::FrameView>& frame) {
  const BlockStepper& stepper = debuggee.stepper();
  Json scopes = Json::array();
  const auto scope = [&](const char* name, Handle::Kind kind, const char* hint, bool expensive) {
    Json made = {{"name", name},
                 {"variablesReference", add({.kind = kind, .thread = thread, .frame = frame})},
                 {"expensive", expensive}};
    if (hint != nullptr) made["presentationHint"] = hint;
    scopes.push_back(std::move(made));
  };
  if (frame && stepper.no_variables().empty()) {
    scope("Locals", Handle::Kind::locals, "locals", false);
    scope("Arguments", Handle::Kind::arguments, "arguments", false);
  }
  if (!stepper.shared_arrays().empty()) scope("Shared memory", Handle::Kind::shared, nullptr, false);
  scope("Built-in variables", Handle::Kind::built_in, nullptr, false);
  scope("Global memory", Handle::Kind::memory, nullptr, true);
  scope("Registers", Handle::Kind::registers, "registers", true);
  return scopes;
}

Json Values::of_view(const Debuggee& debuggee, const Handle& within, const VariableView& view,
                     const std::string& name, const std::string& path) {
  const BlockStepper& stepper = debuggee.stepper();
  const uint32_t lane = lane_of(within.thread);
  Json made = plain(name, stepper.text_of(warp_of(within.thread), view, lane), view.type);
  if (!path.empty()) made["evaluateName"] = path;
  if ((view.has >> lane & 1) == 0 || !view.opens) return made;
  Handle handle{.kind = Handle::Kind::parts,
                .thread = within.thread,
                .frame = within.frame,
                .view = view,
                .path = path};
  const std::vector<NamedArray> arrays = stepping::named_arrays(stepper);
  if (pointed_array(arrays, view, lane, handle.count) != nullptr && !path.empty())
    handle.kind = Handle::Kind::elements;
  const uint64_t parts = handle.kind == Handle::Kind::elements ? handle.count : stepper.count_of_parts(view);
  if (parts == 0) return made;
  const bool indexed = handle.kind == Handle::Kind::elements || view.type.ends_with(']');
  made[indexed ? "indexedVariables" : "namedVariables"] = parts;
  made["variablesReference"] = add(std::move(handle));
  return made;
}

Json Values::element(const Debuggee& debuggee, const NamedArray& array, uint64_t index) const {
  const uint64_t bytes = bytes_of(array.element);
  const Result<Bytes> read = debuggee.stepper().read(array.space, array.address + index * bytes, bytes);
  const std::string name = element_name(array, index);
  Json made = plain(name, read ? stepping::element_text(array.element, *read, 0) : read.error().message,
                    std::string(numpy_name(array.element)));
  if (!array.name.empty()) made["evaluateName"] = array.name + name;
  return made;
}

Json Values::of_array(const Debuggee& debuggee, const NamedArray& array, uint32_t thread) {
  const uint64_t count = array.bytes / bytes_of(array.element);
  if (count == 1 && array.space == Space::shared) {
    Json made = element(debuggee, array, 0);
    made["name"] = array.name;
    made["evaluateName"] = array.name;
    return made;
  }
  Json made = plain(array.name.empty() ? std::string("memory") : array.name,
                    fmt::format("{} of {}", count, std::string(numpy_name(array.element))),
                    std::string(numpy_name(array.element)));
  made["indexedVariables"] = count;
  made["variablesReference"] =
      add({.kind = Handle::Kind::array, .thread = thread, .array = array, .count = count});
  return made;
}

Json Values::of_scope(const Debuggee& debuggee, const Handle& handle, uint64_t start, uint64_t count) {
  const BlockStepper& stepper = debuggee.stepper();
  const uint32_t warp = warp_of(handle.thread), lane = lane_of(handle.thread);
  Json all = Json::array();
  uint64_t number = 0;
  const auto wanted = [&] { return number++ >= start && all.size() < count; };
  switch (handle.kind) {
    case Handle::Kind::locals:
    case Handle::Kind::arguments:
      for (const VariableView& view : stepper.variables(warp, *handle.frame)) {
        if (view.parameter != (handle.kind == Handle::Kind::arguments)) continue;
        if ((view.in_scope >> lane & 1) == 0 || is_shared_array(stepper, view) || !wanted()) continue;
        all.push_back(of_view(debuggee, handle, view, view.name, view.name));
      }
      break;
    case Handle::Kind::shared:
    case Handle::Kind::memory:
      for (const NamedArray& array : stepping::named_arrays(stepper)) {
        const bool shared = array.space == Space::shared;
        if (shared == (handle.kind == Handle::Kind::shared) && wanted())
          all.push_back(of_array(debuggee, array, handle.thread));
      }
      if (handle.kind == Handle::Kind::memory)
        for (const VariableView& view : stepper.common_variables(warp))
          if (view.space != "__shared__" && wanted())
            all.push_back(of_view(debuggee, handle, view, view.name, view.name));
      break;
    case Handle::Kind::registers:
      for (const stepping::RegisterView& view : stepper.registers(warp)) {
        if (!wanted()) continue;
        const bool set = (view.set >> lane & 1) != 0;
        all.push_back(plain(view.name, set ? stepping::text_of(view.type, view.bits[lane]) : "not set",
                            std::string(ptx::text_of(view.type))));
        if (set) all.back()["evaluateName"] = view.name;
      }
      break;
    default: {
      const LaunchStep& launch = stepper.launch();
      for (Json& one :
           std::vector<Json>{triple("threadIdx", position_at(handle.thread, launch.block)),
                             triple("blockIdx", stepper.block()), triple("blockDim", launch.block),
                             triple("gridDim", launch.grid), plain("lane", fmt::format("{}", lane)),
                             plain("warp", fmt::format("{}", warp)),
                             plain("position", fmt::format("{}", stepper.position()))})
        if (wanted()) all.push_back(std::move(one));
    }
  }
  return all;
}

Json Values::parts(const Debuggee& debuggee, const Handle& handle, uint64_t start, uint64_t count) {
  const BlockStepper& stepper = debuggee.stepper();
  const uint32_t warp = warp_of(handle.thread);
  Json all = Json::array();
  if (handle.kind == Handle::Kind::array || handle.kind == Handle::Kind::elements) {
    for (uint64_t i = start; i < handle.count && i - start < count; ++i) {
      if (handle.kind == Handle::Kind::array) {
        all.push_back(element(debuggee, handle.array, i));
        continue;
      }
      const std::string name = fmt::format("[{}]", i), path = handle.path + name;
      const auto view = stepper.find_part(warp, path, 1u << lane_of(handle.thread),
                                          handle.frame ? &*handle.frame : nullptr);
      if (!view) break;
      all.push_back(of_view(debuggee, handle, *view, name, path));
    }
    return all;
  }
  for (const VariableView& part : stepper.parts(warp, handle.view, start, count))
    all.push_back(of_view(debuggee, handle, part, part.name,
                          handle.path.empty() ? "" : path_of_part(handle.path, part)));
  return all;
}

Result<Json> Values::variables(const Debuggee& debuggee, uint64_t reference, uint64_t start, uint64_t count) {
  if (reference == 0 || reference > m_handles.size())
    return bad_input("The block has moved since: these variables are of another position.");
  if (count == 0 || count > most_variables_at_once) count = most_variables_at_once;
  const Handle handle = m_handles[static_cast<size_t>(reference - 1)];  // a copy: more are added
  switch (handle.kind) {
    case Handle::Kind::parts:
    case Handle::Kind::elements:
    case Handle::Kind::array:
      return parts(debuggee, handle, start, count);
    default:
      return of_scope(debuggee, handle, start, count);
  }
}

Result<Json> Values::evaluate(const Debuggee& debuggee, std::string_view text, uint32_t thread,
                              const std::optional<stepping::FrameView>& frame) {
  const BlockStepper& stepper = debuggee.stepper();
  const uint32_t lane = lane_of(thread);
  const stepping::FrameView* at = frame ? &*frame : nullptr;
  const auto as_result = [](Json made) {
    made["result"] = made["value"];
    for (const char* key : {"value", "name", "evaluateName"}) made.erase(key);
    return made;
  };
  if (const auto view = stepper.find_part(warp_of(thread), text, 1u << lane, at)) {
    const Handle within{.thread = thread, .frame = frame};
    return as_result(of_view(debuggee, within, *view, std::string(text), std::string(text)));
  }
  // A buffer, or a shared array that only the source describes.
  std::optional<uint64_t> index;
  const std::vector<NamedArray> arrays = stepping::named_arrays(stepper);
  if (const NamedArray* array = named(arrays, text, index); array != nullptr)
    return as_result(index ? element(debuggee, *array, *index) : of_array(debuggee, *array, thread));
  for (const auto& [name, value] :
       {std::pair{std::string_view("threadIdx"), position_at(thread, stepper.launch().block)},
        {"blockIdx", stepper.block()},
        {"blockDim", stepper.launch().block},
        {"gridDim", stepper.launch().grid}})
    if (text == name) return as_result(triple(name.data(), value));
  for (const stepping::RegisterView& view : stepper.registers(warp_of(thread)))
    if (view.name == text)
      return as_result(
          plain("", (view.set >> lane & 1) != 0 ? stepping::text_of(view.type, view.bits[lane]) : "not set",
                std::string(ptx::text_of(view.type))));
  const auto values = stepper.evaluate(warp_of(thread), text, 1u << lane, at);
  if (!values) return values.error();
  const expression::Value value = (*values)[lane];
  return as_result(
      plain("", value.is_known() ? expression::text_of(value) : "no value: something in it has none here"));
}

Result<Watched> Values::watched(const Debuggee& debuggee, uint64_t reference, const std::string& name,
                                uint32_t thread) {
  const BlockStepper& stepper = debuggee.stepper();
  std::optional<stepping::FrameView> frame = frame_of(stepper, thread, 0);
  std::string path = name;
  if (reference != 0) {
    if (reference > m_handles.size())
      return bad_input("The block has moved since: these variables are of another position.");
    const Handle& handle = m_handles[static_cast<size_t>(reference - 1)];
    thread = handle.thread;
    frame = handle.frame;
    if (handle.kind == Handle::Kind::built_in || handle.kind == Handle::Kind::registers)
      return bad_input(fmt::format("{} cannot be watched: only variables and memory can.", name));
    if (handle.kind == Handle::Kind::array) {
      path = handle.array.name + name;
    } else if (!handle.path.empty()) {
      stepping::VariableView part;
      part.name = name;
      path = path_of_part(handle.path, part);
    }
  }
  const uint32_t lane = lane_of(thread);
  const auto view = stepper.find_part(warp_of(thread), path, 1u << lane, frame ? &*frame : nullptr);
  if (view) {
    const Where where = view->where[lane];
    const bool readable = (view->has >> lane & 1) != 0;
    if (readable && (where == Where::global || where == Where::shared)) {
      return Watched{where == Where::global ? Space::global : Space::shared, view->address[lane],
                     bytes_of_view(stepper, *view), path};
    }
    return Watched{std::nullopt, 0, 0, path};
  }
  std::optional<uint64_t> index;
  const std::vector<NamedArray> arrays = stepping::named_arrays(stepper);
  if (const NamedArray* array = named(arrays, path, index); array != nullptr) {
    const uint64_t bytes = bytes_of(array->element);
    if (!index) return Watched{array->space, array->address, array->bytes, path};
    return Watched{array->space, array->address + *index * bytes, bytes, path};
  }
  return bad_input(
      fmt::format("There is no variable or array element \"{}\" here to watch.", path.substr(0, 80)));
}

}  // namespace warplens::dap
