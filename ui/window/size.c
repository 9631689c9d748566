/* SPDX-License-Identifier: MIT
 *
 * What a narrow window leaves out, and the size that the next one has.  */
#include "ui/window/private.h"

enum { TIGHT = 58 /* % of the width that folds the sidebar */ };

void
sl_window_show_sidebar (SlWindow *self, gboolean shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "sidebar");

  gtk_widget_set_visible (GTK_WIDGET (self->sidebar), shown);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (shown));
}

/* Before an audience the start page has its sliders below the plots, and needs the room. */
void
sl_window_fold (SlWindow *self)
{
  sl_window_show_sidebar (self, !self->narrow && !(self->presenting && self->in_overview)
                                  && sl_prefs_get_boolean (self->prefs, "sidebar"));
}

static gboolean
on_folding (gpointer data)
{
  SlWindow *self = data;

  self->folding = 0;
  sl_window_fit_header (self);
  /* What somebody shows in a narrow window stays while it is made a little narrower. */
  if (self->narrow != self->folded)
    sl_window_fold (self);
  self->folded = self->narrow;
  return G_SOURCE_REMOVE;
}

/* Widgets must not come and go in the middle of a layout. */
void
sl_window_fit_width (SlWindow *self, int width)
{
  gboolean narrow = width < sl_window_fold_width (self);
  gboolean tight = 100 * width < TIGHT * sl_window_fold_width (self);

  if (narrow == self->narrow && tight == self->tight)
    return;
  self->narrow = narrow;
  self->tight = tight;
  if (self->folding == 0 && self->prefs != NULL)
    self->folding = g_idle_add (on_folding, self);
}

void
sl_window_remember_size (SlWindow *self)
{
  int      width, height;
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self));

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (self->prefs, "window-maximized", maximized, NULL);
  if (!maximized && width > 0 && height > 0)
    g_object_set (self->prefs, "window-width", width, "window-height", height, NULL);
}
