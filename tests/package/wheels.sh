#!/bin/sh
# Installs each wheel of a folder in a system of its own, which has Python and no compiler, and runs the examples of
# README.md there. A wheel for another machine runs under qemu, with that machine's Python.
#
#     tests/package/wheels.sh FOLDER
#
# The systems stay in build/wheels/systems. They are made of the distribution's packages.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
wheels=$(CDPATH='' cd -- "$1" && pwd)
systems=$here/build/wheels/systems
# shellcheck source=/dev/null
. /etc/os-release
if [ "$(id -u)" -ne 0 ]; then
    echo "wheels: a system of its own can only be entered by root" >&2
    exit 1
fi
mkdir -p "$systems"

# prepare MACHINE ARCHITECTURE: the system of that machine, minimal but for Python and what `pip` needs.
prepare()
{
    system=$systems/$1
    [ ! -e "$system/done" ] || return 0
    rm -rf "$system"
    # No script of a foreign package can run here: its packages are unpacked only.
    if [ "$1" = "$(uname -m)" ]; then
        mmdebstrap --quiet --variant=minbase --include=python3-venv "$VERSION_CODENAME" "$system"
        echo 'nameserver 127.0.0.1' >"$system/etc/resolv.conf" # nothing can be fetched
    else
        mmdebstrap --quiet --variant=extract --architectures="$2" --include=python3-minimal,libpython3-stdlib,libc6 \
            "$VERSION_CODENAME" "$system"
    fi
    touch "$system/done"
}

# check NATIVE_WHEEL: README's examples of the command and of Python.
check()
{
    name=$(basename "$1")
    rm -rf "$system/checked"
    mkdir "$system/checked"
    cp -r "$1" "$here/README.md" "$here/tests/package/documents.sh" "$here/tests/package/pycon.py" "$system/checked"
    chroot "$system" /bin/sh -eu -c '
        cd /checked
        for compiler in cc gcc clang c99; do
            ! command -v "$compiler" >/dev/null || { echo "wheels: there is a compiler, $compiler" >&2; exit 1; }
        done
        python3 -m venv installed
        installed/bin/pip -q --disable-pip-version-check install --no-index "$1"
        PATH=/checked/installed/bin:$PATH
        akin --version
        ./documents.sh README.md
        python3 pycon.py README.md
    ' sh "$name"
}

# check_foreign WHEEL MACHINE: the same of Python; of the command only that it joins, as no program can start another.
check_foreign()
{
    rm -rf "$system/checked"
    mkdir -p "$system/checked"
    python3 -m venv "$system/checked/venv"
    "$system/checked/venv/bin/pip" -q --disable-pip-version-check install --no-index --only-binary :all: \
        --python-version 3.11 --platform "manylinux_2_28_$2" --target "$system/checked/installed" "$1"
    python=$(echo "$system"/usr/bin/python3.[0-9]*)
    (
        cd "$system/checked"
        printf 'red wine\nwine, red\nwhite wine\n' >wines.txt
        run="qemu-$2-static -L $system -E PYTHONPATH=$system/checked/installed -E PYTHONHOME=$system/usr $python"
        $run -c 'from akin_command import main; main()' join wines.txt --tokens words --jaccard 0.8 -q >pairs.csv
        printf 'left,right,similarity\n0,1,1\n' | diff - pairs.csv
        $run -c 'import akin; print(akin.__version__, akin.info()["cpu"])'
        $run "$here/tests/package/pycon.py" "$here/README.md"
    )
}

for wheel in "$wheels"/*.whl; do
    echo "== $(basename "$wheel")"
    machine=${wheel%.whl}
    machine=${machine##*manylinux_2_28_}
    case $machine in
    x86_64) prepare "$machine" amd64 ;;
    aarch64) prepare "$machine" arm64 ;;
    *)
        echo "wheels: $wheel is for an unknown machine" >&2
        exit 1
        ;;
    esac
    if [ "$machine" = "$(uname -m)" ]; then
        check "$wheel"
    else
        check_foreign "$wheel" "$machine"
    fi
done
echo "wheels: each was installed and ran"
