/* SPDX-License-Identifier: MIT
 *
 * What a FILE on the command line of the window is taken for: data, on which a run begins, or what the window
 * opens.  */
#include <glib/gstdio.h>
#include <string.h>

#include "app/launch.h"
#include "core/run/lesson/own.h"

static const struct
{
  const char *name, *text;
  gboolean    opened;
} rows[] = {
  { "curves.csv", "step,loss\n1,2\n50,1\n100,0.5\n", TRUE },
  { "data.csv", "x,y,class\n1,2,a\n3,4,b\n5,6,a\n", FALSE },
  { "falling.csv", "step,loss\n100,2\n50,1\n", FALSE },
  { "events.out.tfevents.1.host", "", TRUE },
  { "one.lesson", "{}", TRUE },
  { "runs.sluice", "", TRUE },
  { "net.plan", "{ \"sluice-plan\": 1 }", TRUE },
  { "text.txt", "A text to learn from.\n", FALSE },
};

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-launch-XXXXXX", NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char      *names[] = { rows[i].name, NULL };
      g_autofree char *path = g_build_filename (folder, rows[i].name, NULL);
      GVariantDict     options;
      SlLaunch         launch;
      GError          *error = NULL;

      g_assert_true (g_file_set_contents (path, rows[i].text, -1, NULL));
      g_variant_dict_init (&options, NULL);
      g_variant_dict_insert (&options, G_OPTION_REMAINING, "^a&ay", names);
      g_assert_true (sl_launch_read (&launch, &options, folder, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (launch.file, ==, path);
      if (sl_launch_is_for_window (&launch) != rows[i].opened)
        g_error ("%s is %s", rows[i].name, rows[i].opened ? "taken for data" : "opened");
      sl_launch_clear (&launch);
      g_variant_dict_clear (&options);
      g_unlink (path);
    }
  g_rmdir (folder);
}

/* A folder is curves where there are event files in it; several names are one to open and others beside it. */
static void
test_several (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-launch-XXXXXX", NULL);
  g_autofree char *run = g_build_filename (folder, "run", NULL);
  g_autofree char *events = g_build_filename (run, "events.out.tfevents.1.host", NULL);
  const char      *names[] = { ".", "run", "run/events.out.tfevents.1.host", NULL };

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  for (int there = 0; there < 2; there++)
    {
      GVariantDict options;
      SlLaunch     launch;
      GError      *error = NULL;

      if (there)
        g_assert_true (g_file_set_contents (events, "", -1, NULL));
      g_variant_dict_init (&options, NULL);
      g_variant_dict_insert (&options, G_OPTION_REMAINING, "^a&ay", names);
      g_assert_true (sl_launch_read (&launch, &options, folder, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (launch.file, ==, folder);
      g_assert_cmpint (sl_launch_is_for_window (&launch), ==, there);
      g_assert_cmpuint (g_strv_length (launch.beside), ==, 2);
      g_assert_cmpstr (launch.beside[0], ==, run);
      g_assert_cmpstr (launch.beside[1], ==, events);
      sl_launch_clear (&launch);
      g_variant_dict_clear (&options);
    }
  g_unlink (events);
  g_rmdir (run);
  g_rmdir (folder);
}

/* The id of a lab is no file; where there is a file of that name, it is one. */
static void
test_lab_as_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-launch-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "experts", NULL);
  const char      *names[] = { "experts", NULL };

  for (int there = 0; there < 2; there++)
    {
      GVariantDict options;
      SlLaunch     launch;
      g_autoptr (GError) error = NULL;

      if (there)
        g_assert_true (g_file_set_contents (path, "x,y,class\n1,2,a\n3,4,b\n", -1, NULL));
      g_variant_dict_init (&options, NULL);
      g_variant_dict_insert (&options, G_OPTION_REMAINING, "^a&ay", names);
      g_assert_cmpint (sl_launch_read (&launch, &options, folder, &error), ==, there);
      if (!there)
        g_assert_nonnull (strstr (error->message, "--lab experts"));
      else
        g_assert_cmpstr (launch.file, ==, path);
      sl_launch_clear (&launch);
      g_variant_dict_clear (&options);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* Reads the options of a lesson; FALSE with a sentence. */
static gboolean
read_lesson (SlLaunch *launch, const char *name, const char *folder, GError **error)
{
  GVariantDict options;
  gboolean     read;

  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "lesson", "^ay", name);
  g_variant_dict_insert (&options, "fresh", "b", TRUE);
  g_variant_dict_insert (&options, "present", "b", TRUE);
  read = sl_launch_read (launch, &options, folder, error);
  g_variant_dict_clear (&options);
  return read;
}

/* One of the user's own by its name in the list. */
static void
check_mine (const char *text)
{
  g_autofree char *lessons = sl_own_lessons_folder (), *above = g_path_get_dirname (lessons);
  g_autofree char *path = g_build_filename (lessons, "own.lesson", NULL);
  SlLaunch         launch;
  GError          *error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (lessons, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (read_lesson (&launch, "mine:own", lessons, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (launch.lesson, ==, "mine:own");
  sl_launch_clear (&launch);
  g_unlink (path);
  g_rmdir (lessons);
  g_rmdir (above);
}

/* One of the program's own by its id, or a file beside the folder; a wrong one is refused before there is a window. */
static void
test_lesson (void)
{
  static const char lesson[]
    = "{ \"sluice-lesson\": 1, \"title\": \"Own\", \"summary\": \"One step\",\n"
      "  \"steps\": [ { \"title\": \"Look\", \"text\": \"Here.\", \"lab\": \"experts\" } ] }";
  static const char *const wrong[][2] = { { "1-gat", "1-gate" },
                                          { "bad.lesson", "bad.lesson" },
                                          { "none.lesson", "none.lesson" },
                                          { "mine:none", "mine:none" },
                                          { "mine:../own", "own" } };
  g_autofree char         *folder = g_dir_make_tmp ("sluice-launch-XXXXXX", NULL);
  g_autofree char         *good = g_build_filename (folder, "good.lesson", NULL);
  g_autofree char         *bad = g_build_filename (folder, "bad.lesson", NULL);
  SlLaunch                 launch;
  GError                  *error = NULL;

  g_assert_true (g_file_set_contents (good, lesson, -1, NULL));
  g_assert_true (g_file_set_contents (bad, "{ \"sluice-lesson\": 1 }", -1, NULL));
  g_assert_true (read_lesson (&launch, "1-gate", folder, &error));
  g_assert_cmpstr (launch.lesson, ==, "1-gate");
  g_assert_true (launch.asked && launch.fresh && launch.present);
  sl_launch_clear (&launch);
  g_assert_true (read_lesson (&launch, "good.lesson", folder, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (launch.lesson, ==, good);
  sl_launch_clear (&launch);
  check_mine (lesson);
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (read_lesson (&launch, wrong[i][0], folder, &error));
      g_assert_nonnull (strstr (error->message, "--lesson"));
      g_assert_nonnull (strstr (error->message, wrong[i][1]));
      g_clear_error (&error);
      sl_launch_clear (&launch);
    }
  g_unlink (good);
  g_unlink (bad);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("sluice-launch-XXXXXX", NULL);
  int              result;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launch/files", test_files);
  g_test_add_func ("/launch/several", test_several);
  g_test_add_func ("/launch/lab-as-file", test_lab_as_file);
  g_test_add_func ("/launch/lesson", test_lesson);
  result = g_test_run ();
  g_rmdir (data);
  return result;
}
