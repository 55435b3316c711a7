# How our own code is compiled. Third-party targets are SYSTEM and see none of the warnings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ccache_program ccache)
  mark_as_advanced(ccache_program)
  if(ccache_program)
    # Paths relative to the checkout, so that a second clone finds what the first one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ccache_program})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(warplens_flags INTERFACE)
target_compile_options(warplens_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual)
if(WARPLENS_WERROR)
  target_compile_options(warplens_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False reports of g++ 12: overlapping copies inside std::string (GCC bug 105651), and the inactive members of a
  # std::variant in optimised and instrumented builds.
  target_compile_options(warplens_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Whether the lanes' loops become vector instructions is a matter of speed; instrumented ones do not.
  target_compile_options(warplens_flags INTERFACE -Wno-pass-failed)
endif()
target_include_directories(warplens_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)

if(WARPLENS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(WARPLENS_SANITIZE)
  add_compile_options(-fsanitize=${WARPLENS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${WARPLENS_SANITIZE})
endif()
