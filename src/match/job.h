/* A join of strings, as its steps see it: the sides, the piece at hand, and the results. */
#ifndef AKIN_MATCH_JOB_H
#define AKIN_MATCH_JOB_H

#include "device/device.h"
#include "join/delivery.h"
#include "match/match_top.h"
#include "match/side.h"
#include "strings/segments.h"
#include "text/folded.h"

typedef struct akin_match_job {
    const akin_scope *scope;
    akin_account *account;
    akin_cutoff cutoff;
    uint32_t folds;
    akin_column columns[2]; /* the caller's, with folded text if that is wanted */
    akin_folded folded[2];
    akin_alphabet alphabet;
    akin_match_side sides[2];
    int self;         /* there is one side */
    int same;         /* probes meet those behind them, not strings of another range */
    akin_piece whole; /* all rows */
    akin_strings_batch probes, others;
    akin_piece_range probes_at, others_at; /* the rows of these batches; no side: there is no batch */
    const akin_strings_batch *met;         /* what probes meet: others, or the probes themselves */
    akin_segments segments;                /* of these */
    akin_segments_wish wish;
    akin_device *device;     /* NULL: the CPU does it */
    double times;            /* the whole join, in pieces like the one at hand */
    uint32_t threads;        /* the least number of strings of each side, at most */
    uint64_t room, room_gpu; /* bytes that a range may take, here and on a GPU */
    uint64_t rows_most;      /* and its rows, where a test wishes it */
    int failed;              /* a pair could not be kept */
    uint32_t top;            /* how many of the best partners of each left row; 0: all pairs */
    akin_match_top best;
    akin_pair_sink sink; /* the caller's */
    void *sink_user;
    akin_delivery delivery;
    akin_match_report report;
} akin_match_job;

#endif
