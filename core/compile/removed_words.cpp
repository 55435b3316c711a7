#include "core/compile/removed_words.h"

#include <algorithm>

namespace warplens {

namespace {

struct RemovedWord {
  std::string_view said, sentence;
};

constexpr std::string_view textures =
    "texture<…> declares a texture reference, which CUDA 12 removed. Use a texture object: "
    "cudaCreateTextureObject makes one, the kernel takes it as a cudaTextureObject_t argument, and "
    "tex1Dfetch<float>(object, i) or tex2D<float>(object, x, y) reads it.";
constexpr std::string_view surfaces =
    "surface<…> declares a surface reference, which CUDA 12 removed. Use a surface object: "
    "cudaCreateSurfaceObject makes one, and the kernel takes it as a cudaSurfaceObject_t argument.";
constexpr std::string_view shuffles =
    "Shuffles without a mask were removed for devices since Volta. Use __shfl_sync, __shfl_up_sync, "
    "__shfl_down_sync or __shfl_xor_sync with the lanes that take part as the first argument: 0xffffffff for "
    "all 32.";
constexpr std::string_view votes =
    "Votes without a mask were removed for devices since Volta. Use __any_sync, __all_sync or __ballot_sync "
    "with the lanes that take part as the first argument: 0xffffffff for all 32.";
constexpr std::string_view launches =
    "clang before version 22 does not compile kernels that launch kernels. Use NVIDIA's compiler: without "
    "--compiler clang, and warplens fetch nvcc brings one.";

// Messages of nvcc and NVRTC ("texture is not a template"), and of clang ("no template named 'texture'").
constexpr RemovedWord words[] = {
    {"texture is not a template", textures},
    {"no template named 'texture'", textures},
    {"unknown type name 'texture'", textures},
    {"cudaBindTexture", textures},
    {"cudaUnbindTexture", textures},
    {"surface is not a template", surfaces},
    {"no template named 'surface'", surfaces},
    {"cudaBindSurface", surfaces},
    {"identifier \"__shfl", shuffles},
    {"undeclared identifier '__shfl", shuffles},
    {"identifier \"__any\"", votes},
    {"identifier \"__all\"", votes},
    {"identifier \"__ballot\"", votes},
    {"undeclared identifier '__any'", votes},
    {"undeclared identifier '__all'", votes},
    {"undeclared identifier '__ballot'", votes},
    {"reference to __global__ function", launches},
};

}  // namespace

std::vector<std::string_view> on_removed_words(std::string_view messages) {
  std::vector<std::string_view> sentences;
  for (const RemovedWord& word : words)
    if (messages.find(word.said) != messages.npos &&
        std::ranges::find(sentences, word.sentence) == sentences.end())
      sentences.push_back(word.sentence);
  return sentences;
}

}  // namespace warplens
