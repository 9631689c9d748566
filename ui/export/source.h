/* SPDX-License-Identifier: MIT
 *
 * Where figures to export come from: the plots of a run (job.h), the charts of runs (ui/runs).  The dialog knows
 * nothing else of them.  */
#pragma once

#include "ui/export/choice.h"

/* Plots are counted from 0; choices among them are those of SlExportPanels.  `data` is the first argument of all
 * functions, of which those that may be NULL say so.  */
typedef struct
{
  gpointer data;
  void (*free) (gpointer data);

  unsigned n;     /* plots that there are, most SL_PANELS_MAX */
  unsigned kinds; /* formats: as many of SlExportKind, from the first on */
  gboolean
    updates; /* plots of a run over its updates: they are smoothed, and have change markers */

  const char *(*title) (gpointer data, unsigned plot); /* in the user's language */
  gboolean (*has_data) (gpointer data, unsigned plot);

  /* Plots are of the moment when the source was made, or of now from here on, where more have data; NULL: they do not
   * change.  */
  void (*renew) (gpointer data);

  /* Those on the screen; NULL: that is all of them. */
  SlExportPanels (*shown) (gpointer data);

  /* Whether one of these is zoomed, so that a table can have less. */
  gboolean (*is_zoomed) (gpointer data, const SlExportPanels *plots);

  /* Makes a page as high as these need. */
  void (*fit) (gpointer data, const SlExportPanels *plots, SlExportChoice *choice);

  /* The name of a file, to be freed with g_free(). */
  char *(*name) (gpointer data, const SlExportPanels *plots, const SlExportChoice *choice);

  /* The bytes of a file, and the file itself with what belongs beside it.  NULL and FALSE with a sentence. */
  GBytes *(*make) (gpointer data, const SlExportPanels *plots, const SlExportChoice *choice,
                   GError **error);
  gboolean (*save) (gpointer data, const SlExportPanels *plots, const SlExportChoice *choice,
                    const char *path, GError **error);
} SlExportSource;

/* How many of these plots have data. */
unsigned sl_export_source_count (const SlExportSource *source, const SlExportPanels *plots);

/* "*.svg *.png …": the endings that files of the source have, that of the chosen kind first; free with g_free(). */
char *sl_export_source_pattern (const SlExportSource *source, SlExportKind chosen);
