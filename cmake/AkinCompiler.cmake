# How every file of akin is compiled: the language, the warnings, the sanitizers.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The same floating-point results on every machine: no fused multiply-add unless the source says so.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>)

set(akin_warnings -Wall -Wextra -Wconversion -Wpedantic -Wstrict-prototypes -Wmissing-prototypes)
if(AKIN_WERROR)
    list(APPEND akin_warnings -Werror)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C>:${akin_warnings}>")

# The reports of sanitizers name functions and lines: -g1 holds them, and compiles faster than -g.
if(AKIN_SANITIZE)
    add_compile_options(-fsanitize=${AKIN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=${AKIN_SANITIZE})
endif()

# The library is instrumented for the fuzzer; only the fuzzers themselves are linked with its main.
if(AKIN_BUILD_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "AKIN_BUILD_FUZZ needs clang, the compiler is ${CMAKE_C_COMPILER}: use the preset 'fuzz'")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
