find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
# Stands beside the GPU's libraries; without it that row says so.
find_package(Eigen3 3.3 QUIET NO_MODULE)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(fontconfig REQUIRED IMPORTED_TARGET fontconfig)

if(WARPLENS_WINDOW)
  include(imgui)
endif()
