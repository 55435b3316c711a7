# The options of a packager. Paths default to the cache folder that tools/setup fills.
include(CTest)

if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(warplens_cache "$ENV{XDG_CACHE_HOME}/warplens")
else()
  set(warplens_cache "$ENV{HOME}/.cache/warplens")
endif()

option(WARPLENS_WINDOW "Build the window (needs OpenGL, GLFW and the ImGui libraries)" ON)
set(WARPLENS_HOST glfw CACHE STRING "The desktop's folder in app/host")
set(WARPLENS_PICTURES AUTO CACHE STRING "What draws pictures into files, a folder in app/base/draw (cairo, none); AUTO: cairo where it is")
set(WARPLENS_SYSTEM posix CACHE STRING "The operating system's folder in core/system; of several, a later one's files take the place of an earlier one's")
option(WARPLENS_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(WARPLENS_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(WARPLENS_TIER "Compile hot blocks of PTX to AVX-512 or AVX2 (x86-64, needs AsmJit; left out without it)" ON)
option(WARPLENS_EIGEN "Compare with Eigen on the CPU in `warplens libraries` (takes half a minute to compile)" ON)
option(WARPLENS_WERROR "Treat warnings in our code as errors" ON)
option(WARPLENS_UNITY "Compile several files in one go" ON)
option(WARPLENS_PRECOMPILE "Precompile the headers of the lane loops" ON)
set(WARPLENS_WIDE_ISAS "avx2;avx512" CACHE STRING
    "Instruction sets beside the baseline on x86-64, fewer build faster; runnable: those of this machine; native: the widest of them, alone")
set(WARPLENS_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

# The pinned versions, in one place; tools/setup reads them too.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/versions.env)
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/versions.env pins REGEX "^[a-z0-9_]+=")
foreach(pin IN LISTS pins)
  string(REGEX MATCH "^([a-z0-9_]+)=(.*)$" _ "${pin}")
  set(pin_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()

# AUTO means: the path that tools/setup wrote to the cache, looked up again at each configuration for the build
# itself, and again when the program runs (core/system/places.h). An empty value means: do without. NAME_TOLD: a value
# was given; only then is it compiled into the program.
function(warplens_path name default help)
  set(${name} AUTO CACHE STRING "${help}")
  set(${name}_TOLD true PARENT_SCOPE)
  list(JOIN ${name} ":" given)
  set(${name}_GIVEN "${given}" PARENT_SCOPE)
  if(${name} STREQUAL "AUTO")
    set(${name}_TOLD false PARENT_SCOPE)
    set(${name}_GIVEN "" PARENT_SCOPE)
    if(EXISTS "${default}")
      set(${name} "${default}" PARENT_SCOPE)
    else()
      set(${name} "" PARENT_SCOPE)
    endif()
  endif()
endfunction()

set(cuda_cache "${warplens_cache}/cuda-${pin_cuda}")
warplens_path(WARPLENS_NVRTC "${cuda_cache}/lib/libnvrtc.so.12" "NVRTC library, 12.x")
warplens_path(WARPLENS_PTXAS "${warplens_cache}/ptxas-${pin_ptxas13}/bin/ptxas" "CUDA's assembler for sm_75 and later, 13.x")
warplens_path(WARPLENS_PTXAS12 "${warplens_cache}/ptxas-${pin_cuda}/bin/ptxas" "CUDA's assembler for older devices, 12.x")
warplens_path(WARPLENS_CUDA_INCLUDE_DIRS "${cuda_cache}/include" "CUDA header folders, separated by ;")
warplens_path(WARPLENS_LIBRARY_HEADERS "${warplens_cache}/library-headers-${pin_library_headers}/include"
              "Headers of cuBLAS, cuFFT, cuRAND, cuSOLVER and cuSPARSE: which functions programs find in these libraries")
warplens_path(WARPLENS_PHOTOS_DIR "${warplens_cache}/photos-${pin_photos}" "Folder of the sample photographs")
if(WARPLENS_WINDOW)
  warplens_path(WARPLENS_IMGUI_DIR "${warplens_cache}/imgui-${pin_imgui_bundle}/current"
                "Installed ImGui libraries (has lib/cmake/warplens_imgui)")
endif()
