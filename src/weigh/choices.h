/* What users of term weights choose by name: the tables. */
#ifndef AKIN_WEIGH_CHOICES_H
#define AKIN_WEIGH_CHOICES_H

#include "base/choice.h"

extern const akin_choice_table akin_formulas;        /* formula.c */
extern const akin_choice_table akin_weights_formats; /* write.c */
extern const akin_choice_table akin_weights_orders;  /* weigher.c, as what follows */
extern const akin_choice_table akin_unknown_ways;
extern const akin_choice_table akin_weigh_techniques;
extern const akin_choice_table akin_distributions; /* generate.c: 1 if words are as frequent as others */
extern const akin_choice_table akin_languages;     /* stop_words.c */

/* A technique; its value is an akin_weigh_technique. */
typedef struct akin_weigh_technique_row {
    akin_choice choice;
    int by_dictionary; /* words are looked up in a frozen dictionary, as they stand */
} akin_weigh_technique_row;

/* NULL: there is none such. */
const akin_weigh_technique_row *akin_weigh_technique_of(akin_weigh_technique technique);

#endif
