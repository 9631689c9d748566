/* SPDX-License-Identifier: MIT
 *
 * What a sweep is proposed to vary, so that starting one takes no typing.  */
#pragma once

#include "core/lab/lab.h"

/* The parameter to vary first: the one for the rank, the number of active ones, the sparsity, else
 * that of the first suggested sweep, else the first that may change while it runs.  */
int sl_sweep_first_param (const SlLab *lab, const SlSettings *settings);

/* Values for it around the one of now, as sl_sweep_add_axis() reads them behind the "="; free with
 * g_free().  */
char *sl_sweep_values (const SlParam *param, const SlValue *now);

/* "1:8" from "1,2,4,8", the least and the largest of numbers; what is no list of numbers stays.  Takes `values` over;
 * free the result with g_free().  */
char *sl_sweep_values_range (const SlParam *param, char *values);
