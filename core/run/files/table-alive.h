/* SPDX-License-Identifier: MIT
 *
 * The picture of a network that decides about one example as CSV.  */
#pragma once

#include <glib.h>

#include "core/lab/sink.h"

/* A line for each unit, edge and class, with the name of its group or class; the caller frees it.  Only the
 * heading where the snapshot is no such picture.  */
char *sl_table_alive_csv (const SlSnapshot *snapshot);
