/* SPDX-License-Identifier: MIT
 *
 * Parts of a drawing for assistive tools: children without a look, which take no pointer, each with its place, name
 * and sentence.  */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  GtkAllocation at;
  const char   *name, *sentence; /* copied */
} SlSpoken;

/* Makes the children of `parent` that `children` has (of GtkWidget, borrowed by it) those of the parts; n = 0: none. */
void sl_spoken_show (GtkWidget *parent, GPtrArray *children, const SlSpoken *parts, unsigned n);

/* Gives them their places, from the parent's own size_allocate(). */
void sl_spoken_allocate (GPtrArray *children);
