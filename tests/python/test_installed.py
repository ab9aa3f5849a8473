"""What installing the distribution gives: which modules an import loads, and what happens beside another distribution
that has a package of the same name."""

import ast
import pathlib
import shutil
import subprocess
import sys

import pytest

import akin

PACKAGE = pathlib.Path(akin.__file__).parent

# A package like that of PyPI's project akin, whose modules ours has no use for.
OTHER = {"__init__.py": "from .minhash import Hashes as Hashes\n", "minhash.py": "class Hashes:\n    pass\n"}


def run(code, folder=None):
    path = [] if folder is None else [f"import sys; sys.path.insert(0, {str(folder)!r})"]
    return subprocess.run(
        [sys.executable, "-c", "; ".join([*path, code])], capture_output=True, text=True, check=False
    )


def describe(folder):
    """What pip keeps of a distribution."""
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path):
    """A folder of installed packages that has ours alone."""
    shutil.copytree(PACKAGE, tmp_path / "akin", ignore=shutil.ignore_patterns("__pycache__"))
    describe(tmp_path / "libakin-0.1.0.dist-info")
    return tmp_path


def add_other(site):
    """Installs the other distribution as pip does: over files of the same names."""
    describe(site / "akin-1.0.1.dist-info")
    for name, text in OTHER.items():
        (site / "akin" / name).write_text(text, encoding="utf-8")


def test_alone(site):
    done = run("import akin; print(akin.__file__)", site)
    assert done.stdout == f"{site}/akin/__init__.py\n" and done.stderr == ""
    done = run("import akin.minhash", site)
    assert "ModuleNotFoundError: No module named 'akin.minhash'" in done.stderr


def test_the_other_is_installed_later(site):
    add_other(site)
    done = run("import akin", site)
    assert done.returncode == 1
    assert f"ImportError: akin: akin and libakin are both installed in {site}, and have replaced files" in done.stderr
    assert "Run: pip uninstall akin libakin. Then: pip install libakin\n" in done.stderr


def test_ours_is_installed_later(site):
    add_other(site)
    shutil.copy(PACKAGE / "__init__.py", site / "akin")
    done = run("import akin", site)
    assert done.returncode == 1 and "ImportError: akin: akin and libakin are both installed" in done.stderr


def test_two_of_ours(site):
    describe(site / "libakin_cuda13-0.1.0.dist-info")
    done = run("import akin", site)
    assert "ImportError: akin: libakin and libakin-cuda13 are both installed" in done.stderr


def test_other_names_do_not_matter(site):
    for name in ("akinator-1.0.dist-info", "libakinetic-2.dist-info", "libakin_tools-3.dist-info", "akin-notes"):
        describe(site / name)
    (site / "akin-1.0.1.dist-info").mkdir()  # which an interrupted removal has left
    assert run("import akin", site).returncode == 0


def test_import_loads_what_it_needs():
    loaded = "import sys; before = set(sys.modules); import akin; loaded = set(sys.modules) - before"
    done = run(f"{loaded}; print(*sorted(name for name in loaded if name.startswith('akin')), 'typing' in loaded)")
    assert (done.stdout, done.stderr) == ("akin akin._akin akin._beside False\n", "")


def test_first_use_loads_what_it_needs():
    """Modules that take milliseconds to load, and that most programs do without."""
    slow = "inspect html tempfile uuid urllib.parse subprocess numpy pandas polars pyarrow duckdb scipy sklearn tqdm"
    loaded = "import sys; before = set(sys.modules); import akin; akin.join; loaded = set(sys.modules) - before"
    done = run(f"{loaded}; print(*sorted(loaded & set('akin._splink akin._label akin.generate {slow}'.split())))")
    assert (done.stdout, done.stderr) == ("\n", "")


def test_the_package_after_the_extension():
    """The command loads the extension, and then the package if it needs more."""
    used = "import akin._commands; print(akin.join(['a'], overlap=1))"
    done = run(f"from akin_command import _extension; _extension(); {used}", PACKAGE.parent)
    assert "akin.Table of 0 rows" in done.stdout and done.stderr == ""


def test_names_for_type_checkers():
    """What a type checker reads is what the package loads: each name from the same module."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (each for each in tree.body if isinstance(each, ast.If))
    said = {name.asname: each.module or name.name for each in block.body for name in each.names}
    assert said == {**{name: name for name in akin._MODULES}, **akin._HOMES}


def test_every_name_is_loaded():
    done = run("from akin import *; import akin; print(sorted(set(akin.__all__) - set(globals())), len(akin.__all__))")
    assert (done.stdout, done.stderr) == (f"[] {len(akin.__all__)}\n", "")
    done = run("import akin; print(sorted(name for name in dir(akin) if not hasattr(akin, name)), akin.Table.__name__)")
    assert (done.stdout, done.stderr) == ("[] Table\n", "")


def test_command_loads_the_extension_alone():
    code = "import sys; from akin_command import _extension; _extension(); print({'akin', 'typing'} & set(sys.modules))"
    code = f"import sys; sys.path.append({str(PACKAGE.parent)!r}); {code}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")
