/*
 * The template of a page. What stands in place of {{name}} is written by the caller. The text from {{#name}} to
 * {{/name}} is left out if the caller has no such thing; such stretches may be nested.
 */
#ifndef AKIN_REPORT_TEMPLATE_H
#define AKIN_REPORT_TEMPLATE_H

#include "report/html.h"

/* Names are not ended. */
typedef struct akin_template {
    const char *text;
    size_t length;
    void (*write)(void *user, const char *name, size_t length);
    int (*holds)(void *user, const char *name, size_t length);
} akin_template;

void akin_template_write(const akin_template *template, akin_html *html, void *user);

/* Whether a name, which is not ended, is that. */
int akin_template_is(const char *at, size_t length, const char *name);

#endif
