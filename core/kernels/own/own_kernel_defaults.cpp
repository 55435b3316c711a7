// Defaults from a kernel's signature, for what its annotation does not say.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/kernels/own/own_kernel_draft.h"

namespace warplens {

namespace {

constexpr std::array<std::string_view, 26> usual_size_names = {
    "n",      "N",     "m",      "M",        "k",
    "K",      "w",     "h",      "nx",       "ny",
    "nz",     "len",   "size",   "rows",     "cols",
    "height", "width", "count",  "columns",  "length",
    "depth",  "Width", "Height", "elements", "num_elements",
    "total"};

constexpr double most_elements = 67108864;  // 64 Mi: what the built-in vectors allow

}  // namespace

bool is_size_name(std::string_view name) {
  return std::ranges::find(usual_size_names, name) != usual_size_names.end();
}

std::pair<double, double> limits_of(DType dtype) {
  switch (dtype) {
    case DType::u8:
      return {0, 255};
    case DType::i8:
      return {-128, 127};
    case DType::u16:
      return {0, 65535};
    case DType::i16:
      return {-32768, 32767};
    case DType::u32:
      return {0, 4294967295.0};
    case DType::i32:
      return {-2147483648.0, 2147483647.0};
    case DType::u64:
      return {0, 9007199254740992.0};  // 2^53: the whole numbers that a double holds
    case DType::i64:
      return {-9007199254740992.0, 9007199254740992.0};
    case DType::f16:
      return {-65504, 65504};
    case DType::f32:
    case DType::f64:
      break;
  }
  return {-3.4e38, 3.4e38};
}

std::vector<KernelParameter> joined_parameters(const std::vector<PtxParameter>& ptx,
                                               const SourceKernel* source) {
  std::vector<KernelParameter> parameters;
  for (size_t i = 0; i < ptx.size(); ++i) {
    const SourceParameter* declared = source ? &source->parameters[i] : nullptr;
    KernelParameter parameter;
    parameter.name = declared && !declared->name.empty() ? declared->name : "arg" + std::to_string(i);
    parameter.bytes = ptx[i].bytes;
    parameter.pointer = (declared ? declared->pointer : ptx[i].pointer) && ptx[i].bytes == 8;
    parameter.dtype = ptx[i].dtype;
    if (parameter.pointer) {
      const std::optional<DType> dtype = declared && declared->dtype ? declared->dtype : ptx[i].element;
      parameter.dtype = dtype.value_or(DType::u8);
      parameter.dtype_known = dtype.has_value();
      parameter.components = declared && declared->dtype ? declared->components : ptx[i].components;
      parameter.output = declared ? !declared->to_const : ptx[i].written;
    } else if (declared && declared->dtype && bytes_of(*declared->dtype) == ptx[i].bytes) {
      parameter.dtype = *declared->dtype;  // PTX has no sign for integers
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

KernelArgument default_number(std::string_view name, DType dtype, size_t sizes) {
  KernelArgument argument;
  argument.name = std::string(name);
  argument.title = argument.name;
  argument.dtype = dtype;
  argument.value = 1;
  if (is_size_name(name) && !is_float(dtype)) argument.value = sizes <= 1 ? 10'000 : sizes == 2 ? 256 : 64;
  argument.value = std::min(argument.value, limits_of(dtype).second);
  set_range(argument);
  return argument;
}

void set_range(KernelArgument& argument) {
  const auto [low, high] = limits_of(argument.dtype);
  argument.minimum = low;
  argument.maximum = high;
  argument.control = Control::number;
  if (!is_size_name(argument.name) || is_float(argument.dtype) || argument.value < 0) return;
  argument.minimum = 0;
  argument.maximum = std::min(std::max(most_elements, argument.value), high);
  argument.control = Control::log_slider;
}

std::vector<std::string> default_extents(const std::vector<std::string>& sizes) {
  if (sizes.empty()) return {"1"};
  const bool heights_first =
      sizes.size() == 2 && (sizes[0] == "height" || sizes[0] == "h" || sizes[0] == "rows" ||
                            sizes[0] == "ny" || sizes[0] == "Height");
  if (sizes.size() == 2) return heights_first ? std::vector<std::string>{sizes[1], sizes[0]} : sizes;
  std::string product;
  for (const std::string& size : sizes) product += (product.empty() ? "" : " * ") + size;
  return {product};
}

}  // namespace warplens
