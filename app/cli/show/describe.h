/* SPDX-License-Identifier: MIT
 *
 * Descriptors of labs and data sources in words for a terminal.  Nothing here knows a
 * particular lab.  */
#pragma once

#include <stdio.h>

#include "core/data/source/source.h"
#include "core/lab/lab.h"

/* The lab with this id, the first one for NULL; complains and gives NULL for an unknown
 * one.  */
const SlLab *sl_describe_find_lab (const char *id);

/* Text broken into lines of 78 columns, each behind `indent` blanks. */
void sl_describe_wrapped (FILE *stream, unsigned indent, const char *text);

/* One parameter after the other under their groups: id, default, range, help. */
void sl_describe_params (FILE *stream, const SlParam *params, unsigned n_params);

/* The same for the options of a source that are files. */
void sl_describe_files (FILE *stream, const SlFileOption *files, unsigned n_files);

/* A lab's front page: its summary, source, first settings and plots.  `all`: also presets, every parameter and panel, and
 * sweeps.  */
void sl_describe_lab (FILE *stream, const SlLab *lab, bool all);
