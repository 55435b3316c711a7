# cmake --install build/release --prefix FOLDER: a tree that runs from any folder.
#   --component program   the program and its licence; the system brings the libraries
#   --component bundle    the libraries that a system may not have, with their licences (tools/package)
# An RPATH and no RUNPATH: bundled libraries find each other there too.
set_target_properties(warplens PROPERTIES INSTALL_RPATH "\$ORIGIN/../${bundle_folder}")
target_link_options(warplens PRIVATE -Wl,--disable-new-dtags)

install(TARGETS warplens RUNTIME DESTINATION bin COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/warplens COMPONENT program)
# What a desktop shows in its menu, and the files that it opens with the program.
set(desktop ${CMAKE_CURRENT_LIST_DIR}/desktop)
configure_file(${desktop}/warplens.desktop.in ${CMAKE_BINARY_DIR}/generated/warplens.desktop @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/warplens.desktop DESTINATION share/applications COMPONENT program)
install(FILES ${desktop}/warplens.xml DESTINATION share/mime/packages COMPONENT program)
install(FILES ${desktop}/warplens.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
# Completions and the manual page are printed by the program itself.
install(CODE "
  foreach(described bash:share/bash-completion/completions/warplens zsh:share/zsh/site-functions/_warplens
                    fish:share/fish/vendor_completions.d/warplens.fish man:share/man/man1/warplens.1)
    string(REPLACE : \";\" described \${described})
    list(GET described 0 for)
    list(GET described 1 to)
    set(to \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${to})
    get_filename_component(folder \${to} DIRECTORY)
    file(MAKE_DIRECTORY \${folder})
    execute_process(COMMAND $<TARGET_FILE:warplens> describe \${for} OUTPUT_FILE \${to} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()" COMPONENT program)
# fontconfig needs libexpat. Debian 12's needs a newer C library than all else in the packages.
find_library(expat_static libexpat.a)
if(expat_static)
  add_library(warplens_expat SHARED EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/arc4random_buf.c)
  set_target_properties(warplens_expat PROPERTIES OUTPUT_NAME expat SUFFIX .so.1 NO_SONAME ON SKIP_BUILD_RPATH ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bundle)
  target_link_options(warplens_expat PRIVATE -Wl,-soname,libexpat.so.1 -Wl,-z,defs
    -Wl,--whole-archive ${expat_static} -Wl,--no-whole-archive)
endif()
install(CODE "set(of_our_own ${CMAKE_BINARY_DIR}/bundle)" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(bundle_folder ${bundle_folder})" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(licence_folders \"${WARPLENS_IMGUI_DIR}/licences\")" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(imgui_bundle ${pin_imgui_bundle})" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(linked_packages $<$<BOOL:${WARPLENS_HAS_TIER}>:libasmjit-dev> $<$<BOOL:${zstd_static}>:libzstd-dev>
  $<$<BOOL:${lz4_static}>:liblz4-dev>)" COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/bundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
