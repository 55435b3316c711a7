# How our own code is compiled. Third-party targets are SYSTEM and see none of the warnings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# On the web it would only be slower: nothing is loaded there.
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# A library's files need not wait until those that it links to are built.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ccache_program ccache)
  mark_as_advanced(ccache_program)
  if(ccache_program)
    # Paths relative to the checkout, so that a second clone finds what the first one compiled. A precompiled header is
    # known by the headers in it and not by their times.
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
    # g++ looks for memory that it no longer needs again and again: a tenth of its time. A file takes 1.5 GB in place of 1.2.
    add_compile_options(--param=ggc-min-heapsize=524288)
  endif()
  # False reports of g++ 12: overlapping copies inside std::string (GCC bug 105651), and the inactive members of a
  # std::variant in optimised and instrumented builds.
  target_compile_options(warplens_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Whether the lanes' loops become vector instructions is a matter of speed; instrumented ones do not.
  target_compile_options(warplens_flags INTERFACE -Wno-pass-failed)
endif()
target_include_directories(warplens_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# The same bits on every machine: no fused multiply-add that the source does not ask for. And registers are read as
# the type that the instruction names, whatever type wrote them.
target_compile_options(warplens_flags INTERFACE -ffp-contract=off -fno-strict-aliasing)

# Forty files are compiled in one go: most of the time of a file alone goes into the headers and templates that its
# neighbours use too. What is local to a file (in an anonymous namespace) therefore needs a name of its own among its
# neighbours. The preset dev compiles every file alone: a file includes what it uses.
set(CMAKE_UNITY_BUILD ${WARPLENS_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)

# warplens_quick(TARGET): code that nobody waits for, such as commands, forms and readers of files. With -O1 it is built in
# four fifths of the time.
function(warplens_quick target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Headers that all files of a target include, parsed once: warplens_precompile(TARGET KIND HEADERS… OPTIONS…). Targets of
# the same kind are compiled with the same options and share one precompiled header.
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

# A debug build is half a gigabyte: linking it is what a changed file waits for. lld takes a quarter of the time of GNU ld.
find_program(WARPLENS_LLD NAMES ld.lld)
mark_as_advanced(WARPLENS_LLD)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND WARPLENS_LLD AND UNIX)
  target_link_options(warplens_flags INTERFACE -fuse-ld=lld)
endif()
