/* SPDX-License-Identifier: MIT */
#include "ui/lesson/chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/lesson/lesson.h"
#include "core/run/lesson/own.h"
#include "ui/kit/search.h"
#include "ui/kit/widget.h"
#include "ui/lesson/progress.h"

typedef struct
{
  char            *name;
  SlLesson        *lesson; /* NULL: one's own, which cannot be read */
  gboolean         own;
  SlLessonProgress progress;
  GtkWidget       *row;    /* borrowed */
  gboolean         filled; /* with what is seen when it is open */
} Entry;

struct _SlLessonChooser
{
  AdwWindow parent_instance;

  GtkSearchEntry     *search;
  GtkStack           *stack;
  AdwPreferencesPage *page;

  GtkWindow           *window;  /* that lessons are taken in; borrowed, it outlives this one */
  GPtrArray           *entries; /* of Entry */
  AdwPreferencesGroup *group[SL_N_LEVELS]; /* borrowed; NULL: no lesson */
  AdwPreferencesGroup *mine;               /* of own lessons, above the others; borrowed, or NULL */
};

G_DEFINE_FINAL_TYPE (SlLessonChooser, sl_lesson_chooser, ADW_TYPE_WINDOW)

static const char *const about_level[SL_N_LEVELS]
  = { [SL_LEVEL_NONE] = "",
      [SL_LEVEL_WHAT] = N_ ("What happens, and what the words mean"),
      [SL_LEVEL_WHY] = N_ ("What it comes from"),
      [SL_LEVEL_HOW_MUCH] = N_ ("What it saves and what it costs, in numbers") };

static void
free_entry (Entry *entry)
{
  g_free (entry->name);
  sl_lesson_free (entry->lesson);
  g_free (entry);
}

/* ---- search ---- */

static const char *
lab_title (const SlLessonStep *step)
{
  return step->overview ? N_ ("Start page") : step->lab != NULL ? step->lab->title : NULL;
}

static gboolean
has_word (const SlLesson *lesson, const char *word)
{
  if (sl_search_has (lesson->title, word) || sl_search_has (lesson->summary, word)
      || sl_search_has (lesson->goal, word) || sl_search_has (lesson->misconception, word))
    return TRUE;
  for (guint i = 0; i < lesson->steps->len; i++)
    if (sl_search_has (lab_title (sl_lesson_step (lesson, i)), word)
        || sl_search_has (sl_lesson_step (lesson, i)->title, word))
      return TRUE;
  return FALSE;
}

static gboolean
is_found (const Entry *entry, char **words)
{
  for (; *words != NULL; words++)
    if (!(entry->lesson != NULL ? has_word (entry->lesson, *words)
                                : sl_search_has (entry->name, *words)))
      return FALSE;
  return TRUE;
}

/* Headings are shown over at least one lesson. */
static void
on_search (SlLessonChooser *self)
{
  g_auto (GStrv) words = sl_search_words (self->search);
  gboolean any[SL_N_LEVELS] = { FALSE }, some = FALSE, mine = FALSE;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);
      gboolean     found = is_found (entry, words);

      gtk_widget_set_visible (entry->row, found);
      mine = mine || (found && entry->own);
      if (!entry->own)
        any[entry->lesson->level] = any[entry->lesson->level] || found;
      some = some || found;
    }
  if (self->mine != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->mine), mine);
  for (SlLevel level = 0; level < SL_N_LEVELS; level++)
    if (self->group[level] != NULL)
      gtk_widget_set_visible (GTK_WIDGET (self->group[level]), any[level]);
  gtk_stack_set_visible_child_name (self->stack, some ? "lessons" : "nothing");
}

/* ---- what can be done ---- */

static void
act (SlLessonChooser *self, const char *action, const char *name)
{
  g_autoptr (GtkWindow) window = g_object_ref (self->window);
  g_autofree char *kept = g_strdup (name); /* of an entry, which goes with this window */

  gtk_window_close (GTK_WINDOW (self));
  g_action_group_activate_action (G_ACTION_GROUP (window), action,
                                  kept != NULL ? g_variant_new_string (kept) : NULL);
}

/* Left in the middle.  What was taken to its end begins at its beginning, wherever it was left since. */
static gboolean
is_unfinished (const Entry *entry)
{
  return entry->progress.step > 0 && !entry->progress.done;
}

static const char *
take_action (const Entry *entry)
{
  return is_unfinished (entry) ? "lesson-go-on" : "lesson";
}

/* The place of its group: -1 of the own ones, then the level. */
static int
group_of (const Entry *entry)
{
  return entry->own ? -1 : (int) entry->lesson->level;
}

/* Enter in the search takes the first that was found. */
static void
on_enter (SlLessonChooser *self)
{
  on_search (self); /* which the toolkit says a little after the last letter */
  for (int group = -1; group < SL_N_LEVELS; group++)
    for (guint i = 0; i < self->entries->len; i++)
      {
        const Entry *entry = g_ptr_array_index (self->entries, i);

        if (entry->lesson != NULL && group_of (entry) == group
            && gtk_widget_get_visible (entry->row))
          {
            act (self, take_action (entry), entry->name);
            return;
          }
      }
}

/* Of a row or a button, which say which action. */
static void
on_row (GtkWidget *widget, const Entry *entry)
{
  act (SL_LESSON_CHOOSER (gtk_widget_get_root (widget)),
       g_object_get_data (G_OBJECT (widget), "action"), entry->name);
}

static void
on_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  act (SL_LESSON_CHOOSER (widget), name + strlen ("chooser."), NULL);
}

/* ---- rows ---- */

/* The labs of its steps, the time that it takes, and how far the user came. */
static char *
about (const Entry *entry)
{
  const SlLesson *lesson = entry->lesson;
  g_autoptr (GString) text = g_string_new (NULL);
  const char *last = NULL;

  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const char *lab = lab_title (sl_lesson_step (lesson, i));

      if (lab != NULL && g_strcmp0 (lab, last) != 0)
        g_string_append_printf (text, "%s%s", last != NULL ? ", " : "", sl_words (lab));
      last = lab != NULL ? lab : last;
    }
  if (lesson->minutes > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u minute", "%u minutes", lesson->minutes),
                              lesson->minutes);
    }
  if (entry->progress.done)
    g_string_append_printf (text, " · %s", _ ("done"));
  if (entry->progress.step > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("at step %u of %u"), entry->progress.step + 1,
                              lesson->steps->len);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_action (const Entry *entry, const char *title, const char *icon, const char *action)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name (icon));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "action", (gpointer) action);
  g_signal_connect (row, "activated", G_CALLBACK (on_row), (gpointer) entry);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (entry->row), row);
}

static void
add_words (const Entry *entry)
{
  const SlLesson  *lesson = entry->lesson;
  GtkWidget       *row = adw_action_row_new ();
  g_autofree char *goal
    = *lesson->goal != '\0' ? g_strdup_printf (_ ("Goal: %s"), sl_words (lesson->goal)) : NULL;

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), sl_words (lesson->summary));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), goal != NULL ? goal : "");
  adw_expander_row_add_row (ADW_EXPANDER_ROW (entry->row), row);
}

static void
add_actions (const Entry *entry)
{
  g_autofree char *on = g_strdup_printf (_ ("Resume at step %u of %u"), entry->progress.step + 1,
                                         entry->lesson->steps->len);

  if (entry->progress.step > 0)
    add_action (entry, on, "media-playback-start-symbolic", "lesson-go-on");
  add_action (entry, entry->progress.step > 0 ? _ ("Begin again") : _ ("Start at the first step"),
              entry->progress.step > 0 ? "media-skip-backward-symbolic"
                                       : "media-playback-start-symbolic",
              "lesson");
  if (entry->own)
    add_action (entry, _ ("Edit…"), "document-edit-symbolic", "lesson-edit");
  add_action (entry, _ ("Print the worksheet…"), "document-print-symbolic", "lesson-print");
  add_action (entry, _ ("Save the worksheet…"), "document-save-symbolic", "lesson-worksheet");
  add_action (entry, _ ("Save the key…"), "document-save-symbolic", "lesson-key");
  add_action (entry, _ ("Save the questions for Moodle…"), "document-save-symbolic",
              "lesson-questions");
  add_action (entry, _ ("Save as a web page…"), "document-save-symbolic", "lesson-page");
  if (*entry->lesson->notes != '\0')
    add_action (entry, _ ("Teacher's notes"), "user-info-symbolic", "lesson-notes");
}

static void
add_button (const Entry *entry, const char *icon, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  sl_widget_label (button, label);
  g_object_set_data (G_OBJECT (button), "action", (gpointer) action);
  g_signal_connect (button, "clicked", G_CALLBACK (on_row), (gpointer) entry);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (entry->row), button);
}

/* The first one is at the end of the row. */
static void
add_buttons (const Entry *entry)
{
  const char      *title = sl_words (entry->lesson->title);
  g_autofree char *start = g_strdup_printf (_ ("Start: %s"), title);
  g_autofree char *again = g_strdup_printf (_ ("Begin again: %s"), title);
  g_autofree char *resume = g_strdup_printf (_ ("Resume: %s"), title);

  add_button (entry, "media-playback-start-symbolic",
              is_unfinished (entry)  ? resume
              : entry->progress.done ? again
                                     : start,
              take_action (entry));
  if (is_unfinished (entry))
    add_button (entry, "media-skip-backward-symbolic", again, "lesson");
}

/* Rows of lessons that are not open would be measured each time the window is. */
static void
on_expanded (GtkWidget *row, GParamSpec *pspec, Entry *entry)
{
  if (entry->filled)
    return;
  entry->filled = TRUE;
  add_words (entry);
  add_actions (entry);
  sl_expander_name (entry->row, sl_words (entry->lesson->title));
}

static void
make_row (Entry *entry)
{
  g_autofree char *words = about (entry);

  entry->row = adw_expander_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (entry->row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (entry->row), sl_words (entry->lesson->title));
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (entry->row), words);
  add_buttons (entry);
  g_signal_connect (entry->row, "notify::expanded", G_CALLBACK (on_expanded), entry);
  sl_expander_name (entry->row, sl_words (entry->lesson->title));
}

static Entry *
add_entry (SlLessonChooser *self, const char *name, SlPrefs *prefs, GError **error)
{
  g_autoptr (GFile) file = sl_lesson_file (name);
  Entry *entry = g_new0 (Entry, 1);

  entry->name = g_strdup (name);
  entry->lesson = sl_lesson_load (file, error);
  entry->progress = sl_lesson_progress (prefs, name);
  if (entry->lesson != NULL && entry->progress.step >= entry->lesson->steps->len)
    entry->progress.step = 0;
  g_ptr_array_add (self->entries, entry);
  return entry;
}

/* What is wrong with one's own file is said where it would be. */
static void
make_trouble (Entry *entry, const char *sentence)
{
  g_autoptr (GFile) file = sl_lesson_file (entry->name);
  g_autofree char *name = g_file_get_basename (file);

  entry->row = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (entry->row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (entry->row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (entry->row), sentence);
  adw_action_row_add_prefix (ADW_ACTION_ROW (entry->row),
                             gtk_image_new_from_icon_name ("dialog-warning-symbolic"));
}

static void
add_own (SlLessonChooser *self, const char *name, SlPrefs *prefs)
{
  g_autoptr (GError) error = NULL;
  Entry *entry = add_entry (self, name, prefs, &error);

  entry->own = TRUE;
  if (entry->lesson != NULL)
    make_row (entry);
  else
    make_trouble (entry, error->message);
  if (self->mine == NULL)
    {
      self->mine = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
      adw_preferences_group_set_title (self->mine, _ ("Mine"));
    }
  adw_preferences_group_add (self->mine, entry->row);
}

static void
add_mine (SlLessonChooser *self, SlPrefs *prefs)
{
  g_auto (GStrv) names = sl_own_lessons ();

  for (char **name = names; *name != NULL; name++)
    if (sl_prefs_offers (prefs, "classroom-lessons", *name))
      add_own (self, *name, prefs);
  if (self->mine != NULL)
    adw_preferences_page_add (self->page, self->mine);
}

static void
add_group (SlLessonChooser *self, SlLevel level)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);

      if (group_of (entry) == (int) level)
        adw_preferences_group_add (group, entry->row);
    }
  adw_preferences_group_set_title (group, sl_words (sl_level_titles[level]));
  adw_preferences_group_set_description (group, sl_words (about_level[level]));
  adw_preferences_page_add (self->page, group);
  self->group[level] = group;
}

static gboolean
has_level (SlLessonChooser *self, SlLevel level)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (group_of (g_ptr_array_index (self->entries, i)) == (int) level)
      return TRUE;
  return FALSE;
}

/* ---- the window ---- */

static void
sl_lesson_chooser_dispose (GObject *object)
{
  SlLessonChooser *self = SL_LESSON_CHOOSER (object);

  sl_widget_dispose (object);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
}

static void
sl_lesson_chooser_class_init (SlLessonChooserClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_lesson_chooser_dispose;
  sl_widget_class_set_template (widget, "lesson/chooser.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlLessonChooser, search),
                                 SL_CHILD (SlLessonChooser, stack),
                                 SL_CHILD (SlLessonChooser, page), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_search), SL_CALLBACK (on_enter),
                                  SL_CALLBACK (gtk_window_close), NULL);
  gtk_widget_class_install_action (widget, "chooser.class", NULL, on_menu);
  gtk_widget_class_install_action (widget, "chooser.lesson-save-step", NULL, on_menu);
  gtk_widget_class_install_action (widget, "chooser.lesson-cheat-sheet", NULL, on_menu);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
sl_lesson_chooser_init (SlLessonChooser *self)
{
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) free_entry);
  gtk_widget_init_template (GTK_WIDGET (self));
}

SlLessonChooser *
sl_lesson_chooser_new (GtkWindow *parent, SlPrefs *prefs)
{
  g_return_val_if_fail (GTK_IS_WINDOW (parent) && SL_IS_PREFS (prefs), NULL);

  SlLessonChooser *self = g_object_new (SL_TYPE_LESSON_CHOOSER, "transient-for", parent, NULL);
  g_auto (GStrv) names = sl_lesson_names ();

  self->window = parent;
  gtk_widget_action_set_enabled (
    GTK_WIDGET (self), "chooser.lesson-save-step",
    g_action_group_get_action_enabled (G_ACTION_GROUP (parent), "lesson-save-step"));
  add_mine (self, prefs);
  for (char **name = names; *name != NULL; name++)
    if (sl_prefs_offers (prefs, "classroom-lessons", *name))
      make_row (add_entry (self, *name, prefs, NULL));
  for (SlLevel level = 0; level < SL_N_LEVELS; level++)
    if (has_level (self, level))
      add_group (self, level);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  return self;
}
