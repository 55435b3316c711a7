find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
# Stands beside the GPU's libraries; without it that row says so.
find_package(Eigen3 3.3 QUIET NO_MODULE)
# Encodes what the virtual GPU compiles for this processor (core/gpu/exec/tier); without it all runs by handlers. As an
# archive by name: the package of Debian 12 has a CMake file that names a folder which it does not bring.
set(WARPLENS_HAS_TIER 0)
if(WARPLENS_TIER AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_library(asmjit_static NAMES libasmjit.a)
  find_path(asmjit_include asmjit/x86.h)
  if(asmjit_static AND asmjit_include)
    set(WARPLENS_HAS_TIER 1)
  endif()
endif()
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(fontconfig REQUIRED IMPORTED_TARGET fontconfig)

if(WARPLENS_WINDOW)
  include(imgui)
endif()
