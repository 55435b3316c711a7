# What a packager may choose. Paths default to the cache folder that tools/setup fills.
include(CTest)

if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(warplens_cache "$ENV{XDG_CACHE_HOME}/warplens")
else()
  set(warplens_cache "$ENV{HOME}/.cache/warplens")
endif()

option(WARPLENS_WINDOW "Build the window (needs OpenGL, GLFW and the ImGui libraries)" ON)
option(WARPLENS_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(WARPLENS_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(WARPLENS_WERROR "Treat warnings in our code as errors" ON)
set(WARPLENS_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

# The pins, in one place, tools/setup reads them too.
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/versions.env pins REGEX "^[a-z0-9_]+=")
foreach(pin IN LISTS pins)
  string(REGEX MATCH "^([a-z0-9_]+)=(.*)$" _ "${pin}")
  set(pin_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()

# A default counts only where it exists, so that "not set up" and "not there" look alike.
function(warplens_path name help)
  set(found "")
  foreach(path IN LISTS ARGN)
    file(GLOB matches "${path}")
    list(APPEND found ${matches})
  endforeach()
  set(${name} "${found}" CACHE STRING "${help}")
endfunction()

set(cuda_cache "${warplens_cache}/cuda-${pin_cuda}")
warplens_path(WARPLENS_NVRTC "NVRTC library, 12.x" "${cuda_cache}/lib/libnvrtc.so.12")
warplens_path(WARPLENS_NVJITLINK "nvJitLink library, 12.x" "${cuda_cache}/lib/libnvJitLink.so.12")
warplens_path(WARPLENS_NVJITLINK13 "nvJitLink library, 13.x, for PTX newer than 12.x knows"
              "${warplens_cache}/nvjitlink-${pin_nvjitlink13}/lib/libnvJitLink.so.13")
warplens_path(WARPLENS_CUDA_INCLUDE_DIRS "CUDA header directories, separated by ;" "${cuda_cache}/include")
warplens_path(WARPLENS_PHOTOS_DIR "Folder of the sample photographs" "${warplens_cache}/photos-${pin_photos}")
