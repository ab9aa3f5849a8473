/* Models of learnt weights in files. */
#include "model.h"

#include <unistd.h>

#include "command.h"
#include "job.h"
#include "path.h"

static akin_status read_model(const char *path, akin_dedupe_model **out, akin_error *error)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_json *json = NULL;
    options.device = "cpu";
    options.threads = 1;
    akin_status status = akin_cli_context_create(&options, &context, error);
    if (status == AKIN_OK)
        status = akin_json_read(context, path, &json, error);
    if (status == AKIN_OK)
        status = akin_dedupe_model_read(json, akin_cli_path_name(path), out, error);
    akin_json_free(json);
    akin_context_free(context);
    return status;
}

int akin_cli_model_read(const char *path, akin_dedupe_model **out)
{
    akin_error error;
    *out = NULL;
    if (akin_cli_path_is_stdin(path))
        return akin_cli_refuse("--model %s: expected a file, which is read if it is there and else written", path);
    if (access(path, F_OK) != 0)
        return AKIN_CLI_DONE;
    if (akin_cli_path_check_regular("model", path) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    return read_model(path, out, &error) == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}
