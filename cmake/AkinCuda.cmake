# Whether akin is built with CUDA, by which compiler, and for which GPUs. Sets AKIN_WITH_CUDA.
#
# nvcc is taken from CMAKE_CUDA_COMPILER, the environment's CUDACXX, PATH, or /usr/local/cuda, whichever is first.

set(AKIN_CUDA OFF CACHE STRING "Build with CUDA: ON, OFF, or AUTO: where nvcc is found")
set(AKIN_CUDA_ARCHITECTURES "80;90a-real" CACHE STRING
    "GPUs to build for, as CMAKE_CUDA_ARCHITECTURES: 80 is machine code and PTX, 90a-real machine code alone")
set_property(CACHE AKIN_CUDA PROPERTY STRINGS OFF ON AUTO)
set(AKIN_WITH_CUDA OFF)
set(cuda_least 13.0) # the oldest that was tried: CUB grows new functions

# Leaves out CUDA, saying why, or fails where it was asked for.
macro(akin_without_cuda why)
    if(AKIN_CUDA STREQUAL "AUTO")
        message(STATUS "CUDA: left out, ${why}")
    else()
        message(FATAL_ERROR "AKIN_CUDA is ${AKIN_CUDA}, but ${why}")
    endif()
endmacro()

if(NOT AKIN_CUDA)
    message(STATUS "CUDA: left out, AKIN_CUDA is ${AKIN_CUDA}")
elseif(AKIN_SANITIZE OR AKIN_BUILD_FUZZ)
    akin_without_cuda("sanitizers do not know it")
else()
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
        find_program(AKIN_NVCC nvcc PATHS /usr/local/cuda/bin DOC "The CUDA compiler")
        mark_as_advanced(AKIN_NVCC)
        if(AKIN_NVCC)
            set(ENV{CUDACXX} ${AKIN_NVCC})
        endif()
    endif()
    # Ours are set for each target; this is only what CMake tries the compiler with.
    set(CMAKE_CUDA_ARCHITECTURES OFF)
    include(CheckLanguage)
    check_language(CUDA)
    if(NOT CMAKE_CUDA_COMPILER)
        akin_without_cuda("there is no nvcc that works: set CUDACXX, and CUDAHOSTCXX if it wants another C++ compiler")
    else()
        enable_language(CUDA)
        if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS cuda_least)
            akin_without_cuda("nvcc is of version ${CMAKE_CUDA_COMPILER_VERSION}, and ${cuda_least} is the least")
        else()
            set(AKIN_WITH_CUDA ON)
        endif()
    endif()
endif()

# akin_cuda_architectures(OUT): those of AKIN_CUDA_ARCHITECTURES that nvcc knows.
function(akin_cuda_architectures out)
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
    set(known)
    foreach(wanted IN LISTS AKIN_CUDA_ARCHITECTURES)
        string(REGEX MATCH "^[0-9]+" number "${wanted}") # 90a is listed as 90
        if(failed OR listed MATCHES "compute_${number}[^0-9]")
            list(APPEND known ${wanted})
        else()
            message(STATUS "CUDA: ${wanted} left out, nvcc ${CMAKE_CUDA_COMPILER_VERSION} does not know it")
        endif()
    endforeach()
    if(NOT known)
        message(FATAL_ERROR "nvcc ${CMAKE_CUDA_COMPILER_VERSION} knows none of AKIN_CUDA_ARCHITECTURES")
    endif()
    message(STATUS "CUDA: ${CMAKE_CUDA_COMPILER_VERSION}, for ${known}")
    set(${out} ${known} PARENT_SCOPE)
endfunction()

# akin_cuda_object(NAME OUT SOURCE...): compiles the sources, and makes of them and of CUDA's runtime one object file,
# whose global names begin with akin_. So the static library needs nothing of CUDA's of whoever links it, and does not
# clash with another runtime, or another CUB, in the same program.
function(akin_cuda_object name out)
    akin_cuda_architectures(architectures)
    find_library(AKIN_CUDART_STATIC cudart_static HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} REQUIRED
                 DOC "CUDA's runtime, static")
    mark_as_advanced(AKIN_CUDART_STATIC)
    add_library(${name} OBJECT ${ARGN})
    set_target_properties(${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
        CUDA_VISIBILITY_PRESET protected C_VISIBILITY_PRESET protected # akin_export_symbols says why
        CUDA_RUNTIME_LIBRARY Static CUDA_ARCHITECTURES "${architectures}")
    target_include_directories(${name} PRIVATE ${akin_own_headers})
    target_include_directories(${name} SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    # No exceptions, and nothing else that needs the C++ library; NVTX, for profilers, would read the environment.
    target_compile_definitions(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:NVTX_DISABLE>)
    set(host -fno-gnu-unique,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics,-ffp-contract=off)
    string(APPEND host ,-Wall,-Wextra,-Wconversion)
    set(device --fmad=false)
    if(AKIN_WERROR)
        string(APPEND host ,-Werror)
        list(APPEND device "SHELL:-Werror all-warnings")
    endif()
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${device};-Xcompiler=${host}>")

    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object} $<TARGET_OBJECTS:${name}>
                ${AKIN_CUDART_STATIC}
        COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=akin_* ${object}
        DEPENDS ${name} $<TARGET_OBJECTS:${name}> ${AKIN_CUDART_STATIC}
        COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set(${out} ${object} PARENT_SCOPE)
endfunction()
