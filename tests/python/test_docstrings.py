"""Docstrings name the exceptions of a function, and have examples that run."""

import ast
import builtins
import doctest
import functools
import importlib
import inspect
import pydoc
import re
import types

import pytest

import akin
from akin import compare, generate, strings
from akin._settings import size_of

MODULES = (akin, ""), (compare, "compare."), (strings, "strings."), (generate, "generate.")
METHODS = types.FunctionType, classmethod, staticmethod, property, functools.cached_property
SILENT = {"Table.to_dict"}  # which are lists of what is there


def names_of(module):
    """The names of a module that are for users."""
    made = [name for name, value in vars(module).items() if not name.startswith("_") and not inspect.ismodule(value)]
    return getattr(module, "__all__", sorted(made))


def public():
    """Every function of the package, and every method of its classes that is their own."""
    for module, prefix in MODULES:
        for name in names_of(module):
            value = getattr(module, name)
            if inspect.isfunction(value):
                yield prefix + name, value
            elif inspect.isclass(value) and not issubclass(value, (Exception, tuple)):
                for method, each in vars(value).items():
                    each = getattr(each, "__func__", each)
                    if inspect.isfunction(each) and not method.startswith("_"):
                        yield f"{name}.{method}", each


FUNCTIONS = {name: each for name, each in public() if name not in SILENT}


def test_there_are_functions():
    assert {
        "join", "strings.jaro", "generate.text", "Index.append", "Duplicates.save_job", "Index.rank"
    } <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_named(name):
    _, raises, said = inspect.getdoc(FUNCTIONS[name]).partition("Raises")
    named = re.findall(r"\b[A-Z]\w*Error\b", said.partition("Notes\n---")[0])
    assert raises and named, "the docstring does not say what it raises"
    for error in named:
        assert issubclass(getattr(akin, error, None) or getattr(builtins, error), Exception)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_described(name):
    """A docstring with sections has one about what the function returns, unless it returns None."""
    said = inspect.getdoc(FUNCTIONS[name])
    sections = re.findall(r"^(\w+)\n-+$", said, re.MULTILINE)
    if "Parameters" in sections and inspect.signature(FUNCTIONS[name]).return_annotation not in (None, "None"):
        assert "Returns" in sections
    assert not re.search(r"\b(of which|so many|tells?|is told|that is none)\b", said)


def documented():
    """Every docstring of the package: of modules, functions, classes, their methods and properties."""
    for module, _ in MODULES:
        yield module.__name__, module.__doc__
        for name in names_of(module):
            value = getattr(module, name)
            if inspect.isclass(value) and issubclass(value, akin.Error) and value is not akin.Error:
                continue  # which the base class explains
            yield f"{module.__name__}.{name}", value.__doc__
            for method, each in vars(value).items() if inspect.isclass(value) else ():
                if not method.startswith("_") and isinstance(each, METHODS):
                    yield f"{module.__name__}.{name}.{method}", each.__doc__


EXAMPLES = dict(documented())


def test_there_are_examples():
    assert {
        "akin", "akin.Error", "akin.choices", "akin.strings", "akin.BM25.weights", "akin.Index.open"
    } <= set(EXAMPLES)


def run_examples(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    said = []
    assert test.examples and doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(
        test, out=said.append
    ).failed == 0, "".join(said)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, tmp_path, monkeypatch):
    assert ">>>" in (EXAMPLES[name] or ""), "the docstring has no example"
    for module in re.findall(r"to_(numpy|pyarrow|pandas|polars)\(|[.](weights)\b", EXAMPLES[name]):
        pytest.importorskip({"weights": "scipy"}.get(module[1], module[0]))
        pytest.importorskip({"pandas": "pyarrow"}.get(module[0], "akin"))
    monkeypatch.chdir(tmp_path)
    run_examples(EXAMPLES[name], name)


@pytest.mark.parametrize("name", ["pandas", "polars", "sklearn"])
def test_examples_of_integrations(name):
    for needed in [name, "pyarrow"][: 1 + (name == "pandas")]:
        pytest.importorskip(needed)
    module = importlib.import_module(f"akin.{name}")
    run_examples(module.BM25Transformer.__doc__ if name == "sklearn" else module.__doc__, name)


def test_the_help_of_the_package_leads_with_the_jobs():
    said = pydoc.plain(pydoc.render_doc(akin))
    assert said.index("akin.near_duplicates(texts)") < said.index("akin.evaluate(pairs, gold)") < 3000


def test_the_calls_that_help_shows_can_be_made():
    calls = re.findall(r"``akin\.([a-z0-9_]+)\((.*?)\)(?:\.[a-z]+\(.*\))?``", akin.__doc__.partition(">>>")[0])
    assert len(calls) == 9
    for name, arguments in calls:
        called = ast.parse(f"f({arguments})", mode="eval").body
        inspect.signature(getattr(akin, name)).bind(*called.args, **{each.arg: each.value for each in called.keywords})


def test_the_package_says_when():
    for error in (
        "InputError", "OptionError", "TypeError", "LimitError", "DeviceError", "MemoryError", "OSError", "ImportError"
    ):
        assert error in akin.__doc__


def test_the_package_names_its_parts():
    names = [name for name in dir(akin) if not name.startswith("_")]
    assert set(names_of(akin)) <= set(names) and not [name for name in dir(akin) if re.match("_[a-z]", name)]
    said = set(re.findall(r"akin\.(\w+)", akin.__doc__))
    values = {name: getattr(akin, name) for name in names}
    assert {name for name, value in values.items() if inspect.isfunction(value) or inspect.ismodule(value)} <= said
    assert "evaluate_curve" in akin.evaluate.__doc__


def test_memory_is_said_as_it_is_read():
    said = re.search(r"``memory``\n(.*?)\n``progress``", akin.__doc__, re.DOTALL)[1]
    assert re.search(r'"512MB"``, in powers of 1000.*"512MiB"``, in powers of 1024', said, re.DOTALL)
    assert "16 MiB" in said
    assert size_of("512MB") == 512 * 1000**2 and size_of("512M") == size_of("512MiB") == 512 * 1024**2
    akin.join(["a"], jaccard=0.5, memory=16 << 20)
    with pytest.raises(akin.OptionError, match="16"):
        akin.join(["a"], jaccard=0.5, memory=(16 << 20) - 1)
