/* SPDX-License-Identifier: MIT
 *
 * The places of the window, one under the other at its left: the start page, every lab, the lessons.
 * Its actions: win.glance, win.lab (s: id), win.lessons.  */
#pragma once

#include <gtk/gtk.h>

#include "core/lab/lab.h"

#define SL_TYPE_RAIL (sl_rail_get_type ())
G_DECLARE_FINAL_TYPE (SlRail, sl_rail, SL, RAIL, GtkWidget)

/* Where the person is; NULL: on the start page. */
void sl_rail_set_shown (SlRail *self, const SlLab *lab);

/* Hides the labs that `offers` says FALSE of, and the lessons. */
void sl_rail_set_offered (SlRail  *self, gboolean (*offers) (const SlLab *lab, gpointer data),
                          gpointer data, gboolean lessons);

/* Names below the signs; FALSE: signs alone. */
void sl_rail_set_names (SlRail *self, gboolean names);

/* The list; its row 0 is the start page, the next ones are the labs in their order. */
GtkListBox *sl_rail_get_list (SlRail *self);
