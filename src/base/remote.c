/* Files in stores of objects, by addresses such as "s3://BUCKET/KEY". */
#include "base/remote.h"

#include <string.h>

static const akin_remote stores[] = {
    {"s3://", "aws s3 cp ADDRESS -", "aws s3 cp - ADDRESS"},
    {"gs://", "gcloud storage cat ADDRESS", "gcloud storage cp - ADDRESS"},
    {"gcs://", "gcloud storage cat gs://BUCKET/FILE", "gcloud storage cp - gs://BUCKET/FILE"}, /* gcloud takes gs:// */
    {"abfs://", NULL, NULL},
    {"abfss://", NULL, NULL},
    {"hdfs://", "hdfs dfs -cat ADDRESS", "hdfs dfs -put - ADDRESS"},
    {"viewfs://", "hdfs dfs -cat ADDRESS", "hdfs dfs -put - ADDRESS"},
    {"file://", "cat FILE", "cat >FILE"},
};

const akin_remote *akin_remote_of(const char *path)
{
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        if (strncmp(path, stores[i].scheme, strlen(stores[i].scheme)) == 0)
            return &stores[i];
    return NULL;
}

size_t akin_remote_name_length(const char *path)
{
    return akin_remote_of(path) ? strcspn(path, "?") : strlen(path);
}
