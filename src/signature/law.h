/* How often a function of each LSH family gives two things the same value (Zhou et al., section IV). */
#ifndef AKIN_SIGNATURE_LAW_H
#define AKIN_SIGNATURE_LAW_H

#include <stdint.h>

/* The parameters of a family. */
typedef struct akin_family_head {
    uint32_t kind;       /* an akin_family_kind */
    uint32_t functions;  /* at least 1 */
    uint32_t dimensions; /* of vectors; 0 of sets */
    uint32_t buckets;    /* values are below: at least 2, and 2 for COSINE */
    uint64_t seed;
    double width; /* of L1 and L2: above 0 */
    double sigma; /* of LAPLACE: above 0 */
} akin_family_head;

/*
 * The probability that two values agree. Where values are hashed into buckets, these add at most 1 / buckets, which is
 * not included:
 *
 *     L1         at a distance of d: 2/pi atan(w/d) - ln(1 + (w/d)^2) / (pi w/d)              (equation 11 for Cauchy)
 *     L2         1 - 2 N(-w/d) - 2 / (sqrt(2 pi) w/d) (1 - exp(-(w/d)^2 / 2))                 (equation 11 for normal)
 *     LAPLACE    exp(-d / sigma), d by L1
 *     COSINE     1 - d / pi, d the angle
 *     JACCARD    1 - d, d the Jaccard distance
 *
 * Each falls with d.
 */
double akin_collision_l1(const akin_family_head *head, double distance);
double akin_collision_l2(const akin_family_head *head, double distance);
double akin_collision_laplace(const akin_family_head *head, double distance);
double akin_collision_cosine(const akin_family_head *head, double distance);
double akin_collision_jaccard(const akin_family_head *head, double distance);

/* The distance at which the probability is `collision`, below 1. Those of L1 and L2 are found by bisection. */
double akin_distance_l1(const akin_family_head *head, double collision);
double akin_distance_l2(const akin_family_head *head, double collision);
double akin_distance_laplace(const akin_family_head *head, double collision);
double akin_distance_cosine(const akin_family_head *head, double collision);
double akin_distance_jaccard(const akin_family_head *head, double collision);

#endif
