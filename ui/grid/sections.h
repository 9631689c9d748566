/* SPDX-License-Identifier: MIT
 *
 * The cards of a grid under the headings of their sections, as an arrangement has them.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/grid/arrangement.h"

typedef struct SlPlotSections SlPlotSections;

/* The headings are put into the box, which holds the cards and owns both.  `fold` is called when one is
 * clicked.  */
SlPlotSections *sl_plot_sections_new (GtkBox  *box, void (*fold) (gpointer data, unsigned section),
                                      gpointer data);
void            sl_plot_sections_free (SlPlotSections *self);

/* Puts headings and cards (GtkWidget, by panel) into their order. */
void sl_plot_sections_place (SlPlotSections *self, const SlArrangement *arrangement,
                             GPtrArray *cards);

/* Shows the headings of the sections that have panels; n[] of them, folded or not. */
void sl_plot_sections_show (SlPlotSections *self, const SlLab *lab,
                            const SlArrangement *arrangement, const unsigned n[SL_N_SECTIONS]);
