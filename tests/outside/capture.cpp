// Writes down the launches of a program that other people's tools compiled: put in front with LD_PRELOAD, it
// stands between the program and the CUDA driver, and saves for each launch that the program names
// (capture_begin) the entry, the shape, the parameters' bytes, and the content of each allocation that they
// point into. PTX that NVRTC makes is saved beside them.
//
//   g++ -std=c++17 -O1 -shared -fPIC -I$CUDA/include capture.cpp -o capture.so -ldl
//   CAPTURE_DIR=out LD_PRELOAD=./capture.so python3 programs/cupy_programs.py
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

using Symbol = void* (*)(void*, const char*);

Symbol real_dlsym() {
  static const auto found = reinterpret_cast<Symbol>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  return found;
}

template <class F>
F driver(const char* name) {
  static void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return reinterpret_cast<F>(real_dlsym()(library, name));
}

struct Wanted {
  std::string name, dtype;
  double rtol = 0;
  int launches = 0;
} wanted;
std::mutex guard;
int ptx_count = 0;

std::string folder() {
  const char* value = std::getenv("CAPTURE_DIR");
  return value != nullptr ? value : ".";
}

void save(const std::string& path, const void* data, size_t size) {
  if (FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(data, 1, size, file);
    std::fclose(file);
  }
}

struct Launch {
  CUfunction function;
  unsigned grid[3], block[3], shared;
  void** parameters;
  bool cooperative;
};

std::string entry_of(CUfunction function, bool& is_kernel) {
  const char* name = nullptr;
  is_kernel = false;
  if (driver<decltype(&cuFuncGetName)>("cuFuncGetName")(&name, function) == CUDA_SUCCESS) return name;
  is_kernel = true;
  const auto kernel = reinterpret_cast<CUkernel>(function);
  if (driver<decltype(&cuKernelGetName)>("cuKernelGetName")(&name, kernel) == CUDA_SUCCESS) return name;
  return "";
}

bool parameter_place(CUfunction function, bool is_kernel, size_t index, size_t& offset, size_t& size) {
  if (!is_kernel)
    return driver<decltype(&cuFuncGetParamInfo)>("cuFuncGetParamInfo")(function, index, &offset, &size) ==
           CUDA_SUCCESS;
  return driver<decltype(&cuKernelGetParamInfo)>("cuKernelGetParamInfo")(
             reinterpret_cast<CUkernel>(function), index, &offset, &size) == CUDA_SUCCESS;
}

// The allocation that an address lies in; its size is 0 where there is none.
size_t allocation_of(CUdeviceptr address, CUdeviceptr& base) {
  size_t size = 0;
  if (address < 4096) return 0;
  const auto query = driver<CUresult (*)(CUdeviceptr*, size_t*, CUdeviceptr)>("cuMemGetAddressRange_v2");
  return query(&base, &size, address) == CUDA_SUCCESS ? size : 0;
}

void write_launch(const Launch& launch) {
  bool is_kernel = false;
  const std::string entry = entry_of(launch.function, is_kernel);
  if (entry.empty()) return;
  std::string name = wanted.name;
  if (wanted.launches > 0) name += "_" + std::to_string(wanted.launches + 1);
  driver<decltype(&cuCtxSynchronize)>("cuCtxSynchronize")();
  std::map<CUdeviceptr, std::pair<size_t, int>> buffers;
  std::string parameters;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, size = 0;
    if (!parameter_place(launch.function, is_kernel, i, offset, size)) break;
    const auto* bytes = static_cast<const unsigned char*>(launch.parameters[i]);
    std::string hex, pointers;
    for (size_t b = 0; b < size; ++b) {
      char digits[3];
      std::snprintf(digits, sizeof(digits), "%02x", bytes[b]);
      hex += digits;
    }
    for (size_t b = 0; b + 8 <= size; b += 8) {
      CUdeviceptr address = 0, base = 0;
      std::memcpy(&address, bytes + b, 8);
      const size_t length = allocation_of(address, base);
      if (length == 0) continue;
      const auto place = buffers.try_emplace(base, length, int(buffers.size())).first->second;
      pointers +=
          (pointers.empty() ? "" : ", ") + ("[" + std::to_string(b) + ", " + std::to_string(place.second) +
                                            ", " + std::to_string(address - base) + "]");
    }
    parameters += std::string(i == 0 ? "" : ",\n    ") + "{\"bytes\": \"" + hex + "\", \"pointers\": [" +
                  pointers + "]}";
  }
  std::string sizes(buffers.size() * 12, ' ');
  std::vector<size_t> ordered(buffers.size());
  for (const auto& [base, place] : buffers) {
    ordered[place.second] = place.first;
    std::vector<unsigned char> bytes(place.first);
    driver<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH_v2")(bytes.data(), base, bytes.size());
    save(folder() + "/" + name + ".b" + std::to_string(place.second) + ".bin", bytes.data(), bytes.size());
  }
  sizes.clear();
  for (const size_t size : ordered) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  char text[1024];
  std::snprintf(text, sizeof(text),
                "\"dtype\": \"%s\", \"rtol\": %g,\n  \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], "
                "\"shared_bytes\": %u, \"cooperative\": %s,\n",
                wanted.dtype.c_str(), wanted.rtol, launch.grid[0], launch.grid[1], launch.grid[2],
                launch.block[0], launch.block[1], launch.block[2], launch.shared,
                launch.cooperative ? "true" : "false");
  const std::string json = "{\"name\": \"" + name + "\", \"entry\": \"" + entry + "\",\n  " + text +
                           "  \"buffers\": [" + sizes + "],\n  \"parameters\": [" + parameters + "]}\n";
  save(folder() + "/" + name + ".launch", json.data(), json.size());
  ++wanted.launches;
}

void note(const Launch& launch) {
  const std::lock_guard lock(guard);
  if (!wanted.name.empty() && launch.parameters != nullptr) write_launch(launch);
}

CUresult launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, CUstream stream, void** parameters, void** extra) {
  note({f, {gx, gy, gz}, {bx, by, bz}, shared, parameters, false});
  return driver<decltype(&cuLaunchKernel)>("cuLaunchKernel")(f, gx, gy, gz, bx, by, bz, shared, stream,
                                                             parameters, extra);
}

CUresult launch_cooperative(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                            unsigned bz, unsigned shared, CUstream stream, void** parameters) {
  note({f, {gx, gy, gz}, {bx, by, bz}, shared, parameters, true});
  return driver<decltype(&cuLaunchCooperativeKernel)>("cuLaunchCooperativeKernel")(
      f, gx, gy, gz, bx, by, bz, shared, stream, parameters);
}

CUresult launch_ex(const CUlaunchConfig* c, CUfunction f, void** parameters, void** extra) {
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; ++i)
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = c->attrs[i].value.cooperative != 0;
  note({f,
        {c->gridDimX, c->gridDimY, c->gridDimZ},
        {c->blockDimX, c->blockDimY, c->blockDimZ},
        c->sharedMemBytes,
        parameters,
        cooperative});
  return driver<decltype(&cuLaunchKernelEx)>("cuLaunchKernelEx")(c, f, parameters, extra);
}

using Program = void*;
int (*real_compile)(Program, int, const char* const*) = nullptr;
void* nvrtc = nullptr;

int compile_program(Program program, int count, const char* const* options) {
  const int result = real_compile(program, count, options);
  if (result != 0) return result;
  size_t size = 0;
  reinterpret_cast<int (*)(Program, size_t*)>(real_dlsym()(nvrtc, "nvrtcGetPTXSize"))(program, &size);
  std::string text(size, '\0');
  if (size > 1) {
    reinterpret_cast<int (*)(Program, char*)>(real_dlsym()(nvrtc, "nvrtcGetPTX"))(program, text.data());
    const std::lock_guard lock(guard);
    save(folder() + "/nvrtc" + std::to_string(++ptx_count) + ".ptx", text.data(), size - 1);
  }
  return result;
}

void* replaced(const char* name, void* found);

using GetProc2 = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
using GetProc1 = CUresult (*)(const char*, void**, int, cuuint64_t);

CUresult get_proc2(const char* name, void** found, int version, cuuint64_t flags,
                   CUdriverProcAddressQueryResult* status) {
  const CUresult result = driver<GetProc2>("cuGetProcAddress_v2")(name, found, version, flags, status);
  if (result == CUDA_SUCCESS && found != nullptr) *found = replaced(name, *found);
  return result;
}

CUresult get_proc1(const char* name, void** found, int version, cuuint64_t flags) {
  const CUresult result = driver<GetProc1>("cuGetProcAddress")(name, found, version, flags);
  if (result == CUDA_SUCCESS && found != nullptr) *found = replaced(name, *found);
  return result;
}

void* replaced(const char* name, void* found) {
  if (found == nullptr) return found;
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("cuLaunchKernel") || is("cuLaunchKernel_ptsz")) return reinterpret_cast<void*>(&launch_kernel);
  if (is("cuLaunchKernelEx") || is("cuLaunchKernelEx_ptsz")) return reinterpret_cast<void*>(&launch_ex);
  if (is("cuLaunchCooperativeKernel") || is("cuLaunchCooperativeKernel_ptsz"))
    return reinterpret_cast<void*>(&launch_cooperative);
  // cuGetProcAddress("cuGetProcAddress") gives the newest form to callers that ask for 12.0 or later.
  if (is("cuGetProcAddress_v2") || is("cuGetProcAddress")) {
    return found == driver<void*>("cuGetProcAddress") ? reinterpret_cast<void*>(&get_proc1)
                                                      : reinterpret_cast<void*>(&get_proc2);
  }
  return found;
}

}  // namespace

extern "C" void capture_begin(const char* name, const char* dtype, double rtol) {
  const std::lock_guard lock(guard);
  wanted = {name, dtype, rtol, 0};
}
extern "C" int capture_end() {
  const std::lock_guard lock(guard);
  wanted.name.clear();
  return wanted.launches;
}

extern "C" void* dlsym(void* library, const char* name) noexcept {
  void* found = real_dlsym()(library, name);
  if (found == nullptr) return found;
  if (std::strcmp(name, "nvrtcCompileProgram") == 0) {
    nvrtc = library;
    real_compile = reinterpret_cast<int (*)(Program, int, const char* const*)>(found);
    return reinterpret_cast<void*>(&compile_program);
  }
  return std::strncmp(name, "cu", 2) == 0 ? replaced(name, found) : found;
}
