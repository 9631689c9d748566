/* SPDX-License-Identifier: MIT
 *
 * How the plots of a run are looked at goes into the store with it, and comes back with it.  */
#include "ui/grid/views.h"
#include "ui/window/private.h"

void
sl_window_keep_view (SlWindow *self)
{
  g_autofree char *view = NULL;

  if (self->store == NULL || self->view_of[0] == '\0')
    return;
  view = sl_plot_views_write (self->grid);
  if (g_strcmp0 (view, self->view_kept) == 0)
    return;
  sl_store_set_view (self->store, self->view_of, view != NULL ? view : "");
  g_free (self->view_kept);
  self->view_kept = g_steal_pointer (&view);
}

/* A run that is gone on with comes as it was looked at; any other one as the plots are now, without
 * the notes.  */
void
sl_window_view_restarted (SlWindow *self)
{
  g_autofree char *due = g_steal_pointer (&self->view_due);

  if (due != NULL)
    sl_plot_views_read (self->grid, due[0] != '\0' ? due : "{}");
  else
    sl_plot_views_forget_notes (self->grid);
}

/* The run whose views these are, from now on. */
void
sl_window_view_follow (SlWindow *self)
{
  const char *uuid = sl_session_uuid (self->session);

  if (g_strcmp0 (uuid != NULL ? uuid : "", self->view_of) == 0)
    return;
  g_clear_pointer (&self->view_kept, g_free);
  g_strlcpy (self->view_of, uuid != NULL ? uuid : "", sizeof self->view_of);
}

void
sl_window_view_expect (SlWindow *self, const char *view)
{
  g_free (self->view_due);
  self->view_due = g_strdup (view);
}
