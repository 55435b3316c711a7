// Code that the program loads, and what it links it from.
#include <fstream>
#include <iterator>
#include <string>

#include "cuda/stand_in/relay/next.h"
#include "cuda/stand_in/relay/state/program.h"

using namespace warplens::relay;

namespace {

std::string bytes_of_file(const char* path) {
  std::ifstream file(path == nullptr ? "" : path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// call() → CUresult loads what `image` has, into *made.
template <class Handle, class Call>
CUresult load(Handle* made, const void* image, unsigned count, const CUjit_option* options,
              void* const* values, Call call) {
  const uint32_t limit = max_registers_of(count, options, values);
  const double begin_us = warplens::recording::now_us();
  const CUresult code = call();
  const double took_us = warplens::recording::now_us() - begin_us;
  return after(code, [&](Program& notes) {
    auto loaded = notes.code.code_of(image, limit);
    const uint64_t bytes = loaded == nullptr ? 0 : loaded->ptx.size();
    notes.code.loaded(*made, std::move(loaded));
    notes.note({}, [=](auto& journal, const auto&) { journal.module(begin_us, took_us, bytes); });
  });
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* made, const char* path) {
  const std::string image = program() == nullptr ? std::string() : bytes_of_file(path);
  return load(made, image.c_str(), 0, nullptr, nullptr, [&] { return NEXT(cuModuleLoad)(made, path); });
}
CUresult cuModuleLoadData(CUmodule* made, const void* image) {
  return load(made, image, 0, nullptr, nullptr, [&] { return NEXT(cuModuleLoadData)(made, image); });
}
CUresult cuModuleLoadDataEx(CUmodule* made, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  return load(made, image, count, options, values,
              [&] { return NEXT(cuModuleLoadDataEx)(made, image, count, options, values); });
}
CUresult cuModuleLoadFatBinary(CUmodule* made, const void* image) {
  return load(made, image, 0, nullptr, nullptr, [&] { return NEXT(cuModuleLoadFatBinary)(made, image); });
}
CUresult cuModuleUnload(CUmodule module) {
  return after(NEXT(cuModuleUnload)(module), [&](Program& notes) { notes.code.unloaded(module); });
}
CUresult cuModuleGetFunction(CUfunction* made, CUmodule module, const char* name) {
  return after(NEXT(cuModuleGetFunction)(made, module, name),
               [&](Program& notes) { notes.code.named(*made, module, nullptr, name); });
}

// By these it binds textures to names of the module.
CUresult cuModuleGetTexRef(CUtexref* made, CUmodule module, const char* name) {
  return after(NEXT(cuModuleGetTexRef)(made, module, name),
               [&](Program& notes) { notes.code.binds_textures(module); });
}
CUresult cuModuleGetSurfRef(CUsurfref* made, CUmodule module, const char* name) {
  return after(NEXT(cuModuleGetSurfRef)(made, module, name),
               [&](Program& notes) { notes.code.binds_textures(module); });
}

CUresult cuLibraryLoadData(CUlibrary* made, const void* image, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption* more, void** more_values, unsigned more_count) {
  return load(made, image, count, options, values, [&] {
    return NEXT(cuLibraryLoadData)(made, image, options, values, count, more, more_values, more_count);
  });
}
CUresult cuLibraryLoadFromFile(CUlibrary* made, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption* more, void** more_values,
                               unsigned more_count) {
  const std::string image = program() == nullptr ? std::string() : bytes_of_file(path);
  return load(made, image.c_str(), count, options, values, [&] {
    return NEXT(cuLibraryLoadFromFile)(made, path, options, values, count, more, more_values, more_count);
  });
}
CUresult cuLibraryUnload(CUlibrary library) {
  return after(NEXT(cuLibraryUnload)(library), [&](Program& notes) { notes.code.unloaded(library); });
}
CUresult cuLibraryGetKernel(CUkernel* made, CUlibrary library, const char* name) {
  return after(NEXT(cuLibraryGetKernel)(made, library, name),
               [&](Program& notes) { notes.code.named(*made, nullptr, library, name); });
}
CUresult cuLibraryGetModule(CUmodule* made, CUlibrary library) {
  return after(NEXT(cuLibraryGetModule)(made, library),
               [&](Program& notes) { notes.code.given(*made, library); });
}
CUresult cuKernelGetFunction(CUfunction* made, CUkernel kernel) {
  return after(NEXT(cuKernelGetFunction)(made, kernel), [&](Program& notes) {
    const Function& known = notes.code.function_of(kernel);
    const std::string entry = known.entry;
    notes.code.named(*made, known.module, known.library, entry);
  });
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* made) {
  const uint32_t limit = max_registers_of(count, options, values);
  return after(NEXT(cuLinkCreate_v2)(count, options, values, made),
               [&](Program& notes) { notes.code.link_begins(*made, limit); });
}
CUresult cuLinkAddData_v2(CUlinkState link, CUjitInputType type, void* data, size_t bytes, const char* name,
                          unsigned count, CUjit_option* options, void** values) {
  return after(
      NEXT(cuLinkAddData_v2)(link, type, data, bytes, name, count, options, values),
      [&](Program& notes) { notes.code.link_takes(link, name == nullptr ? "a text" : name, data, bytes); });
}
CUresult cuLinkAddFile_v2(CUlinkState link, CUjitInputType type, const char* path, unsigned count,
                          CUjit_option* options, void** values) {
  return after(NEXT(cuLinkAddFile_v2)(link, type, path, count, options, values), [&](Program& notes) {
    const std::string bytes = bytes_of_file(path);
    notes.code.link_takes(link, path, bytes.data(), bytes.size());
  });
}
CUresult cuLinkComplete(CUlinkState link, void** image, size_t* bytes) {
  size_t size = 0;
  const CUresult code = NEXT(cuLinkComplete)(link, image, &size);
  if (bytes != nullptr) *bytes = size;
  return after(code, [&](Program& notes) { notes.code.link_is_done(link, *image, size); });
}
CUresult cuLinkDestroy(CUlinkState link) {
  return after(NEXT(cuLinkDestroy)(link), [&](Program& notes) { notes.code.link_ends(link); });
}

}  // extern "C"
