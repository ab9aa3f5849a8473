/*
 * The main of a fuzzer that is built without libFuzzer: runs it once on each file named, and on each file of a
 * directory named. So the corpus is a regression test with every compiler.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The content of a file in a block exactly as long, so that a sanitizer sees the first byte read beyond it. */
static uint8_t *slurp(const char *path, size_t *size)
{
    uint8_t *data = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0)
        data = malloc(length ? (size_t)length : 1);
    if (data) {
        *size = fread(data, 1, (size_t)length, file);
        if (*size != (size_t)length) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

static int replay_file(const char *path, unsigned *count)
{
    size_t size = 0;
    uint8_t *data = slurp(path, &size);
    if (!data) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    int result = LLVMFuzzerTestOneInput(data, size);
    free(data);
    *count += 1;
    return result;
}

static int replay_directory(DIR *directory, const char *path, unsigned *count)
{
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= replay_file(name, count);
    }
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        failed |= directory ? replay_directory(directory, argv[i], &count) : replay_file(argv[i], &count);
        if (directory)
            closedir(directory);
    }
    printf("%u inputs\n", count);
    return failed || count == 0;
}
