/* SPDX-License-Identifier: MIT
 *
 * What is exported and how: formats, looks and plots as they are chosen, and what was chosen last.  */
#pragma once

#include <glib.h>

#include "core/lab/lab.h"
#include "plot/export/export.h"
#include "ui/kit/prefs.h"

typedef enum {
  SL_KIND_PNG,
  SL_KIND_SVG,
  SL_KIND_PDF,
  SL_KIND_TIKZ,
  SL_KIND_MATPLOTLIB,
  SL_KIND_CSV, /* so far as SlExportFormat */
  SL_KIND_NPY,
  SL_KIND_JSON,
  SL_N_KINDS,
} SlExportKind;

typedef struct
{
  SlExportKind    format;
  SlExportPreset  preset;
  char            style[64]; /* name of the style whose font the page has (style.h), or "" */
  SlExportOptions page;      /* without its texts, which are made when it is drawn: */
  bool            caption;   /* settings and seed below the plots */
  bool            recipe;
  bool            same_colours; /* curves of one name have one colour */
  bool            smooth;       /* keep the smoothing of the screen */
  bool            in_view;      /* tables: only what the zoomed plot shows */
} SlExportChoice;

/* Which plots, in the order of their letters; n = 0: all that have data. */
typedef struct
{
  unsigned n, panel[SL_PANELS_MAX];
} SlExportPanels;

/* The plot alone, or with -1 all. */
SlExportPanels sl_export_panels (int panel);

/* "svg", the ending of a file of this kind; static. */
const char *sl_export_kind_id (SlExportKind kind);

/* The kind of a path's ending; PNG for an unknown one. */
SlExportKind sl_export_kind_for (const char *path);

/* A table rather than a page. */
gboolean sl_export_is_table (SlExportKind kind);

/* What was chosen last, for `n` plots on a page.  Remembered sizes of page, type and lines are those of
 * one plot; several get what their preset gives them.  */
void sl_export_choice_load (SlExportChoice *choice, SlPrefs *prefs, unsigned n);
void sl_export_choice_store (const SlExportChoice *choice, SlPrefs *prefs, unsigned n);

/* The sizes that the preset gives to a page of `n` plots, `across` of them side by side; 0: as it
 * has them.  */
void sl_export_choice_fit (SlExportChoice *choice, unsigned n, unsigned across);
