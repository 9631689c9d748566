/* SPDX-License-Identifier: MIT
 *
 * A run carried out of the window: made once more from its recipe in the background, to be looked at on the way, and
 * written as a web page or a film.  While it trains nothing else may compute (again.h).  */
#pragma once

#include <gio/gio.h>

#include "core/run/record/recipe.h"
#include "plot/film/film.h"

typedef struct
{
  SlRecipe  recipe;
  SlRecord  record;  /* the curves of now, where there are to be */
  SlFrames *kept;    /* beside them, moments that were kept of the picture, or NULL */
  unsigned  moments; /* none: 0, for a page; else as sl_frames_new() */
  unsigned  panel[SL_PANELS_MAX], n;

  gboolean film; /* of the first panel; else a page, with a title and a sentence of its own */
  char    *title, *sentence;
  struct
  {
    SlFilmFormat format;
    gboolean     slide; /* 1280 × 720 in large type; else 800 px wide */
    double       delay; /* seconds of a frame */
  } looks;
  char *path;
} SlCarryOrder;

void sl_carry_order_clear (SlCarryOrder *order);

typedef struct SlCarryJob SlCarryJob;

/* On the main thread; also after it was cancelled, which is the error then, and nothing was written. */
typedef void (*SlCarryDone) (gpointer owner, const SlCarryJob *job, const GError *error);

/* Takes the order over.  The job is gone after `done`. */
SlCarryJob *sl_carry_begin (SlCarryOrder order, SlCarryDone done, gpointer owner);
void        sl_carry_cancel (SlCarryJob *job);

/* Its owner goes: cancels it without `done`, and waits until it is over, for half a second at most, because what it
 * uses may be taken down next.  */
void sl_carry_leave (SlCarryJob *job);

/* How much is done, from 0 to 1. */
double sl_carry_share (const SlCarryJob *job);

gboolean            sl_carry_is_cancelled (const SlCarryJob *job);
const SlCarryOrder *sl_carry_order (const SlCarryJob *job);

/* Whether it failed before there was anything to write. */
gboolean sl_carry_could_not_train (const SlCarryJob *job);
