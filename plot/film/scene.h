/* SPDX-License-Identifier: MIT
 *
 * The figures of a film, which show one moment after the other, with the axes that all of them share.  */
#pragma once

#include "plot/film/film.h"

typedef struct
{
  SlRange x, y, colours;
} SlSceneRanges;

typedef struct
{
  const SlFilm   *film;
  SlRecord        record; /* what the run had published by the moment that is shown */
  SlFigure        figure[SL_FILM_PANELS], *page[SL_FILM_PANELS];
  SlSceneRanges   range[SL_FILM_PANELS];
  gboolean        ranges_known;
  unsigned        generation; /* of the record, another one each time the film begins anew */
  SlMargins       margins[SL_FILM_PANELS];
  SlExportOptions options; /* of the film's page, with the margins and a caption of the moment */
  char           *caption; /* owned */
} SlScene;

/* Finds what the frames share.  FALSE with a sentence when memory ran out or it was cancelled; sl_scene_clear() in any
 * case.  */
gboolean sl_scene_init (SlScene *scene, const SlFilm *film, GCancellable *cancellable,
                        GError **error);
void     sl_scene_clear (SlScene *scene);

/* Lets the figures show a moment: no earlier one than before, or the first.  FALSE: no memory. */
gboolean sl_scene_show (SlScene *scene, unsigned moment);
