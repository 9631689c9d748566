/* SPDX-License-Identifier: MIT
 *
 * The one folder with event files in a folder: as deep as it may be, of several none, and never one without.  */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/event-files.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

static char *root;

/* Makes a folder below the root, with a file of this name. */
static void
put (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (root, folder, NULL);
  g_autofree char *file = g_build_filename (path, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
}

static void
assert_found (const char *folder)
{
  g_autofree char *wanted = g_build_filename (root, folder, NULL);
  char            *path = NULL;
  SlStatus         status = sl_event_folder (root, &path);

  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (path, ==, wanted);
  free (path);
}

static void
assert_refused (SlCode code, const char *word)
{
  char    *path = (char *) "";
  SlStatus status = sl_event_folder (root, &path);

  g_assert_cmpint (status.code, ==, code);
  g_assert_null (path);
  g_assert_nonnull (strstr (sl_english (&status.found), word));
}

static void
test_folder (void)
{
  put ("notes", "readme.txt");
  put ("notes/older", "events.txt");
  assert_refused (SL_EIO, "no event files");
  put ("logs/run-a", "events.out.tfevents.1.host");
  assert_found ("logs/run-a");
  put ("logs/run-a", "events.out.tfevents.2.host");
  assert_found ("logs/run-a");
  put ("logs/run-b", "events.out.tfevents.1.host");
  assert_refused (SL_EFORMAT, "several runs");
}

int
main (int argc, char **argv)
{
  int code;

  g_test_init (&argc, &argv, NULL);
  root = g_dir_make_tmp ("sluice-events-XXXXXX", NULL);
  g_assert_nonnull (root);
  g_test_add_func ("/event-files/folder", test_folder);
  code = g_test_run ();
  sl_remove_all (root);
  g_free (root);
  return code;
}
