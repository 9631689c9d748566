/* SPDX-License-Identifier: MIT
 *
 * A step of a lesson on the screen: the rows and plots that it shows, hides and locks, what it points at (a row,
 * a plot, a slider or a button of the window), and the sliders and runs of a step on the start page.  */

#include "ui/form/rail.h"
#include "ui/lesson/bar.h"
#include "ui/window/lesson/private.h"

/* Frames to wait for a place that the widget may never get, in a sidebar that is folded away. */
enum { FRAMES_MOST = 60 };

/* ---- what a step points at ---- */

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
    return GTK_WIDGET (sl_rail_get_list (sl_window_child (self, "rail")));
  if (g_str_equal (id, "menu"))
    return sl_window_child (self, "menu");
  return find_button (GTK_WIDGET (self), action);
}

/* What the three sliders are called in a lesson. */
static const char *const headline_ids[SL_N_HEADLINES]
  = { [SL_HEADLINE_SPARSITY] = "s", [SL_HEADLINE_RANK] = "rank", [SL_HEADLINE_ACTIVE] = "k" };

static SlHeadline
headline_of (const char *id)
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
  SlHeadline headline = headline_of (id);

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

static void
point (SlWindow *self, const SlLessonStep *step)
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

/* ---- rows and plots ---- */

/* Curves in a lesson have linear axes, on which the user draws a guess, too; afterwards they have
 * the scale of their lab.  */
static void
set_plain (SlWindow *self, gboolean plain)
{
  SlPlotGrid *grid = sl_window_get_grid (self);

  for (unsigned i = 0; i < sl_plot_grid_get_n_cards (grid); i++)
    {
      SlPlotView *view = sl_plot_grid_has_card (grid, i) ? sl_plot_grid_get_view (grid, i) : NULL;
      const SlFigure *figure = view != NULL ? sl_plot_view_get_figure (view) : NULL;

      if (figure != NULL && figure->kind == SL_SERIES && figure->y.logarithmic)
        g_object_set (view, "log-y", !plain, NULL);
    }
}

/* First the guess, then the plot. */
void
sl_window_lesson_show_plots (SlWindow *self)
{
  Lesson             *lesson = sl_window_lesson (self);
  const SlLessonStep *step = sl_lesson_player_get_step (lesson->player);
  const SlLab        *lab = sl_lesson_player_get_lab (lesson->player);
  gboolean            asked = !sl_lesson_player_may_go_on (lesson->player);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  lesson->withheld = FALSE;
  for (unsigned i = 0; lab != NULL && i < lab->n_panels; i++)
    {
      const SlPanel *panel = &lab->panels[i];

      if (step->show != NULL && !g_strv_contains ((const char *const *) step->show, panel->id))
        continue;
      if (asked && sl_question_told_by (step, panel))
        lesson->withheld = TRUE;
      else
        g_ptr_array_add (shown, (gpointer) panel->id);
    }
  g_ptr_array_add (shown, NULL);
  /* Also panels that the user hid: the lesson names them. */
  sl_plot_grid_set_shown (sl_window_get_grid (self),
                          lab != NULL ? (const char *const *) shown->pdata : NULL);
  set_plain (self, TRUE);
  point (self, step);
}

void
sl_window_lesson_clear_screen (SlWindow *self)
{
  SlParamForm *form = sl_sidebar_get_form (sl_window_get_sidebar (self));

  sl_window_lesson_unpoint (self);
  sl_window_lesson_clear_guess (self);
  set_plain (self, FALSE);
  sl_param_form_set_rules (form, NULL, NULL, NULL);
  sl_param_form_set_named (form, NULL);
  sl_sidebar_set_taught (sl_window_get_sidebar (self), FALSE);
  sl_plot_grid_set_shown (sl_window_get_grid (self), NULL);
}

/* The lab of this step is what is seen. */
static gboolean
is_in_sight (SlWindow *self)
{
  SlStage     *stage = sl_window_stage (self);
  const SlLab *lab = sl_lesson_player_get_lab (sl_window_lesson (self)->player);

  if (sl_stage_shows_overview (stage))
    return lab == NULL;
  return lab != NULL && sl_stage_beneath (stage) == SL_SHOWN_LESSON
         && sl_session_lab (sl_stage_lesson (stage)) == lab;
}

static gboolean
points_at_data (const SlLessonStep *step)
{
  return step->point == SL_POINT_CONTROL && g_strcmp0 (step->pointed, "data") == 0;
}

/* Rows and plots may be those of a lab on its way out: then this is called again when the one of
 * the lesson is there.  */
void
sl_window_lesson_set_screen (SlWindow *self)
{
  Lesson             *lesson = sl_window_lesson (self);
  SlParamForm        *form = sl_sidebar_get_form (sl_window_get_sidebar (self));
  const SlLessonStep *step;

  if (lesson->player == NULL)
    return;
  step = sl_lesson_player_get_step (lesson->player);
  if (!is_in_sight (self))
    {
      sl_window_lesson_clear_screen (self);
      return;
    }
  sl_param_form_set_named (form, (const char *const *) step->offer);
  sl_param_form_set_rules (form, (const char *const *) step->offer,
                           (const char *const *) step->hides, (const char *const *) step->locks);
  sl_sidebar_set_taught (sl_window_get_sidebar (self),
                         step->offer != NULL && !points_at_data (step));
  sl_window_lesson_show_plots (self);
  sl_window_lesson_show_guess (self);
}

/* ---- speed ---- */

static void
change (SlWindow *self, const char *action, GVariant *state)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self), action, state);
}

void
sl_window_lesson_set_speed (SlWindow *self, unsigned speed)
{
  Lesson          *lesson = sl_window_lesson (self);
  g_autofree char *pace = g_strdup_printf ("%u", speed);

  if (speed == lesson->speed)
    return;
  lesson->speed = speed;
  change (self, "pace", g_variant_new_string (pace));
  if ((speed > 0) == lesson->timeline || (speed > 0 && sl_window_is_on (self, "timeline")))
    return;
  lesson->timeline = speed > 0;
  change (self, "timeline", g_variant_new_boolean (speed > 0));
}

/* ---- the start page ---- */

/* Sets the sliders as all steps say since the last that names the start page. */
void
sl_window_lesson_set_headlines (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  const SlLesson *lesson = sl_lesson_player_get_lesson (player);
  unsigned        last = sl_lesson_player_get_number (player), first = last;

  while (first > 0 && !sl_lesson_step (lesson, first)->overview)
    first--;
  for (unsigned i = first; i <= last; i++)
    for (guint k = 0; k < sl_lesson_step (lesson, i)->settings->len; k++)
      {
        const SlLessonSetting *setting
          = g_ptr_array_index (sl_lesson_step (lesson, i)->settings, k);
        SlHeadline headline = headline_of (setting->id);

        if (headline != SL_HEADLINE_NONE)
          sl_group_set_headline (sl_stage_lesson_group (sl_window_stage (self)), headline,
                                 g_ascii_strtod (setting->value, NULL));
      }
}

/* The four runs wait for an answer as a single run does. */
void
sl_window_lesson_let_group_go (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  if (sl_lesson_player_get_step (player)->go == SL_GO_PAUSE || !sl_lesson_player_may_go_on (player))
    sl_group_pause (sl_stage_lesson_group (sl_window_stage (self)));
  else
    sl_group_run (sl_stage_lesson_group (sl_window_stage (self)));
}
