/* The page of a report on near-duplicates: a template (report/template.h), which is made of page/duplicates.html when
 * akin is built. */
#ifndef AKIN_CORPUS_DUPLICATES_PAGE_H
#define AKIN_CORPUS_DUPLICATES_PAGE_H

#include <stddef.h>

extern const unsigned char akin_duplicates_template[];
extern const size_t akin_duplicates_template_length;

#endif
