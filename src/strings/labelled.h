/*
 * Objects with labels, such as trees, that are read from the rows of a column of text. Threads read pieces of rows,
 * each with a dictionary of its own, which are then made one.
 */
#ifndef AKIN_STRINGS_LABELLED_H
#define AKIN_STRINGS_LABELLED_H

#include "dict/dictionary.h"
#include "table/columns.h"

/* Where a text is no such object: the byte, from 0 on, and what was expected there; NULL: UTF-8. */
typedef struct akin_text_fault {
    uint64_t at;
    const char *expected;
} akin_text_fault;

/* Rows that one thread reads. */
typedef struct akin_labelled_piece {
    uint32_t begin, end;
    akin_dictionary *dictionary; /* of their labels */
    uint32_t *numbers;           /* of labels: from those of this dictionary to those of all */
} akin_labelled_piece;

/* A kind of object. `user` is that of the call; pieces have numbers from 0 on. */
typedef struct akin_labelled_kind {
    const char *what;    /* "trees" */
    const char *purpose; /* "read trees from" */
    const char *phase;   /* of progress: "reading trees" */
    /* Makes room for what is read of `count` pieces. Returns 0 if memory is short. */
    int (*begin)(void *user, uint32_t count);
    /* Reads the object of a row that is no null. Errors: AKIN_E_INPUT (the fault says where), AKIN_E_LIMIT, others. */
    akin_status (*read)(void *user, uint32_t piece, akin_dictionary *dictionary, uint32_t row, const char *text,
                        uint64_t length, akin_text_fault *fault, akin_error *error);
    /* Gives the labels of a piece the numbers that they have among all. */
    void (*finish)(void *user, uint32_t piece, const akin_labelled_piece *rows);
} akin_labelled_kind;

/*
 * Reads the objects of `rows` rows by all threads. `side` names the column in messages if it has no name. Errors:
 * AKIN_E_OPTION, AKIN_E_INPUT (the message has the row and the byte), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO (a
 * temporary file), AKIN_E_CANCELLED.
 */
akin_status akin_labelled_read(const akin_scope *scope, akin_account *account, const akin_column *column, uint32_t rows,
                               const char *side, akin_dictionary *dictionary, const akin_labelled_kind *kind,
                               void *user, akin_error *error);

/* Says where the text of one object, "left tree", is none. Returns AKIN_E_INPUT. */
akin_status akin_labelled_fail(const char *which, const akin_text_fault *fault, akin_error *error);

#endif
