/* SPDX-License-Identifier: MIT
 *
 * Replaces sl_timing_ratio() in tests that are linked with --wrap=sl_timing_ratio: each side runs once, and the ratio is 1.
 * Runs of a few updates would otherwise spend most of their time on timing, which the tests of the clock cover.  */
#include "core/lab/kit/timing.h"

SlMeasured __wrap_sl_timing_ratio (const SlTiming *timing);

SlMeasured
__wrap_sl_timing_ratio (const SlTiming *timing)
{
  timing->reference (timing->data);
  timing->timed (timing->data);
  return (SlMeasured) { .value = 1, .spread = 0.01 };
}
