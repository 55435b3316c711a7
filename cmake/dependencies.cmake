find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
# By pkg-config: the CMake file in the package of Debian 12 names a library of another package.
pkg_check_modules(md4c REQUIRED IMPORTED_TARGET md4c)
# Computes cuBLAS for programs, and is shown next to the GPU's libraries; without it, that row says so.
find_package(Eigen3 3.3 QUIET NO_MODULE)
# Encodes the code that the virtual GPU compiles for this processor (core/gpu/exec/jit). Without it, handlers run
# everything. Linked as an archive, by name: the CMake file in the package of Debian 12 names a folder that the
# package does not contain.
set(WARPLENS_HAS_TIER 0)
if(WARPLENS_TIER AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_library(asmjit_static NAMES libasmjit.a)
  find_path(asmjit_include asmjit/x86.h)
  if(asmjit_static AND asmjit_include)
    set(WARPLENS_HAS_TIER 1)
  endif()
endif()
if(WARPLENS_PICTURES STREQUAL "AUTO")
  pkg_check_modules(drawing QUIET cairo fontconfig)
  if(drawing_FOUND)
    set(WARPLENS_PICTURES cairo)
  else()
    set(WARPLENS_PICTURES none)
    message(WARNING "There is no cairo or no fontconfig: this build saves no pictures of views.")
  endif()
endif()
if(WARPLENS_PICTURES STREQUAL "cairo")
  pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
  pkg_check_modules(fontconfig REQUIRED IMPORTED_TARGET fontconfig)
  set(picture_libraries PkgConfig::cairo PkgConfig::fontconfig)
endif()

if(WARPLENS_WINDOW)
  include(imgui)
endif()

# The headers of CUDA, for a real GPU (cuda/device) and for what stands in for CUDA's libraries (cuda/stand_in).
set(WARPLENS_HAS_CUDA 0)
foreach(folder IN LISTS WARPLENS_CUDA_INCLUDE_DIRS)
  if(EXISTS ${folder}/cudaTypedefs.h)
    set(WARPLENS_HAS_CUDA 1)
  endif()
endforeach()
list(JOIN WARPLENS_CUDA_INCLUDE_DIRS ":" warplens_cuda_include_path)
configure_file(${CMAKE_SOURCE_DIR}/cmake/warplens_config.h.in ${CMAKE_BINARY_DIR}/generated/warplens_config.h)

# Unpack the code that programs contain.
pkg_check_modules(zstd IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 IMPORTED_TARGET liblz4)
find_library(zstd_static NAMES libzstd.a)
find_library(lz4_static NAMES liblz4.a)
# libbacktrace is a part of GCC: it finds the source lines of a program that has debug information.
execute_process(COMMAND gcc -print-file-name=libbacktrace.a OUTPUT_VARIABLE backtrace_static
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
cmake_path(GET backtrace_static PARENT_PATH backtrace_folder)
set(WARPLENS_READS_LINES 0)
if(EXISTS ${backtrace_folder}/include/backtrace.h)
  set(WARPLENS_READS_LINES 1)
endif()
