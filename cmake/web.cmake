# What the program needs in a web page in addition to its own sources (tools/web).
target_sources(warplens PRIVATE ${CMAKE_SOURCE_DIR}/cmake/web_main.c)
set_property(TARGET warplens APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_LIST_FILE})
# Code that is as quick as need be, with fewer bytes. The code that runs kernels is not part of it.
target_compile_options(warplens_views PRIVATE -Oz)
foreach(target app_base base image kernels ptx streams)
  target_compile_options(warplens_${target} PRIVATE -Os)
endforeach()

warplens_glob(scripts app/host/web/*.js)
list(FILTER scripts EXCLUDE REGEX "/page/")
foreach(script IN LISTS scripts)
  set_property(TARGET warplens APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/${script})
  target_link_options(warplens PRIVATE "SHELL:--js-library ${CMAKE_SOURCE_DIR}/${script}")
endforeach()
set(environment web,node)
if(WARPLENS_WEB_THREADS)
  string(APPEND environment ,worker)
endif()
target_link_options(warplens PRIVATE -lidbfs.js
  -O2 -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sWASM_BIGINT=1 -sALLOW_MEMORY_GROWTH=1
  -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648 -sTOTAL_STACK=8388608 -sINVOKE_RUN=0 -sFORCE_FILESYSTEM=1
  -sMODULARIZE=1 -sEXPORT_NAME=makeWarpLens -sENVIRONMENT=${environment} -sEXPORTED_RUNTIME_METHODS=FS,callMain)
# page.js creates the pool of workers when it knows the machine; a thread without a free worker cannot start.
if(WARPLENS_WEB_THREADS)
  target_link_options(warplens PRIVATE -sPTHREAD_POOL_SIZE=Module["workers"] -sPTHREAD_POOL_SIZE_STRICT=2)
endif()
