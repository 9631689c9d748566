/* SPDX-License-Identifier: MIT
 *
 * Strokes are taken back and made again as they were made: by a new run.  */
#include "ui/window/plots/plots.h"

#include <glib/gi18n.h>

#include "core/run/files/painting.h"

enum { STROKES_MOST = 200 };

typedef struct SlWindowPaint
{
  SlPainting painting; /* since a stroke began until its run is there */
  char      *painted;  /* what the last stroke became, to be opened */
  gboolean   stroking; /* a stroke is under way */
  GPtrArray *strokes;  /* of specifications: the data before each stroke and after the last */
  guint      stroke;   /* which of them is in use */
} Paint;

static Paint *
paint_of (SlWindow *self)
{
  return sl_window_parts (self)->paint;
}

/* The data in use, or painted ones that are on their way. */
static const char *
data_now (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  return paint_of (self)->painted != NULL && sl_session_is_loading (session)
           ? paint_of (self)->painted
           : sl_session_spec (session);
}

/* While the run on the last stroke is still being loaded, its points are the ones to add to; while
 * a stroke is being taken back, there are none yet.  */
static gboolean
begin_stroke (SlWindow *self)
{
  SlPainting      *painting = &paint_of (self)->painting;
  SlSession       *session = sl_window_get_session (self);
  const SlDataset *dataset = sl_session_dataset (session);

  if (painting->points != NULL)
    return TRUE;
  if (dataset == NULL || dataset->features != 2
      || g_strcmp0 (data_now (self), sl_session_spec (session)) != 0)
    return FALSE;
  sl_painting_init (painting, dataset);
  return TRUE;
}

void
sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                     double radius_y)
{
  Paint *paint = paint_of (self);

  if (!begin_stroke (self))
    return;
  paint->stroking = TRUE;
  if (label < 0)
    sl_painting_erase (&paint->painting, x, y, radius_x, radius_y);
  else if (!sl_painting_add (&paint->painting, x, y, (unsigned) label))
    sl_window_toast (self, _ ("No more examples can be painted"));
}

/* Adds data to what can be taken back, in place of what could be made again. */
static void
remember_stroke (SlWindow *self, const char *spec)
{
  Paint      *paint = paint_of (self);
  GPtrArray  *strokes = paint->strokes;
  const char *before = data_now (self);

  if (strokes->len == 0 || g_strcmp0 (strokes->pdata[paint->stroke], before) != 0)
    {
      g_ptr_array_set_size (strokes, 0);
      g_ptr_array_add (strokes, g_strdup (before));
      paint->stroke = 0;
    }
  g_ptr_array_set_size (strokes, (int) paint->stroke + 1);
  if (strokes->len == STROKES_MOST)
    g_ptr_array_remove_index (strokes, 0);
  g_ptr_array_add (strokes, g_strdup (spec));
  paint->stroke = strokes->len - 1;
}

static void
train_on (SlWindow *self, const char *spec)
{
  SlSession *session = sl_window_get_session (self);

  sl_session_start (session, sl_session_lab (session), sl_session_settings (session), spec,
                    sl_session_seed (session), sl_session_state (session) == SL_RUNNING);
  g_free (paint_of (self)->painted);
  paint_of (self)->painted = g_strdup (spec);
}

void
sl_window_paint_stroke (SlWindow *self)
{
  Paint           *paint = paint_of (self);
  g_autofree char *folder = sl_prefs_dup_data (sl_window_get_prefs (self), "painted");
  g_autofree char *spec = NULL;
  g_autoptr (GError) error = NULL;

  paint->stroking = FALSE;
  if (paint->painting.points == NULL)
    return;
  spec = sl_painting_save (&paint->painting, folder, &error);
  if (spec == NULL)
    {
      sl_window_toast (self, error->message);
      return;
    }
  remember_stroke (self, spec);
  train_on (self, spec);
}

/* Which of the data are those of one stroke less, or more; `len` or beyond: none. */
static guint
stroke_beside (const Paint *paint, gboolean again)
{
  return again ? paint->stroke + 1 : paint->stroke - 1;
}

gboolean
sl_window_can_repaint (SlWindow *self, gboolean again)
{
  const Paint *paint = paint_of (self);
  SlSession   *session = sl_window_get_session (self);

  return !paint->stroking && !sl_session_is_loading (session)
         && stroke_beside (paint, again) < paint->strokes->len
         && g_strcmp0 (paint->strokes->pdata[paint->stroke], sl_session_spec (session)) == 0;
}

gboolean
sl_window_repaint (SlWindow *self, gboolean again)
{
  Paint *paint = paint_of (self);

  if (!sl_window_can_repaint (self, again))
    return FALSE;
  paint->stroke = stroke_beside (paint, again);
  sl_painting_clear (&paint->painting);
  train_on (self, paint->strokes->pdata[paint->stroke]);
  sl_window_toast (self, again ? _ ("Painted again") : _ ("Painting undone"));
  return TRUE;
}

/* The points are in the data now, unless the next stroke has begun on top of them. */
static void
on_restarted (SlWindow *self)
{
  Paint     *paint = paint_of (self);
  SlSession *session = sl_window_get_session (self);
  gboolean   ours = g_strcmp0 (sl_session_spec (session), paint->painted) == 0;

  if (!sl_session_is_loading (session) && !(paint->stroking && ours))
    sl_painting_clear (&paint->painting);
}

void
sl_window_add_paint (SlWindow *self)
{
  Paint *paint = sl_window_parts (self)->paint = g_new0 (Paint, 1);

  paint->strokes = g_ptr_array_new_with_free_func (g_free);
  sl_window_watch (self, "shown", on_restarted);
  sl_window_watch (self, "restarted", on_restarted);
}

void
sl_window_drop_paint (SlWindow *self)
{
  Paint *paint = g_steal_pointer (&sl_window_parts (self)->paint);

  sl_painting_clear (&paint->painting);
  g_free (paint->painted);
  g_ptr_array_unref (paint->strokes);
  g_free (paint);
}
