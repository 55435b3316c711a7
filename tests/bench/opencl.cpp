#include "tests/bench/opencl.h"

#include "core/launch/steps.h"

#if defined(WARPLENS_BENCH_OPENCL)

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens::bench {

namespace {

constexpr std::string_view pocl_name = "Portable Computing Language";

std::string text_of(cl_platform_id platform) {
  char text[256] = {};
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text - 1, text, nullptr);
  return text;
}

std::optional<cl_device_id> find_pocl() {
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);  // one core; read at the first use of the platform
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return std::nullopt;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (const cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (text_of(platform) == pocl_name &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  return std::nullopt;
}

// Compilers differ in what they fuse and how exact their functions are. A picture's byte may be off by one,
// and a few of a fractal's points, where an iteration more or less decides, by more.
template <class T>
double far_off(const std::vector<std::byte>& bytes, const std::vector<std::byte>& expected, double margin) {
  size_t off = 0;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, &bytes[at], sizeof(T));
    std::memcpy(&b, &expected[at], sizeof(T));
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    off += !(std::abs(x - y) <= margin * std::max(1., std::abs(y)));
  }
  return static_cast<double>(off) / static_cast<double>(bytes.size() / sizeof(T));
}

bool alike(DType type, const std::vector<std::byte>& bytes, const std::vector<std::byte>& expected) {
  if (bytes.size() != expected.size()) return false;
  if (type == DType::f32) return far_off<float>(bytes, expected, 1e-4) == 0;
  if (type == DType::u8) return far_off<uint8_t>(bytes, expected, 1) < .01;
  return bytes == expected;
}

class PoclRun final : public OpenClRun {
 public:
  PoclRun() = default;
  ~PoclRun() override {
    for (const cl_mem buffer : m_buffers)
      if (buffer != nullptr) clReleaseMemObject(buffer);
    if (m_kernel != nullptr) clReleaseKernel(m_kernel);
    if (m_program != nullptr) clReleaseProgram(m_program);
    if (m_queue != nullptr) clReleaseCommandQueue(m_queue);
    if (m_context != nullptr) clReleaseContext(m_context);
  }
  PoclRun(const PoclRun&) = delete;
  PoclRun& operator=(const PoclRun&) = delete;

  // False if it fails; `m_error` then says why.
  bool build(cl_device_id device, const std::string& source, const LaunchRequest& request) {
    const LaunchStep& step = *first_launch(request);
    cl_int error = 0;
    m_context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (!done("clCreateContext", error)) return false;
    m_queue = clCreateCommandQueue(m_context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    if (!done("clCreateCommandQueue", error)) return false;
    const char* text = source.c_str();
    m_program = clCreateProgramWithSource(m_context, 1, &text, nullptr, &error);
    if (!done("clCreateProgramWithSource", error)) return false;
    if (!done("clBuildProgram", clBuildProgram(m_program, 1, &device, "", nullptr, nullptr))) return false;
    m_kernel = clCreateKernel(m_program, step.entry.c_str(), &error);
    if (!done("clCreateKernel", error)) return false;
    if (!add_buffers(request)) return false;
    for (cl_uint i = 0; i < step.arguments.size(); ++i)
      if (!set_argument(i, step.arguments[i])) return false;
    const uint32_t grid[3] = {step.grid.x, step.grid.y, step.grid.z};
    const uint32_t block[3] = {step.block.x, step.block.y, step.block.z};
    for (size_t i = 0; i < 3; ++i) {
      m_local[i] = block[i];
      m_global[i] = size_t{grid[i]} * block[i];
    }
    return true;
  }

  double seconds() override {
    cl_event event = nullptr;
    if (!done("clEnqueueNDRangeKernel",
              clEnqueueNDRangeKernel(m_queue, m_kernel, 3, nullptr, m_global, m_local, 0, nullptr, &event)))
      return -1;
    cl_ulong start = 0, end = 0;
    clWaitForEvents(1, &event);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    clReleaseEvent(event);
    return static_cast<double>(end - start) * 1e-9;
  }

  std::vector<std::byte> bytes_of(size_t buffer, size_t count) {
    std::vector<std::byte> bytes(count);
    done("clEnqueueReadBuffer", clEnqueueReadBuffer(m_queue, m_buffers[buffer], CL_TRUE, 0, count,
                                                    bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }
  const std::string& error() const { return m_error; }

 private:
  bool done(const char* call, cl_int error) {
    if (error != CL_SUCCESS) m_error = fmt::format("{} of PoCL fails with {}.", call, error);
    return error == CL_SUCCESS;
  }

  bool add_buffers(const LaunchRequest& request) {
    for (const BufferSpec& buffer : request.buffers) {
      std::vector<std::byte> bytes = buffer.initial != nullptr ? *buffer.initial : std::vector<std::byte>();
      bytes.resize(buffer.bytes);
      cl_int error = 0;
      m_buffers.push_back(clCreateBuffer(m_context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(),
                                         bytes.data(), &error));
      if (!done("clCreateBuffer", error)) return false;
    }
    return true;
  }

  bool set_argument(cl_uint index, const Argument& argument) {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument))
      return done("clSetKernelArg",
                  clSetKernelArg(m_kernel, index, sizeof(cl_mem), &m_buffers[buffer->buffer]));
    if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
      return done("clSetKernelArg", clSetKernelArg(m_kernel, index, bytes_of(scalar->type), &scalar->bits));
    m_error = "Only buffers and numbers are passed to OpenCL here.";
    return false;
  }
  static size_t bytes_of(DType type) { return warplens::bytes_of(type); }

  cl_context m_context = nullptr;
  cl_command_queue m_queue = nullptr;
  cl_program m_program = nullptr;
  cl_kernel m_kernel = nullptr;
  std::vector<cl_mem> m_buffers;
  size_t m_global[3] = {1, 1, 1}, m_local[3] = {1, 1, 1};
  std::string m_error;
};

}  // namespace

Result<std::unique_ptr<OpenClRun>> make_opencl_run(const std::string& source, const LaunchRequest& request,
                                                   const RunResult& expected) {
  const auto device = find_pocl();
  if (!device)
    return missing("PoCL is not installed on this machine (pocl-opencl-icd): its column stays empty.");
  auto run = std::make_unique<PoclRun>();
  if (!run->build(*device, source, request) || run->seconds() < 0) return failed(run->error());
  for (const OutputBuffer& output : expected.outputs) {
    const BufferSpec& buffer = request.buffers[output.index];
    if (!alike(buffer.dtype, run->bytes_of(output.index, output.bytes->size()), *output.bytes))
      return failed(fmt::format("PoCL's {} is another than ours: the time is not shown.", buffer.name));
  }
  return std::unique_ptr<OpenClRun>(std::move(run));
}

}  // namespace warplens::bench

#else

namespace warplens::bench {

Result<std::unique_ptr<OpenClRun>> make_opencl_run(const std::string&, const LaunchRequest&,
                                                   const RunResult&) {
  return missing(
      "The benchmark was built without OpenCL (ocl-icd-opencl-dev, opencl-headers): PoCL's column stays "
      "empty.");
}

}  // namespace warplens::bench

#endif
