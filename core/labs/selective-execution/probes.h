/* SPDX-License-Identifier: MIT
 *
 * What the files with the costly panels of the lab `selective-execution` share.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/labs/selective-execution/lab.h"
#include "core/labs/selective-execution/math/promise.h"

/* The newest evaluation, which the curves show too.  Where there is none, at the beginning and in a run
 * that goes on from a checkpoint, it is made now.  */
const SlSelectiveKept *sl_selective_last (SlSelectiveLab *s);

/* Of exits by a threshold: the point in use on the curve of all thresholds; that curve as a trace.  */
const SlExitPoint *sl_selective_point (SlSelectiveLab *s);
void               sl_selective_draw_curve (SlProbe *p);

/* The error at a point of the curve, in % of what sl_selective_error() counts. */
double sl_selective_point_error (SlSelectiveLab *s, const SlExitPoint *point);

void sl_selective_probe_depth (SlProbe *p);
void sl_selective_probe_routed (SlProbe *p);
void sl_selective_probe_thresholds (SlProbe *p);
void sl_selective_probe_promise (SlProbe *p);
void sl_selective_probe_alive (SlProbe *p);
void sl_selective_probe_clock (SlProbe *p);
