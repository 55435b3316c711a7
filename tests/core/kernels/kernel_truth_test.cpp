// The built-in kernels against a real GPU: tests/data/truth/kernels_h200.json holds a hash of every output as
// an H200 gave it (tests/data/truth/record_kernels.py). With WARPLENS_EXPORT_KERNELS=FOLDER the case writes
// there what that script needs: PTX, steps and data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "tests/core/kernels/truth_setup.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using nlohmann::json;

// FNV-1a, 64 bits.
std::string hash_of(const Bytes& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

void write(const std::filesystem::path& path, const void* data, size_t size) {
  std::ofstream(path, std::ios::binary)
      .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

json texture_json(const TextureArgument& texture) {
  constexpr const char* modes[] = {"wrap", "clamp", "mirror", "border"};
  const TextureSpec& spec = texture.spec;
  const char* mode = modes[static_cast<size_t>(spec.address[0])];
  return {{"buffer", texture.buffer},
          {"shape", "2d"},
          {"dtype", numpy_name(spec.type)},
          {"channels", spec.channels},
          {"width", spec.width},
          {"height", spec.height},
          {"address", {mode, mode, mode}},
          {"filter", spec.linear ? "linear" : "point"},
          {"normalized", spec.normalized},
          {"read", spec.normalized_read ? "float" : "element"}};
}

json step_json(const Step& step) {
  if (const auto* launch = std::get_if<LaunchStep>(&step)) {
    json arguments = json::array();
    for (const Argument& argument : launch->arguments) {
      if (const auto* buffer = std::get_if<BufferArgument>(&argument))
        arguments.push_back({{"buffer", buffer->buffer}});
      else if (const auto* texture = std::get_if<TextureArgument>(&argument))
        arguments.push_back({{"texture", texture_json(*texture)}});
      else if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
        arguments.push_back({{"bytes", bytes_of(scalar->type)}, {"bits", scalar->bits}});
    }
    return {{"entry", launch->entry},
            {"grid", {launch->grid.x, launch->grid.y, launch->grid.z}},
            {"block", {launch->block.x, launch->block.y, launch->block.z}},
            {"arguments", arguments}};
  }
  return nullptr;  // memory: all arrays live from start to end on the recording side
}

void export_request(const LaunchRequest& request, const std::string& name,
                    const std::filesystem::path& folder, json& all) {
  write(folder / (name + ".ptx"), request.module->ptx.data(), request.module->ptx.size());
  json buffers = json::array(), steps = json::array(), globals = json::array();
  for (size_t i = 0; i < request.buffers.size(); ++i) {
    const BufferSpec& buffer = request.buffers[i];
    std::string file;
    if (buffer.initial) {
      file = fmt::format("{}.{}.bin", name, i);
      write(folder / file, buffer.initial->data(), buffer.initial->size());
    }
    buffers.push_back(
        {{"name", buffer.name}, {"bytes", buffer.bytes}, {"file", file}, {"output", buffer.output}});
  }
  for (const Step& step : request.steps)
    if (const json launch = step_json(step); !launch.is_null()) steps.push_back(launch);
  for (const GlobalInit& global : request.globals) {
    const std::string file = fmt::format("{}.{}.bin", name, global.symbol);
    write(folder / file, global.bytes.data(), global.bytes.size());
    globals.push_back({{"symbol", global.symbol}, {"file", file}});
  }
  all[name] = {{"buffers", buffers}, {"launches", steps}, {"globals", globals}};
}

TEST(KernelTruth, OutputsAreThoseOfARealGpu) {
  std::ifstream file(test_files::source_dir() / "tests/data/truth/kernels_h200.json");
  const json truth = file ? json::parse(file) : json::object();
  const char* folder = std::getenv("WARPLENS_EXPORT_KERNELS");
  json exported = json::object();
  const auto gpu = make_virtual_gpu();
  size_t compared = 0;
  for (const KernelDescription& kernel : built_in_kernels()) {
    auto request = make_request(kernel, test::truth_setup(kernel), *find_device("H200"));
    ASSERT_TRUE(request) << kernel.name << ": " << request.error().message;
    if (folder) export_request(*request, kernel.name, folder, exported);
    const json& recorded = truth.value(kernel.name, json::object());
    if (recorded.empty()) continue;
    auto result =
        gpu->run(std::make_shared<const LaunchRequest>(std::move(*request)), std::stop_token(), nullptr);
    ASSERT_TRUE(result) << kernel.name << ": " << result.error().message;
    for (const OutputBuffer& output : result->outputs) {
      const std::string& name = result->request->buffers[output.index].name;
      EXPECT_EQ(hash_of(*output.bytes), recorded.value(name, "not recorded")) << kernel.name << " " << name;
      ++compared;
    }
  }
  if (folder) std::ofstream(std::filesystem::path(folder) / "kernels.json") << exported.dump(1) << "\n";
  EXPECT_GE(compared, truth.size());
}

}  // namespace THIS_FILE
}  // namespace warplens
