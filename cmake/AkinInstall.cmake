# What `cmake --install` puts where: headers, libraries, command with manual pages and completions, documents, and the
# package descriptions.

include(CMakePackageConfigHelpers)

# akin_install_pages(MAN DATA [ARGUMENT...]): the manual pages, and the completions where the shells look for them.
function(akin_install_pages man data)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man1 DESTINATION ${man} ${ARGN})
    install(FILES ${PROJECT_BINARY_DIR}/akin.bash DESTINATION ${data}/bash-completion/completions RENAME akin ${ARGN})
    install(FILES ${PROJECT_BINARY_DIR}/akin.zsh DESTINATION ${data}/zsh/site-functions RENAME _akin ${ARGN})
    install(FILES ${PROJECT_BINARY_DIR}/akin.fish DESTINATION ${data}/fish/vendor_completions.d ${ARGN})
endfunction()

set(headers include/akin.h)
foreach(name IN LISTS akin_libraries_beside)
    list(APPEND headers include/akin_${name}.h)
endforeach()
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md"
        PATTERN "*.svg" PATTERN "*.png" PATTERN site EXCLUDE)
if(AKIN_BUILD_CLI)
    install(TARGETS akin_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    akin_install_pages(${CMAKE_INSTALL_MANDIR} ${CMAKE_INSTALL_DATADIR})
endif()
# In a wheel, pip makes the command, and puts its pages where man and the shells look for them.
if(SKBUILD AND AKIN_BUILD_CLI)
    akin_install_pages(${SKBUILD_DATA_DIR}/share/man ${SKBUILD_DATA_DIR}/share COMPONENT python EXCLUDE_FROM_ALL)
endif()
# A wheel with libraries inside has their licences, and the list of them.
if(SKBUILD AND AKIN_WHEEL_METADATA)
    install(DIRECTORY ${AKIN_WHEEL_METADATA}/ DESTINATION ${SKBUILD_METADATA_DIR} COMPONENT python EXCLUDE_FROM_ALL)
endif()

# One export for each kind of library: a program that wants the shared one needs none of the packages of the static one.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/akin)
foreach(kind IN ITEMS shared static)
    string(TOUPPER ${kind} upper)
    if(AKIN_BUILD_${upper})
        set(targets akin_${kind})
        foreach(name IN LISTS akin_libraries_beside)
            list(APPEND targets akin_${name}_${kind})
        endforeach()
        install(TARGETS ${targets} EXPORT akin-${kind}
                LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
        install(EXPORT akin-${kind} NAMESPACE akin:: FILE akin-${kind}.cmake DESTINATION ${package_dir})
    endif()
endforeach()

configure_package_config_file(cmake/akin-config.cmake.in akin-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(akin-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/akin-config.cmake ${PROJECT_BINARY_DIR}/akin-config-version.cmake
        DESTINATION ${package_dir})

# akin.pc finds its prefix from its own place, so that an installed tree can be moved. It names the libraries that akin
# needs, not their packages: pkg-config would add the compiler flags of these (such as -DUTF8PROC_EXPORTS), and would
# fail where their development files are missing. Programs need these libraries with the static library only.
set(pc_private_libs ${akin_dependencies_STATIC_LDFLAGS})
foreach(directory IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES) # the linker looks there by itself
    list(REMOVE_ITEM pc_private_libs -L${directory})
endforeach()
list(JOIN pc_private_libs " " pc_private_libs)
set(pc_private_libs " ${pc_private_libs} -lstemmer -lm -pthread")
set(pc_libs "")
set(pc_rpath "")
if(NOT AKIN_BUILD_SHARED)
    set(pc_libs "${pc_private_libs}")
elseif(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr") # the loader looks there by itself
    set(pc_rpath " -Wl,-rpath,\${libdir}")
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE pc_prefix)
cmake_path(APPEND pc_libdir "\${prefix}" ${CMAKE_INSTALL_LIBDIR}) # stays as it is where it is absolute
cmake_path(APPEND pc_includedir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/akin.pc.in akin.pc @ONLY)
set(pc_files ${PROJECT_BINARY_DIR}/akin.pc)
set(pc_papers "The algorithms of the papers, for akin")
set(pc_generate "Generators of records and documents, for akin")
foreach(name IN LISTS akin_libraries_beside)
    set(pc_description "${pc_${name}}")
    configure_file(cmake/akin-beside.pc.in akin-${name}.pc @ONLY)
    list(APPEND pc_files ${PROJECT_BINARY_DIR}/akin-${name}.pc)
endforeach()
install(FILES ${pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
