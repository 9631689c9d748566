/* SPDX-License-Identifier: MIT */
#include "ui/lesson/ending.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "ui/kit/type-size.h"

struct _SlLessonEnding
{
  AdwWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (SlLessonEnding, sl_lesson_ending, ADW_TYPE_WINDOW)

enum { WIDTH = 600, HEIGHT = 560 };

gboolean
sl_lesson_asks (const SlLesson *lesson)
{
  for (guint i = 0; i < lesson->steps->len; i++)
    if (sl_lesson_step (lesson, i)->question.kind != SL_ASK_NOTHING)
      return TRUE;
  return FALSE;
}

/* ---- one question ---- */

static const SlAnswer *
find_answer (const SlAnswers *answers, unsigned step)
{
  for (guint i = 0; answers != NULL && i < answers->answers->len; i++)
    {
      const SlAnswer *answer = g_ptr_array_index (answers->answers, i);

      if (answer->step == step + 1)
        return answer;
    }
  return NULL;
}

/* With its unit, and as many digits as the question has. */
static char *
write_number (const SlQuestion *question, double value, int more)
{
  int         digits = (int) CLAMP (ceil (-log10 (question->step) - 1e-9), 0.0, 6.0);
  const char *unit = sl_words (question->unit);

  if (value == round (value))
    more = 0;
  return g_strdup_printf ("%.*f%s%s", digits + more, value, *unit != '\0' ? "\302\240" : "", unit);
}

static char *
tell_choice (const SlQuestion *question, const SlAnswer *answer)
{
  const char *chosen = sl_words (question->options[answer->option - 1]);

  if (answer->right == 0 || answer->right == answer->option)
    return g_strdup_printf (_ ("You: %s."), chosen);
  return g_strdup_printf (_ ("You: %s. Right: %s."), chosen,
                          sl_words (question->options[answer->right - 1]));
}

static char *
tell_number (const SlQuestion *question, const SlAnswer *answer)
{
  g_autofree char *guess = write_number (question, answer->number, 0);
  g_autofree char *measured = write_number (question, answer->measured, 1);

  if (isnan (answer->measured))
    return g_strdup_printf (_ ("You: %s. Nothing was measured."), guess);
  return g_strdup_printf (_ ("You: %s. Measured: %s."), guess, measured);
}

static char *
tell_answer (const SlQuestion *question, const SlAnswer *answer)
{
  g_autofree char *told = NULL, *within = sl_question_tolerance (question);

  if (answer == NULL)
    return g_strdup (_ ("Skipped"));
  if (question->kind == SL_ASK_CHOICE)
    return tell_choice (question, answer);
  if (question->kind == SL_ASK_NUMBER)
    told = tell_number (question, answer);
  else if (isnan (sl_answer_distance (answer)))
    told = g_strdup (_ ("Nothing was measured."));
  else
    told
      = g_strdup_printf (_ ("Your curve was off by %.3g on average."), sl_answer_distance (answer));
  if (within == NULL)
    return g_steal_pointer (&told);
  /* Translators: what was answered and measured, then "within 5 points". */
  return g_strdup_printf (_ ("%s Right is %s."), told, within);
}

static GtkWidget *
make_mark (SlAnswerMark mark)
{
  static const char *const icons[] = { [SL_ANSWER_OPEN] = "content-loading-symbolic",
                                       [SL_ANSWER_WRONG] = "dialog-information-symbolic",
                                       [SL_ANSWER_RIGHT] = "emblem-ok-symbolic" };
  static const char *const words[] = { [SL_ANSWER_OPEN] = N_ ("Not marked"),
                                       [SL_ANSWER_WRONG] = N_ ("Not right"),
                                       [SL_ANSWER_RIGHT] = N_ ("Right") };
  GtkWidget               *image = gtk_image_new_from_icon_name (icons[mark]);

  gtk_widget_set_tooltip_text (image, _ (words[mark]));
  if (mark == SL_ANSWER_RIGHT)
    gtk_widget_add_css_class (image, "success");
  return image;
}

static GtkWidget *
make_row (const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  return row;
}

/* ---- the page ---- */

/* Returns how many were right. */
static unsigned
add_answers (AdwPreferencesGroup *group, SlLessonPlayer *player, const SlAnswers *answers,
             unsigned *marked)
{
  const SlLesson *lesson = sl_lesson_player_get_lesson (player);
  unsigned        right = 0;

  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const SlQuestion *question = &sl_lesson_step (lesson, i)->question;
      const SlAnswer   *answer = find_answer (answers, i);
      SlAnswerMark      mark = answer != NULL ? sl_answer_mark (answer) : SL_ANSWER_OPEN;
      g_autofree char  *prompt = NULL, *told = NULL;
      GtkWidget        *row;

      if (question->kind == SL_ASK_NOTHING)
        continue;
      prompt = sl_lesson_player_dup_asked (player, i);
      told = tell_answer (question, answer);
      row = make_row (prompt != NULL ? prompt : "", told);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_mark (mark));
      adw_preferences_group_add (group, row);
      right += mark == SL_ANSWER_RIGHT;
      *marked += mark != SL_ANSWER_OPEN;
    }
  return right;
}

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *page, const char *title)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (group, title);
  adw_preferences_page_add (page, group);
  return group;
}

/* The action is one of the window beneath, which has the lesson. */
static void
on_button (GtkWidget *button, GtkWindow *window)
{
  g_autoptr (GtkWindow) parent = g_object_ref (gtk_window_get_transient_for (window));
  g_autofree char *action = g_strdup (g_object_get_data (G_OBJECT (button), "action"));
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  gtk_window_destroy (window);
  if (action != NULL && g_action_parse_detailed_name (action, &name, &target, NULL))
    gtk_widget_activate_action_variant (GTK_WIDGET (parent), name, target);
}

static GtkWidget *
add_button (GtkBox *box, GtkWindow *window, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_object_set_data_full (G_OBJECT (button), "action", g_strdup (action), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_button), window);
  gtk_box_append (box, button);
  return button;
}

static GtkWidget *
make_buttons (GtkWindow *window, gboolean answered, const char *again, const char *next)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *way;

  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  if (answered)
    add_button (GTK_BOX (box), window, _ ("_Save answers…"), "win.lesson-save-answers");
  add_button (GTK_BOX (box), window, _ ("_Begin again"), again);
  way = next != NULL ? add_button (GTK_BOX (box), window, _ ("_Next lesson"), next)
                     : add_button (GTK_BOX (box), window, _ ("_Close"), NULL);
  gtk_widget_add_css_class (way, "suggested-action");
  gtk_window_set_default_widget (window, way);
  return box;
}

static GtkWidget *
make_page (SlLessonPlayer *player, const SlAnswers *answers)
{
  const SlLesson      *lesson = sl_lesson_player_get_lesson (player);
  AdwPreferencesPage  *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  AdwPreferencesGroup *group = add_group (page, _ ("What you answered"));
  unsigned             marked = 0, right = add_answers (group, player, answers, &marked);
  g_autofree char     *score = g_strdup_printf (_ ("%u of %u right"), right, marked);

  if (marked > 0)
    adw_preferences_group_set_description (group, score);
  if (*lesson->goal != '\0')
    adw_preferences_group_add (add_group (page, _ ("What you can do now")),
                               make_row (sl_words (lesson->goal), ""));
  gtk_widget_set_vexpand (GTK_WIDGET (page), TRUE);
  return GTK_WIDGET (page);
}

static void
sl_lesson_ending_class_init (SlLessonEndingClass *klass)
{
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
sl_lesson_ending_init (SlLessonEnding *self)
{
}

/* Before an audience as large as the window below it. */
static void
fit (GtkWidget *window, GtkWidget *parent)
{
  static const char *const classes[] = { "present", "low" };
  int                      width = WIDTH, height = HEIGHT;

  for (unsigned i = 0; i < G_N_ELEMENTS (classes); i++)
    if (gtk_widget_has_css_class (parent, classes[i]))
      gtk_widget_add_css_class (window, classes[i]);
  if (gtk_widget_has_css_class (window, classes[0]))
    {
      width = MIN (WIDTH * SL_TYPE_PRESENTED / 100, gtk_widget_get_width (parent));
      height = MIN (HEIGHT * SL_TYPE_PRESENTED / 100, gtk_widget_get_height (parent));
    }
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
}

void
sl_lesson_ending_open (GtkWindow *parent, SlLessonPlayer *player, SlAnswers *answers,
                       const char *again, const char *next)
{
  GtkWidget *window = g_object_new (SL_TYPE_LESSON_ENDING, NULL),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget  *header = adw_header_bar_new ();
  const char *title = sl_words (sl_lesson_player_get_lesson (player)->title);

  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header),
                                   adw_window_title_new (_ ("The lesson is over"), title));
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), make_page (player, answers));
  gtk_box_append (GTK_BOX (box), make_buttons (GTK_WINDOW (window), answers != NULL, again, next));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _ ("The lesson is over"));
  fit (window, GTK_WIDGET (parent));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  g_clear_pointer (&answers, sl_answers_free);
  gtk_window_set_focus (GTK_WINDOW (window), gtk_window_get_default_widget (GTK_WINDOW (window)));
  gtk_window_present (GTK_WINDOW (window));
}
