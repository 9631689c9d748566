/* SPDX-License-Identifier: MIT
 *
 * What a step of a lesson points at: a row, a plot, a slider or a button of the window.  */
#include <string.h>

#include "ui/window/lesson/private.h"

/* Frames to wait for a place that the widget may never get, in a sidebar that is folded away. */
enum { FRAMES_MOST = 60 };

void
sl_window_lesson_unpoint (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  if (desk->ringed == NULL)
    return;
  if (desk->pointing != 0)
    gtk_widget_remove_tick_callback (desk->ringed, desk->pointing);
  desk->pointing = 0;
  gtk_widget_remove_css_class (desk->ringed, "lesson-ring");
  g_clear_weak_pointer (&desk->ringed);
}

/* The button in the header with this action. */
static GtkWidget *
find_button (GtkWidget *root, const char *action)
{
  GtkWidget *found = NULL;

  if (GTK_IS_ACTIONABLE (root)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (root)), action) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_button (child, action);
  return found;
}

static GtkWidget *
find_control (SlWindow *self, const char *id)
{
  g_autofree char *action = g_strconcat ("win.", id, NULL);

  if (g_str_equal (id, "data"))
    return GTK_WIDGET (sl_sidebar_get_data (self->sidebar));
  if (g_str_equal (id, "labs"))
    return sl_sidebar_get_labs (self->sidebar);
  if (g_str_equal (id, "menu"))
    return self->menu;
  return find_button (GTK_WIDGET (self), action);
}

/* The slider of a letter on the start page. */
static GtkWidget *
find_role (SlWindow *self, const char *id)
{
  SlHeadline headline = sl_window_lesson_headline (id);

  return headline != SL_HEADLINE_NONE
           ? (GtkWidget *) sl_overview_get_headline (self->overview, headline)
           : NULL;
}

static GtkWidget *
find_pointed (SlWindow *self, const SlLessonStep *step)
{
  const SlLab *lab = sl_lesson_player_get_lab (self->lesson->player);

  switch (step->point)
    {
    case SL_POINT_NOWHERE: return NULL;
    case SL_POINT_PARAM:
      if (lab == NULL)
        return find_role (self, step->pointed);
      return (GtkWidget *) sl_param_form_row (sl_sidebar_get_form (self->sidebar), step->pointed);
    case SL_POINT_PANEL:
      return (GtkWidget *) sl_plot_grid_get_card (self->grid,
                                                  (unsigned) sl_lab_panel (lab, step->pointed));
    case SL_POINT_CONTROL: break;
    }
  return find_control (self, step->pointed);
}

/* Rows and plots have no place yet when they have just been made, or when others beside them were.
 * Focus scrolls there; but a row that is locked keeps it out.  */
static gboolean
on_frame (GtkWidget *ringed, GdkFrameClock *clock, gpointer data)
{
  SlWindow     *self = data;
  SlLessonDesk *desk = self->lesson;

  desk->frames++;
  if (desk->frames < FRAMES_MOST
      && (desk->frames < 2 || !gtk_widget_get_mapped (ringed)
          || gtk_widget_get_width (ringed) == 0))
    return G_SOURCE_CONTINUE;
  desk->pointing = 0;
  if (SL_IS_PARAM_ROW (ringed) && !sl_param_row_is_locked (SL_PARAM_ROW (ringed))
      && sl_param_row_get_scale (SL_PARAM_ROW (ringed), 0) != NULL)
    gtk_widget_grab_focus (sl_param_row_get_scale (SL_PARAM_ROW (ringed), 0));
  else if (SL_IS_PLOT_CARD (ringed))
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_card_get_view (SL_PLOT_CARD (ringed))));
  else
    gtk_widget_child_focus (ringed, GTK_DIR_TAB_FORWARD);
  return G_SOURCE_REMOVE;
}

void
sl_window_lesson_point (SlWindow *self, const SlLessonStep *step)
{
  SlLessonDesk *desk = self->lesson;
  GtkWidget    *at = find_pointed (self, step);

  if (at == desk->ringed)
    return;
  sl_window_lesson_unpoint (self);
  if (at == NULL || !gtk_widget_get_visible (at))
    return;
  g_set_weak_pointer (&desk->ringed, at);
  gtk_widget_add_css_class (at, "lesson-ring");
  desk->frames = 0;
  desk->pointing = gtk_widget_add_tick_callback (at, on_frame, self, NULL);
}
