/* SPDX-License-Identifier: MIT
 *
 * A film: what panels of a run showed at moments of it, one frame after the other, each drawn as the exporter draws a
 * figure.  Axes, colour scales and the places of plots are the same in all frames, over what all of them need, so that
 * the eye compares like with like; curves grow along the axes of the whole run.  The update is written below.  The same run
 * and options give the same bytes.
 *
 * Everything may run on a thread of its own, as long as no other thread touches what is borrowed.  */
#pragma once

#include <gio/gio.h>

#include "core/run/frames/frames.h"
#include "core/run/record/record.h"
#include "plot/export/export.h"

typedef enum {
  SL_FILM_GIF,    /* one palette of 255 colours */
  SL_FILM_APNG,   /* all colours */
  SL_FILM_FRAMES, /* a folder of numbered PNG */
  SL_N_FILMS
} SlFilmFormat;

enum { SL_FILM_PANELS = 6, SL_FILM_MOST = 4096, SL_FILM_LEAST = 128 /* px of a side */ };

/* Moments of a run, from the first on. */
typedef struct
{
  unsigned n; /* at least 1 */
  uint64_t (*step) (const void *of, unsigned i);
  /* What a panel that is no series showed, good until the next call; NULL: nothing. */
  const SlSnapshot *(*shot) (const void *of, unsigned i, unsigned panel);
  const void *of;
} SlFilmMoments;

typedef struct
{
  const SlRecord   *record;   /* of the whole run, whose curves are shown */
  const SlSettings *settings; /* of it */
  SlFilmMoments     moments;
  unsigned          panel[SL_FILM_PANELS], n; /* shown together on each frame, at least 1 */

  SlFilmFormat    format;
  SlExportOptions page;        /* a frame; its caption comes behind the update */
  double          delay, hold; /* seconds of a frame and of the last one */
} SlFilm;

/* The moments that were kept; of pictures of one example, the first of those. */
SlFilmMoments sl_film_moments (const SlFrames *frames);

/* Makes the frames of `page` so large, in px; a height of 0: as the page has it.  Type and lines keep their size in a page
 * that is as wide as it was in mm.  */
void sl_film_scale (SlExportOptions *page, unsigned width, unsigned height);

/* Makes frames of one panel as high as it needs at their width, as sl_export_fit(). */
void sl_film_fit (SlFilm *film, SlExportPreset preset);

/* What makes such a film impossible, to be asked before a long training: size, type, delays. */
gboolean sl_film_check (const SlFilm *film, GError **error);

/* How much is done, from 0 to 1; called on the thread that makes the film. */
typedef void (*SlFilmProgress) (gpointer data, double done);

/* Makes a film: of GBytes, one file or as many as frames.  NULL with a sentence, G_IO_ERROR_CANCELLED among them.
 * `cancellable` and `progress` may be NULL.  */
GPtrArray *sl_film_make (const SlFilm *film, GCancellable *cancellable, SlFilmProgress progress,
                         gpointer data, GError **error);

/* Writes what was made, whole or not at all: a file, or NAME-0001.png, … into a folder, which is made if need be.  */
gboolean sl_film_save (const GPtrArray *files, SlFilmFormat format, const char *path,
                       const char *name, GError **error);

/* The format for a path: a folder's ends in '/', a file's in .gif, .png or .apng; -1 for any other. */
int sl_film_format_for (const char *path);
