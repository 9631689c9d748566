/* SPDX-License-Identifier: MIT
 *
 * How the learning rate changes over a run.  */
#pragma once

typedef enum {
  SL_CONSTANT,
  SL_COSINE, /* from full to 0 over `epochs` along half a cosine (Loshchilov and Hutter 2017), then 0 */
  SL_STEPS, /* times 0.9 every `epochs` (Davis 2016, table 3.1, with 50) */
} SlSchedule;

/* The factor of the base rate after `epoch` epochs. */
double sl_schedule (SlSchedule schedule, double epochs, double epoch);

/* The factor for update `t`, from 1: rising to 1 in a straight line over the first `warm_up`
 * updates, 1 for `flat` more, then falling with the inverse square root of the update (Shazeer et
 * al. 2017: for the language models without `flat`, for translation with it).  */
double sl_schedule_inverse_root (double warm_up, double flat, double t);
