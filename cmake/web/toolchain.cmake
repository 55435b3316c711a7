# Builds for a web page: Emscripten's driver, C library and JavaScript, with the compiler, the linker and the C++
# library of a newer LLVM. WARPLENS_WEB_TOOLS is the folder that tools/setup_web.sh creates from them.
set(WARPLENS_WEB_TOOLS "" CACHE PATH "What tools/setup web makes")
option(WARPLENS_WEB_THREADS "With threads, for pages that are isolated from others" OFF)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WARPLENS_WEB_TOOLS WARPLENS_WEB_THREADS)
set(warplens_web_libraries ${WARPLENS_WEB_TOOLS}/libraries)
if(WARPLENS_WEB_THREADS)
  string(APPEND warplens_web_libraries -threads)
endif()
set(CMAKE_C_COMPILER ${WARPLENS_WEB_TOOLS}/bin/emcc)
set(CMAKE_CXX_COMPILER ${WARPLENS_WEB_TOOLS}/bin/em++)
set(CMAKE_AR ${WARPLENS_WEB_TOOLS}/bin/llvm-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${WARPLENS_WEB_TOOLS}/bin/llvm-ranlib CACHE FILEPATH "")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
list(APPEND CMAKE_FIND_ROOT_PATH ${warplens_web_libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${warplens_web_libraries}/lib/pkgconfig)

# No newer feature of WebAssembly: Emscripten's steps after the linker (binaryen 108) could not read it.
string(JOIN " " CMAKE_C_FLAGS_INIT -mcpu=mvp -mmutable-globals -msign-ext -mnontrapping-fptoint -mbulk-memory -msimd128
  -mexception-handling -fwasm-exceptions -sSUPPORT_LONGJMP=0)
if(WARPLENS_WEB_THREADS)
  string(APPEND CMAKE_C_FLAGS_INIT " -matomics -pthread")
endif()
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -include ${WARPLENS_WEB_TOOLS}/libcxx_site.h")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--no-stack-first")
