# Kernels are compiled to PTX at build time, if NVRTC was found. Otherwise the checked-in PTX of tests/data/golden/ptx
# is used, so that neither CUDA nor its headers are needed. Sanitizer builds use it too, because they would report
# NVRTC's own leaks.
set(can_compile OFF)
if(WARPLENS_NVRTC AND WARPLENS_CUDA_INCLUDE_DIRS AND EXISTS ${CMAKE_SOURCE_DIR}/cmake/kernel_compiler.cpp
   AND NOT WARPLENS_SANITIZE AND NOT WARPLENS_FUZZ)
  set(can_compile ON)
  add_executable(kernel_compiler ${CMAKE_SOURCE_DIR}/cmake/kernel_compiler.cpp)
  target_link_libraries(kernel_compiler PRIVATE warplens_compile warplens_flags)
endif()

set(embedded "")
warplens_glob(kernels cuda/kernels/*.cu)
foreach(kernel IN LISTS kernels)
  get_filename_component(name ${kernel} NAME_WE)
  set(source ${CMAKE_SOURCE_DIR}/${kernel})
  set(golden ${CMAKE_SOURCE_DIR}/tests/data/golden/ptx/${name}.ptx)
  list(APPEND embedded "kernels/${name}.cu|${source}")
  if(can_compile)
    set(ptx ${CMAKE_BINARY_DIR}/kernels/${name}.ptx)
    add_custom_command(OUTPUT ${ptx}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/kernels
      COMMAND kernel_compiler ${WARPLENS_NVRTC} ${warplens_cuda_include_path} ${source} ${ptx}
      DEPENDS kernel_compiler ${source}
      COMMENT "Compiling ${kernel} to PTX" VERBATIM)
    list(APPEND embedded "kernels/${name}.ptx|${ptx}")
  elseif(EXISTS ${golden})
    list(APPEND embedded "kernels/${name}.ptx|${golden}")
  else()
    message(WARNING "${kernel}: neither NVRTC nor tests/data/golden/ptx/${name}.ptx, so it has no PTX in this build")
  endif()
endforeach()

warplens_glob(descriptions cuda/kernels/*.json)
foreach(description IN LISTS descriptions)
  get_filename_component(name ${description} NAME)
  list(APPEND embedded "kernels/${name}|${CMAKE_SOURCE_DIR}/${description}")
endforeach()

warplens_glob(assets assets/*)
list(REMOVE_ITEM assets assets/README.md)
# The words of other languages, as tables of gettext.
find_program(WARPLENS_MSGFMT msgfmt)
if(NOT WARPLENS_MSGFMT)
  message(FATAL_ERROR "The window's words in other languages need msgfmt: install gettext (tools/setup does).")
endif()
warplens_glob(languages assets/words/*.po)
list(REMOVE_ITEM assets ${languages})
foreach(language IN LISTS languages)
  get_filename_component(name ${language} NAME_WE)
  set(table ${CMAKE_BINARY_DIR}/words/${name}.mo)
  add_custom_command(OUTPUT ${table}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/words
    COMMAND ${WARPLENS_MSGFMT} --check --endianness=little --no-hash -o ${table} ${CMAKE_SOURCE_DIR}/${language}
    DEPENDS ${CMAKE_SOURCE_DIR}/${language}
    COMMENT "Compiling ${language}" VERBATIM)
  list(APPEND embedded "words/${name}.mo|${table}")
endforeach()
foreach(asset IN LISTS assets)
  string(REGEX REPLACE "^assets/" "" path ${asset})
  list(APPEND embedded "${path}|${CMAKE_SOURCE_DIR}/${asset}")
endforeach()
# docs/manual/1-first-steps.md in English, docs/manual/de/1-first-steps.md in German.
warplens_glob(manual docs/manual/*.md)
foreach(chapter IN LISTS manual)
  string(REGEX REPLACE "^docs/manual/" "" path ${chapter})
  if(path MATCHES "/")
    list(APPEND embedded "manuals/${path}|${CMAKE_SOURCE_DIR}/${chapter}")
  else()
    list(APPEND embedded "manual/${path}|${CMAKE_SOURCE_DIR}/${chapter}")
  endif()
endforeach()
# The micro-kernels of `warplens calibrate`: the program compiles them for the device that it measures.
warplens_glob(micro_kernels cuda/calibration/*.cu)
foreach(source IN LISTS micro_kernels)
  get_filename_component(name ${source} NAME)
  list(APPEND embedded "calibration/${name}|${CMAKE_SOURCE_DIR}/${source}")
endforeach()
# `warplens fetch` runs the same scripts as tools/setup.
list(APPEND embedded "fetch/fetch.py|${CMAKE_SOURCE_DIR}/tools/fetch/fetch.py"
                     "fetch/parts.json|${CMAKE_SOURCE_DIR}/tools/fetch/parts.json")
foreach(part cuda ptxas13 nvcc photos)
  list(APPEND embedded "fetch/${part}.txt|${CMAKE_SOURCE_DIR}/tools/requirements/${part}.txt")
endforeach()
# OpenGL shaders are embedded like any other asset.
warplens_glob(shaders shaders/*.frag shaders/*.vert)
foreach(shader IN LISTS shaders)
  list(APPEND embedded "${shader}|${CMAKE_SOURCE_DIR}/${shader}")
endforeach()

# The fonts are part of the program, with their licences. Their files come from the system's packages; none is in this
# repository.
set(WARPLENS_FONTS_DIR "" CACHE PATH "Folder with the fonts Inter and JetBrains Mono; empty for those of the system")
function(warplens_font name package)
  find_file(font NAMES ${name}.otf ${name}.ttf NO_CACHE NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH PATHS
    ${WARPLENS_FONTS_DIR} /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/inter /usr/share/fonts/inter
    /usr/share/fonts/rsms-inter-fonts /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/jetbrains-mono
    /usr/share/fonts/jetbrains-mono-fonts /usr/share/fonts/TTF)
  find_file(licence NAMES copyright OFL.txt LICENSE.txt LICENSE NO_CACHE NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH PATHS
    ${WARPLENS_FONTS_DIR} /usr/share/doc/${package} /usr/share/licenses/${package})
  if(font AND licence)
    list(APPEND embedded "fonts/${name}|${font}" "licences/${package}|${licence}")
    list(REMOVE_DUPLICATES embedded)
    set(embedded ${embedded} PARENT_SCOPE)
  elseif(WARPLENS_WINDOW)
    message(FATAL_ERROR "The window needs the font ${name} and its licence: install ${package} (tools/setup does), "
                        "or set WARPLENS_FONTS_DIR to a folder with both, or build without a window "
                        "(-DWARPLENS_WINDOW=OFF).")
  else()
    message(STATUS "${name} was not found: saved pictures take another font (${package} has it)")
  endif()
endfunction()
warplens_font(Inter-Regular fonts-inter)
warplens_font(Inter-SemiBold fonts-inter)
warplens_font(JetBrainsMono-Regular fonts-jetbrains-mono)

warplens_embed(warplens_assets ${embedded})
