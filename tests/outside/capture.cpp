// Writes down the launches of a program that other people's tools compiled: put in front with LD_PRELOAD, it
// stands between the program and the CUDA driver, and saves for each launch that the program names
// (capture_begin) the entry, the shape, the parameters' bytes, and the content of each allocation that they
// point into or that textures and surfaces among them stand for. PTX that NVRTC makes is saved beside them.
//
//   g++ -std=c++20 -O1 -shared -fPIC -I$CUDA/include capture.cpp -o capture.so -ldl
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

// A texture or surface object, as it was asked for.
struct Object {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  bool surface;
};
std::map<unsigned long long, Object> objects;

// The buffers of a launch, in the order of their files.
struct Buffers {
  std::string stem;
  std::map<CUdeviceptr, int> by_address;
  std::vector<size_t> sizes;

  int add(const void* data, size_t size) {
    save(stem + ".b" + std::to_string(sizes.size()) + ".bin", data, size);
    sizes.push_back(size);
    return int(sizes.size()) - 1;
  }
  int add_memory(CUdeviceptr base, size_t size) {
    if (const auto found = by_address.find(base); found != by_address.end()) return found->second;
    std::vector<unsigned char> bytes(size);
    driver<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH_v2")(bytes.data(), base, size);
    return by_address[base] = add(bytes.data(), size);
  }
};

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

const char* type_name(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return "uint8";
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return "uint16";
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return "uint32";
    case CU_AD_FORMAT_SIGNED_INT8:
      return "int8";
    case CU_AD_FORMAT_SIGNED_INT16:
      return "int16";
    case CU_AD_FORMAT_SIGNED_INT32:
      return "int32";
    case CU_AD_FORMAT_HALF:
      return "float16";
    default:
      return "float32";
  }
}

size_t type_bytes(CUarray_format format) {
  const std::string name = type_name(format);
  return name.ends_with("8") ? 1 : name.ends_with("16") ? 2 : 4;
}

// Appends the texels of an array, row after row.
void read_array(CUarray array, std::vector<unsigned char>& bytes, CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  using Describe = CUresult (*)(CUDA_ARRAY3D_DESCRIPTOR*, CUarray);
  driver<Describe>("cuArray3DGetDescriptor_v2")(&descriptor, array);
  const size_t row = descriptor.Width * descriptor.NumChannels * type_bytes(descriptor.Format);
  const size_t rows = descriptor.Height == 0 ? 1 : descriptor.Height;
  const size_t slices = descriptor.Depth == 0 ? 1 : descriptor.Depth;
  const size_t at = bytes.size();
  bytes.resize(at + row * rows * slices);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = bytes.data() + at;
  copy.dstPitch = row;
  copy.dstHeight = rows;
  copy.WidthInBytes = row;
  copy.Height = rows;
  copy.Depth = slices;
  driver<CUresult (*)(const CUDA_MEMCPY3D*)>("cuMemcpy3D_v2")(&copy);
}

std::string number(const char* key, size_t value) {
  return ", \"" + std::string(key) + "\": " + std::to_string(value);
}

// As launch files describe a texture.
std::string describe(const Object& object, Buffers& buffers) {
  static const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
  CUDA_ARRAY3D_DESCRIPTOR d{};
  std::string shape, more;
  int buffer = 0;
  const CUDA_RESOURCE_DESC& resource = object.resource;
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& linear = resource.res.linear;
    d.Format = linear.format;
    d.NumChannels = linear.numChannels;
    d.Width = linear.sizeInBytes / (type_bytes(d.Format) * d.NumChannels);
    shape = "linear";
    buffer = buffers.add_memory(linear.devPtr, linear.sizeInBytes);
  } else if (resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
    const auto& plane = resource.res.pitch2D;
    d.Format = plane.format;
    d.NumChannels = plane.numChannels;
    d.Width = plane.width;
    d.Height = plane.height;
    shape = "2d";
    more = number("pitch", plane.pitchInBytes);
    buffer = buffers.add_memory(plane.devPtr, plane.pitchInBytes * plane.height);
  } else {
    std::vector<unsigned char> bytes;
    size_t levels = 0;
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
      read_array(resource.res.array.hArray, bytes, d);
    } else {
      using Level = CUresult (*)(CUarray*, CUmipmappedArray, unsigned);
      CUarray array = nullptr;
      CUDA_ARRAY3D_DESCRIPTOR smaller{};
      const auto level = driver<Level>("cuMipmappedArrayGetLevel");
      while (level(&array, resource.res.mipmap.hMipmappedArray, unsigned(levels)) == CUDA_SUCCESS)
        read_array(array, bytes, levels++ == 0 ? d : smaller);
      more = number("levels", levels) + ", \"level_filter\": \"" +
             (object.texture.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR ? "linear" : "point") + '"' +
             ", \"max_level\": " + std::to_string(object.texture.maxMipmapLevelClamp);
    }
    const bool layers = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    shape = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0 ? (layers ? "cube_layered" : "cube")
            : layers                              ? (d.Height != 0 ? "2d_layered" : "1d_layered")
            : d.Depth != 0                        ? "3d"
            : d.Height != 0                       ? "2d"
                                                  : "1d";
    if (d.Depth != 0) more += number(layers || shape == "cube" ? "layers" : "depth", d.Depth);
    buffer = buffers.add(bytes.data(), bytes.size());
  }
  std::string text = "{\"buffer\": " + std::to_string(buffer) + ", \"dtype\": \"" + type_name(d.Format) +
                     "\", \"shape\": \"" + shape + '"' + number("channels", d.NumChannels) +
                     number("width", d.Width);
  if (d.Height != 0) text += number("height", d.Height);
  text += more;
  if (object.surface) return text + '}';
  text += ", \"address\": [";
  for (int i = 0; i < 3; ++i)
    text += std::string(i == 0 ? "\"" : ", \"") + modes[object.texture.addressMode[i]] + '"';
  const unsigned flags = object.texture.flags;
  const bool whole = d.Format != CU_AD_FORMAT_HALF && d.Format != CU_AD_FORMAT_FLOAT;
  const bool as_float = whole && type_bytes(d.Format) < 4 && (flags & CU_TRSF_READ_AS_INTEGER) == 0;
  return text + "], \"filter\": \"" +
         (object.texture.filterMode == CU_TR_FILTER_MODE_LINEAR ? "linear" : "point") +
         "\", \"normalized\": " + ((flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? "true" : "false") +
         ", \"read\": \"" + (as_float ? "float" : "element") + "\"}";
}

// A parameter: its bytes, and where allocations, textures and surfaces stand in them.
std::string describe_parameter(const unsigned char* bytes, size_t size, Buffers& buffers) {
  std::string hex, pointers, object;
  for (size_t b = 0; b < size; ++b) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", bytes[b]);
    hex += digits;
  }
  for (size_t b = 0; b + 8 <= size; b += 8) {
    CUdeviceptr address = 0, base = 0;
    std::memcpy(&address, bytes + b, 8);
    const auto found = size == 8 ? objects.find(address) : objects.end();
    if (found != objects.end()) {
      object = std::string(", \"") + (found->second.surface ? "surface" : "texture") +
               "\": " + describe(found->second, buffers);
      continue;
    }
    const size_t length = allocation_of(address, base);
    if (length == 0) continue;
    const int place = buffers.add_memory(base, length);
    pointers += (pointers.empty() ? "" : ", ") + ("[" + std::to_string(b) + ", " + std::to_string(place) +
                                                  ", " + std::to_string(address - base) + "]");
  }
  return "{\"bytes\": \"" + hex + "\", \"pointers\": [" + pointers + "]" + object + "}";
}

void write_launch(const Launch& launch) {
  bool is_kernel = false;
  const std::string entry = entry_of(launch.function, is_kernel);
  if (entry.empty()) return;
  std::string name = wanted.name;
  if (wanted.launches > 0) name += "_" + std::to_string(wanted.launches + 1);
  driver<decltype(&cuCtxSynchronize)>("cuCtxSynchronize")();
  Buffers buffers{folder() + "/" + name, {}, {}};
  std::string parameters;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, size = 0;
    if (!parameter_place(launch.function, is_kernel, i, offset, size)) break;
    const auto* bytes = static_cast<const unsigned char*>(launch.parameters[i]);
    parameters += (i == 0 ? "" : ",\n    ") + describe_parameter(bytes, size, buffers);
  }
  std::string sizes;
  for (const size_t size : buffers.sizes) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
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

CUresult create_texture(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                        const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  const CUresult result =
      driver<decltype(&cuTexObjectCreate)>("cuTexObjectCreate")(handle, resource, texture, view);
  const std::lock_guard lock(guard);
  if (result == CUDA_SUCCESS) objects[*handle] = {*resource, *texture, false};
  return result;
}

CUresult create_surface(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
  const CUresult result = driver<decltype(&cuSurfObjectCreate)>("cuSurfObjectCreate")(handle, resource);
  const std::lock_guard lock(guard);
  if (result == CUDA_SUCCESS) objects[*handle] = {*resource, {}, true};
  return result;
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
  if (is("cuTexObjectCreate")) return reinterpret_cast<void*>(&create_texture);
  if (is("cuSurfObjectCreate")) return reinterpret_cast<void*>(&create_surface);
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
