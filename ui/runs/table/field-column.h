/* SPDX-License-Identifier: MIT
 *
 * A column of the table of runs for the values of a field.  */
#pragma once

#include <gtk/gtk.h>

/* Of the field of this name (core/run/query/field.h), which there is; a group has the value that all its runs have. */
GtkColumnViewColumn *sl_field_column_new (const char *name);
