/* SPDX-License-Identifier: MIT
 *
 * A user's own lessons: the folder, whatever the files in it are called, and changes of a lesson by its author.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/lesson/edit.h"
#include "core/run/lesson/own.h"

/* ---- the folder ---- */

static void
empty_folder (void)
{
  g_autofree char *folder = sl_own_lessons_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_true (g_rmdir (folder) == 0 || dir == NULL);
}

static void
put (const char *name)
{
  g_autofree char *folder = sl_own_lessons_folder ();
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
}

/* Neither files of other programs nor names that are no text are lessons. */
static void
test_listed (void)
{
  static const char *const files[] = { "b.lesson",     "a.lesson",    ".c.lesson",      "d.json",
                                       "e\xff.lesson", "\xfc.lesson", "\303\244.lesson" };
  g_auto (GStrv) none = sl_own_lessons (), names = NULL, all = NULL, program = NULL;

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (files); i++)
    put (files[i]);
  names = sl_own_lessons ();
  g_assert_cmpuint (g_strv_length (names), ==, 3);
  g_assert_cmpstr (names[0], ==, "mine:a");
  g_assert_cmpstr (names[1], ==, "mine:b");
  g_assert_cmpstr (names[2], ==, "mine:\303\244");
  all = sl_all_lessons ();
  program = sl_lesson_names ();
  g_assert_cmpuint (g_strv_length (all), ==, g_strv_length (program) + 3);
  g_assert_cmpstr (all[0], ==, program[0]);
  g_assert_cmpstr (all[g_strv_length (program)], ==, "mine:a");
  empty_folder ();
}

/* No name leads out of the folder. */
static void
test_found (void)
{
  g_autofree char *folder = sl_own_lessons_folder (), *path = sl_own_lesson_find ("mine:a");
  g_autofree char *want = g_build_filename (folder, "a.lesson", NULL);
  g_autofree char *up = sl_own_lesson_find ("mine:..");
  g_autofree char *dir = g_path_get_dirname (up);
  g_autoptr (GFile) file = sl_lesson_file ("mine:a");
  g_autofree char *there = g_file_get_path (file);

  g_assert_cmpstr (path, ==, want);
  g_assert_cmpstr (there, ==, want);
  g_assert_cmpstr (dir, ==, folder);
  g_assert_null (sl_own_lesson_find ("1-gate"));
  g_assert_null (sl_own_lesson_find ("mine:../a"));
  g_assert_null (sl_own_lesson_find ("/mine:a"));
}

/* Any title makes the name of a file, and of another one for each lesson. */
static void
test_called (void)
{
  static const struct
  {
    const char *title, *name;
  } rows[] = {
    { "How few are enough?", "how-few-are-enough.lesson" },
    { "../../etc/passwd", "etc-passwd.lesson" },
    { " . ", "lesson.lesson" },
    { "", "lesson.lesson" },
    { "\303\204pfel & 1 Birne", "\303\244pfel-1-birne.lesson" },
  };
  g_autofree char *letters = g_strnfill (500, 'X'), *lower = g_strnfill (60, 'x');
  g_autofree char *file = g_strconcat (lower, ".lesson", NULL), *second = NULL, *third = NULL;
  g_autofree char *longest = sl_own_lesson_path (letters, NULL);
  g_autofree char *name = g_path_get_basename (longest);

  g_assert_cmpstr (name, ==, file);
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = sl_own_lesson_path (rows[i].title, &error);
      g_autofree char *base = path != NULL ? g_path_get_basename (path) : NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (base, ==, rows[i].name);
    }
  put ("a.lesson");
  second = sl_own_lesson_path ("A", NULL);
  g_assert_true (g_str_has_suffix (second, "/a-2.lesson"));
  put ("a-2.lesson");
  third = sl_own_lesson_path ("a!", NULL);
  g_assert_true (g_str_has_suffix (third, "/a-3.lesson"));
  empty_folder ();
}

/* The sentence has the folder. */
static void
test_no_folder (void)
{
  g_autofree char *folder = sl_own_lessons_folder (), *above = g_path_get_dirname (folder);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (above, 0700), ==, 0);
  g_assert_true (g_file_set_contents (folder, "", -1, NULL));
  g_assert_null (sl_own_lesson_path ("a", &error));
  g_assert_nonnull (strstr (error->message, folder));
  g_assert_cmpint (g_unlink (folder), ==, 0);
  g_assert_cmpint (g_rmdir (above), ==, 0);
}

/* ---- changes ---- */

static SlLesson *
three_steps (void)
{
  static const char text[]
    = "{ \"sluice-lesson\": 1, \"title\": \"T\", \"summary\": \"\", \"steps\": [\n"
      "  { \"title\": \"0\", \"text\": \"\", \"lab\": \"experts\" },\n"
      "  { \"title\": \"1\", \"text\": \"\", \"lab\": \"sign-estimator\" },\n"
      "  { \"title\": \"2\", \"text\": \"\", \"lab\": \"glance\" } ] }";
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_parse (text, strlen (text), "it", NULL, &error);

  g_assert_no_error (error);
  return lesson;
}

static void
assert_order (const SlLesson *lesson, const char *titles)
{
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < lesson->steps->len; i++)
    g_string_append (found, sl_lesson_step (lesson, i)->title);
  g_assert_cmpstr (found->str, ==, titles);
}

static void
test_order (void)
{
  g_autoptr (SlLesson) lesson = three_steps ();

  sl_lesson_move (lesson, 0, 2);
  assert_order (lesson, "120");
  sl_lesson_move (lesson, 2, 1);
  assert_order (lesson, "102");
  sl_lesson_remove (lesson, 1);
  assert_order (lesson, "12");
}

/* The measured curves over updates of the step's own lab, each with its panel; no aims, and no curves over anything
 * else.  */
static void
test_askable (void)
{
  g_autoptr (SlLesson) lesson = three_steps ();

  for (unsigned i = 0; i < 3; i++)
    {
      g_autoptr (GPtrArray) askable = sl_lesson_askable (lesson, i);
      const SlLab *lab = sl_lesson_step (lesson, i)->lab;
      SlLayout     layout;
      SlSettings   settings;
      unsigned     percent = 0;

      g_assert_true (askable->len == 0 ? i == 2 : i < 2);
      if (i == 2)
        break;
      sl_settings_default (&settings, lab->params, lab->n_params);
      sl_layout_init (&layout, lab, &settings);
      for (guint a = 0; a < askable->len; a++)
        {
          const SlAskable *one = g_ptr_array_index (askable, a);
          int              channel = sl_layout_find (&layout, one->id);
          const SlPanel   *panel;

          g_assert_cmpint (channel, >=, 0);
          panel = &lab->panels[layout.channel[channel].panel];
          g_assert_cmpstr (panel->id, ==, one->panel);
          g_assert_cmpint (panel->kind, ==, SL_SERIES);
          g_assert_cmpint (panel->traces[layout.channel[channel].trace].style, ==, SL_MEASURED);
          g_assert_cmpuint (strlen (one->unit), <=,
                            panel->y.unit != NULL && panel->y.unit[0] == '%' ? 1 : 99);
          percent += g_str_equal (one->unit, "%");
        }
      g_assert_cmpuint (percent, >, 0);
    }
}

/* As a file of it would be: a step that has no lab of its own takes that of the step before, and the first has none. */
static void
test_checked (void)
{
  g_autoptr (SlLesson) lesson = three_steps ();
  g_autoptr (GError) error = NULL;

  g_assert_true (sl_lesson_check (lesson, &error));
  sl_lesson_step (lesson, 0)->lab = NULL;
  g_assert_false (sl_lesson_check (lesson, &error));
  g_assert_nonnull (strstr (error->message, "line"));
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = g_dir_make_tmp ("sluice-own-XXXXXX", NULL);
  int              result;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/own/listed", test_listed);
  g_test_add_func ("/own/found", test_found);
  g_test_add_func ("/own/called", test_called);
  g_test_add_func ("/own/no-folder", test_no_folder);
  g_test_add_func ("/own/order", test_order);
  g_test_add_func ("/own/askable", test_askable);
  g_test_add_func ("/own/checked", test_checked);
  result = g_test_run ();
  g_rmdir (data);
  return result;
}
