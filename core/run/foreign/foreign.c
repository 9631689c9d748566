/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/foreign.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/message.h"

static void
free_curve (gpointer data)
{
  SlForeignCurve *curve = data;

  sl_series_clear (&curve->series);
  g_free (curve->name);
  g_free (curve);
}

void
sl_foreign_init (SlForeign *foreign, const char *title)
{
  *foreign = (SlForeign) { .title = g_strdup (title),
                           .curves = g_ptr_array_new_with_free_func (free_curve),
                           .left_out = g_ptr_array_new_with_free_func (g_free),
                           .places = g_hash_table_new (g_str_hash, g_str_equal),
                           .cut = G_MAXUINT64 };
}

void
sl_foreign_clear (SlForeign *foreign)
{
  g_clear_pointer (&foreign->title, g_free);
  g_clear_pointer (&foreign->steps, g_free);
  g_clear_pointer (&foreign->places, g_hash_table_unref);
  g_clear_pointer (&foreign->curves, g_ptr_array_unref);
  g_clear_pointer (&foreign->left_out, g_ptr_array_unref);
}

static void
drop_empty (SlForeign *foreign, const char *name)
{
  guint           place = GPOINTER_TO_UINT (g_hash_table_lookup (foreign->places, name));
  SlForeignCurve *curve = place > 0 ? g_ptr_array_index (foreign->curves, place - 1) : NULL;

  if (curve == NULL || curve->series.n > 0)
    return;
  g_hash_table_remove (foreign->places, name);
  g_ptr_array_remove_index (foreign->curves, place - 1);
  for (guint i = place - 1; i < foreign->curves->len; i++)
    {
      curve = g_ptr_array_index (foreign->curves, i);
      g_hash_table_insert (foreign->places, curve->name, GUINT_TO_POINTER (i + 1));
    }
}

void
sl_foreign_leave_out (SlForeign *foreign, const char *name)
{
  drop_empty (foreign, name);
  if (foreign->left_out->len < SL_FOREIGN_LEFT_MAX
      && !g_ptr_array_find_with_equal_func (foreign->left_out, name, g_str_equal, NULL))
    g_ptr_array_add (foreign->left_out, g_strdup (name));
}

char *
sl_foreign_name (const char *text, gsize n)
{
  char *name = g_utf8_make_valid (text, (gssize) n);

  for (char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return name;
}

SlForeignCurve *
sl_foreign_curve (SlForeign *foreign, const char *name)
{
  guint           place = GPOINTER_TO_UINT (g_hash_table_lookup (foreign->places, name));
  SlForeignCurve *curve;

  if (place > 0)
    return g_ptr_array_index (foreign->curves, place - 1);
  if (foreign->curves->len == SL_FOREIGN_CURVES_MAX)
    {
      foreign->crowded = TRUE;
      return NULL;
    }
  curve = g_new0 (SlForeignCurve, 1);
  curve->name = g_strdup (name);
  g_ptr_array_add (foreign->curves, curve);
  g_hash_table_insert (foreign->places, curve->name, GUINT_TO_POINTER (foreign->curves->len));
  return curve;
}

gboolean
sl_foreign_add (SlForeign *foreign, SlForeignCurve *curve, double step, double value)
{
  SlSeries *series = &curve->series;

  if (series->n > 0 && step < series->step[series->n - 1])
    {
      gsize before = series->n;

      sl_series_truncate (series, nextafter (step, -HUGE_VAL));
      foreign->points -= before - series->n;
      foreign->rewound = TRUE;
    }
  if (foreign->points == SL_FOREIGN_POINTS_MAX || !sl_series_append (series, step, value))
    return FALSE;
  foreign->points++;
  return TRUE;
}

static gboolean
is_same_name (const char *a, const char *b)
{
  gsize n = strcspn (a, "./");

  return strncmp (a, b, n) == 0
         && (a[n] == b[n] || (a[n] == '/' && b[n] == '.') || (a[n] == '.' && b[n] == '/'))
         && (a[n] == '\0' || strcmp (a + n + 1, b + n + 1) == 0);
}

const SlForeignCurve *
sl_foreign_find (const SlForeign *foreign, const char *name)
{
  for (guint i = 0; i < foreign->curves->len; i++)
    {
      const SlForeignCurve *curve = g_ptr_array_index (foreign->curves, i);

      if (is_same_name (curve->name, name))
        return curve;
    }
  return NULL;
}

const char *
sl_foreign_steps (SlForeign *const *foreign, guint n)
{
  for (guint i = 0; i < n; i++)
    if (foreign[i]->steps == NULL || g_ascii_strcasecmp (foreign[i]->steps, foreign[0]->steps) != 0)
      return SL_MARK ("step");
  return n > 0 ? foreign[0]->steps : SL_MARK ("step");
}

/* "a, b, c and 4 others". */
static char *
some_names (const GPtrArray *names)
{
  enum { NAMED = 3 };
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < names->len && i < NAMED; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (names, i));
  if (names->len <= NAMED)
    return g_strdup (list->str);
  /* Translators: %s are names with commas between. */
  return g_strdup_printf (ngettext ("%s and %u other", "%s and %u others", names->len - NAMED),
                          list->str, names->len - NAMED);
}

/* What is no curve and what has no step. */
static void
note_left_out (const SlForeign *foreign, GString *note)
{
  g_autofree char *names = some_names (foreign->left_out);

  if (foreign->left_out->len > 0)
    /* Translators: %s are names of columns. */
    g_string_append_printf (note, _ ("Left out, as no curve of numbers: %s. "), names);
  if (foreign->no_step > 0)
    g_string_append_printf (note, _ ("Lines without a step are left out: %zu. "), foreign->no_step);
}

char *
sl_foreign_note (const SlForeign *foreign)
{
  g_autoptr (GString) note = g_string_new (NULL);

  if (foreign->files > 1)
    g_string_append_printf (note, _ ("%u event files are one run. "), foreign->files);
  if (foreign->cut != G_MAXUINT64)
    g_string_append_printf (note, _ ("The last record, at byte %llu, is incomplete and left out. "),
                            (unsigned long long) foreign->cut);
  if (foreign->rewound)
    g_string_append (note, _ ("Steps go back; later records replace earlier ones. "));
  if (foreign->crowded)
    g_string_append_printf (note, _ ("Only %u curves are read. "),
                            (unsigned) SL_FOREIGN_CURVES_MAX);
  note_left_out (foreign, note);
  if (note->len == 0)
    return NULL;
  g_string_truncate (note, note->len - 1);
  return g_strdup (note->str);
}

char *
sl_foreign_said (const SlForeign *foreign)
{
  g_autofree char *note = sl_foreign_note (foreign);
  guint            n = foreign->curves->len;
  g_autofree char *curves = g_strdup_printf (ngettext ("%u curve", "%u curves", n), n);
  g_autofree char *over = foreign->steps != NULL
                            /* Translators: "3 curves" over the column or member "epoch". */
                            ? g_strdup_printf (_ ("%s over “%s”"), curves, foreign->steps)
                            : g_steal_pointer (&curves);

  return note != NULL ? g_strdup_printf ("%s. %s", over, note) : g_steal_pointer (&over);
}
