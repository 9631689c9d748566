/* SPDX-License-Identifier: MIT
 *
 * How figures look that a command draws: their page, type, colours and legend, as typed.  */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "plot/export/export.h"
#include "plot/export/style.h"
#include "plot/figure/figure.h"

/* Of a number: it was not typed. */
#define SL_LOOKS_OF_PAGE (-HUGE_VAL)
enum { SL_LOOKS_ACROSS_OF_PAGE = G_MININT };

typedef struct
{
  char      *page, *size, *caption;            /* as typed, owned */
  char      *legend, *theme, *palette, *style; /* as typed, owned */
  char      *inset;                            /* as typed, owned */
  double     dpi, type, line;                  /* SL_LOOKS_OF_PAGE: as the page has it */
  int        across;       /* figures side by side; SL_LOOKS_ACROSS_OF_PAGE: it was not typed */
  gboolean   same_colours; /* curves of one name have one colour on a page */
  SlColours *colours;      /* of the document; borrowed, or NULL */
  bool       keep_same;    /* a figure that has its bytes already is not written */
  bool       only_ours;    /* no file is replaced that Sluice did not write */
} SlLooks;

/* As the page has it all. */
void sl_looks_init (SlLooks *looks);

/* Adds --page, --style, --size, … to a command, and initialises the looks. */
void sl_looks_add_options (SlLooks *looks, GOptionContext *context);

/* Whether a page of so many panels can be drawn, told before there is anything to draw.  Complains. */
bool sl_looks_check (const SlLooks *looks, unsigned n, SlExportFormat format);

/* What the looks are for a page of so many panels.  `style` keeps what the options borrow.  Complains. */
bool sl_looks_options (const SlLooks *looks, unsigned n, SlExportStyle *style,
                       SlExportOptions *options);

/* Draws figures on one page.  `recipe` (JSON) may be NULL.  False after a complaint.  */
bool sl_looks_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
                    const char *path);

void sl_looks_clear (SlLooks *looks);
