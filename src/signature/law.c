/* Probabilities that LSH functions agree, and their inverses. */
#include "signature/law.h"

#include <math.h>

#define PI 3.14159265358979323846

double akin_collision_l1(const akin_family_head *head, double distance)
{
    const double ratio = head->width / distance;
    return 2 / PI * atan(ratio) - log1p(ratio * ratio) / (PI * ratio);
}

double akin_collision_l2(const akin_family_head *head, double distance)
{
    const double ratio = head->width / distance;
    return 1 - erfc(ratio / sqrt(2)) - sqrt(2 / PI) / ratio * -expm1(-ratio * ratio / 2);
}

double akin_collision_laplace(const akin_family_head *head, double distance)
{
    return exp(-distance / head->sigma);
}

double akin_collision_cosine(const akin_family_head *head, double distance)
{
    (void)head;
    return distance < PI ? 1 - distance / PI : 0;
}

double akin_collision_jaccard(const akin_family_head *head, double distance)
{
    (void)head;
    return distance < 1 ? 1 - distance : 0;
}

/* Between distances where it is above and below, halved until they are neighbours. */
static double invert_law(const akin_family_head *head, double collision,
                         double (*law)(const akin_family_head *head, double distance))
{
    double low = 0, high = head->width;
    if (!(collision > 0))
        return (double)INFINITY;
    while (law(head, high) > collision && high < 1e300) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 200; i++) {
        const double middle = low + (high - low) / 2;
        if (law(head, middle) > collision)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double akin_distance_l1(const akin_family_head *head, double collision)
{
    return invert_law(head, collision, akin_collision_l1);
}

double akin_distance_l2(const akin_family_head *head, double collision)
{
    return invert_law(head, collision, akin_collision_l2);
}

double akin_distance_laplace(const akin_family_head *head, double collision)
{
    return collision > 0 ? -log(collision) * head->sigma : (double)INFINITY;
}

double akin_distance_cosine(const akin_family_head *head, double collision)
{
    (void)head;
    return collision > 0 ? (1 - collision) * PI : PI;
}

double akin_distance_jaccard(const akin_family_head *head, double collision)
{
    (void)head;
    return collision > 0 ? 1 - collision : 1;
}
