/* SPDX-License-Identifier: MIT */
#include "ui/overview/picture.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlOverviewPicture
{
  GtkWidget parent_instance;

  GtkLabel   *name, *words;
  GtkWidget  *open;
  SlPlotView *view;

  SlSession   *session;
  const SlLab *lab;
  unsigned     tint; /* its colour */
};

G_DEFINE_FINAL_TYPE (SlOverviewPicture, sl_overview_picture, GTK_TYPE_WIDGET)

int
sl_overview_picture_panel (const SlLab *lab)
{
  for (unsigned p = 0; lab->data != SL_NEEDS_NOTHING && p < lab->n_panels; p++)
    if (lab->panels[p].kind == SL_ALIVE)
      return (int) p;
  return -1;
}

static void
look_closer (SlOverviewPicture *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.closer", "s", self->lab->id);
}

static void
on_example (SlOverviewPicture *self, int by)
{
  g_signal_emit_by_name (self, "example", by);
}

static void
on_switch_off (SlOverviewPicture *self, guint field, guint unit)
{
  g_signal_emit_by_name (self, "switch-off", field, unit);
}

static void
show_words (SlOverviewPicture *self)
{
  const char *note = sl_plot_view_get_figure (self->view)->note;

  if (strcmp (gtk_label_get_label (self->words), note) != 0)
    gtk_label_set_label (self->words, note);
}

gboolean
sl_overview_picture_update (SlOverviewPicture *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_PICTURE (self), FALSE);

  if (!sl_plot_view_update (self->view))
    return FALSE;
  show_words (self);
  return TRUE;
}

void
sl_overview_picture_restart (SlOverviewPicture *self)
{
  g_return_if_fail (SL_IS_OVERVIEW_PICTURE (self));
  sl_plot_view_set_panel (self->view, sl_session_record (self->session),
                          (unsigned) sl_overview_picture_panel (self->lab));
  sl_plot_view_get_figure (self->view)->view.brief = true;
  sl_plot_view_get_figure (self->view)->view.wordless = true;
  sl_figure_set_tint (sl_plot_view_get_figure (self->view), self->tint);
  show_words (self);
}

SlPlotView *
sl_overview_picture_get_view (SlOverviewPicture *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_PICTURE (self), NULL);
  return self->view;
}

SlSession *
sl_overview_picture_get_session (SlOverviewPicture *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_PICTURE (self), NULL);
  return self->session;
}

static void
sl_overview_picture_dispose (GObject *object)
{
  SlOverviewPicture *self = SL_OVERVIEW_PICTURE (object);

  if (self->session != NULL && self->view != NULL)
    sl_plot_view_set_panel (self->view, NULL, 0);
  g_clear_object (&self->session);
  sl_widget_dispose (object);
}

static void
sl_overview_picture_class_init (SlOverviewPictureClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_overview_picture_dispose;
  g_type_ensure (SL_TYPE_PLOT_VIEW);
  sl_widget_class_set_template (widget, "overview/picture.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlOverviewPicture, name), SL_CHILD (SlOverviewPicture, words),
    SL_CHILD (SlOverviewPicture, open), SL_CHILD (SlOverviewPicture, view), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (look_closer), SL_CALLBACK (on_example),
                                  SL_CALLBACK (on_switch_off), NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_OVERVIEW_PICTURE, "example", 1, G_TYPE_INT);
  sl_signal_new (SL_TYPE_OVERVIEW_PICTURE, "switch-off", 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
sl_overview_picture_init (SlOverviewPicture *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_label_tell_when_cut (self->words);
}

SlOverviewPicture *
sl_overview_picture_new (SlSession *session, const SlLab *lab, unsigned tint)
{
  SlOverviewPicture *self = g_object_new (SL_TYPE_OVERVIEW_PICTURE, NULL);
  g_autofree char   *open = g_strdup_printf (_ ("Open %s"), sl_words (lab->title));

  g_return_val_if_fail (SL_IS_SESSION (session), NULL);
  self->session = g_object_ref (session);
  self->lab = lab;
  self->tint = tint;
  gtk_label_set_label (self->name, sl_words (lab->title));
  sl_widget_label (GTK_WIDGET (self), sl_words (lab->title));
  gtk_widget_set_tooltip_text (self->open, open);
  sl_widget_label (self->open, open);
  if (sl_session_lab (session) != NULL)
    sl_overview_picture_restart (self);
  return self;
}
