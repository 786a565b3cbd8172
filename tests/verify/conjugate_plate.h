/* A laminar boundary layer over a plate that conducts (Luikov 1974): a part of verify_conjugate. */
#ifndef AN_TESTS_CONJUGATE_PLATE_H
#define AN_TESTS_CONJUGATE_PLATE_H

void conjugate_plate(void);

#endif
