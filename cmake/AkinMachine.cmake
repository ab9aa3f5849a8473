# What akin asks of a machine, and which sources are for its architecture.

if(NOT CMAKE_C_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
    message(FATAL_ERROR "akin needs a little-endian machine, and ${CMAKE_SYSTEM_PROCESSOR} is not: its files and "
                        "signatures are little-endian")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
    message(FATAL_ERROR "akin needs a machine with addresses of 64 bits, and those of ${CMAKE_SYSTEM_PROCESSOR} have "
                        "${bits}")
endif()

# The SIMD levels whose files are compiled, NAME_LEVEL.c: those of src/base/cpu.h.
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
if(processor MATCHES "^(x86_64|amd64)$")
    set(akin_levels avx2 avx512)
elseif(processor MATCHES "^(aarch64|arm64)$")
    set(akin_levels neon)
else()
    set(akin_levels)
endif()

# akin_keep_levels(LIST): without the files of levels that this architecture lacks.
function(akin_keep_levels list)
    set(files ${${list}})
    foreach(level IN ITEMS avx2 avx512 neon)
        if(NOT level IN_LIST akin_levels)
            list(FILTER files EXCLUDE REGEX "_${level}\\.c$")
        endif()
    endforeach()
    set(${list} ${files} PARENT_SCOPE)
endfunction()
