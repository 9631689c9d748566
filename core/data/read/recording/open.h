/* SPDX-License-Identifier: MIT
 *
 * A recording of routing from a file or folder, whatever it is written in.  Nothing in a file is trusted, and
 * nothing in it can run; no name of a file is taken out of a file.  */
#pragma once

#include "core/data/routing/draft.h"

/* Opens `path`; the caller frees *routing.  On failure *routing is NULL and the status says file, place, found and
 * expected, and what to try.  Where a file has two readings that its numbers cannot tell apart, the failure names
 * both.  Blocks on files; any thread.  SL_EIO, SL_EFORMAT, SL_EINVAL (options), SL_ENOMEM.  */
SlStatus sl_routing_open (const char *path, const SlRoutingOptions *options, SlRouting **routing);

/* The same of arrays that are open, which it clears also after a failure.  Scores that a program lent as floats, layer
 * after layer, stay where they are, for as long as the recording.  */
SlStatus sl_routing_of_arrays (SlArrays *arrays, const SlRoutingOptions *options,
                               SlRouting **routing);

/* Whether arrays are one, by their names and shapes. */
bool sl_routing_arrays_likely (SlArrays *arrays);

/* The same of a file or folder.  Tables of two columns without a
 * heading are not: they are recordings only where the user says so.  */
bool sl_routing_likely (const char *path);

/* How many curves of a trainer's log are loads of experts.  With most of them it is a recording, with some where the
 * person says so (SL_ROUTING_AS_COUNTS).  */
typedef enum { SL_TRAINING_NONE, SL_TRAINING_SOME, SL_TRAINING_MOST } SlTraining;

/* Judges a file, or the event files of a folder, by what it begins with. */
SlTraining sl_training_look (const char *path);
