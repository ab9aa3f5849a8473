/* The shared parts of the extension: its state, and the job of a call. */
#ifndef AKIN_PYTHON_MODULE_H
#define AKIN_PYTHON_MODULE_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "akin_papers.h"

#define LOOK_EVERY 65536   /* rows, for signals, where the interpreter is not left */
#define LOOK_BYTES 1000000 /* or bytes of them */

/* Of the module, so that each interpreter has its own. */
typedef struct state {
    PyObject *error, *input_error, *option_error, *limit_error, *device_error;
    PyTypeObject *input_type, *frame_type, *buffer_type, *matrix_type, *sets_type, *weights_type, *trie_type,
        *search_index_type, *searcher_type;
} state;

state *state_of(PyObject *module);

/* ------------------------------------------------------------------------------------------------------------- jobs */

/*
 * A call of the library: a context, and the interpreter, which other threads may use during the call.
 *
 *     job j;
 *     if (!job_begin(&j, settings))     settings: a tuple (threads, device, memory, temporary, device_memory, progress)
 *         return NULL;
 *     job_leave(&j);                    from here on no Python
 *     status = akin_...(j.context, ..., &j.error);
 *     status = job_return(&j, status);
 *     job_end(&j);
 *     if (status != AKIN_OK)
 *         return job_fail(&j, status);
 *
 * The library asks on the thread of the call whether to continue. Python's signal handlers and the progress callback
 * run then. An exception of theirs ends the job, and the call raises it. A phase that was reported is reported as
 * complete when another one begins or the job ends, because the library may not report its last steps.
 */
typedef struct job {
    state *module;
    akin_context *context;
    akin_error error;
    PyThreadState *thread; /* of the call, while it has left the interpreter */
    PyObject *progress;    /* NULL: there is no callback */
    int raised;            /* an exception is set */
    akin_progress last;    /* the last report on a phase that has not ended; phase NULL: none */
    const char *path;      /* of the one file that it is about, borrowed; NULL: of none, or several */
    double looked, told;   /* seconds: when signals were looked for, and progress was reported last */
} job;

/* 0, and an exception, if there is no context to be had. */
int job_begin(job *j, state *module, PyObject *settings);
void job_leave(job *j);

/* The status of a call of the library; or AKIN_E_CANCELLED, if it succeeded and the progress callback raises at the
 * end: the caller then frees the result. */
akin_status job_return(job *j, akin_status status);
void job_end(job *j);

/* Whether to continue. Long loops of the extension call it from time to time, with or without the interpreter.
 * AKIN_E_CANCELLED: an exception is set. */
akin_status job_poll(job *j);

/* For one more call with the context of a job that has begun: of the settings only progress counts. A context knows its
 * job by the address. */
int job_again(job *j, PyObject *settings);

/* Raises what a status stands for, with the fields of the error as attributes, and returns NULL. path: of the one file
 * that the call was about; NULL: of none, or several. */
PyObject *error_raise(const state *s, akin_status status, const akin_error *error, const char *path);

/* The same for a job, unless an exception is set. */
PyObject *job_fail(const job *j, akin_status status);

/* Takes the exception that is set as an error. Its text names the file. What fails for the system is AKIN_E_IO. An
 * exception that is no Exception, such as KeyboardInterrupt, stays set: AKIN_E_CANCELLED. */
akin_status take_exception(akin_error *error);

/* Files in stores of objects: the functions of an akin_opener, and an opener with only these functions. They are
 * called without the interpreter. */
akin_status store_open(void *user, const char *path, void **file, uint64_t *size, akin_error *error);
akin_status store_read(void *file, void *to, size_t room, size_t *got, akin_error *error);
void store_close(void *file);
extern const akin_opener store_opener;

/* A whole job on a file: args are (settings, path), or (settings, path, mapped, verify): whether a saved file is
 * mapped, not read, and all of it checked. Returns whether it is done; else an exception is set. */
typedef akin_status (*job_on_path)(job *j, const char *path, void *user);
int job_of_path(state *module, PyObject *args, job_on_path act, void *user);

/* ------------------------------------------------------------------------------------------------------------ input */

/* Columns of text that go into a job: a table of the library's. */
typedef struct input {
    PyObject_HEAD akin_table *table;
} input;

/* Its columns, to be freed with PyMem_Free; NULL, and an exception, if there is no memory. */
akin_column *input_columns(const input *in);

/* The first `count` columns as one of strings, in *out: the column itself, or several combined, in *combined, which the
 * caller frees. Called without the interpreter. */
akin_status input_strings(job *j, const akin_column *columns, uint32_t count, uint32_t rows, akin_table **combined,
                          akin_column *out);

/* `given` as an Input of at least that many columns, None as NULL; 0, and an exception, for anything else. */
int input_take(const state *s, PyObject *given, uint32_t columns, const input **out);

/* The column of that number, which rows are called by, each by another id; or if `number` is -1 none, *out all zeros.
 * 0, and an exception. */
int ids_take(job *j, const input *in, int number, akin_column *out);
akin_status ids_check(job *j, const akin_column *ids, uint32_t rows);

/* Rows of numbers: of a file, copied, or where their owner has them. */
typedef struct matrix {
    PyObject_HEAD akin_matrix numbers;
    akin_matrix *read; /* of a file */
    void *copied;
    Py_buffer view; /* of their owner */
} matrix;

/* Sets of token ids. */
typedef struct sets {
    PyObject_HEAD akin_sets *sets;
} sets;

/* A frozen dictionary. */
typedef struct trie {
    PyObject_HEAD akin_trie *trie;
} trie;

/* ----------------------------------------------------------------------------------------------------------- checks */

/* PyArg_ParseTuple of what may be no tuple, or NULL, where an exception is set. */
int tuple_take(PyObject *given, const char *format, ...);

/* Whether the numbers of a buffer have that width in bytes; else an exception is set. */
int buffer_check(const Py_buffer *view, size_t width);

/* A str as the library takes names, without a NUL before its end, as long as the str lives; NULL, and an exception,
 * which there is already if text is NULL. */
const char *name_of(const state *s, PyObject *text);

/* ----------------------------------------------------------------------------------------------------------- frames */

/* Makes an object that owns the frame. On failure frees the frame, and returns NULL and an exception. */
PyObject *frame_wrap(state *module, akin_frame *made);

/* The same for what a job has made, if it has succeeded; else the frame, which may be NULL, is freed, and what the
 * status says is raised. */
PyObject *frame_of_job(const job *j, akin_status status, akin_frame *made);

/* What a frame is made of, borrowed. */
void frame_arrays(PyObject *self, const struct ArrowSchema **schema, const struct ArrowArray **array);

/* Values as an object with a buffer, which frees `values` (of malloc) in the end, also on failure. format: "I", "Q",
 * "d" or "B", as in the module struct. */
PyObject *buffer_wrap(state *module, void *values, Py_ssize_t count, const char *format);

/* ----------------------------------------------------------------------------------------------- what is registered */

PyTypeObject *input_type(PyObject *module);
PyTypeObject *frame_type(PyObject *module);
PyTypeObject *buffer_type(PyObject *module);
PyTypeObject *matrix_type(PyObject *module);
PyTypeObject *sets_type(PyObject *module);
PyTypeObject *weights_type(PyObject *module);
PyTypeObject *trie_type(PyObject *module);
PyTypeObject *search_index_type(PyObject *module);
PyTypeObject *searcher_type(PyObject *module);

/* The functions of a file, to be added to the module. */
extern PyMethodDef choices_functions[], input_functions[], frame_functions[], info_functions[], join_functions[],
    strings_functions[], graphs_functions[], trees_functions[], integers_functions[], clusters_functions[],
    matrix_functions[], sets_functions[], weights_functions[], dedupe_functions[], labelling_functions[],
    search_index_functions[], ids_functions[], records_functions[], dictionary_functions[], generate_functions[],
    output_functions[], gather_functions[], merge_functions[], command_functions[], sizes_functions[],
    forest_functions[], plan_functions[], record_parts_functions[], model_functions[], near_duplicates_functions[],
    overlap_functions[], repeats_functions[];

#endif
