/* The extension akin._akin: its exceptions, types and functions. */
#include "module.h"

state *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

/* An exception akin.NAME of these bases, which the module has as NAME. */
static PyObject *add_exception(PyObject *module, const char *name, const char *about, PyObject *base, PyObject *other)
{
    PyObject *bases = other ? PyTuple_Pack(2, base, other) : PyTuple_Pack(1, base);
    PyObject *exception = bases ? PyErr_NewExceptionWithDoc(name, about, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (exception && PyModule_AddObjectRef(module, name + sizeof "akin." - 1, exception) < 0)
        Py_CLEAR(exception);
    return exception;
}

/* What error_raise sets; None in an exception that Python code raises. */
static const char *const fields[] = {"reason", "row", "column", "line", "word", "meant", "option"};

/* What the package reads of enums whose values are not all in a table of choices. */
static const struct {
    const char *name;
    long value;
} numbers[] = {{"KEEP_FIRST", AKIN_KEEP_FIRST},         {"KEEP_LEAST", AKIN_KEEP_LEAST},
               {"KEEP_GREATEST", AKIN_KEEP_GREATEST},   {"KEEP_NONE", AKIN_KEEP_NONE},
               {"COMPARE_ALL", AKIN_COMPARE_ALL},       {"COMPARE_WITHIN", AKIN_COMPARE_WITHIN},
               {"COMPARE_ACROSS", AKIN_COMPARE_ACROSS}, {"REPEATS_BYTES", AKIN_REPEATS_BYTES},
               {"REPEATS_WORDS", AKIN_REPEATS_WORDS}};

static const char about_errors[] =
    "What all errors of akin are, but for those that Python has.\n\n"
    "Programs need not read the message: an exception has attributes, each ``None`` where nothing is known, ``row`` "
    "from 0 on,\n"
    "``line`` from 1 on. MemoryError, OSError and its kin have them, too, where a job raises them.\n\n"
    "``reason``\n"
    "    why, in a word, such as ``\"not-utf-8\"`` or ``\"no-column\"``: a name of the table in "
    "docs/errors-and-threads.md.\n"
    "``row``, ``column``, ``line``\n"
    "    where: a row of data in memory, the name of a column, the line of a file.\n"
    "``word``, ``meant``\n"
    "    the word or name that is wrong, where there is one, and the name that was perhaps meant by it or by "
    "``column``.\n"
    "``option``\n"
    "    the option of a rule that is wrong, such as ``\"compare\"``.\n\n"
    ">>> import akin\n"
    ">>> try:\n"
    "...     akin.join({\"Title\": [\"red chair\", \"red chairs\"]}, on=\"title\", jaccard=0.8)\n"
    "... except akin.OptionError as error:\n"
    "...     print(error.reason, error.column, error.meant)\n"
    "no-column title Title\n";

static int add_exceptions(PyObject *module, state *s)
{
    s->error = add_exception(module, "akin.Error", about_errors, PyExc_Exception, NULL);
    if (!s->error)
        return -1;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (PyObject_SetAttrString(s->error, fields[i], Py_None) < 0)
            return -1;
    s->input_error = add_exception(module, "akin.InputError",
                                   "Data that cannot be used: malformed, not UTF-8, of a type that is not taken.",
                                   s->error, PyExc_ValueError);
    s->option_error =
        add_exception(module, "akin.OptionError", "An argument that is out of range, or contradicts another.", s->error,
                      PyExc_ValueError);
    s->limit_error = add_exception(module, "akin.LimitError", "More than 32-bit rows or tokens can number.", s->error,
                                   PyExc_OverflowError);
    s->device_error = add_exception(module, "akin.DeviceError", "A GPU was asked for and is absent, or failed.",
                                    s->error, PyExc_RuntimeError);
    return s->input_error && s->option_error && s->limit_error && s->device_error ? 0 : -1;
}

/* A type, which the module has by its name. */
static PyTypeObject *add_type(PyObject *module, PyTypeObject *(*make)(PyObject *module))
{
    PyTypeObject *type = make(module);
    if (type && PyModule_AddType(module, type) < 0)
        Py_CLEAR(type);
    return type;
}

static int execute(PyObject *module)
{
    state *s = state_of(module);
    PyMethodDef *const functions[] = {
        input_functions,   frame_functions,   info_functions,         join_functions,      strings_functions,
        graphs_functions,  trees_functions,   integers_functions,     clusters_functions,  matrix_functions,
        sets_functions,    weights_functions, dedupe_functions,       labelling_functions, search_index_functions,
        ids_functions,     records_functions, dictionary_functions,   generate_functions,  output_functions,
        choices_functions, gather_functions,  merge_functions,        command_functions,   sizes_functions,
        forest_functions,  plan_functions,    record_parts_functions, model_functions,     near_duplicates_functions,
        overlap_functions, repeats_functions};
    if (add_exceptions(module, s) < 0)
        return -1;
    if (!(s->input_type = add_type(module, input_type)) || !(s->frame_type = add_type(module, frame_type)) ||
        !(s->buffer_type = add_type(module, buffer_type)) || !(s->matrix_type = add_type(module, matrix_type)) ||
        !(s->sets_type = add_type(module, sets_type)) || !(s->weights_type = add_type(module, weights_type)) ||
        !(s->trie_type = add_type(module, trie_type)) ||
        !(s->search_index_type = add_type(module, search_index_type)) ||
        !(s->searcher_type = add_type(module, searcher_type)))
        return -1;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0)
            return -1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (PyModule_AddIntConstant(module, numbers[i].name, numbers[i].value) < 0)
            return -1;
    return PyModule_AddStringConstant(module, "version", akin_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    state *s = state_of(module);
    Py_VISIT(s->error);
    Py_VISIT(s->input_error);
    Py_VISIT(s->option_error);
    Py_VISIT(s->limit_error);
    Py_VISIT(s->device_error);
    Py_VISIT(s->input_type);
    Py_VISIT(s->frame_type);
    Py_VISIT(s->buffer_type);
    Py_VISIT(s->matrix_type);
    Py_VISIT(s->sets_type);
    Py_VISIT(s->weights_type);
    Py_VISIT(s->trie_type);
    Py_VISIT(s->search_index_type);
    Py_VISIT(s->searcher_type);
    return 0;
}

static int clear(PyObject *module)
{
    state *s = state_of(module);
    Py_CLEAR(s->error);
    Py_CLEAR(s->input_error);
    Py_CLEAR(s->option_error);
    Py_CLEAR(s->limit_error);
    Py_CLEAR(s->device_error);
    Py_CLEAR(s->input_type);
    Py_CLEAR(s->frame_type);
    Py_CLEAR(s->buffer_type);
    Py_CLEAR(s->matrix_type);
    Py_CLEAR(s->sets_type);
    Py_CLEAR(s->weights_type);
    Py_CLEAR(s->trie_type);
    Py_CLEAR(s->search_index_type);
    Py_CLEAR(s->searcher_type);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "akin._akin",
    .m_doc = "libakin as Python sees it; akin is the package to be used.",
    .m_size = sizeof(state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__akin(void); /* whom Python looks for by name */

PyMODINIT_FUNC PyInit__akin(void)
{
    return PyModuleDef_Init(&definition);
}
