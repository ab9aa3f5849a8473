/*
 * How often a function of an LSH family gives two things the same value, and what signatures estimate by that (Zhou et
 * al., section IV). Of m functions c agree: c / m estimates the probability (equation 7), and that the distance, for
 * which it is a measure.
 */
#ifndef AKIN_SIGNATURE_COLLISION_H
#define AKIN_SIGNATURE_COLLISION_H

#include "signature/family.h"

/* The probability that two agree (law.h). */
double akin_family_collision(const akin_family_head *head, double distance);

/* The distance at which the probability is `collision`, in (0, 1): the inverse, by bisection. 0 for 1 and above;
 * infinite for 0 and below, but pi for COSINE and 1 for JACCARD. */
double akin_family_distance(const akin_family_head *head, double collision);

/* The distance that is estimated when `agreed` functions of two signatures agree. For hashed values the share that
 * agrees by chance, 1 / buckets, is taken off. */
double akin_family_estimate(const akin_family_head *head, uint32_t agreed);

/* The least chance, over all similarities s in [0, 1], that c / m is within epsilon of s (equation 8). */
double akin_family_certainty(uint32_t functions, double epsilon);

/* Finds the least number of functions for which, at this number and every larger one, that chance is at least
 * 1 - delta. epsilon is 0.02 to 1, delta above 0 and below 1. Errors: AKIN_E_OPTION. */
akin_status akin_family_functions(double epsilon, double delta, uint32_t *out, akin_error *error);

/* The fewest for one similarity s for which c / m is within epsilon of it by a chance of 1 - delta at least: a point of
 * the paper's Figure 8. More may do worse. 0 if `most` do not do. */
uint32_t akin_family_functions_at(double s, double epsilon, double delta, uint32_t most);

#endif
