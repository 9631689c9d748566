/* SPDX-License-Identifier: MIT
 *
 * Lessons in the window: which one is taken, the keys of a clicker, and what a step shows, hides,
 * locks and points at.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/language.h"
#include "ui/sl-lesson-player.h"
#include "ui/sl-lesson-save.h"
#include "ui/sl-lesson-sketch.h"
#include "ui/sl-window-private.h"

#define LESSONS "/org/sluice/Sluice/lessons/"

struct _SlLessonDesk
{
  GHashTable     *players; /* id or path to SlLessonPlayer, of this window's time */
  SlLessonPlayer *player;  /* that is taken, borrowed; or NULL */
  SlLessonPlayer *left;    /* the last one that was left, borrowed; or NULL */
  SlLessonSketch *sketch;  /* while the step asks for a curve */
  GtkWidget      *ringed;  /* what the step points at; weak */
  guint           pointing; /* timeout that scrolls there */
  guint           staging; /* idle source that sets the stage when sidebar and plots are new */
  gboolean        earlier; /* guesses of others are shown */
  gboolean        going;   /* the lesson itself goes to the start page */
  gulong          waiting; /* handler that sets the sliders when the runs of that page are there */
};

static void
enable (SlWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (
    G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static void
update_actions (SlWindow *self)
{
  SlLessonPlayer *player = self->lesson->player;
  gboolean        taken = player != NULL;

  enable (self, "lesson-back", taken && sl_lesson_player_get_number (player) > 0);
  enable (self, "lesson-next", taken && sl_lesson_player_may_go_on (player));
  enable (self, "lesson-leave", taken);
  enable (self, "lesson-answer", taken && !sl_lesson_player_may_go_on (player));
  enable (self, "lesson-ask-again",
          taken && sl_lesson_player_get_guess (player)->answered);
  enable (self, "lesson-resume", !taken && self->lesson->left != NULL);
}

/* What the three sliders of the start page are called in a lesson. */
static const char *const role_ids[SL_N_ROLES]
  = { [SL_ROLE_SPARSITY] = "s", [SL_ROLE_RANK] = "rank", [SL_ROLE_ACTIVE] = "k" };

/* ---- what a step points at ---- */

static void
unring (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  g_clear_handle_id (&desk->pointing, g_source_remove);
  if (desk->ringed == NULL)
    return;
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
  for (SlRole r = SL_ROLE_NONE + 1; r < SL_N_ROLES; r++)
    if (g_str_equal (role_ids[r], id))
      return (GtkWidget *) sl_glance_get_role (self->glance, r);
  return NULL;
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

/* Focus scrolls there; but whoever types an answer is left alone. */
static gboolean
on_pointing (gpointer data)
{
  SlWindow     *self = data;
  SlLessonDesk *desk = self->lesson;

  desk->pointing = 0;
  if (desk->ringed == NULL)
    return G_SOURCE_REMOVE;
  if (SL_IS_PARAM_ROW (desk->ringed)
      && !sl_param_row_is_locked (SL_PARAM_ROW (desk->ringed))
      && sl_param_row_get_scale (SL_PARAM_ROW (desk->ringed), 0) != NULL)
    gtk_widget_grab_focus (sl_param_row_get_scale (SL_PARAM_ROW (desk->ringed), 0));
  else if (SL_IS_PLOT_CARD (desk->ringed))
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_card_get_view (SL_PLOT_CARD (desk->ringed))));
  else
    gtk_widget_child_focus (desk->ringed, GTK_DIR_TAB_FORWARD);
  return G_SOURCE_REMOVE;
}

static void
point (SlWindow *self, const SlLessonStep *step)
{
  SlLessonDesk *desk = self->lesson;
  GtkWidget    *at = find_pointed (self, step);

  if (at == desk->ringed)
    return;
  unring (self);
  if (at == NULL)
    return;
  g_set_weak_pointer (&desk->ringed, at);
  gtk_widget_add_css_class (at, "lesson-ring");
  /* Rows and plots have no place yet when they have just been made. */
  desk->pointing = g_timeout_add (50, on_pointing, self);
}

/* ---- the curve that is asked for ---- */

static void
on_sketched (SlWindow *self)
{
  g_autofree char *answer = sl_lesson_sketch_dup_answer (self->lesson->sketch);

  sl_lesson_bar_set_drawn (self->lesson_bar, answer != NULL);
}

static void
add_earlier (SlWindow *self)
{
  unsigned       n;
  const SlGuess *earlier = sl_lesson_player_get_earlier (self->lesson->player, &n);

  /* The last ones first: there is room for a few. */
  for (unsigned i = n; self->lesson->earlier && i-- > 0;)
    sl_lesson_sketch_add_earlier (self->lesson->sketch, earlier[i].sketch);
}

static void
show_sketch (SlWindow *self)
{
  SlLessonDesk       *desk = self->lesson;
  const SlLessonStep *step = sl_lesson_player_get_step (desk->player);
  const SlGuess      *guess = sl_lesson_player_get_guess (desk->player);
  SlPlotCard         *card;
  SlLessonState       state;
  SlStatus            status;

  if (step->question.kind != SL_ASK_CURVE || desk->sketch != NULL)
    return;
  status = sl_lesson_state (sl_lesson_player_get_lesson (desk->player),
                            sl_lesson_player_get_number (desk->player), &state);
  card = sl_plot_grid_get_card (self->grid,
                                (unsigned) sl_lab_panel (state.lab, step->question.panel));
  if (sl_ok (&status) && card != NULL)
    desk->sketch = sl_lesson_sketch_new (sl_plot_card_get_view (card), state.lab, &state.settings,
                                         &step->question);
  g_free (state.data);
  if (desk->sketch == NULL)
    return;
  if (guess->answered && !guess->skipped)
    sl_lesson_sketch_set (desk->sketch, guess->sketch);
  add_earlier (self);
  sl_lesson_sketch_set_open (desk->sketch, !guess->answered);
  g_signal_connect_swapped (desk->sketch, "changed", G_CALLBACK (on_sketched), self);
}

/* ---- a step on the screen ---- */

/* As it is without a lesson. */
static void
clear_stage (SlWindow *self)
{
  unring (self);
  g_clear_object (&self->lesson->sketch);
  sl_param_form_set_rules (sl_sidebar_get_form (self->sidebar), NULL, NULL, NULL);
  sl_param_form_set_named (sl_sidebar_get_form (self->sidebar), NULL);
  sl_plot_grid_set_shown (self->grid, NULL);
}

/* The lab of this step is what is seen. */
static gboolean
is_in_sight (SlWindow *self)
{
  const SlLab *lab = sl_lesson_player_get_lab (self->lesson->player);

  return lab == NULL ? self->glancing
                     : !self->glancing && self->session == self->own
                         && sl_session_lab (self->own) == lab;
}

/* Rows and plots may be those of a lab on its way out: then this is called again when the one of the
 * lesson is there.  */
static void
set_stage (SlWindow *self)
{
  SlLessonDesk       *desk = self->lesson;
  SlParamForm        *form = sl_sidebar_get_form (self->sidebar);
  const SlLessonStep *step;

  if (desk->player == NULL)
    return;
  step = sl_lesson_player_get_step (desk->player);
  if (!is_in_sight (self))
    {
      clear_stage (self);
      return;
    }
  sl_param_form_set_named (form, (const char *const *) step->offer);
  sl_param_form_set_rules (form, (const char *const *) step->offer,
                           (const char *const *) step->hides, (const char *const *) step->locks);
  sl_plot_grid_set_shown (self->grid, (const char *const *) step->show);
  show_sketch (self);
  point (self, step);
}

/* The sliders of the start page as all steps since the last that named it say. */
static void
set_roles (SlWindow *self)
{
  SlLessonPlayer *player = self->lesson->player;
  const SlLesson *lesson = sl_lesson_player_get_lesson (player);
  unsigned        last = sl_lesson_player_get_number (player), first = last;

  while (first > 0 && !sl_lesson_step (lesson, first)->glance)
    first--;
  for (unsigned i = first; i <= last; i++)
    for (guint k = 0; k < sl_lesson_step (lesson, i)->settings->len; k++)
      {
        const SlLessonSetting *setting
          = g_ptr_array_index (sl_lesson_step (lesson, i)->settings, k);

        for (SlRole r = SL_ROLE_NONE + 1; r < SL_N_ROLES; r++)
          if (g_str_equal (role_ids[r], setting->id))
            sl_group_set_role (self->group, r, g_ascii_strtod (setting->value, NULL));
      }
}

static void
stop_waiting (SlWindow *self)
{
  if (self->lesson->waiting != 0)
    g_signal_handler_disconnect (self->group, self->lesson->waiting);
  self->lesson->waiting = 0;
}

/* Runs that are still being loaded have no parameters yet. */
static gboolean
is_group_there (SlWindow *self)
{
  for (unsigned i = 0; i < sl_group_size (self->group); i++)
    if (sl_session_lab (sl_group_session (self->group, i)) == NULL)
      return FALSE;
  return TRUE;
}

static void
on_group (SlWindow *self)
{
  if (!is_group_there (self))
    return;
  stop_waiting (self);
  set_roles (self);
}

static void
set_roles_in_time (SlWindow *self)
{
  stop_waiting (self);
  set_roles (self);
  if (!is_group_there (self))
    self->lesson->waiting
      = g_signal_connect_swapped (self->group, "changed", G_CALLBACK (on_group), self);
}

/* Its four runs wait for an answer as one run does. */
static void
let_group_go (SlWindow *self)
{
  SlLessonPlayer *player = self->lesson->player;

  if (sl_lesson_player_get_step (player)->go == SL_GO_PAUSE
      || !sl_lesson_player_may_go_on (player))
    sl_group_pause (self->group);
  else
    sl_group_run (self->group);
}

static void
on_moved (SlWindow *self)
{
  unring (self);
  g_clear_object (&self->lesson->sketch);
  if (sl_lesson_player_get_lab (self->lesson->player) == NULL)
    {
      set_roles_in_time (self);
      let_group_go (self);
    }
  else
    stop_waiting (self);
  set_stage (self);
  update_actions (self);
}

/* Shows what a step takes place on before the step begins. */
static void
show_place (SlWindow *self, const SlLesson *lesson, unsigned step)
{
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, step, &state);

  self->lesson->going = TRUE;
  if (sl_ok (&status) && state.lab == NULL)
    sl_window_show_glance (self);
  else
    sl_window_show_own (self);
  self->lesson->going = FALSE;
  g_free (state.data);
}

static void
go_to (SlWindow *self, unsigned step)
{
  show_place (self, sl_lesson_player_get_lesson (self->lesson->player), step);
  sl_lesson_player_go (self->lesson->player, step);
}

static void
on_answered (SlWindow *self)
{
  const SlGuess *guess = sl_lesson_player_get_guess (self->lesson->player);

  if (self->lesson->sketch != NULL && guess->skipped)
    g_clear_object (&self->lesson->sketch);
  else if (self->lesson->sketch != NULL)
    {
      sl_lesson_sketch_set (self->lesson->sketch, guess->sketch);
      sl_lesson_sketch_set_open (self->lesson->sketch, FALSE);
    }
  if (sl_lesson_player_get_lab (self->lesson->player) == NULL)
    let_group_go (self);
  update_actions (self);
}

static gboolean
on_staging (gpointer data)
{
  SlWindow *self = data;

  self->lesson->staging = 0;
  set_stage (self);
  return G_SOURCE_REMOVE;
}

/* Sidebar and plots hear of it in their own time. */
void
sl_window_lesson_restarted (SlWindow *self)
{
  if (self->lesson->staging == 0 && self->lesson->player != NULL)
    self->lesson->staging = g_idle_add (on_staging, self);
}

gboolean
sl_window_lesson_locks (SlWindow *self, const char *param)
{
  SlParamRow *row = sl_param_form_row (sl_sidebar_get_form (self->sidebar), param);

  if (row == NULL || !sl_param_row_is_locked (row))
    return FALSE;
  sl_window_toast (self, _ ("Locked by the lesson"));
  return TRUE;
}

/* ---- taking and leaving ---- */

static void
leave (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  if (desk->player == NULL)
    return;
  stop_waiting (self);
  g_signal_handlers_disconnect_by_data (desk->player, self);
  sl_lesson_player_set_session (desk->player, NULL);
  sl_lesson_bar_set_player (self->lesson_bar, NULL);
  desk->left = desk->player;
  desk->player = NULL;
  clear_stage (self);
  update_actions (self);
}

static void
take (SlWindow *self, SlLessonPlayer *player, gboolean resume)
{
  SlLessonDesk *desk = self->lesson;

  leave (self);
  desk->player = player;
  desk->left = NULL;
  show_place (self, sl_lesson_player_get_lesson (player),
              resume ? sl_lesson_player_get_number (player) : 0);
  sl_lesson_player_set_session (player, self->own);
  g_signal_connect_swapped (player, "moved", G_CALLBACK (on_moved), self);
  g_signal_connect_swapped (player, "answered", G_CALLBACK (on_answered), self);
  if (resume)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_lesson_player_begin (player);
  sl_lesson_bar_set_player (self->lesson_bar, player);
}

/* A lesson of the program by its id, any other by its path. */
static GFile *
find_lesson (const char *name)
{
  g_autofree char *uri = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".lesson"))
    return g_file_new_for_path (name);
  uri = g_strconcat ("resource://" LESSONS, name, ".lesson", NULL);
  return g_file_new_for_uri (uri);
}

gboolean
sl_window_open_lesson (SlWindow *self, const char *name, GError **error)
{
  g_autoptr (GFile) file = find_lesson (name);
  SlLesson       *lesson = sl_lesson_load (file, error);
  SlLessonPlayer *player = g_hash_table_lookup (self->lesson->players, name);

  if (lesson == NULL)
    return FALSE;
  /* Who takes a lesson once more meets the guesses of the last time; a file may have changed. */
  if (player != NULL
      && sl_lesson_player_get_lesson (player)->steps->len == lesson->steps->len
      && !g_file_is_native (file))
    sl_lesson_free (lesson);
  else
    {
      leave (self);
      self->lesson->left = NULL;
      player = sl_lesson_player_new (lesson);
      g_hash_table_replace (self->lesson->players, g_strdup (name), player);
    }
  take (self, player, FALSE);
  return TRUE;
}

static void
on_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!sl_window_open_lesson (self, g_variant_get_string (parameter, NULL), &error))
    sl_window_complain (self, error->message);
}

static void
on_leave (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  AdwToast *toast;

  if (self->lesson->going)
    return;
  toast = adw_toast_new (_ ("The lesson can be resumed from the menu"));
  leave (self);
  adw_toast_set_button_label (toast, _ ("Resume"));
  adw_toast_set_action_name (toast, "win.lesson-resume");
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  take (self, self->lesson->left, TRUE);
}

/* After the last step a lesson is over. */
static void
on_next (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow       *self = data;
  SlLessonPlayer *player = self->lesson->player;
  unsigned        next = sl_lesson_player_get_number (player) + 1;

  if (next < sl_lesson_player_get_lesson (player)->steps->len)
    go_to (self, next);
  else
    {
      leave (self);
      sl_window_toast (self, _ ("That was the lesson. The run is yours now."));
    }
}

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  go_to (self, sl_lesson_player_get_number (self->lesson->player) - 1);
}

static void
on_answer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!sl_lesson_player_answer (self->lesson->player, g_variant_get_string (parameter, NULL),
                                &error))
    sl_window_toast (self, error->message);
}

static void
on_ask_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_lesson_player_ask_again (SL_WINDOW (data)->lesson->player);
}

static void
on_earlier (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  g_simple_action_set_state (action, state);
  self->lesson->earlier = g_variant_get_boolean (state);
  if (self->lesson->sketch == NULL)
    return;
  g_clear_object (&self->lesson->sketch);
  show_sketch (self);
}

static void
on_bar_answer (SlWindow *self, const char *text)
{
  g_autofree char *drawn = text == NULL && self->lesson->sketch != NULL
                             ? sl_lesson_sketch_dup_answer (self->lesson->sketch) : NULL;

  if (text == NULL)
    text = drawn;
  if (text != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), "lesson-answer",
                                    g_variant_new_string (text));
}

/* ---- saving a step ---- */

static void
save_step (SlWindow *self, const char *path, gboolean anew, const char *title, const char *text)
{
  SlLessonPlayer *player = self->lesson->player;
  const SlLessonStep *step = player != NULL ? sl_lesson_player_get_step (player) : NULL;
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *saved = g_strdup_printf (_ ("The step is in %s"), name);
  g_autoptr (GError) error = NULL;

  if (sl_lesson_save_step (self->session,
                           step != NULL ? (const char *const *) step->locks : NULL, path, anew,
                           title, text, &error))
    sl_window_toast (self, saved);
  else
    sl_window_complain (self, error->message);
}

static void
on_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path, *title, *text;

  g_variant_get (parameter, "(&s&s&s)", &path, &title, &text);
  save_step (data, path, FALSE, title, text);
}

static void
on_chosen (GtkNativeDialog *dialog, int response, SlWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *chosen = g_file_get_path (file);
      g_autofree char *path = NULL;

      if (chosen == NULL)
        sl_window_toast (self, _ ("Only files on this computer can be opened"));
      else
        {
          path = g_str_has_suffix (chosen, ".lesson") ? g_strdup (chosen)
                                                      : g_strconcat (chosen, ".lesson", NULL);
          save_step (self, path,
                     gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog))
                       == GTK_FILE_CHOOSER_ACTION_SAVE,
                     g_object_get_data (G_OBJECT (dialog), "title"),
                     g_object_get_data (G_OBJECT (dialog), "text"));
        }
    }
  g_clear_object (&self->chooser);
}

static void
on_asked (const char *title, const char *text, gboolean existing, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (existing ? _ ("Add to a lesson") : _ ("New lesson"),
                                               GTK_WINDOW (self),
                                               existing ? GTK_FILE_CHOOSER_ACTION_OPEN
                                                        : GTK_FILE_CHOOSER_ACTION_SAVE,
                                               _ ("_Save"), _ ("_Cancel"));
  gtk_file_filter_set_name (filter, _ ("Lessons"));
  gtk_file_filter_add_pattern (filter, "*.lesson");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
  if (!existing)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), _ ("Own.lesson"));
  g_object_set_data_full (G_OBJECT (self->chooser), "title", g_strdup (title), g_free);
  g_object_set_data_full (G_OBJECT (self->chooser), "text", g_strdup (text), g_free);
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_save_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_lesson_ask_step (GTK_WINDOW (data), on_asked, data);
}

/* ---- menu, keys, beginning and end ---- */

static int
by_name (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
fill_menu (SlWindow *self)
{
  g_auto (GStrv) names = g_resources_enumerate_children (LESSONS, 0, NULL);

  if (names == NULL)
    return;
  qsort (names, g_strv_length (names), sizeof *names, by_name);
  for (unsigned i = 0; names[i] != NULL; i++)
    {
      g_autofree char *id = g_strndup (names[i], strlen (names[i]) - strlen (".lesson"));
      g_autoptr (GFile) file = find_lesson (id);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);
      g_autoptr (GMenuItem) item = NULL;

      if (lesson == NULL)
        continue;
      item = g_menu_item_new (sl_words (lesson->title), NULL);
      g_menu_item_set_action_and_target (item, "win.lesson", "s", id);
      g_menu_append_item (self->lessons, item);
    }
}

/* Before plots and sliders, which have uses of their own for these keys. */
static void
add_keys (SlWindow *self)
{
  static const struct
  {
    guint       key;
    const char *action;
  } keys[] = { { GDK_KEY_Page_Down, "action(win.lesson-next)" },
               { GDK_KEY_Page_Up, "action(win.lesson-back)" } };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, 0),
                        gtk_shortcut_action_parse_string (keys[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
sl_window_add_lesson_actions (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson", .activate = on_lesson, .parameter_type = "s" },
    { .name = "lesson-next", .activate = on_next },
    { .name = "lesson-back", .activate = on_back },
    { .name = "lesson-leave", .activate = on_leave },
    { .name = "lesson-resume", .activate = on_resume },
    { .name = "lesson-answer", .activate = on_answer, .parameter_type = "s" },
    { .name = "lesson-ask-again", .activate = on_ask_again },
    { .name = "lesson-earlier", .state = "false", .change_state = on_earlier },
    { .name = "lesson-save-step", .activate = on_save_step },
    { .name = "lesson-save-step-to", .activate = on_save_step_to, .parameter_type = "(sss)" },
  };

  self->lesson = g_new0 (SlLessonDesk, 1);
  self->lesson->players = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  update_actions (self);
}

void
sl_window_add_lessons (SlWindow *self)
{
  g_signal_connect_object (self->lesson_bar, "answer", G_CALLBACK (on_bar_answer), self,
                           G_CONNECT_SWAPPED);
  fill_menu (self);
  add_keys (self);
}

void
sl_window_drop_lessons (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  if (desk == NULL)
    return;
  unring (self);
  g_clear_handle_id (&desk->staging, g_source_remove);
  g_clear_object (&desk->sketch);
  stop_waiting (self);
  if (desk->player != NULL)
    {
      g_signal_handlers_disconnect_by_data (desk->player, self);
      sl_lesson_player_set_session (desk->player, NULL);
      sl_lesson_bar_set_player (self->lesson_bar, NULL);
    }
  g_hash_table_unref (desk->players);
  g_free (desk);
  self->lesson = NULL;
}
