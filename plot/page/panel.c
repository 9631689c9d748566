/* SPDX-License-Identifier: MIT
 *
 * One panel on a page.  */
#include <math.h>
#include <string.h>

#include "core/lab/alive.h"
#include "plot/export/describe.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/page/private.h"

/* mm and pt: of a page that is read on a screen, where two panels stand side by side */
static const double WIDTH = 112.0, HEIGHT = 68.0, WIDE = 240.0, WIDE_HEIGHT = 96.0, TYPE = 9.0;

/* Has points whose markers only the drawing knows. */
static bool
is_front (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].point != NULL)
      return true;
  return false;
}

static bool
is_wide (const SlFigure *figure)
{
  return figure->kind == SL_ALIVE || is_front (figure);
}

/* The names of its curves are beside the drawing. */
static bool
is_named (const SlFigure *figure)
{
  return sl_figure_kind (figure)->lines && !is_front (figure);
}

/* Has values for the pointer. */
static bool
is_read (const SlFigure *figure)
{
  const SlFigureKind *kind = sl_figure_kind (figure);

  return kind->lines || kind->bars || (kind->rows && kind->steps);
}

SlExportOptions
sl_page_options (SlFigure *figure)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);

  options.width = is_wide (figure) ? WIDE : WIDTH;
  options.height = is_wide (figure) ? WIDE_HEIGHT : HEIGHT;
  options.type = TYPE;
  options.titles = options.notes = options.letters = false;
  options.legend = is_named (figure) ? SL_LEGEND_NONE : SL_LEGEND_ABOVE;
  sl_export_fit (&options, SL_PRESET_SCREEN, &figure, 1);
  return options;
}

/* Words that the figure has, in the document's language. */
static void
put_words (SlPage *page, const char *id, SlFigure *figure)
{
  SlFigure         spoken = *figure;
  SlFigure        *figures[] = { figure };
  g_autofree char *alt = NULL;
  g_autofree void *curves = g_memdup2 (spoken.curve, spoken.n_curves * sizeof *spoken.curve);

  spoken.curve = curves;
  spoken.translated = false;
  sl_figure_show_messages (&spoken);
  alt = sl_export_describe (figures, 1);
  sl_page_text (page, "id", id);
  sl_page_text (page, "title", spoken.title);
  sl_page_text (page, "alt", alt);
  sl_page_bool (page, "wide", is_wide (figure));
  if (is_read (figure))
    sl_page_curves (page, &spoken);
  figure->x_range = spoken.x_range;
  figure->y_range = spoken.y_range;
}

void
sl_page_figure (SlPage *page, const char *id, SlFigure *figure)
{
  SlPageShots *shots = sl_page_shots_new ();

  sl_figure_fit (figure, HUGE_VAL);
  sl_page_open (page, NULL, '{');
  put_words (page, id, figure);
  sl_page_shots_add (shots, page, figure);
  sl_page_shots_end (shots, page);
  sl_page_close (page);
}

/* ---- moments ---- */

void
sl_page_figures (SlPage *page, const char *id, SlFigure *last, unsigned n, SlPageAt at, void *data)
{
  SlPageShots *shots = sl_page_shots_new ();

  sl_page_open (page, NULL, '{');
  put_words (page, id, last);
  sl_page_open (page, "views", '[');
  sl_page_text (page, NULL, "");
  sl_page_close (page);
  for (unsigned i = 0; i < n; i++)
    sl_page_shots_add (shots, page, at (i, data));
  sl_page_shots_end (shots, page);
  sl_page_close (page);
}

/* The name of this number among those of a snapshot, each of which ends with a line. */
static void
name_of (const SlSnapshot *snapshot, unsigned number, char name[SL_MESSAGE_SIZE])
{
  const char *at = snapshot->names, *end = strchr (at, '\n');
  char        packed[SL_MESSAGE_SIZE];

  for (; number > 0 && end != NULL; number--, end = strchr (at, '\n'))
    at = end + 1;
  name[0] = '\0';
  if (end == NULL || (size_t) (end - at) >= sizeof packed)
    return;
  memcpy (packed, at, (size_t) (end - at));
  packed[end - at] = '\0';
  sl_message_show (packed, NULL, name, SL_MESSAGE_SIZE);
}

/* What a picture of one example is of: its class, which the picture marks; "" where there is none. */
static void
example_name (const SlSnapshot *snapshot, char name[SL_MESSAGE_SIZE])
{
  SlAlive alive;

  name[0] = '\0';
  if (snapshot == NULL
      || !sl_alive_read (&alive, snapshot->data, snapshot->rows, snapshot->columns))
    return;
  for (unsigned c = 0; c < alive.n_classes; c++)
    if (alive.class[(size_t) c * SL_ALIVE_COLUMNS + 2] > 0.0)
      name_of (snapshot, alive.n_groups + c, name);
}

static void
put_examples (SlPage *page, const SlPageRun *run, unsigned panel)
{
  sl_page_open (page, "views", '[');
  for (unsigned v = 0; v < sl_frames_views (run->frames, panel); v++)
    {
      char name[SL_MESSAGE_SIZE];

      example_name (sl_frames_at (run->frames, sl_frames_count (run->frames) - 1, panel, v), name);
      sl_page_text (page, NULL, name);
    }
  sl_page_close (page);
}

/* The drawings of all moments, view by view.  `record` is empty but for this panel. */
static void
put_moments (SlPage *page, const SlPageRun *run, unsigned panel, SlRecord *record)
{
  SlPageShots *shots = sl_page_shots_new ();
  SlFigure     figure = { 0 };

  for (unsigned v = 0; v < sl_frames_views (run->frames, panel); v++)
    for (unsigned i = 0; i < sl_frames_count (run->frames); i++)
      {
        const SlSnapshot *shot = sl_frames_at (run->frames, i, panel, v);
        bool              shown = shot != NULL && sl_record_show (record, shot);

        if (shown)
          {
            sl_panel_update (&figure, record, panel, NULL, 0);
            sl_figure_fit (&figure, HUGE_VAL);
          }
        sl_page_shots_add (shots, page, shown && !sl_figure_empty (&figure) ? &figure : NULL);
      }
  sl_page_shots_end (shots, page);
  sl_figure_clear (&figure);
}

static bool
has_moments (const SlPageRun *run, unsigned panel)
{
  return run->frames != NULL && sl_frames_count (run->frames) > 0
         && sl_frames_views (run->frames, panel) > 0;
}

static bool
put_with_moments (SlPage *page, const SlPageRun *run, unsigned panel)
{
  SlSettings settings = sl_recipe_settings (run->recipe, G_MAXUINT);
  SlFigure   figure = { 0 };
  SlRecord   record;
  SlStatus   status = sl_record_init (&record, run->record->lab, &settings, 1);
  bool       any = false;

  if (sl_ok (&status))
    {
      const SlSnapshot *last
        = sl_frames_at (run->frames, sl_frames_count (run->frames) - 1, panel, 0);

      if (last != NULL && sl_record_show (&record, last))
        sl_panel_update (&figure, &record, panel, NULL, 0);
      any = figure.lab != NULL && !sl_figure_empty (&figure);
    }
  if (any)
    {
      sl_figure_fit (&figure, HUGE_VAL);
      sl_page_open (page, NULL, '{');
      put_words (page, run->record->lab->panels[panel].id, &figure);
      put_examples (page, run, panel);
      put_moments (page, run, panel, &record);
      sl_page_close (page);
    }
  sl_figure_clear (&figure);
  if (sl_ok (&status))
    sl_record_clear (&record);
  return any;
}

bool
sl_page_panel (SlPage *page, const SlPageRun *run, unsigned panel)
{
  SlFigure figure = { 0 };
  bool     any;

  if (has_moments (run, panel))
    return put_with_moments (page, run, panel);
  sl_panel_update (&figure, run->record, panel, NULL, 0);
  any = !sl_figure_empty (&figure);
  if (any)
    sl_page_figure (page, run->record->lab->panels[panel].id, &figure);
  sl_figure_clear (&figure);
  return any;
}
