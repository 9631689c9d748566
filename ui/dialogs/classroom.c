/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/classroom.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/lesson/lesson.h"
#include "core/run/lesson/own.h"
#include "ui/kit/widget.h"

typedef struct
{
  AdwExpanderRow *row; /* borrowed; its window owns this */
  SlPrefs        *prefs;
  const char     *key;
  GPtrArray      *ids, *checks; /* as many; checks are borrowed */
} Choice;

static void
free_choice (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->prefs);
  g_ptr_array_unref (choice->ids);
  g_ptr_array_unref (choice->checks);
  g_free (choice);
}

static gboolean
is_checked (const Choice *choice, guint i)
{
  return gtk_check_button_get_active (g_ptr_array_index (choice->checks, i));
}

/* All are offered while the row is off. */
static void
say (const Choice *choice)
{
  guint            n = 0, all = choice->ids->len;
  g_autofree char *some = NULL;

  for (guint i = 0; i < all; i++)
    n += is_checked (choice, i);
  some = g_strdup_printf (_ ("%u of %u"), n, all);
  adw_expander_row_set_subtitle (choice->row, adw_expander_row_get_enable_expansion (choice->row)
                                                ? some
                                                : _ ("All are open to the class"));
}

static void
on_choice (Choice *choice)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  gboolean some = adw_expander_row_get_enable_expansion (choice->row);

  for (guint i = 0; i < choice->ids->len; i++)
    if (is_checked (choice, i))
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? " " : "",
                              (const char *) g_ptr_array_index (choice->ids, i));
  g_object_set (choice->prefs, choice->key, some ? ids->str : SL_PREFS_ALL, NULL);
  say (choice);
}

/* SL_PREFS_ALL checks none: a choice begins empty. */
static gboolean
is_chosen (const char *ids, const char *id)
{
  g_auto (GStrv) words = g_strsplit (ids, " ", -1);

  return g_strv_contains ((const char *const *) words, id);
}

static void
add (Choice *choice, const char *ids, const char *id, const char *title)
{
  GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new ();

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_chosen (ids, id));
  sl_widget_label (check, title);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_expander_row_add_row (choice->row, row);
  g_ptr_array_add (choice->ids, g_strdup (id));
  g_ptr_array_add (choice->checks, check);
  g_signal_connect_swapped (check, "toggled", G_CALLBACK (on_choice), choice);
}

/* Goes with the window, not with the row, which groups of libadwaita 1.2 never let go of. */
static Choice *
choice_new (AdwExpanderRow *row, SlPrefs *prefs, const char *key)
{
  Choice *choice = g_new0 (Choice, 1);

  *choice = (Choice) { row, g_object_ref (prefs), key, g_ptr_array_new_with_free_func (g_free),
                       g_ptr_array_new () };
  g_object_set_data_full (G_OBJECT (gtk_widget_get_root (GTK_WIDGET (row))), key, choice,
                          free_choice);
  return choice;
}

static void
show (Choice *choice, const char *ids)
{
  gboolean some = !g_str_equal (ids, SL_PREFS_ALL);

  adw_expander_row_set_enable_expansion (choice->row, some);
  adw_expander_row_set_expanded (choice->row, FALSE);
  sl_expander_name (GTK_WIDGET (choice->row),
                    adw_preferences_row_get_title (ADW_PREFERENCES_ROW (choice->row)));
  say (choice);
  g_signal_connect_swapped (choice->row, "notify::enable-expansion", G_CALLBACK (on_choice),
                            choice);
}

/* Names with a blank cannot be in the list of a preference. */
void
sl_classroom_fill_lessons (AdwExpanderRow *row, SlPrefs *prefs)
{
  Choice          *choice = choice_new (row, prefs, "classroom-lessons");
  g_autofree char *ids = sl_prefs_get_string (prefs, choice->key);
  g_auto (GStrv) names = sl_all_lessons ();

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);

      if (lesson != NULL && strchr (*name, ' ') == NULL)
        add (choice, ids, *name, sl_words (lesson->title));
    }
  show (choice, ids);
}

void
sl_classroom_fill_labs (AdwExpanderRow *row, SlPrefs *prefs)
{
  Choice          *choice = choice_new (row, prefs, "classroom-labs");
  g_autofree char *ids = sl_prefs_get_string (prefs, choice->key);

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    add (choice, ids, sl_labs[i]->id, sl_words (sl_labs[i]->title));
  show (choice, ids);
}
