#!/bin/sh
# The package tests, one case a call. ctest sets PREFIX (where akin gets installed), BUILD (the build tree) and the
# tools. PREFIX is a private one: everything here must find the installed library without LD_LIBRARY_PATH.
set -eu
unset LD_LIBRARY_PATH

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
version=$(sed -n 's/^#define AKIN_VERSION_STRING "\(.*\)\.[0-9]*"$/\1/p' "$here/../../include/akin.h")
work=$BUILD/tests/package/$1
beside=${1%%_*} # the library beside libakin, in cases that begin with its name
rm -rf "$work"
mkdir -p "$work"

# consume COMPONENT TARGET PROGRAM: builds the program with find_package, and runs it.
consume()
{
    "$CMAKE" -S "$here/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$PREFIX" \
        -DCOMPONENTS="$1" -DTARGET="$2" -DPROGRAM="$3" -DVERSION="$version"
    "$CMAKE" --build "$work/build"
    "$work/build/$3"
    if grep -r UTF8PROC "$PREFIX/$LIBDIR/cmake/akin" "$work/build/CMakeFiles/$3.dir" "$work/build/build.ninja"; then
        echo "programs are compiled with flags of libraries that akin needs" >&2
        exit 1
    fi
}

# flags OPTION...: what pkg-config says of the installed akin, or of the package PACKAGE.
flags()
{
    PKG_CONFIG_PATH="$PREFIX/$LIBDIR/pkgconfig" "$PKG_CONFIG" "$@" "${PACKAGE-akin}"
}

# Every name on standard input begins with akin_, and there is one.
check_names()
{
    sort -u >"$work/names"
    [ -s "$work/names" ]
    if grep -v '^akin_' "$work/names"; then
        echo "these symbols do not begin with akin_" >&2
        exit 1
    fi
}

case $1 in
install)
    rm -rf "$PREFIX"
    "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$PREFIX"
    ;;
header)
    for name in akin akin_papers akin_generate; do
        echo "#include <$name.h>" >"$work/$name.c"
        "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$PREFIX/include" -fsyntax-only "$work/$name.c"
        "$CXX" -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -I"$PREFIX/include" -fsyntax-only "$work/$name.c"
    done
    ;;
cmake_shared)
    consume shared akin::akin consumer
    ;;
cmake_static)
    consume static akin::static consumer
    ;;
papers_cmake | generate_cmake)
    consume "akin_$beside" "akin::akin_$beside" "$beside"
    ;;
papers_cmake_static | generate_cmake_static)
    consume "static;akin_$beside" "akin::${beside}_static" "$beside"
    ;;
papers_pkgconfig | generate_pkgconfig)
    PACKAGE=akin-$beside
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 "$here/consumer/$beside.c" -o "$work/$beside" $(flags --cflags --libs)
    "$work/$beside"
    ;;
papers_pkgconfig_static | generate_pkgconfig_static)
    PACKAGE=akin-$beside
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 "$here/consumer/$beside.c" -o "$work/$beside" \
        $(flags --static --cflags --libs | sed "s/-lakin_$beside/-l:libakin_$beside.a/; s/-lakin /-l:libakin.a /")
    "$work/$beside"
    ;;
pkgconfig)
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 "$here/consumer/consumer.c" -o "$work/consumer" $(flags --cflags --libs)
    "$work/consumer"
    ;;
pkgconfig_flags)
    # What a program is compiled and linked with is akin's own, and for the static library the libraries that it needs.
    flags --cflags | tr -s ' ' '\n' | sed 's/^-I.*/-I/' >"$work/flags"
    flags --static --cflags | tr -s ' ' '\n' | sed 's/^-I.*/-I/' >>"$work/flags"
    flags --libs | tr -s ' ' '\n' | sed 's/^-L.*/-L/; s/^-Wl,-rpath,.*/-Wl,-rpath,/' >>"$work/flags"
    printf '%s\n' -I -I -L -Wl,-rpath, -lakin | diff - "$work/flags"
    flags --static --libs | tr -s ' ' '\n' |
        grep -v -e '^-L' -e '^-Wl,-rpath,' -e '^-l[a-z0-9]*$' -e '^-pthread$' >"$work/others" || :
    diff /dev/null "$work/others"
    ;;
private_prefix)
    # The command runs where it was installed, and where the tree is moved to; so does a program with its new flags.
    [ "$(env -i "$PREFIX/$BINDIR/akin" --version)" = "akin $(flags --modversion)" ]
    cp -r "$PREFIX" "$work/moved"
    env -i "$work/moved/$BINDIR/akin" --version
    PREFIX=$work/moved
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 "$here/consumer/consumer.c" -o "$work/consumer" $(flags --cflags --libs)
    "$work/consumer"
    ldd "$work/consumer" | grep -F "$(realpath "$work/moved")"
    ;;
pkgconfig_static)
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 "$here/consumer/consumer.c" -o "$work/consumer" \
        $(flags --static --cflags --libs | sed "s/-lakin/-l:libakin.a/")
    "$work/consumer"
    ;;
symbols_shared)
    # What a library exports is what its header declares, no less and no more. libakin exports the rest for the
    # libraries beside it.
    for name in akin akin_papers akin_generate; do
        "$NM" -D --defined-only "$PREFIX/$LIBDIR/lib$name.so" |
            awk 'NF == 3 && $2 != "A" && $3 !~ /@AKIN_PRIVATE$/ { sub(/@.*/, "", $3); print $3 }' |
            check_names
        sed -n 's/^AKIN_API [^(]*\(akin_[a-z0-9_]*\)(.*/\1/p' "$PREFIX/include/$name.h" | sort -u >"$work/declared"
        diff "$work/declared" "$work/names"
    done
    "$NM" -D --defined-only "$PREFIX/$LIBDIR/libakin.so" |
        awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | check_names
    ;;
symbols_static)
    for name in akin akin_papers akin_generate; do
        "$NM" -g --defined-only "$PREFIX/$LIBDIR/lib$name.a" | awk 'NF == 3 { print $3 }' | check_names
    done
    ;;
examples)
    # Each beside what it prints, below the command: examples/c/NAME.txt.
    for source in "$here"/../../examples/c/*.c; do
        name=$(basename "$source" .c)
        expected=${source%.c}.txt
        # shellcheck disable=SC2046 # the flags are words
        "$CC" -std=c17 -Wall -Wextra -Wconversion -Wpedantic -Werror "$source" -o "$work/$name" $(flags --cflags --libs)
        command=$(sed -n '1s/^\$ //p' "$expected")
        (echo "$ $command" && cd "$(dirname "$source")" &&
            PATH=$work:$PATH sh -c "$command") >"$work/$name.txt"
        diff -u "$expected" "$work/$name.txt"
    done
    ;;
header_example)
    # The examples of the manual that akin.h is: each prints the lines that its introduction quotes.
    awk '/^ \* Example, which the tests compile and run/ { inside = 1; next } /^ \*\// { inside = 0 }
        inside && /^ \*     / { print substr($0, 8) } inside && $0 == " *" { print "" }' \
        "$PREFIX/include/akin.h" >"$work/example.c"
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 -Wall -Wextra -Wconversion -Wpedantic -Werror "$work/example.c" -o "$work/example" \
        $(flags --cflags --libs)
    "$work/example" >"$work/printed"
    sed -n 's/^ \* Example, which the tests compile and run. It prints "\(.*\)", and "\(.*\)":$/\1\n\2/p' \
        "$PREFIX/include/akin.h" | diff -u - "$work/printed"
    ;;
documents)
    # As their reader would: with akin installed, and nothing else of this tree.
    PATH=$PREFIX/$BINDIR:$PATH PKG_CONFIG_PATH=$PREFIX/$LIBDIR/pkgconfig CMAKE_PREFIX_PATH=$PREFIX \
        "$here/documents.sh" "$here"/../../README.md "$here"/../../docs/*.md "$here"/../../docs/recipes/*.md
    ;;
debian)
    python3 "$here/debian.py" "$PREFIX" "$LIBDIR"
    ;;
manual)
    PATH=$PREFIX/$BINDIR:$PATH "$here/manual.sh" "$PREFIX/$MANDIR/man1"
    ;;
completion)
    PATH=$PREFIX/$BINDIR:$PATH "$here/completion.sh" "$PREFIX/$DATADIR/bash-completion/completions/akin"
    ;;
completion_zsh)
    PATH=$PREFIX/$BINDIR:$PATH "$here/completion_zsh.sh" "$PREFIX/$DATADIR/zsh/site-functions/_akin"
    ;;
completion_fish)
    PATH=$PREFIX/$BINDIR:$PATH "$here/completion_fish.sh" "$PREFIX/$DATADIR/fish/vendor_completions.d/akin.fish"
    ;;
*)
    echo "$0: no case named $1" >&2
    exit 2
    ;;
esac
