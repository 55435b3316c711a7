#include "app/views/code/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/figures.h"
#include "core/base/system/embedded.h"
#include "core/kernels/evaluated.h"

namespace warplens {
namespace {

struct FormRow {
  CodeForm form;
  const char *name, *title;
};
constexpr FormRow rows[] = {{CodeForm::numba, "numba", "Numba"},
                            {CodeForm::cupy, "cupy", "CuPy"},
                            {CodeForm::pycuda, "pycuda", "PyCUDA"},
                            {CodeForm::opencl, "opencl", "OpenCL"}};

const FormRow& row(CodeForm form) { return rows[static_cast<size_t>(form)]; }

struct Buffer {
  const KernelArgument* argument = nullptr;
  uint64_t width = 0, height = 1, channels = 1;
  bool output = false;  // copied back
};

// The numbers of the current launch.
struct Numbers {
  Evaluated evaluated;
  std::vector<Buffer> buffers;
  Dim3 grid, block;
  uint32_t shared = 0;
};

Result<Numbers> numbers_of(const KernelDescription& kernel, const KernelSetup& setup) {
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  if (!evaluated) return evaluated.error();
  Numbers numbers{std::move(*evaluated), {}, setup.grid, setup.block, setup.shared_dynamic_bytes};
  if (setup.fit_grid) {
    const Result<Dim3> grid = fitted_grid(kernel, setup);
    if (!grid) return grid.error();
    numbers.grid = *grid;
  }
  // For buffers whose size depends on the grid.
  numbers.evaluated.names["grid_x"] = numbers.grid.x;
  numbers.evaluated.names["grid_y"] = numbers.grid.y;
  numbers.evaluated.names["grid_z"] = numbers.grid.z;
  const auto launches = std::ranges::count(kernel.steps, KernelStep::Kind::launch, &KernelStep::kind);
  for (const KernelArgument& argument : kernel.arguments) {
    if (!argument.is_buffer) continue;
    Buffer buffer{&argument};
    // Only the first of several launches is written. Its result is what it leaves for the next one.
    buffer.output = argument.output || (launches > 1 && argument.fill == Fill::zero);
    for (const auto& [expression, size] :
         {std::pair{&argument.width, &buffer.width}, std::pair{&argument.height, &buffer.height},
          std::pair{&argument.channels, &buffer.channels}}) {
      const Result<uint64_t> value = evaluate_size(*expression, numbers.evaluated, UINT32_MAX, argument.name);
      if (!value) return value.error();
      *size = *value;
    }
    numbers.buffers.push_back(buffer);
  }
  return numbers;
}

// Names that Python or the program itself has already.
constexpr std::string_view taken_names[] = {
    "in",    "is",      "lambda", "from",  "pass",  "with",   "as",     "not",        "or",
    "and",   "if",      "def",    "del",   "None",  "True",   "False",  "yield",      "global",
    "np",    "cp",      "cl",     "cuda",  "rng",   "math",   "kernel", "module",     "program",
    "queue", "context", "flags",  "print", "Image", "source", "import", "global_size"};

std::string python_name(const std::string& name) {
  return std::ranges::find(taken_names, name) == std::end(taken_names) ? name : name + "_";
}

std::string type_text(DType type) { return "np." + std::string(numpy_name(type)); }

std::string shape_text(const Buffer& buffer) {
  if (buffer.channels > 1) return fmt::format("({}, {}, {})", buffer.height, buffer.width, buffer.channels);
  if (buffer.height > 1) return fmt::format("({}, {})", buffer.height, buffer.width);
  return fmt::format("{}", buffer.width);
}

std::string number_text(double value, DType type) {
  const bool whole = type != DType::f16 && type != DType::f32 && type != DType::f64;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string data_of(const Buffer& buffer, const Numbers& numbers) {
  const KernelArgument& argument = *buffer.argument;
  const std::string shape = shape_text(buffer), type = type_text(argument.dtype);
  const bool whole =
      argument.dtype != DType::f16 && argument.dtype != DType::f32 && argument.dtype != DType::f64;
  switch (argument.fill) {
    case Fill::index:
      return fmt::format("np.arange({}).astype({}).reshape({})",
                         buffer.width * buffer.height * buffer.channels, type, shape);
    case Fill::random:
      if (whole)
        return fmt::format("rng.integers({:.0f}, {:.0f}, {}).astype({})", std::floor(argument.fill_low),
                           std::ceil(argument.fill_high), shape, type);
      return fmt::format("rng.uniform({}, {}, {}).astype({})", argument.fill_low, argument.fill_high, shape,
                         type);
    case Fill::image: {
      const char* mode = buffer.channels == 1 ? "L" : buffer.channels == 4 ? "RGBA" : "RGB";
      const auto at = numbers.evaluated.names.find("image_width");
      const double width = at == numbers.evaluated.names.end() ? double(buffer.width) : at->second.number();
      return fmt::format("np.array(Image.open(\"picture.png\").convert(\"{}\").resize(({:.0f}, {})))", mode,
                         width, buffer.height);
    }
    case Fill::formula:
      return fmt::format("np.zeros({}, {})  # here element i is {}", shape, type, argument.formula);
    case Fill::zero:
      break;
  }
  return fmt::format("np.zeros({}, {})", shape, type);
}

bool uses(const Numbers& numbers, Fill fill) {
  return std::ranges::any_of(numbers.buffers, [&](const Buffer& b) { return b.argument->fill == fill; });
}

// The imports that all libraries need, and the arrays and numbers of the kernel.
std::string preamble(CodeForm form, const KernelDescription& kernel, const KernelSetup& setup,
                     const Numbers& numbers) {
  std::string text = fmt::format("# {}: a grid of {} blocks, each of {} threads.\n", kernel.title,
                                 place_text(numbers.grid), place_text(numbers.block));
  const auto launches = std::ranges::count(kernel.steps, KernelStep::Kind::launch, &KernelStep::kind);
  if (launches > 1) text += fmt::format("# The first of its {} launches.\n", launches);
  if (form == CodeForm::numba) text += "import math\n\n";
  text += "import numpy as np\n";
  switch (form) {
    case CodeForm::numba:
      text += "from numba import cuda\n";
      break;
    case CodeForm::cupy:
      text += "import cupy as cp\n";
      break;
    case CodeForm::pycuda:
      text +=
          "import pycuda.autoinit\nimport pycuda.driver as cuda\nfrom pycuda.compiler import SourceModule\n";
      break;
    case CodeForm::opencl:
      text += "import pyopencl as cl\n";
      break;
  }
  if (uses(numbers, Fill::image)) text += "from PIL import Image\n";
  text += "\n";
  if (uses(numbers, Fill::random))
    text += fmt::format("rng = np.random.default_rng({})  # other random numbers than WarpLens draws\n",
                        setup.data_seed);
  for (const Buffer& buffer : numbers.buffers)
    text += fmt::format("{} = {}\n", python_name(buffer.argument->name), data_of(buffer, numbers));
  for (const KernelArgument& argument : kernel.arguments)
    if (!argument.is_buffer)
      text += fmt::format("{} = {}({})\n", python_name(argument.name), type_text(argument.dtype),
                          number_text(numbers.evaluated.names.at(argument.name).number(), argument.dtype));
  return text + "\n";
}

// A raw Python string of the source.
std::string in_quotes(std::string_view source) {
  const char* quote = source.find("\"\"\"") == std::string_view::npos ? "\"\"\"" : "'''";
  return fmt::format("r{}\n{}{}", quote, source, quote);
}

// The list of arguments, "d_x, d_y, n". `buffer` gives the name of each buffer.
template <class NameBuffer>
std::string arguments_text(const KernelDescription& kernel, NameBuffer name_buffer) {
  std::string text;
  for (const KernelArgument& argument : kernel.arguments) {
    text += text.empty() ? "" : ", ";
    text += argument.is_buffer ? name_buffer(argument) : python_name(argument.name);
  }
  return text;
}

std::string on_device(const KernelArgument& argument) { return "d_" + python_name(argument.name); }

template <class Line>
std::string for_buffers(const Numbers& numbers, bool only_outputs, Line line) {
  std::string text;
  for (const Buffer& buffer : numbers.buffers)
    if (!only_outputs || buffer.output) text += line(python_name(buffer.argument->name));
  return text;
}

std::string print_lines(const Numbers& numbers) {
  return for_buffers(numbers, true,
                     [](const std::string& name) { return fmt::format("print(\"{}\", {})\n", name, name); });
}

std::string numba_text(const KernelDescription& kernel, const Numbers& numbers, std::string_view body) {
  std::string text = std::string(body) + "\n\n";
  text += for_buffers(numbers, false, [](const std::string& name) {
    return fmt::format("d_{} = cuda.to_device({})\n", name, name);
  });
  text += fmt::format("{}[{}, {}{}]({})\n", kernel.entry, place_text(numbers.grid), place_text(numbers.block),
                      numbers.shared ? fmt::format(", 0, {}", numbers.shared) : "",
                      arguments_text(kernel, on_device));
  text += "cuda.synchronize()  # a launch returns at once\n";
  text += for_buffers(numbers, true, [](const std::string& name) {
    return fmt::format("{} = d_{}.copy_to_host()\n", name, name);
  });
  return text;
}

// What a constant holds: "1, 2, 3".
std::string constant_values(const KernelConstant& constant, const Numbers& numbers) {
  std::string values;
  for (const std::string& expression : constant.values) {
    const Result<expression::Value> value = evaluate(expression, numbers.evaluated.names);
    values += (values.empty() ? "" : ", ") +
              (value ? number_text(value->number(), constant.dtype) : std::string("0"));
  }
  return values;
}

// np.array([…], np.float32)
std::string constant_text(const KernelConstant& constant, const Numbers& numbers) {
  return fmt::format("np.array([{}], {})", constant_values(constant, numbers), type_text(constant.dtype));
}

// A texture object over an array of the device.
std::string cupy_texture(const Buffer& buffer, const std::string& name) {
  const TextureSpec& spec = *buffer.argument->texture;
  const bool is_float = spec.type == DType::f16 || spec.type == DType::f32;
  const bool is_signed = spec.type == DType::i8 || spec.type == DType::i16 || spec.type == DType::i32;
  constexpr const char* modes[] = {"Wrap", "Clamp", "Mirror", "Border"};
  std::string bits;
  for (uint64_t channel = 0; channel < 4; ++channel)
    bits += fmt::format("{}, ", channel < buffer.channels ? 8 * bytes_of(spec.type) : 0);
  std::string text = fmt::format(
      "array = cp.cuda.texture.CUDAarray(cp.cuda.texture.ChannelFormatDescriptor(\n"
      "    {}cp.cuda.runtime.cudaChannelFormatKind{}), {}, {})\n",
      bits,
      is_float    ? "Float"
      : is_signed ? "Signed"
                  : "Unsigned",
      buffer.width, buffer.height);
  text += fmt::format("array.copy_from(np.ascontiguousarray({}).reshape({}, {}))\n", name, buffer.height,
                      buffer.width * buffer.channels);
  return text + fmt::format(
                    "d_{} = cp.cuda.texture.TextureObject(\n"
                    "    cp.cuda.texture.ResourceDescriptor(cp.cuda.runtime.cudaResourceTypeArray, array),\n"
                    "    cp.cuda.texture.TextureDescriptor(\n"
                    "        (cp.cuda.runtime.cudaAddressMode{},) * 2, cp.cuda.runtime.cudaFilterMode{},\n"
                    "        cp.cuda.runtime.cudaReadMode{}, normalizedCoords={}))\n",
                    name, modes[static_cast<size_t>(spec.address[0])], spec.linear ? "Linear" : "Point",
                    spec.normalized_read ? "NormalizedFloat" : "ElementType", spec.normalized ? 1 : 0);
}

std::string numba_constants(const KernelDescription& kernel, const Numbers& numbers) {
  std::string text;
  for (const KernelConstant& constant : kernel.constants)
    text += fmt::format("{} = {}\n", constant.symbol, constant_text(constant, numbers));
  return text.empty() ? text : text + "\n\n";
}

const char* opencl_type(DType type) {
  switch (type) {
    case DType::f16:
      return "half";
    case DType::f32:
      return "float";
    case DType::f64:
      return "double";
    case DType::i8:
      return "char";
    case DType::u8:
      return "uchar";
    case DType::i16:
      return "short";
    case DType::u16:
      return "ushort";
    case DType::i32:
      return "int";
    case DType::u32:
      return "uint";
    case DType::i64:
      return "long";
    case DType::u64:
      return "ulong";
  }
  return "int";
}

// Constants of a program in OpenCL C are part of its text.
std::string opencl_constants(const KernelDescription& kernel, const Numbers& numbers) {
  std::string text;
  for (const KernelConstant& constant : kernel.constants)
    text += fmt::format("__constant {} {}[{}] = {{{}}};\n\n", opencl_type(constant.dtype), constant.symbol,
                        constant.values.size(), constant_values(constant, numbers));
  return text;
}

std::string cupy_text(const KernelDescription& kernel, const Numbers& numbers) {
  std::string text = fmt::format("module = cp.RawModule(code={})\nkernel = module.get_function(\"{}\")\n",
                                 in_quotes(kernel.source), kernel.entry);
  for (const KernelConstant& constant : kernel.constants)
    text += fmt::format("cp.ndarray({}, {}, module.get_global(\"{}\")).set({})\n", constant.values.size(),
                        type_text(constant.dtype), constant.symbol, constant_text(constant, numbers));
  text += "\n";
  for (const Buffer& buffer : numbers.buffers) {
    const std::string name = python_name(buffer.argument->name);
    text += buffer.argument->texture ? cupy_texture(buffer, name)
                                     : fmt::format("d_{} = cp.asarray({})\n", name, name);
  }
  text += fmt::format("kernel({}, {}, ({},){})\n", place_text(numbers.grid), place_text(numbers.block),
                      arguments_text(kernel, on_device),
                      numbers.shared ? fmt::format(", shared_mem={}", numbers.shared) : "");
  text += "cp.cuda.Device().synchronize()  # a launch returns at once\n";
  text += for_buffers(numbers, true, [](const std::string& name) {
    return fmt::format("{} = cp.asnumpy(d_{})\n", name, name);
  });
  return text;
}

std::string pycuda_text(const KernelDescription& kernel, const Numbers& numbers) {
  std::string text =
      fmt::format("module = SourceModule({}, no_extern_c=True)\nkernel = module.get_function(\"{}\")\n",
                  in_quotes(kernel.source), kernel.entry);
  for (const KernelConstant& constant : kernel.constants)
    text += fmt::format("cuda.memcpy_htod(module.get_global(\"{}\")[0], {})\n", constant.symbol,
                        constant_text(constant, numbers));
  text += "\n";
  const std::string arguments = arguments_text(kernel, [](const KernelArgument& argument) {
    return fmt::format("cuda.{}({})", argument.output || argument.fill == Fill::zero ? "InOut" : "In",
                       python_name(argument.name));
  });
  text += fmt::format("kernel({}, grid={}, block={}{})\n", arguments, place_text(numbers.grid),
                      place_text(numbers.block),
                      numbers.shared ? fmt::format(", shared={}", numbers.shared) : "");
  return text;
}

std::string opencl_text(const KernelDescription& kernel, const Numbers& numbers, std::string_view body) {
  std::string text =
      "context = cl.create_some_context(interactive=False)\nqueue = cl.CommandQueue(context)\n";
  text += fmt::format("program = cl.Program(context, {}).build()\n\n",
                      in_quotes(opencl_constants(kernel, numbers) + std::string(body)));
  text += "flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR\n";
  text += for_buffers(numbers, false, [](const std::string& name) {
    return fmt::format("d_{} = cl.Buffer(context, flags, hostbuf={})\n", name, name);
  });
  const Dim3 g = numbers.grid, b = numbers.block;
  text += fmt::format("global_size = ({}, {}, {})  # work-items, not groups: grid times block\n",
                      uint64_t{g.x} * b.x, uint64_t{g.y} * b.y, uint64_t{g.z} * b.z);
  text += fmt::format("program.{}(queue, global_size, {}, {})\n", kernel.entry, place_text(b),
                      arguments_text(kernel, on_device));
  text += for_buffers(numbers, true, [](const std::string& name) {
    return fmt::format("cl.enqueue_copy(queue, {}, d_{})\n", name, name);
  });
  return text;
}

}  // namespace

std::string_view title_of(CodeForm form) { return row(form).title; }
std::string_view name_of(CodeForm form) { return row(form).name; }

std::optional<CodeForm> code_form_from(std::string_view name) {
  for (const FormRow& candidate : rows)
    if (candidate.name == name) return candidate.form;
  return std::nullopt;
}

Result<std::string> code_in(CodeForm form, const KernelDescription& kernel, const KernelSetup& setup) {
  const bool takes_cuda = form == CodeForm::cupy || form == CodeForm::pycuda;
  if (takes_cuda && kernel.source.empty())
    return bad_input(
        fmt::format("{} exists only as PTX, but {} needs CUDA C++.", kernel.name, title_of(form)));
  const std::string_view body = takes_cuda
                                    ? std::string_view()
                                    : find_embedded(fmt::format("code/{}.{}", kernel.name,
                                                                form == CodeForm::numba ? "numba.py" : "cl"));
  if (!takes_cuda && body.empty())
    return bad_input(
        fmt::format("{} has not been ported to {} yet. CuPy and PyCUDA take the CUDA C++ as it is.",
                    kernel.name, title_of(form)));
  const auto is_texture = [](const KernelArgument& argument) { return argument.texture.has_value(); };
  if (form == CodeForm::pycuda && std::ranges::any_of(kernel.arguments, is_texture))
    return bad_input(
        fmt::format("{} needs a texture object. PyCUDA cannot create one; CuPy can.", kernel.name));
  const Result<Numbers> numbers = numbers_of(kernel, setup);
  if (!numbers) return numbers.error();
  std::string text = preamble(form, kernel, setup, *numbers);
  if (form == CodeForm::numba) text += numba_constants(kernel, *numbers) + numba_text(kernel, *numbers, body);
  if (form == CodeForm::cupy) text += cupy_text(kernel, *numbers);
  if (form == CodeForm::pycuda) text += pycuda_text(kernel, *numbers);
  if (form == CodeForm::opencl) text += opencl_text(kernel, *numbers, body);
  return text + print_lines(*numbers);
}

}  // namespace warplens
