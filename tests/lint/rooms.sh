#!/bin/sh
# The house rules that no compiler knows: who may include what, and that every source file is built.
#
#     tests/lint/rooms.sh [ROOT]
#
# Wants build/lint/compile_commands.json (cmake --preset lint).
# shellcheck disable=SC2086 # lists of folders are words
set -eu
CDPATH='' cd -- "${1:-$(dirname -- "$0")/../..}"

beside='papers generate' # the libraries beside libakin, a folder each
# The list of src/CMakeLists.txt: each room may include itself and those before it.
rooms=$(tr -s ' \n' ' ' <src/CMakeLists.txt | sed -n 's/.*set(rooms \([^)]*\)).*/\1/p')

# includes FOLDER: a line "FILE HEADER" for each #include "HEADER" below it.
includes()
{
    find "$1" -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort | while read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | sed "s|^|$file |"
    done
}

# Headers of a room are included as "room/name.h".
check_rooms()
{
    allowed=
    for room in $rooms; do
        allowed="$allowed $room"
        [ ! -d "src/$room" ] || includes "src/$room" | while read -r file header; do
            case " akin.h $allowed " in
            *" ${header%%/*} "*) ;;
            *) echo "$file: includes \"$header\"; allowed are akin.h and headers of$allowed" ;;
            esac
        done
    done
}

# A library beside libakin includes the header of its name, its own headers and those of all rooms. No room includes
# anything of it, and neither does another library beside libakin.
check_beside()
{
    for folder in $beside; do
        includes "$folder" | while read -r file header; do
            case " akin.h akin_$folder.h $folder $rooms " in
            *" ${header%%/*} "*) ;;
            *)
                echo "$file: includes \"$header\";" \
                    "allowed are akin.h, akin_$folder.h and headers of $folder/ and of all rooms"
                ;;
            esac
        done
    done
}

# Programs see the installed headers, and headers of their own folder; the package has the command inside, too.
check_programs()
{
    installed="akin.h$(printf ' akin_%s.h' $beside)"
    for folder in cli examples python/src; do
        allowed=$installed
        [ $folder != python/src ] || allowed="$installed cli/run.h"
        includes $folder | while read -r file header; do
            case " $allowed " in
            *" $header "*) ;;
            *)
                [ -e "$folder/$header" ] ||
                    echo "$file: includes \"$header\"; allowed are $allowed and headers of $folder/"
                ;;
            esac
        done
    done
}

# What is CUDA's: its runtime is for *.cu and *.cuh files and src/device, CUB for src/device, kernels for no C header.
check_cuda()
{
    find src $beside cli bench tests examples include -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort |
        while read -r file; do
            case $file in
            src/device/*) continue ;;
            *.cu | *.cuh) foreign='(cub|thrust)/|device/[a-z_]*\.cuh' ;;
            *) foreign='cu[a-z_]*\.h[>"]|(cub|thrust|cuda)/|device/(kernel|cuda_)|\.cuh' ;;
            esac
            include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
            sed -nE "s,$include($foreign).*,$file: includes what is src/device's: &,p" "$file"
        done
}

# Files that a build without CUDA does not have, if it is one, and those of another architecture's SIMD levels.
other_builds()
{
    for level in avx2 avx512 neon; do
        grep -q "_$level\.c\"" build/lint/compile_commands.json || find src $beside -name "*_$level.c"
    done
    grep -q '/cuda_device\.c"' build/lint/compile_commands.json ||
        find src $beside -name '*.cu' -o -path 'src/device/cuda_*.c' -o -path src/device/kernel.c
}

check_built()
{
    other=$(other_builds)
    python=
    ! grep -q '/python/src/' build/lint/compile_commands.json || python=python # where there is one to build it with
    find src $beside cli bench tests $python \( -name '*.c' -o -name '*.cu' \) ! -path 'tests/package/*' |
        sort | while read -r file; do
        case "
$other
" in
        *"
$file
"*) continue ;;
        esac
        grep -qF "/$file\"" build/lint/compile_commands.json || echo "$file: is built by no CMakeLists.txt"
    done
}

check_folders()
{
    for folder in src/*/; do
        room=$(basename "$folder")
        case " $rooms " in
        *" $room "*) ;;
        *) echo "$folder: is a room that src/CMakeLists.txt does not list" ;;
        esac
    done
}

faults=$(check_rooms && check_beside && check_programs && check_cuda && check_built && check_folders)
if [ -n "$faults" ]; then
    printf '%s\n' "$faults" >&2
    exit 1
fi
