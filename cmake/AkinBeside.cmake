# The libraries beside libakin: a library of its own, static and shared as libakin is, with a header of its name.
set(akin_libraries_beside papers generate)

# akin_add_beside(NAME SOURCE... [CUDA OBJECT...]): libakin_NAME, of sources that see the headers of src/. Targets are
# akin::NAME_static, akin::NAME_shared and akin::akin_NAME, which is the shared one if there is one.
function(akin_add_beside name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CUDA")
    add_library(akin_${name}_objects OBJECT ${arg_UNPARSED_ARGUMENTS})
    set_target_properties(akin_${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(akin_${name}_objects PRIVATE ${akin_own_headers})
    target_link_libraries(akin_${name}_objects PRIVATE PkgConfig::akin_dependencies Threads::Threads)

    add_library(akin_${name}_static STATIC $<TARGET_OBJECTS:akin_${name}_objects> ${arg_CUDA})
    set_target_properties(akin_${name}_static PROPERTIES EXCLUDE_FROM_ALL $<NOT:$<BOOL:${AKIN_BUILD_STATIC}>>)
    set(kinds static)

    if(AKIN_BUILD_SHARED)
        add_library(akin_${name}_shared SHARED $<TARGET_OBJECTS:akin_${name}_objects> ${arg_CUDA})
        # It is installed beside the library.
        set_target_properties(akin_${name}_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0
                                                             INSTALL_RPATH $ORIGIN)
        list(APPEND kinds shared)
    endif()

    foreach(kind IN LISTS kinds)
        set_target_properties(akin_${name}_${kind} PROPERTIES OUTPUT_NAME akin_${name} LINKER_LANGUAGE C
                                                              EXPORT_NAME ${name}_${kind})
        target_link_libraries(akin_${name}_${kind} PUBLIC akin_${kind})
        add_library(akin::${name}_${kind} ALIAS akin_${name}_${kind})
    endforeach()

    if(AKIN_BUILD_SHARED)
        add_library(akin::akin_${name} ALIAS akin_${name}_shared)
    else()
        add_library(akin::akin_${name} ALIAS akin_${name}_static)
    endif()
endfunction()
