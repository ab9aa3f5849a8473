/*
 * How often a function of an LSH family gives two things the same value, and what signatures tell of that (Zhou et al., section
 * IV). Of m functions c agree: c / m estimates the probability (equation 7), and that the distance, for which it is a measure.
 */
#ifndef AKIN_SIGNATURE_COLLISION_H
#define AKIN_SIGNATURE_COLLISION_H

#include "signature/family.h"

/*
 * The probability that two agree, but for what buckets add, at most 1 / buckets, where what is hashed is put into these:
 *
 *     L1         at a distance of d: 2/pi atan(w/d) - ln(1 + (w/d)^2) / (pi w/d)                 (equation 11 for Cauchy)
 *     L2         1 - 2 N(-w/d) - 2 / (sqrt(2 pi) w/d) (1 - exp(-(w/d)^2 / 2))                      (equation 11 for normal)
 *     LAPLACE    exp(-d / sigma), d by L1
 *     COSINE     1 - d / pi, d the angle
 *     JACCARD    1 - d, d the Jaccard distance
 *
 * Each falls with d.
 */
double akin_family_collision(const akin_family_head *head, double distance);

/* The distance at which the probability is `collision`, in (0, 1): the inverse, by bisection. 0 for 1 and above; infinite for 0 and
 * below, but pi for COSINE and 1 for JACCARD. */
double akin_family_distance(const akin_family_head *head, double collision);

/* For the rows of families: what the two are for each. */
double akin_collision_l1(const akin_family_head *head, double distance);
double akin_collision_l2(const akin_family_head *head, double distance);
double akin_collision_laplace(const akin_family_head *head, double distance);
double akin_collision_cosine(const akin_family_head *head, double distance);
double akin_collision_jaccard(const akin_family_head *head, double distance);
double akin_distance_stable(const akin_family_head *head, double collision); /* of L1 and L2 */
double akin_distance_laplace(const akin_family_head *head, double collision);
double akin_distance_cosine(const akin_family_head *head, double collision);
double akin_distance_jaccard(const akin_family_head *head, double collision);

/* The distance that `agreed` of the functions of two signatures tell of: of values that are hashed, those that agree by chance, 1 /
 * buckets, taken off. */
double akin_family_estimate(const akin_family_head *head, uint32_t agreed);

/* The least chance, over all similarities s in [0, 1], that c / m is within epsilon of s (equation 8). */
double akin_family_certainty(uint32_t functions, double epsilon);

/* The smallest number of functions from which on, for every larger one too, that chance is at least 1 - delta. epsilon is 0.02 or
 * more, up to 1, delta in (0, 1). Errors: AKIN_E_OPTION. */
akin_status akin_family_functions(double epsilon, double delta, uint32_t *out, akin_error *error);

/* The fewest for one similarity s for which c / m is within epsilon of it by a chance of 1 - delta at least: a point of the paper's
 * Figure 8. More may do worse. 0 if `most` do not do. */
uint32_t akin_family_functions_at(double s, double epsilon, double delta, uint32_t most);

#endif
