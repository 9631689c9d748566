/* SPDX-License-Identifier: MIT
 *
 * The film of a run, as typed: its file, what it shows, how large and how fast.  */
#pragma once

#include "app/cli/cli.h"
#include "app/cli/show/looks.h"
#include "core/run/frames/frames.h"
#include "core/run/record/record.h"
#include "plot/film/film.h"

typedef struct
{
  char    *path, *panels, *size; /* as typed, owned; a path of NULL: no film */
  double   delay;
  unsigned panel[SL_FILM_PANELS], n; /* n 0: none was typed */
} SlFilmChoice;

/* Adds --film, --film-panel, --film-size and --film-delay to a command. */
void sl_film_choice_add_options (SlFilmChoice *choice, GOptionContext *context);

/* Reads what was typed and makes a folder for frames, before the training.  Complains. */
SlExit sl_film_choice_check (SlFilmChoice *choice, const SlLooks *looks, const SlLab *lab);

/* Chooses what the film shows unless it was typed: the picture of the network, else the first plot of the front.  Marks it
 * in `wanted` (n_panels).  False: there is no film.  */
bool sl_film_choice_mark (SlFilmChoice *choice, const SlLab *lab, const SlSettings *settings,
                          const SlDataset *dataset, bool *wanted);

/* Makes the film of the moments that there are, if there is to be one; a signal ends it unless the training was `stopped` by
 * one.  Complains.  */
SlExit sl_film_choice_write (const SlFilmChoice *choice, const SlLooks *looks,
                             const SlRecord *record, const SlSettings *settings,
                             const SlFrames *frames, const char *recipe, bool stopped);

void sl_film_choice_clear (SlFilmChoice *choice);
