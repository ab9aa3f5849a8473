"""Keeps the place of a module of PyPI's project ``akin``, which is not this one.

If that project was installed after this one, its ``akin/__init__.py`` has replaced ours, and imports ``akin.minhash``.
Python prefers this package to its module. So ``import akin`` fails with a message, whichever came last.
"""

from .._beside import refuse_another

refuse_another()
raise ModuleNotFoundError("No module named 'akin.minhash'", name="akin.minhash")
