#!/bin/sh
# The house rules that no compiler knows: who may include what, and that every source file is built.
# Wants build/lint/compile_commands.json (cmake --preset lint).
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/../.."

rooms='base device table text dict sets signature graph join' # each may include itself and those before it

# includes FOLDER: a line "FILE HEADER" for each #include "HEADER" below it.
includes()
{
    find "$1" -name '*.[ch]' | sort | while read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | sed "s|^|$file |"
    done
}

# Headers of a room are included as "room/name.h".
check_rooms()
{
    allowed=
    for room in $rooms; do
        allowed="$allowed $room"
        includes "src/$room" | while read -r file header; do
            case " akin.h $allowed " in
            *" ${header%%/*} "*) ;;
            *) echo "$file: includes \"$header\"; allowed are akin.h and headers of$allowed" ;;
            esac
        done
    done
}

# Programs see the installed header, and headers of their own folder.
check_programs()
{
    for folder in cli examples; do
        includes $folder | while read -r file header; do
            [ "$header" = akin.h ] || [ -e "$folder/$header" ] ||
                echo "$file: includes \"$header\"; allowed are akin.h and headers of $folder/"
        done
    done
}

check_built()
{
    find src cli bench tests -name '*.c' ! -path 'tests/package/*' | sort | while read -r file; do
        grep -qF "/$file\"" build/lint/compile_commands.json || echo "$file: is built by no CMakeLists.txt"
    done
}

check_folders()
{
    for folder in src/*/; do
        room=$(basename "$folder")
        case " $rooms " in
        *" $room "*) ;;
        *) echo "$folder: is a room that tests/lint/rooms.sh does not know" ;;
        esac
    done
}

faults=$(check_rooms && check_programs && check_built && check_folders)
if [ -n "$faults" ]; then
    printf '%s\n' "$faults" >&2
    exit 1
fi
