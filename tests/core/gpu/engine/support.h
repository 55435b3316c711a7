// What the tests of the backend share: requests of one launch, and their results.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"

namespace warplens::test {

inline std::string module_text(const std::string& functions) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n" + functions;
}

// The text of a kernel with 64-bit addresses p0, p1, … as parameters, loaded into %p0, %p1, ….
inline std::string kernel(const std::string& name, uint32_t pointers, const std::string& body,
                          const std::string& declarations = "") {
  std::string parameters, loads;
  for (uint32_t i = 0; i < pointers; ++i) {
    parameters += (i == 0 ? "" : ", ") + std::string(".param .u64 p") + std::to_string(i);
    loads += "ld.param.u64 %p" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  }
  return declarations + ".visible .entry " + name + "(" + parameters + ")\n{\n" +
         ".reg .b64 %p<8>, %d<16>; .reg .b32 %r<32>; .reg .f32 %f<8>; .reg .pred %q<8>; .reg .b16 %h<4>;\n" +
         loads + body + "\n}\n";
}

struct Request {
  LaunchRequest value;

  explicit Request(const std::string& functions) {
    auto text = std::make_shared<ModuleText>();
    text->ptx = module_text(functions);
    text->ptx_name = "test.ptx";
    value.module = std::move(text);
    value.kernel = "test";
    value.device.sms = 4;
    value.workers = 1;
  }
  template <class T>
  Request& buffer(std::string name, const std::vector<T>& data, DType dtype = DType::u32) {
    auto bytes = std::make_shared<Bytes>(data.size() * sizeof(T));
    std::memcpy(bytes->data(), data.data(), bytes->size());
    BufferSpec spec;
    spec.name = std::move(name);
    spec.bytes = bytes->size();
    spec.dtype = dtype;
    spec.initial = std::move(bytes);
    spec.output = true;
    value.buffers.push_back(std::move(spec));
    return *this;
  }
  // Passes all buffers, in order.
  Request& launch(std::string entry, Dim3 grid, Dim3 block, uint32_t shared = 0) {
    LaunchStep step;
    step.entry = std::move(entry);
    step.grid = grid;
    step.block = block;
    step.shared_dynamic_bytes = shared;
    for (uint32_t b = 0; b < value.buffers.size(); ++b) step.arguments.emplace_back(BufferArgument{b, 0});
    value.steps.emplace_back(std::move(step));
    return *this;
  }
  Result<RunResult> run(std::stop_token stop = {}) const {
    return make_virtual_gpu()->run(std::make_shared<LaunchRequest>(value), std::move(stop), nullptr);
  }
};

template <class T>
std::vector<T> output(const RunResult& result, uint32_t buffer) {
  for (const OutputBuffer& o : result.outputs) {
    if (o.index != buffer) continue;
    std::vector<T> values(o.bytes->size() / sizeof(T));
    std::memcpy(values.data(), o.bytes->data(), values.size() * sizeof(T));
    return values;
  }
  return {};
}

inline std::vector<uint32_t> zeros(size_t n) { return std::vector<uint32_t>(n, 0); }

}  // namespace warplens::test
