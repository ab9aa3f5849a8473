/* Goes through the files of corpora, which are folders given on a test's command line; to be included with _GNU_SOURCE
 * defined, after cmocka.h. */
#ifndef AKIN_TEST_CORPORA_H
#define AKIN_TEST_CORPORA_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define CORPORA_PATH_BYTES 8192

/* Calls check with the path of every file of the folders that has no leading dot. Each folder has files. */
static inline void for_each_file(char **folders, int count, void (*check)(const char *path))
{
    for (int i = 0; i < count; i++) {
        struct dirent **entries;
        const int found = scandir(folders[i], &entries, NULL, alphasort);
        int files = 0;
        assert_true(found > 0);
        for (int k = 0; k < found; k++) {
            char path[CORPORA_PATH_BYTES];
            snprintf(path, sizeof path, "%s/%s", folders[i], entries[k]->d_name);
            if (entries[k]->d_name[0] != '.') {
                check(path);
                files++;
            }
            free(entries[k]);
        }
        free(entries);
        assert_true(files > 0);
    }
}

#endif
