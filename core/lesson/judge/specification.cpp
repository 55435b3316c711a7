// The picture of a challenge's specification: the reference is run at a small size, then once more for each
// input element that is changed. The outputs that change depend on it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/kernels/fill.h"
#include "core/lesson/judge/runnable.h"

namespace warplens::lesson {
namespace {

constexpr uint64_t most_inputs = 256;

Specification::Array array_of(const BufferSpec& spec, const Bytes& bytes) {
  Specification::Array array{spec.name, spec.dtype, spec.width, spec.height, spec.channels, {}};
  for (uint64_t i = 0; i < spec.bytes / bytes_of(spec.dtype); ++i)
    array.values.push_back(element_at(bytes, spec.dtype, i).number());
  return array;
}

// The bytes with another value in element `index`. There are three different changes, since a single one may
// have no effect: a smaller number, for example, does not change a maximum.
Bytes with_element(const Bytes& bytes, DType type, uint64_t index, int change) {
  Bytes changed = bytes;
  const uint32_t size = bytes_of(type);
  const double old = element_at(bytes, type, index).number();
  const double value = change == 0 ? old + 41 : change == 1 ? old - 37 : 1 - old;
  const uint64_t bits = encode_scalar(value, type);
  std::memcpy(changed.data() + index * size, &bits, size);
  return changed;
}

bool differs(const Bytes& a, const Bytes& b, uint64_t element, uint32_t size) {
  return std::memcmp(a.data() + element * size, b.data() + element * size, size) != 0;
}

}  // namespace

Result<Specification> specification_of(const Runnable& reference, const Challenge& challenge,
                                       Backend& backend) {
  Result<LaunchRequest> request = request_at(reference, challenge, {challenge.specification, 0, 1, false});
  if (!request) return request.error();
  Result<RunResult> plain = run_request(*request, backend, {});
  if (!plain) return plain.error();
  if (plain->status != RunStatus::ok)
    return bad_input(fmt::format("The reference fails at the specification's size: {}", plain->message));
  Specification made;
  made.grid = plain->shape.grid;
  made.block = plain->shape.block;
  std::vector<uint32_t> inputs, outputs;
  uint64_t elements = 0;
  for (uint32_t i = 0; i < request->buffers.size(); ++i) {
    const BufferSpec& spec = request->buffers[i];
    const auto argument = std::ranges::find(reference.kernel->arguments, spec.name, &KernelArgument::name);
    const bool output = argument != reference.kernel->arguments.end() && argument->output;
    const bool counts = std::ranges::find(challenge.inout, spec.name) != challenge.inout.end();
    const Bytes zeros(spec.bytes);
    const bool input = !output || counts || (argument->fill != Fill::zero);
    if (input) {
      inputs.push_back(i);
      elements += spec.bytes / bytes_of(spec.dtype);
      made.inputs.push_back(array_of(spec, spec.initial ? *spec.initial : zeros));
    }
    if (output) {
      outputs.push_back(i);
      made.outputs.push_back(array_of(spec, *plain->outputs[i].bytes));
    }
  }
  if (elements > most_inputs)
    return bad_input(
        fmt::format("The specification has {} input elements, and {} can be drawn: make it smaller.",
                    elements, most_inputs));
  for (uint32_t from = 0; from < inputs.size(); ++from) {
    const BufferSpec spec = request->buffers[inputs[from]];
    const auto initial = spec.initial ? spec.initial : std::make_shared<const Bytes>(spec.bytes);
    for (uint64_t element = 0; element < spec.bytes / bytes_of(spec.dtype); ++element) {
      std::vector<std::vector<bool>> seen;
      seen.reserve(outputs.size());
      for (const uint32_t output : outputs)
        seen.emplace_back(request->buffers[output].bytes / bytes_of(request->buffers[output].dtype));
      for (int change = 0; change < 3; ++change) {
        request->buffers[inputs[from]].initial =
            std::make_shared<const Bytes>(with_element(*initial, spec.dtype, element, change));
        const Result<RunResult> ran = run_request(*request, backend, {});
        if (!ran) return ran.error();
        if (ran->status != RunStatus::ok) continue;  // for example because an index became too large
        for (uint32_t to = 0; to < outputs.size(); ++to) {
          const uint32_t size = bytes_of(request->buffers[outputs[to]].dtype);
          for (uint64_t k = 0; k < seen[to].size(); ++k)
            if (differs(*plain->outputs[outputs[to]].bytes, *ran->outputs[outputs[to]].bytes, k, size))
              seen[to][k] = true;
        }
      }
      request->buffers[inputs[from]].initial = spec.initial;
      for (uint32_t to = 0; to < outputs.size(); ++to)
        for (uint64_t k = 0; k < seen[to].size(); ++k)
          if (seen[to][k]) made.arrows.push_back({from, to, element, k});
    }
  }
  return made;
}

}  // namespace warplens::lesson
