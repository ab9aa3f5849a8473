"""Docstrings tell what a function raises, by names that there are."""

import builtins
import doctest
import inspect
import re

import pytest

import akin
from akin import generate, strings

SILENT = {"Table.to_dict"}  # which are lists of what is there


def public():
    """Every function of the package, and every method of its classes that is their own."""
    for module, prefix in ((akin, ""), (strings, "strings."), (generate, "generate.")):
        for name in module.__all__:
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
    assert {"join", "strings.jaro", "generate.text", "Index.append", "Duplicates.save_job", "BM25.open"} <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_named(name):
    _, raises, said = inspect.getdoc(FUNCTIONS[name]).partition("Raises")
    named = re.findall(r"\b[A-Z]\w*Error\b", said.partition("Notes\n---")[0])
    assert raises and named, "the docstring does not say what it raises"
    for error in named:
        assert issubclass(getattr(akin, error, None) or getattr(builtins, error), Exception)


def documented():
    """Every docstring of the package that has an example: of modules, functions, classes, their methods and properties."""
    for module in (akin, strings, generate):
        yield module.__name__, module.__doc__
        for name in module.__all__:
            value = getattr(module, name)
            yield f"{module.__name__}.{name}", getattr(value, "__doc__", None)
            for method, each in vars(value).items() if inspect.isclass(value) else ():
                yield f"{module.__name__}.{name}.{method}", getattr(each, "__doc__", None)


EXAMPLES = {name: said for name, said in documented() if isinstance(said, str) and ">>>" in said}


def test_there_are_examples():
    assert {"akin.Error", "akin.choices", "akin.strings"} <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, None)
    assert test.examples
    said = []
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append).failed == 0, "".join(said)


def test_the_package_says_when():
    for error in ("InputError", "OptionError", "TypeError", "LimitError", "DeviceError", "MemoryError", "OSError", "ImportError"):
        assert error in akin.__doc__
