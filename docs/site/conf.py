"""What Sphinx is told; build.py, beside it, calls it."""

from pygments.lexers.special import TextLexer

project = "akin"
author = "the authors of akin"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["docs/site", "examples/data"]
html_theme = "alabaster"
html_theme_options = {
    "description": "finds what is alike",
    "fixed_sidebar": True,
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "page_width": "84rem",
    "sidebar_width": "17rem",
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["style"]
html_css_files = ["akin.css"]
html_copy_source = False
html_show_copyright = False
myst_heading_anchors = 4
smartquotes = False
napoleon_google_docstring = False
napoleon_use_param = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"


def link_header(app, name, source):
    """On the site the header is read as pages of its own."""
    source[0] = source[0].replace("](include/akin.h)", "](c/index.md)").replace("](../include/akin.h)", "](../c/index.md)")


def keep_bars(app, what, name, thing, options, lines):
    """|r| is a size in docstrings, and never one of Sphinx's substitutions."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def setup(app):
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", link_header)
    app.connect("autodoc-process-docstring", keep_bars)
