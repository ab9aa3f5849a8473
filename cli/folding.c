/* Reads --ignore-case and --fold, which say the same of strings as of tokens. */
#include "folding.h"

int akin_cli_folds_check(const akin_cli_folding *folding, uint32_t *folds)
{
    akin_error error;
    *folds = folding->ignore_case ? AKIN_FOLD_CASE : 0;
    if (!folding->fold)
        return AKIN_CLI_DONE;
    if (folding->ignore_case)
        return akin_cli_refuse("--ignore-case and --fold: expected one of them, such as --fold case+accents");
    if (folding->fold == akin_cli_lacking)
        return akin_cli_refuse(
            "--fold: expected an argument, such as --fold case+accents; for case alone --ignore-case is short");
    if (akin_folds_parse(folding->fold, folds, &error) != AKIN_OK)
        return akin_cli_refuse("--fold: %s; for case alone --ignore-case is short", error.message);
    return AKIN_CLI_DONE;
}

int akin_cli_folds_check_tokens(const akin_cli_folding *folding, const char **option)
{
    uint32_t folds;
    int status = akin_cli_folds_check(folding, &folds);
    if (status == AKIN_CLI_DONE && (folds & ~(uint32_t)AKIN_FOLD_CASE))
        return akin_cli_refuse("--fold %s: tokens ignore case alone: expected --ignore-case", folding->fold);
    *option = !folds ? NULL : folding->fold ? "fold" : "ignore-case";
    return status;
}
