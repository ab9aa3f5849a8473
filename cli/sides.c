/* The options that name columns of two files. */
#include "sides.h"

#include "command.h"

/* The three options of one name. */
typedef struct side_options {
    const char *both, *each[2];  /* their arguments; NULL: not given */
    const char *name, *names[2]; /* what they are called */
} side_options;

static int check_one(const side_options *given, int two)
{
    for (int side = 0; side < 2; side++) {
        if (given->each[side] && given->both)
            return akin_cli_refuse("--%s and --%s: expected --%s, of both files, or --%s and --%s", given->name,
                                   given->names[side], given->name, given->names[0], given->names[1]);
        if (given->each[side] && !two)
            return akin_cli_refuse("--%s: expected two files; of one file it is --%s", given->names[side], given->name);
    }
    return AKIN_CLI_DONE;
}

int akin_cli_sides_check(const akin_cli_sides *said, int two, akin_cli_reading_words words[2])
{
    const side_options on = {said->on, {said->left_on, said->right_on}, "on", {"left-on", "right-on"}};
    const side_options id = {said->id, {said->left_id, said->right_id}, "id", {"left-id", "right-id"}};
    int status = check_one(&on, two);
    if (status == AKIN_CLI_DONE)
        status = check_one(&id, two);
    if (status != AKIN_CLI_DONE)
        return status;
    const int apart = on.each[0] || on.each[1];
    for (int side = 0; side < 2; side++) {
        words[side].on = apart ? on.each[side] : on.both;
        words[side].on_option = apart ? on.names[side] : on.name;
        words[side].id = id.each[side] ? id.each[side] : id.both; /* NULL, where the other side alone has one */
        words[side].id_option = id.each[side] ? id.names[side] : id.name;
        words[side].on_tables = apart ? 0 : 1 + two;
        words[side].id_tables = id.each[side] ? 0 : 1 + two;
        words[side].side = side;
        words[side].implied = apart ? on.names[!side] : NULL;
    }
    return AKIN_CLI_DONE;
}
