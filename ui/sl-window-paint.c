/* SPDX-License-Identifier: MIT
 *
 * Painted examples become the data: each stroke ends in a new run on what is then there, with the
 * same lab, settings and seed.  */
#include "core/run/painting.h"

#include <glib/gi18n.h>
#include "ui/sl-window-private.h"

/* While the run on the last stroke is still being loaded, its points are the ones to add to. */
static gboolean
begin_stroke (SlWindow *self)
{
  const SlDataset *dataset = sl_session_dataset (self->session);

  if (self->painting.points != NULL)
    return TRUE;
  if (dataset == NULL || dataset->features != 2)
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
  sl_session_start (self->session, sl_session_lab (self->session),
                    sl_session_settings (self->session), spec, sl_session_seed (self->session),
                    sl_session_state (self->session) == SL_RUNNING);
  g_free (self->painted);
  self->painted = g_steal_pointer (&spec);
}

/* The points are in the data now, unless the next stroke has begun on top of them. */
void
sl_window_paint_restarted (SlWindow *self)
{
  gboolean ours = g_strcmp0 (sl_session_spec (self->session), self->painted) == 0;

  if (!sl_session_is_loading (self->session) && !(self->stroking && ours))
    sl_painting_clear (&self->painting);
}
