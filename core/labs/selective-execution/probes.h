/* SPDX-License-Identifier: MIT
 *
 * What the files with the costly panels of the lab `selective-execution` share.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/labs/selective-execution/lab.h"

/* Evaluates the first validation examples, PROBE at most; returns how many. */
size_t sl_selective_evaluate_some (SlSelectiveLab *s, SlSelectiveEvaluation *evaluation);

void sl_selective_probe_graph (SlProbe *p);
void sl_selective_probe_clock (SlProbe *p);
