# warplens_core and its parts, which do not depend on a window, on OpenGL or on CUDA headers.
list(JOIN WARPLENS_CUDA_INCLUDE_DIRS ":" warplens_cuda_include_path)
configure_file(${CMAKE_SOURCE_DIR}/cmake/warplens_config.h.in ${CMAKE_BINARY_DIR}/generated/warplens_config.h)

# The operating system: one implementation per folder. No other file calls the system (tests/tools/system_test.py).
add_library(warplens_system STATIC ${system_sources})
warplens_quick(warplens_system)
target_link_libraries(warplens_system PUBLIC fmt::fmt Threads::Threads ${CMAKE_DL_LIBS} PRIVATE warplens_flags)
target_include_directories(warplens_system PUBLIC ${CMAKE_SOURCE_DIR})
target_compile_options(warplens_system PRIVATE -ffunction-sections -fdata-sections)

# Only the compilers of core, for the tool that compiles the built-in kernels: they do not change when the rest does.
add_library(warplens_compile STATIC ${compile_sources})
warplens_quick(warplens_compile)
# This file uses embedded files, which the kernels' compiler does not have, so it is an object that is linked only
# where needed.
set_source_files_properties(core/compile/fetch.cpp core/compile/fetcher.cpp core/compile/choice.cpp core/compile/clang.cpp
  core/compile/clang_headers.cpp core/compile/kernel_headers.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_link_libraries(warplens_compile
  PUBLIC warplens_system nlohmann_json::nlohmann_json PRIVATE warplens_flags)
target_include_directories(warplens_compile PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# A linker can leave out single functions: the relay to a real GPU's driver needs few of them.
target_compile_options(warplens_compile PRIVATE -ffunction-sections -fdata-sections)

# Only the code that reads PTX and writes recordings: the relay for a real GPU's driver (cmake/driver.cmake) needs
# little more.
add_library(warplens_text STATIC ${text_sources})
warplens_quick(warplens_text)
target_link_libraries(warplens_text PUBLIC warplens_compile PRIVATE warplens_flags)
target_compile_options(warplens_text PRIVATE -ffunction-sections -fdata-sections)

# Only the code that runs PTX and models its time: the driver needs no more, and none of the other libraries. All IR
# targets except these need the encoder, and no other code sees its headers.
list(APPEND engine_sources core/gpu/exec/jit/target/x64/executable_pages.cpp)
list(REMOVE_ITEM tier_sources core/gpu/exec/jit/target/x64/executable_pages.cpp)
if(WARPLENS_HAS_TIER)
  list(REMOVE_ITEM engine_sources core/gpu/exec/jit/compile_none.cpp)
  add_library(warplens_tier OBJECT ${tier_sources})
  target_link_libraries(warplens_tier PRIVATE warplens_flags fmt::fmt nlohmann_json::nlohmann_json)
  target_compile_definitions(warplens_tier PRIVATE ASMJIT_STATIC)
  # A folder that the compiler searches by default keeps its place in the search order.
  if(NOT asmjit_include IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    target_include_directories(warplens_tier SYSTEM PRIVATE ${asmjit_include})
  endif()
endif()
list(SORT engine_sources)
add_library(warplens_engine STATIC ${engine_sources} $<$<BOOL:${WARPLENS_HAS_TIER}>:$<TARGET_OBJECTS:warplens_tier>>)
# The layout of variables: the relay for a real GPU's driver needs only this object.
set_source_files_properties(core/program/layout.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Targets that link this library need the embedded files, but compiling the library itself does not wait for them.
target_link_libraries(warplens_engine PUBLIC warplens_text INTERFACE warplens_assets PRIVATE warplens_flags)
if(WARPLENS_HAS_TIER)
  target_link_libraries(warplens_engine PRIVATE ${asmjit_static})
endif()
# A library of its own, so that the units of the others are the same with and without Eigen.
set_source_files_properties(core/job/cpu_library_none.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
if(TARGET Eigen3::Eigen)
  list(REMOVE_ITEM core_sources core/job/cpu_library_none.cpp)
  # A library of its own, always optimised: unoptimised templates would say nothing of a CPU. No other file sees the
  # headers.
  get_target_property(eigen_folder Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set_source_files_properties(core/job/cpu_library_eigen.cpp PROPERTIES
    COMPILE_OPTIONS "-O2;-isystem${eigen_folder}")
else()
  list(REMOVE_ITEM core_sources core/job/cpu_library_eigen.cpp)
endif()
# Code that reads and writes files, reports and lessons, around the rest.
add_library(warplens_course STATIC ${course_sources})
warplens_quick(warplens_course)
add_library(warplens_core STATIC ${core_sources})
target_link_libraries(warplens_core PUBLIC warplens_engine warplens_course PRIVATE PkgConfig::muparser warplens_flags)
target_link_libraries(warplens_course PUBLIC warplens_core PRIVATE warplens_flags)

# stb_image relies on integers that wrap and on empty copies from null pointers. Both are harmless with the options of
# a build, but undefined by the standard. Its memory accesses are still checked.
set_source_files_properties(core/image/decode.cpp PROPERTIES COMPILE_OPTIONS "-fwrapv;-fno-sanitize=undefined")

# The lane loops, once per instruction set. The sources raise the target by a pragma after their includes, so that
# inline functions of the standard library stay baseline code.
set(isas baseline) # also the set that is used where no other fits
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  if(WARPLENS_WIDE_ISAS MATCHES "^(native|runnable)$")
    file(STRINGS /proc/cpuinfo features REGEX "^flags" LIMIT_COUNT 1)
    if(features MATCHES " avx2 ")
      list(APPEND isas avx2)
    endif()
    if(features MATCHES " avx512bw " AND features MATCHES " avx512vl( |$)")
      list(APPEND isas avx512)
    endif()
    if(WARPLENS_WIDE_ISAS STREQUAL "native")
      list(GET isas -1 isas)
    endif()
  else()
    list(APPEND isas ${WARPLENS_WIDE_ISAS})
  endif()
endif()
set(ops_options $<IF:$<CONFIG:Debug>,-O2,-O3> -fno-math-errno -fno-trapping-math)
set(ops_headers <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstring> <iterator> <limits> <memory> <span>
  <string> <string_view> <tuple> <type_traits> <utility> <vector>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND ops_headers <immintrin.h>)
endif()
if(ops_sources)
  foreach(isa IN LISTS isas)
    list(APPEND ops_of_this_build WARPLENS_OPS_${isa})
    add_library(warplens_ops_${isa} OBJECT ${ops_sources})
    target_compile_definitions(warplens_ops_${isa} PRIVATE WARPLENS_ISA=${isa})
    target_compile_options(warplens_ops_${isa} PRIVATE ${ops_options})
    target_link_libraries(warplens_ops_${isa} PRIVATE warplens_flags fmt::fmt nlohmann_json::nlohmann_json)
    set_target_properties(warplens_ops_${isa} PROPERTIES UNITY_BUILD OFF)  # families have functors with the same names
    warplens_precompile(warplens_ops_${isa} ops OPTIONS ${ops_options} HEADERS ${ops_headers})
    target_sources(warplens_engine PRIVATE $<TARGET_OBJECTS:warplens_ops_${isa}>)
  endforeach()
  # Defined only for this file, so that a change of the sets compiles no other file again.
  set_source_files_properties(core/gpu/exec/isa/dispatch.cpp PROPERTIES COMPILE_DEFINITIONS "${ops_of_this_build}")
endif()
