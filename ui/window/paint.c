/* SPDX-License-Identifier: MIT
 *
 * Painted examples become the data: each stroke ends in a new run on what is then there, with the
 * same lab, settings and seed.  Strokes are taken back and made again in the same way.  */
#include "core/run/files/painting.h"

#include "ui/window/private.h"
#include <glib/gi18n.h>

enum { STROKES_MOST = 200 };

/* The data in use, or painted ones that are on their way. */
static const char *
data_now (SlWindow *self)
{
  return self->painted != NULL && sl_session_is_loading (self->session)
           ? self->painted
           : sl_session_spec (self->session);
}

/* While the run on the last stroke is still being loaded, its points are the ones to add to; while
 * a stroke is being taken back, there are none yet.  */
static gboolean
begin_stroke (SlWindow *self)
{
  const SlDataset *dataset = sl_session_dataset (self->session);

  if (self->painting.points != NULL)
    return TRUE;
  if (dataset == NULL || dataset->features != 2
      || g_strcmp0 (data_now (self), sl_session_spec (self->session)) != 0)
    return FALSE;
  sl_painting_init (&self->painting, dataset);
  return TRUE;
}

void
sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                     double radius_y)
{
  if (!begin_stroke (self))
    return;
  self->stroking = TRUE;
  if (label < 0)
    sl_painting_erase (&self->painting, x, y, radius_x, radius_y);
  else if (!sl_painting_add (&self->painting, x, y, (unsigned) label))
    sl_window_toast (self, _ ("That is as many examples as can be painted"));
}

/* Adds data to what can be taken back, in place of what could be made again. */
static void
remember (SlWindow *self, const char *spec)
{
  const char *before = data_now (self);

  if (self->strokes == NULL)
    self->strokes = g_ptr_array_new_with_free_func (g_free);
  if (self->strokes->len == 0 || g_strcmp0 (self->strokes->pdata[self->stroke], before) != 0)
    {
      g_ptr_array_set_size (self->strokes, 0);
      g_ptr_array_add (self->strokes, g_strdup (before));
      self->stroke = 0;
    }
  g_ptr_array_set_size (self->strokes, (int) self->stroke + 1);
  if (self->strokes->len == STROKES_MOST)
    g_ptr_array_remove_index (self->strokes, 0);
  g_ptr_array_add (self->strokes, g_strdup (spec));
  self->stroke = self->strokes->len - 1;
}

static void
train_on (SlWindow *self, const char *spec)
{
  sl_session_start (self->session, sl_session_lab (self->session),
                    sl_session_settings (self->session), spec, sl_session_seed (self->session),
                    sl_session_state (self->session) == SL_RUNNING);
  g_free (self->painted);
  self->painted = g_strdup (spec);
}

void
sl_window_paint_stroke (SlWindow *self)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "sluice", "painted", NULL);
  g_autofree char *spec = NULL;
  g_autoptr (GError) error = NULL;

  self->stroking = FALSE;
  if (self->painting.points == NULL)
    return;
  spec = sl_painting_save (&self->painting, folder, &error);
  if (spec == NULL)
    {
      sl_window_toast (self, error->message);
      return;
    }
  remember (self, spec);
  train_on (self, spec);
}

/* Which of the data are those of one stroke less, or more; `len` or beyond: none. */
static guint
stroke_beside (SlWindow *self, gboolean again)
{
  return again ? self->stroke + 1 : self->stroke - 1;
}

gboolean
sl_window_can_repaint (SlWindow *self, gboolean again)
{
  return self->strokes != NULL && !self->stroking && !sl_session_is_loading (self->session)
         && stroke_beside (self, again) < self->strokes->len
         && g_strcmp0 (self->strokes->pdata[self->stroke], sl_session_spec (self->session)) == 0;
}

gboolean
sl_window_repaint (SlWindow *self, gboolean again)
{
  if (!sl_window_can_repaint (self, again))
    return FALSE;
  self->stroke = stroke_beside (self, again);
  sl_painting_clear (&self->painting);
  train_on (self, self->strokes->pdata[self->stroke]);
  sl_window_toast (self, again ? _ ("Painted again") : _ ("Painting undone"));
  return TRUE;
}

/* The points are in the data now, unless the next stroke has begun on top of them. */
void
sl_window_paint_restarted (SlWindow *self)
{
  gboolean ours = g_strcmp0 (sl_session_spec (self->session), self->painted) == 0;

  if (!sl_session_is_loading (self->session) && !(self->stroking && ours))
    sl_painting_clear (&self->painting);
}
