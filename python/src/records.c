/* Records of a file as they stand there, without those that are left out. */
#include "module.h"

static akin_status write_line(akin_output *output, const char *bytes, uint64_t length, akin_error *error)
{
    akin_status status = akin_output_write(output, bytes, (size_t)length, error);
    return status == AKIN_OK ? akin_output_write(output, "\n", 1, error) : status;
}

static akin_status write_records(akin_table *table, const uint32_t *clusters, akin_output *output, akin_error *error)
{
    const char *bytes;
    uint64_t length = 0;
    akin_status status = akin_table_header(table, &bytes, &length, error);
    if (status == AKIN_OK && length > 0)
        status = write_line(output, bytes, length, error);
    for (uint32_t row = 0; row < akin_table_rows(table) && status == AKIN_OK; row++) {
        if (clusters[row] != row)
            continue;
        status = akin_table_record(table, row, &bytes, &length, error);
        if (status == AKIN_OK)
            status = write_line(output, bytes, length, error);
    }
    return status;
}

static akin_status deduplicate(job *j, const char *from, const akin_table_options *options, const Py_buffer *clusters,
                               const char *to)
{
    akin_table *table;
    akin_output *output;
    if (akin_path_has_files(from))
        return akin_error_set(&j->error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "deduplicated: of several files only the command writes a folder of records");
    akin_status status = akin_table_read(j->context, from, options, &table, &j->error);
    if (status != AKIN_OK)
        return status;
    if ((uint64_t)clusters->len != akin_table_rows(table) * (uint64_t)sizeof(uint32_t))
        status = akin_error_set(&j->error, AKIN_E_INPUT, AKIN_REASON_NONE, "the file has other rows than before");
    if (status == AKIN_OK)
        status = akin_output_open(j->context, to, &output, &j->error);
    if (status == AKIN_OK) {
        status = write_records(table, clusters->buf, output, &j->error);
        if (status == AKIN_OK)
            status = akin_output_commit(output, &j->error);
        else
            akin_output_discard(output);
    }
    akin_table_free(table);
    return status;
}

/* write_records(settings, path, format, lossy, clusters, path): the first record of each cluster of a file, with its
 * header. `clusters`: a buffer of uint32, the first row of the cluster of each row. */
static PyObject *records(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *to;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    Py_buffer clusters;
    int format;
    job j;
    if (!PyArg_ParseTuple(args, "OO&ipy*O&:write_records", &settings, PyUnicode_FSConverter, &from, &format,
                          &options.lossy, &clusters, PyUnicode_FSConverter, &to))
        return NULL;
    options.format = (akin_format)format;
    options.keep_records = 1;
    akin_status status = AKIN_OK;
    const int begun = buffer_check(&clusters, sizeof(uint32_t)) && job_begin(&j, state_of(module), settings);
    if (begun) {
        const char *paths[] = {PyBytes_AsString(from), PyBytes_AsString(to)};
        job_leave(&j);
        status = deduplicate(&j, paths[0], &options, &clusters, paths[1]);
        status = job_return(&j, status);
        job_end(&j);
    }
    PyBuffer_Release(&clusters);
    Py_DECREF(from);
    Py_DECREF(to);
    if (!begun)
        return NULL;
    return status == AKIN_OK ? Py_NewRef(Py_None) : job_fail(&j, status);
}

PyMethodDef records_functions[] = {
    {"write_records", records, METH_VARARGS, "write_records(settings, path, format, lossy, clusters, path)"},
    {NULL, NULL, 0, NULL},
};
