/* The questions of akin label: it asks, and keeps the answers. */
#define _POSIX_C_SOURCE 200809L

#include "label.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answers.h"
#include "command.h"
#include "number.h"
#include "path.h"
#include "stream.h"

#define NARROW 30 /* characters of values that stand side by side, at most */
#define WORD   64 /* bytes of what is typed */

/* ----------------------------------------------------------------------------------------------------------- values */

const char *akin_cli_label_value(const akin_cli_questions *questions, int side, uint32_t column, uint32_t row,
                                 size_t *length)
{
    const akin_column *c = &questions->sides[questions->request->inputs[1] ? side : 0].columns[column];
    const int is_there = !c->validity || (c->validity[row / 8] >> row % 8 & 1);
    *length = is_there ? (size_t)(c->offsets[row + (uint64_t)1] - c->offsets[row]) : 0;
    return is_there ? c->bytes + c->offsets[row] : "";
}

const char *akin_cli_label_name(const akin_cli_questions *questions, int side, uint32_t row, char number[16],
                                size_t *length)
{
    const akin_cli_side *s = &questions->sides[questions->request->inputs[1] ? side : 0];
    return akin_cli_names_row(&s->source.names, row, number, length);
}

static size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Prints a value of one line, and blanks up to `width` characters. */
static void print_value(const char *text, size_t length, size_t width)
{
    akin_cli_put_shown(stdout, text, length, ' ');
    for (size_t i = count_characters(text, length); i < width; i++)
        putchar(' ');
}

static int are_alike(const char *const texts[2], const size_t lengths[2])
{
    return lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0;
}

/* Prints two values, side by side if they are short, behind a mark. */
static void print_values(char mark, const char *name, size_t width, const char *const texts[2], const size_t lengths[2])
{
    const int are_narrow =
        count_characters(texts[0], lengths[0]) <= NARROW && count_characters(texts[1], lengths[1]) <= NARROW;
    printf("%c ", mark);
    print_value(name, strlen(name), width);
    printf("  ");
    print_value(texts[0], lengths[0], are_narrow && lengths[1] > 0 ? NARROW : 0);
    if (are_narrow && lengths[1] > 0)
        printf("  ");
    if (!are_narrow)
        printf("\n  %*s  ", (int)width, "");
    print_value(texts[1], lengths[1], 0);
    printf("\n");
}

static void print_pair(const akin_cli_questions *q, uint32_t left, uint32_t right)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(q->request->plan);
    const uint32_t rows[2] = {left, right};
    const char *texts[2];
    size_t lengths[2], width = 2;
    char numbers[2][16];
    for (uint32_t c = 0; c < titles->column_count; c++)
        width = count_characters(titles->columns[c], strlen(titles->columns[c])) > width
                    ? count_characters(titles->columns[c], strlen(titles->columns[c]))
                    : width;
    for (int side = 0; side < 2; side++)
        texts[side] = akin_cli_label_name(q, side, rows[side], numbers[side], &lengths[side]);
    print_values(' ', titles->id ? titles->id : "row", width > 3 ? width : 3, texts, lengths);
    for (uint32_t c = 0; c < titles->column_count; c++) {
        for (int side = 0; side < 2; side++)
            texts[side] = akin_cli_label_value(q, side, c, rows[side], &lengths[side]);
        print_values(are_alike(texts, lengths) ? ' ' : '*', titles->columns[c], width > 3 ? width : 3, texts, lengths);
    }
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static akin_status fail_file(const char *path, const char *what, int number, akin_error *error)
{
    return akin_error_set(error, AKIN_E_IO, AKIN_REASON_FILE, "%s: cannot be %s: %s", akin_cli_path_name(path), what,
                          strerror(number));
}

/* What a file of answers is like before one is added. */
typedef struct room {
    int is_there;    /* it has columns */
    int is_right;    /* it has those of answers alone, or none yet */
    int ends;        /* its last line ends with a line end */
    int is_a_file;   /* and no device: it has a size, */
    long long bytes; /* which this is */
} room;

static akin_status fail_header(const char *path, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE,
                          "%s: its first line is not " AKIN_CLI_ANSWERS_HEADER
                          ": answers are added to such a file "
                          "alone; name another one",
                          akin_cli_path_name(path));
}

static int open_answers(const char *path, int flags)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Reads bytes at a place of a file. Returns their number, or -1 with the reason in errno. */
static long read_at(int fd, char *to, size_t length, off_t place)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t got = pread(fd, to + done, length - done, place + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (long)done;
}

static akin_status look_at(int fd, const char *path, room *out, akin_error *error)
{
    static const char header[] = AKIN_CLI_ANSWERS_HEADER;
    const long columns = sizeof header - 1;
    char line[sizeof header], last = '\n';
    struct stat about;
    *out = (room){.is_right = 1, .ends = 1};
    if (fstat(fd, &about) != 0)
        return fail_file(path, "read", errno, error);
    if (!S_ISREG(about.st_mode))
        return AKIN_OK;
    const long length = read_at(fd, line, sizeof line, 0);
    if (length < 0 || (length > 0 && read_at(fd, &last, 1, about.st_size - 1) < 0))
        return fail_file(path, "read", errno, error);
    out->is_a_file = 1;
    out->bytes = about.st_size;
    out->is_there = length > 0;
    out->ends = last == '\n';
    out->is_right = length == 0 || (length >= columns && memcmp(line, header, sizeof header - 1) == 0 &&
                                    (length == columns || line[columns] == '\n' || line[columns] == '\r'));
    return AKIN_OK;
}

/* The same of a file that is not open, or not there. */
static akin_status look_for(const char *path, room *out, akin_error *error)
{
    const int fd = open_answers(path, O_RDONLY | O_NONBLOCK);
    *out = (room){.is_right = 1, .ends = 1};
    if (fd < 0)
        return errno == ENOENT ? AKIN_OK : fail_file(path, "read", errno, error);
    const akin_status status = look_at(fd, path, out, error);
    close(fd);
    return status;
}

/* Makes the lines of the last answer, behind what is missing before it. 0: memory is short. */
static int make_lines(const akin_cli_questions *q, const room *before, akin_cli_stream *out)
{
    const akin_labelled_pair last = akin_labelling_at(q->labelling, akin_labelling_count(q->labelling) - 1);
    if (!akin_cli_stream_open(out))
        return 0;
    if (!before->ends)
        putc('\n', out->to);
    if (!before->is_there)
        fputs(AKIN_CLI_ANSWERS_HEADER "\n", out->to);
    akin_cli_answer_write(out->to, q->request, q->sides, &last);
    return akin_cli_stream_close(out);
}

static int write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t done = write(fd, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return 0;
        text += done;
        length -= (size_t)done;
    }
    return 1;
}

/* Adds the last answer. Returns 0 or an errno value. */
static int append_lines(int fd, const akin_cli_job *job, const akin_cli_questions *q, const room *before)
{
    akin_cli_stream made;
    if (!make_lines(q, before, &made))
        return ENOMEM;
    errno = 0;
    const int done = write_all(fd, made.text, made.length) && akin_cli_job_sync_descriptor(job, fd) &&
                     (before->is_there || akin_cli_job_sync_folder_of(job, q->request->answers));
    const int failed = errno;
    free(made.text);
    return done ? 0 : failed ? failed : EIO;
}

/* Takes back what a file has got, which is closed. */
static void cut_closed(const char *path, off_t bytes)
{
    const int fd = open_answers(path, O_RDWR);
    if (fd < 0)
        return;
    (void)!ftruncate(fd, bytes);
    close(fd);
}

/* Adds the last answer to the file, which is complete after each answer: what could be written of it in part is taken
 * away again. */
static akin_status append_answer(const akin_cli_job *job, const akin_cli_questions *q, akin_error *error)
{
    const char *path = q->request->answers;
    room before;
    const int fd = open_answers(path, O_RDWR | O_CREAT | O_APPEND);
    if (fd < 0)
        return fail_file(path, "written", errno, error);
    akin_status status = look_at(fd, path, &before, error);
    if (status == AKIN_OK && !before.is_right)
        status = fail_header(path, error);
    before.is_there |= !before.is_a_file && akin_labelling_count(q->labelling) > 1; /* a pipe has got its header */
    const int failed = status == AKIN_OK ? append_lines(fd, job, q, &before) : 0;
    if (failed && before.is_a_file)
        (void)!ftruncate(fd, (off_t)before.bytes);
    if (failed)
        status = fail_file(path, "written", failed, error);
    if (close(fd) != 0 && errno != EINTR && status == AKIN_OK) {
        status = fail_file(path, "written", errno, error);
        if (before.is_a_file)
            cut_closed(path, (off_t)before.bytes);
    }
    return status;
}

/* Writes all answers anew: the last one was taken back. */
static akin_status rewrite_answers(akin_cli_job *job, const akin_cli_questions *q, akin_error *error)
{
    akin_output *output = NULL;
    akin_cli_stream made;
    int done = akin_cli_stream_open(&made);
    if (done) {
        fputs(AKIN_CLI_ANSWERS_HEADER "\n", made.to);
        for (uint64_t i = 0; i < akin_labelling_count(q->labelling); i++) {
            const akin_labelled_pair answer = akin_labelling_at(q->labelling, i);
            akin_cli_answer_write(made.to, q->request, q->sides, &answer);
        }
        done = akin_cli_stream_close(&made);
    }
    akin_status status = done ? akin_output_open(job->context, q->request->answers, &output, error)
                              : fail_file(q->request->answers, "written", ENOMEM, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, made.text, made.length, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    free(made.text);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- questions */

/* What was typed: an answer, or one of the others. */
typedef struct reply {
    akin_answer answer; /* 0: none */
    int is_back, is_quit;
} reply;

/* Whether a line is a word, or its first letter. */
static int is_typed(const char *line, const char *word)
{
    return strcmp(line, word) == 0 || (line[0] == word[0] && line[1] == '\0');
}

/* Reads a line. The end of the input quits, and so does a signal. 0: the line is nothing that is known. */
static int read_reply(reply *out, char line[WORD], akin_status *status, akin_error *error)
{
    const akin_choice *row;
    *out = (reply){.is_quit = 1};
    if (!fgets(line, WORD, stdin)) {
        if (ferror(stdin) && errno != EINTR && !akin_cli_job_cancelled())
            *status = fail_file("standard input", "read", errno, error);
        return 1;
    }
    int c = strchr(line, '\n') ? '\n' : 0;
    while (c != '\n' && c != EOF)
        c = getchar(); /* the rest of a line that is too long */
    line[strcspn(line, "\r\n")] = '\0';
    *out = (reply){.is_back = is_typed(line, "back"), .is_quit = is_typed(line, "quit")};
    for (uint32_t i = 0; (row = akin_choices("answers", i)); i++)
        if (is_typed(line, row->name))
            out->answer = (akin_answer)row->value;
    return out->answer || out->is_back || out->is_quit;
}

/* "ANSWER, ANSWER, back or quit" */
static void print_words(void)
{
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("answers", i)); i++)
        printf("%s, ", row->name);
    printf("back or quit");
}

/* "the same? ANSWER, ANSWER, back or quit [a/a/b/q] " */
static void print_prompt(void)
{
    const akin_choice *row;
    printf("\nthe same? ");
    print_words();
    printf(" [");
    for (uint32_t i = 0; (row = akin_choices("answers", i)); i++)
        printf("%c/", row->name[0]);
    printf("b/q] ");
}

/* Says which replies there are; nothing was typed: the prompt says it again. */
static void print_unknown(const char *line)
{
    if (!*line)
        return;
    printf("'");
    print_value(line, strlen(line), 0);
    printf("' is no reply: type ");
    print_words();
    printf(", or the first letter of one\n");
}

/* Sends off what was printed: a question that nobody has seen gets no answer. */
static akin_status show(akin_error *error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_IO, AKIN_REASON_FILE, "standard output: cannot be written: %s",
                          strerror(errno));
}

static void count_answers(const akin_labelling *labelling, uint64_t counts[4])
{
    for (uint64_t i = 0; i < akin_labelling_count(labelling); i++)
        counts[akin_labelling_at(labelling, i).answer]++;
}

static akin_status ask(const akin_cli_questions *q, const akin_scored_pair *pair, uint64_t asked, reply *out,
                       akin_error *error)
{
    uint64_t counts[4] = {0};
    char line[WORD] = "";
    akin_status status;
    count_answers(q->labelling, counts);
    printf("\nquestion %llu of %llu; %llu yes, %llu no, %llu unsure; probability %.2f\n\n",
           (unsigned long long)asked + 1, (unsigned long long)q->request->limit,
           (unsigned long long)counts[AKIN_ANSWER_YES], (unsigned long long)counts[AKIN_ANSWER_NO],
           (unsigned long long)counts[AKIN_ANSWER_UNSURE], pair->similarity);
    print_pair(q, pair->left, pair->right);
    do {
        print_unknown(line);
        print_prompt();
        status = show(error);
    } while (status == AKIN_OK && !read_reply(out, line, &status, error));
    return status;
}

static akin_status take_reply(akin_cli_job *job, const akin_cli_questions *q, const akin_scored_pair *pair, reply typed,
                              uint64_t *asked, akin_error *error)
{
    if (typed.is_back) {
        *asked -= *asked > 0;
        return akin_labelling_undo(q->labelling, NULL) ? rewrite_answers(job, q, error) : AKIN_OK;
    }
    akin_status status = akin_labelling_answer(q->labelling, pair->left, pair->right, typed.answer, error);
    ++*asked;
    return status == AKIN_OK ? append_answer(job, q, error) : status;
}

static akin_status ask_all(akin_cli_job *job, const akin_cli_questions *q, akin_error *error)
{
    reply typed = {.is_quit = 0};
    akin_status status = AKIN_OK;
    for (uint64_t asked = 0; asked < q->request->limit && status == AKIN_OK && !typed.is_quit;) {
        akin_scored_pair pair;
        int is_there;
        status = akin_labelling_next(q->labelling, &pair, &is_there, error);
        if (status != AKIN_OK || !is_there)
            break;
        status = ask(q, &pair, asked, &typed, error);
        if (status == AKIN_OK && !typed.is_quit)
            status = take_reply(job, q, &pair, typed, &asked, error);
    }
    printf("\n");
    return status == AKIN_OK ? show(error) : status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* Learns from the answers so far, and fills the labelling with pairs to ask about. */
static akin_status learn(akin_cli_job *job, const akin_cli_questions *q, akin_error *error)
{
    const akin_cli_dedupe_request *request = q->request;
    const int two = request->inputs[1] != NULL;
    akin_dedupe_options options = *akin_dedupe_plan_options(request->plan);
    options.labelling = q->labelling;
    const akin_status status =
        akin_dedupe(job->context, q->sides[0].columns, q->sides[0].source.rows, two ? q->sides[1].columns : NULL,
                    two ? q->sides[1].source.rows : 0, akin_dedupe_plan_titles(request->plan)->column_count, &options,
                    NULL, NULL, NULL, NULL, error);
    akin_cli_progress_clear(&job->progress);
    return status;
}

akin_status akin_cli_label_ask(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                               akin_output *page, akin_labelling **out, akin_error *error)
{
    room before = {.is_right = 1};
    akin_status status = request->answers && !page ? look_for(request->answers, &before, error) : AKIN_OK;
    if (status == AKIN_OK && !before.is_right)
        status = fail_header(request->answers, error);
    if (status != AKIN_OK)
        return status;
    status = (page && request->answers ? akin_cli_answers_are_there(request->answers) : before.is_there)
                 ? akin_cli_answers_read(job, request, sides, out, error)
                 : akin_labelling_create(out, error);
    const akin_cli_questions q = {.request = request, .sides = sides, .labelling = *out};
    if (status == AKIN_OK)
        status = learn(job, &q, error);
    if (status == AKIN_OK)
        status = page ? akin_cli_label_page(&q, page, error) : ask_all(job, &q, error);
    return status;
}

void akin_cli_label_advise(const akin_cli_dedupe_request *request, const akin_labelling *labelling)
{
    char number[AKIN_CLI_NUMBER];
    const uint64_t count = akin_labelling_count(labelling);
    if (!request->answers || count == 0)
        return;
    fprintf(stderr, "answers     %s in ", akin_cli_format_grouped(number, count));
    akin_cli_put_text(stderr, request->answers);
    fprintf(stderr, "; 'akin %s --answers ", request->inputs[1] ? "link" : "dedupe");
    akin_cli_put_text(stderr, request->answers);
    fputs("' learns from them: keep the other options\n", stderr);
}
