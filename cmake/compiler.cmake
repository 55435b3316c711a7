# How our own code is compiled. Third-party targets are SYSTEM and see none of the warnings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# On the web it would only be slower, since a page loads no libraries.
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# A library's files can be compiled before the libraries that it links to are built.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ccache_program ccache)
  mark_as_advanced(ccache_program)
  if(ccache_program)
    # Paths relative to the checkout, so that a second clone reuses what the first one compiled. A precompiled header
    # is identified by the headers in it and not by their times.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ccache_program})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(warplens_flags INTERFACE)
target_compile_options(warplens_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual)
if(NOT WARPLENS_UNITY)
  target_compile_options(warplens_flags INTERFACE -Wshadow)  # files compiled together see each other's local names
endif()
if(WARPLENS_WERROR)
  target_compile_options(warplens_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)  # ccache's condition for precompiled headers
  if(WARPLENS_UNITY)
    # g++ collects unused memory again and again, a tenth of its time. Without it, a file takes 1.5 GB instead of 1.2
    # GB.
    add_compile_options(--param=ggc-min-heapsize=524288)
  endif()
  # False reports of g++ 12: overlapping copies inside std::string (GCC bug 105651), and the inactive members of a
  # std::variant in optimised and instrumented builds.
  target_compile_options(warplens_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Vectorising the lane loops affects only speed; instrumented loops are not vectorised.
  target_compile_options(warplens_flags INTERFACE -Wno-pass-failed)
endif()
target_include_directories(warplens_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# The same bits on every machine: no fused multiply-add unless the source uses one. And registers are read as the type
# that the instruction names, whatever type was written.
target_compile_options(warplens_flags INTERFACE -ffp-contract=off -fno-strict-aliasing)

# Up to forty files of a library are compiled at once, since most of the compile time of a single file is spent on headers and
# templates that its neighbours use too. The preset dev compiles every file separately, so each file includes what it uses.
set(CMAKE_UNITY_BUILD ${WARPLENS_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)
# The name of a namespace for what has the same name in two files that are compiled together.
if(WARPLENS_UNITY)
  set(CMAKE_UNITY_BUILD_UNIQUE_ID THIS_FILE)
else()
  add_compile_definitions(THIS_FILE=this_file)
endif()

# warplens_quick(TARGET): for code whose speed does not matter, such as commands, forms and file readers. g++ builds it with -Og in
# half the time that -O2 takes. In a web page, most bytes are such code.
function(warplens_quick target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Oz)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

# warplens_single_functions(TARGET): a linker can leave out single functions of it: libraries for programs need few of them.
function(warplens_single_functions target)
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
endfunction()

# Headers that all files of a target include, parsed once: warplens_precompile(TARGET KIND HEADERS… OPTIONS…). Targets
# of the same kind are compiled with the same options and share one precompiled header.
function(warplens_precompile target kind)
  cmake_parse_arguments(PARSE_ARGV 2 of "" "" "HEADERS;OPTIONS")
  if(NOT WARPLENS_PRECOMPILE)
    return()
  endif()
  set(precompiled warplens_precompiled_${kind})
  if(NOT TARGET ${precompiled})
    file(WRITE ${CMAKE_BINARY_DIR}/generated/precompiled.cpp "")
    add_library(${precompiled} OBJECT ${CMAKE_BINARY_DIR}/generated/precompiled.cpp)
    target_compile_options(${precompiled} PRIVATE ${of_OPTIONS})
    target_link_libraries(${precompiled} PRIVATE warplens_flags fmt::fmt)
    target_precompile_headers(${precompiled} PRIVATE ${of_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()

if(WARPLENS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(WARPLENS_SANITIZE)
  add_compile_options(-fsanitize=${WARPLENS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${WARPLENS_SANITIZE})
endif()

# A debug build has half a gigabyte, and most of the time of a rebuild is linking. lld takes a quarter of the time of
# GNU ld.
find_program(WARPLENS_LLD NAMES ld.lld)
mark_as_advanced(WARPLENS_LLD)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND WARPLENS_LLD AND UNIX)
  target_link_options(warplens_flags INTERFACE -fuse-ld=lld)
endif()
