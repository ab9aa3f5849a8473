# akin_export_symbols(TARGET HEADER): which symbols a shared library of AKIN_API functions exports. The functions of the
# header have a version node of their own. All other names of the library are there for the libraries beside it, as
# AKIN_PRIVATE: they change from version to version, as do those that glibc calls GLIBC_PRIVATE.
#
# So the library is compiled with protected visibility: its own calls stay direct, as hidden visibility makes them.
function(akin_export_symbols target header)
    file(READ ${header} text)
    string(REGEX MATCHALL "AKIN_API [^;(]*(akin_[a-z0-9_]+)\\(" declared "${text}")
    list(TRANSFORM declared REPLACE "^.*[ *](akin_[a-z0-9_]+)\\($" "\\1")
    list(JOIN declared ";\n        " declared)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(CONFIGURE OUTPUT ${script} @ONLY CONTENT "AKIN_${PROJECT_VERSION_MAJOR} {
    global:
        @declared@;
};
AKIN_PRIVATE {
    global: akin_*;
    local: *;
};
")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
    target_link_options(${target} PRIVATE -Wl,--version-script=${script})
endfunction()
