/* SPDX-License-Identifier: MIT
 *
 * How figures are to look, as words of a command line or of a program have it: their page, type, colours and legend.  */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "plot/export/export.h"
#include "plot/export/style.h"
#include "plot/figure/figure.h"

/* Of a number: as the page has it. */
#define SL_LOOKS_OF_PAGE (-HUGE_VAL)
enum { SL_LOOKS_ACROSS_OF_PAGE = G_MININT };

typedef struct
{
  char      *page, *size, *caption;            /* as typed, owned */
  char      *legend, *theme, *palette, *style; /* as typed, owned */
  char      *inset;                            /* as typed, owned */
  double     dpi, type, line;                  /* SL_LOOKS_OF_PAGE: as the page has it */
  int        across;       /* figures side by side; SL_LOOKS_ACROSS_OF_PAGE: as the page has it */
  gboolean   no_notes;     /* and no marks of what is chosen */
  gboolean   same_colours; /* curves of one name have one colour on a page */
  SlColours *colours;      /* of the document; borrowed, or NULL */
  bool       keep_same;    /* a figure that has its bytes already is not written */
  bool       only_ours;    /* no file is replaced that Sluice did not write */
} SlLooks;

/* As the page has it all. */
void sl_looks_init (SlLooks *looks);
void sl_looks_clear (SlLooks *looks);

/* What the looks are for a page of so many panels.  `style` keeps what the options borrow.  FALSE with a sentence. */
gboolean sl_looks_options (const SlLooks *looks, unsigned n, SlExportStyle *style,
                           SlExportOptions *options, GError **error);

/* Whether a page of so many panels can be drawn, told before there is anything to draw.  FALSE with a sentence. */
gboolean sl_looks_possible (const SlLooks *looks, unsigned n, SlExportFormat format,
                            GError **error);

/* Enlarges the inset in all figures that have that part.  One that none has is left out with a note, as a figure may be the
 * only thing that is left of hours of training.  FALSE with a sentence: it is no range.  */
gboolean sl_looks_add_insets (const SlLooks *looks, SlFigure *const *figures, unsigned n,
                              char **note, GError **error);

/* Draws figures on one page, into a file or in memory.  `recipe` (JSON) may be NULL.  *note gets a sentence on what was left
 * out, or NULL; free with g_free().  FALSE and NULL with a sentence.  */
gboolean sl_looks_save (const SlLooks *looks, SlFigure *const *figures, unsigned n,
                        const char *recipe, const char *path, char **note, GError **error);
GBytes  *sl_looks_bytes (const SlLooks *looks, SlFigure *const *figures, unsigned n,
                         const char *recipe, SlExportFormat format, char **note, GError **error);
