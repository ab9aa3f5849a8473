#!/bin/sh
# Runs the tests of akin.spark and akin.ray on clusters that are processes of this machine.
#
#     tests/cluster/run.sh [ENGINE...] [-- OPTION...]
#
# An ENGINE is one of those below (default: all). Options are for pytest. Each engine has its packages in
# build/cluster/ENGINE, from PyPI, and akin as a wheel. If packages cannot be had, a line says so, and the engine is
# skipped.
#
#     spark               PySpark 4, two executors
#     spark-not-adaptive  the same, without plans that adapt to what was read
#     spark-standalone    a master, and workers on two addresses; tasks that are slow are copied
#     spark-connect       a server of Spark Connect, of which the tests are a client
#     spark-3.5           PySpark 3.5, two executors
#     ray                 Ray, two nodes
set -eu
cd "$(dirname "$0")/../.."

engines=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    engines="$engines $1"
    shift
done
[ $# -eq 0 ] || shift
folder=$PWD/build/cluster
known='spark spark-not-adaptive spark-standalone spark-connect spark-3.5 ray'

# What an engine needs of PyPI. PySpark 4 does not know pandas 3. PySpark 3.5 needs setuptools, and does not know
# NumPy 2, which newer versions of pyarrow need.
packages_of() {
    spark='grpcio grpcio-status googleapis-common-protos zstandard'
    case $1 in
    spark-3.5) echo "pyspark>=3.5,<3.6 pandas<3 numpy<2 pyarrow<22 setuptools $spark" ;;
    spark*) echo "pyspark>=4.1,<5 pandas<3 pyarrow $spark" ;;
    *) echo 'ray[data]>=2.40,<3 pyarrow pandas<3' ;;
    esac
}

# The virtual environment of an engine; those that need the same packages share it.
venv_of() {
    case $1 in
    spark-3.5 | ray) echo "$folder/$1" ;;
    *) echo "$folder/spark" ;;
    esac
}

for engine in $engines; do
    case " $known " in
    *" $engine "*) ;;
    *)
        echo "$0: there is no engine $engine; expected one of: $known" >&2
        exit 2
        ;;
    esac
done

rm -rf "$folder/wheel"
mkdir -p "$folder"
python3 -m venv "$folder/build"
"$folder/build/bin/pip" -q --disable-pip-version-check wheel --no-deps -w "$folder/wheel" .

failed=
for engine in ${engines:-$known}; do
    packages=$(packages_of "$engine")
    case $engine in
    spark*)
        if ! command -v java >/dev/null; then
            echo "cluster-test: $engine is skipped: there is no java"
            continue
        fi
        ;;
    esac
    venv=$(venv_of "$engine")
    python3 -m venv "$venv"
    # shellcheck disable=SC2086 # a list of words
    if ! "$venv/bin/pip" -q --disable-pip-version-check install pytest $packages; then
        echo "cluster-test: $engine is skipped: its packages cannot be had"
        continue
    fi
    "$venv/bin/pip" -q --disable-pip-version-check install --no-deps --force-reinstall "$folder"/wheel/*.whl
    echo "== $engine: $("$venv/bin/pip" --disable-pip-version-check list 2>/dev/null | grep -E '^(pyspark|ray) ')"
    (cd tests/cluster && AKIN_CLUSTER=$engine "$venv/bin/python" -m pytest -q -p no:cacheprovider . "$@") ||
        failed="$failed $engine"
done
[ -z "$failed" ] || {
    echo "cluster-test: failed:$failed" >&2
    exit 1
}
