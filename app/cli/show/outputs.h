/* SPDX-License-Identifier: MIT
 *
 * The files a run is written to: tables, the whole record, and figures of its
 * panels.  The same options in every command that has a record.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "app/cli/cli.h"
#include "app/cli/show/looks.h"
#include "core/data/image/bitmap.h"
#include "core/run/frames/frames.h"
#include "core/run/record/record.h"

typedef struct
{
  const char *path;  /* borrowed */
  unsigned   *panel; /* (n) shown on the page, in this order; owned */
  unsigned    n;
  bool        all; /* of the panels, but for those that have nothing to show */
} SlPlotFile;

typedef struct
{
  char *csv, *json, *npy, *folder, *picture, *recording,
    *network; /* as typed; "-" is the standard output, but for folder, picture and recording */
  char           *html;  /* likewise: a page of the front panels */
  char          **plots; /* as typed */
  GArray         *files; /* of SlPlotFile, from sl_outputs_check() */
  SlLooks         looks;
  const SlFrames *frames; /* what pages show of moments of the run; borrowed, or NULL */
} SlOutputs;

/* Adds --csv, --json, --npy, --plot, --picture, --recording, --network, --out and the looks of figures to a command. */
void sl_outputs_add_options (SlOutputs *outputs, GOptionContext *context);

/* Parses what was typed for a run under `settings` (NULL: the defaults) and tests that the folders exist and are writable, so that a typing error
 * shows before the training and not after it.  Complains.  */
SlExit sl_outputs_check (SlOutputs *outputs, const SlLab *lab, const SlSettings *settings);

/* The panel of this id, or -1 after a complaint. */
int sl_outputs_panel (const SlLab *lab, const char *id);

/* Whether a file can be written there, "-" among them.  Complains. */
SlExit sl_outputs_check_file (const char *path);

/* True when something is to be written. */
bool sl_outputs_any (const SlOutputs *outputs);

/* True when a page shows this panel, at moments of the run where there are any. */
bool sl_outputs_wants_moments (const SlOutputs *outputs, unsigned panel);

/* True when some file shows this panel. */
bool sl_outputs_wants (const SlOutputs *outputs, unsigned panel);

/* True when the standard output is taken by a table or a network. */
bool sl_outputs_on_stdout (const SlOutputs *outputs);

/* Writes every file, each whole or not at all, and goes on after a failure.  `recipe` (JSON) may be
 * NULL.  Complains.  */
SlExit sl_outputs_write (const SlOutputs *outputs, const SlRecord *record, const char *recipe);

/* Writes a web page, unless a list of figures has to leave the file alone.  False after a complaint. */
bool sl_outputs_save_page (const SlOutputs *outputs, GBytes *page, const char *path);

/* Writes a text, which it frees, to a file, whole or not at all, or to the standard output for "-".
 * False after a complaint.  */
bool sl_outputs_save_text (char *text, const char *path);

/* True when the picture that a run of this lab makes is to be written. */
bool sl_outputs_wants_picture (const SlOutputs *outputs, const SlLab *lab);

/* Writes it, to the file that was typed and into the folder, with its title and recipe (JSON).
 * Complains.  */
SlExit sl_outputs_write_picture (const SlOutputs *outputs, const SlBitmap *picture,
                                 const char *title, const char *recipe);

void sl_outputs_clear (SlOutputs *outputs);
