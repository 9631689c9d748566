/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

#include "ui/grid/views.h"

typedef struct SlWindowView
{
  char  of[SL_UUID]; /* the stored run whose view the plots have, or "" */
  char *kept;        /* what the store has of it, or NULL */
  char *due;         /* the view of the run that is to come, or NULL */
} View;

void
sl_window_keep_view (SlWindow *self)
{
  View            *view = sl_window_parts (self)->view;
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *now = NULL;

  if (store == NULL || view->of[0] == '\0')
    return;
  now = sl_plot_views_write (sl_window_get_grid (self));
  if (g_strcmp0 (now, view->kept) == 0)
    return;
  sl_store_set_view (store, view->of, now != NULL ? now : "");
  g_free (view->kept);
  view->kept = g_steal_pointer (&now);
}

/* A run that is gone on with comes as it was looked at; any other one as the plots are now, without
 * the notes.  */
void
sl_window_view_restarted (SlWindow *self)
{
  g_autofree char *due = g_steal_pointer (&sl_window_parts (self)->view->due);

  if (due != NULL)
    sl_plot_views_read (sl_window_get_grid (self), due[0] != '\0' ? due : "{}");
  else
    sl_plot_views_forget_notes (sl_window_get_grid (self));
}

void
sl_window_view_forget (SlWindow *self)
{
  sl_window_parts (self)->view->of[0] = '\0';
}

void
sl_window_view_follow (SlWindow *self)
{
  View       *view = sl_window_parts (self)->view;
  const char *uuid = sl_session_uuid (sl_window_get_session (self));

  if (g_strcmp0 (uuid != NULL ? uuid : "", view->of) == 0)
    return;
  g_clear_pointer (&view->kept, g_free);
  g_strlcpy (view->of, uuid != NULL ? uuid : "", sizeof view->of);
}

void
sl_window_view_expect (SlWindow *self, const char *due)
{
  View *view = sl_window_parts (self)->view;

  g_free (view->due);
  view->due = g_strdup (due);
}

void
sl_window_add_view (SlWindow *self)
{
  sl_window_parts (self)->view = g_new0 (View, 1);
}

void
sl_window_drop_view (SlWindow *self)
{
  View *view = g_steal_pointer (&sl_window_parts (self)->view);

  g_free (view->kept);
  g_free (view->due);
  g_free (view);
}
