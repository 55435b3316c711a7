# cmake --install build/release --prefix FOLDER: a tree that runs from any folder.
#   --component program   the program and its licence; the system brings the libraries
#   --component bundle    the libraries that a system may not have, with their licences (tools/package)
# An RPATH and no RUNPATH: bundled libraries find each other there too.
set_target_properties(warplens PROPERTIES INSTALL_RPATH "\$ORIGIN/../${bundle_folder}")
target_link_options(warplens PRIVATE -Wl,--disable-new-dtags)

install(TARGETS warplens RUNTIME DESTINATION bin COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/warplens COMPONENT program)
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
install(CODE "set(bundle_folder ${bundle_folder})" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(licence_folders \"${WARPLENS_IMGUI_DIR}/licences\")" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(linked_packages $<$<BOOL:${WARPLENS_HAS_TIER}>:libasmjit-dev>)" COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/bundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
