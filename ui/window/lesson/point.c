/* SPDX-License-Identifier: MIT
 *
 * What a step of a lesson points at: a row, a plot, a slider or a button of the window.  */

#include "ui/window/lesson/private.h"

/* Frames to wait for a place that the widget may never get, in a sidebar that is folded away. */
enum { FRAMES_MOST = 60 };

void
sl_window_lesson_unpoint (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  if (lesson->ringed == NULL)
    return;
  if (lesson->pointing != 0)
    gtk_widget_remove_tick_callback (lesson->ringed, lesson->pointing);
  lesson->pointing = 0;
  gtk_widget_remove_css_class (lesson->ringed, "lesson-ring");
  g_clear_weak_pointer (&lesson->ringed);
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
    return GTK_WIDGET (sl_sidebar_get_data (sl_window_get_sidebar (self)));
  if (g_str_equal (id, "labs"))
    return sl_sidebar_get_labs (sl_window_get_sidebar (self));
  if (g_str_equal (id, "menu"))
    return sl_window_child (self, "menu");
  return find_button (GTK_WIDGET (self), action);
}

/* What the three sliders are called in a lesson. */
static const char *const headline_ids[SL_N_HEADLINES]
  = { [SL_HEADLINE_SPARSITY] = "s", [SL_HEADLINE_RANK] = "rank", [SL_HEADLINE_ACTIVE] = "k" };

SlHeadline
sl_window_lesson_headline (const char *id)
{
  for (SlHeadline r = SL_HEADLINE_NONE + 1; r < SL_N_HEADLINES; r++)
    if (g_str_equal (headline_ids[r], id))
      return r;
  return SL_HEADLINE_NONE;
}

/* The slider of a letter on the start page. */
static GtkWidget *
find_role (SlWindow *self, const char *id)
{
  SlHeadline headline = sl_window_lesson_headline (id);

  return headline != SL_HEADLINE_NONE
           ? (GtkWidget *) sl_overview_get_headline (sl_window_get_overview (self), headline)
           : NULL;
}

static GtkWidget *
find_pointed (SlWindow *self, const SlLessonStep *step)
{
  const SlLab *lab = sl_lesson_player_get_lab (sl_window_lesson (self)->player);

  switch (step->point)
    {
    case SL_POINT_NOWHERE: return NULL;
    case SL_POINT_PARAM:
      if (lab == NULL)
        return find_role (self, step->pointed);
      return (GtkWidget *) sl_param_form_row (sl_sidebar_get_form (sl_window_get_sidebar (self)),
                                              step->pointed);
    case SL_POINT_PANEL:
      return (GtkWidget *) sl_plot_grid_get_card (sl_window_get_grid (self),
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
  SlWindow *self = data;
  Lesson   *lesson = sl_window_lesson (self);

  lesson->frames++;
  if (lesson->frames < FRAMES_MOST
      && (lesson->frames < 2 || !gtk_widget_get_mapped (ringed)
          || gtk_widget_get_width (ringed) == 0))
    return G_SOURCE_CONTINUE;
  lesson->pointing = 0;
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
  Lesson    *lesson = sl_window_lesson (self);
  GtkWidget *at = find_pointed (self, step);

  if (at == lesson->ringed)
    return;
  sl_window_lesson_unpoint (self);
  if (at == NULL || !gtk_widget_get_visible (at))
    return;
  g_set_weak_pointer (&lesson->ringed, at);
  gtk_widget_add_css_class (at, "lesson-ring");
  lesson->frames = 0;
  lesson->pointing = gtk_widget_add_tick_callback (at, on_frame, self, NULL);
}
