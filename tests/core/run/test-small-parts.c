/* SPDX-License-Identifier: MIT
 *
 * Small parts of core/run/base: work in the background, statuses as errors, and what
 * other programs compute.  */
#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/run/base/background.h"
#include "core/run/base/busy.h"
#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "core/run/base/save.h"
#include "core/run/base/temporary.h"
#include "tests/support/folder.h"

static char *folder;

static char *
write_file (const char *name, const char *bytes, gssize length)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  return path;
}

/* ---- work in the background ---- */

typedef struct
{
  gboolean      good;
  GThread      *worked;
  unsigned      done, freed;
  char         *message;
  GCancellable *cancelled; /* by the work itself */
} Work;

static gboolean
work (gpointer data, GError **error)
{
  Work *self = data;

  self->worked = g_thread_self ();
  if (self->cancelled != NULL)
    g_cancellable_cancel (self->cancelled);
  return self->good || sl_fail (error, SL_EIO, "the work", "nothing", "something");
}

static void
work_done (gpointer owner, gpointer data, const GError *error)
{
  Work *self = data;

  g_assert_true (owner == self);
  self->done++;
  self->message = error != NULL ? g_strdup (error->message) : NULL;
}

static void
work_free (gpointer data)
{
  g_atomic_int_inc (&((Work *) data)->freed);
}

static void
run_work (Work *self, GCancellable *cancellable)
{
  sl_background_run (work, work_done, self, cancellable, self, work_free);
  while (g_atomic_int_get (&self->freed) == 0)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (self->freed, ==, 1);
  g_assert_true (self->worked != NULL && self->worked != g_thread_self ());
}

static void
test_background (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Work good = { .good = TRUE }, bad = { .good = FALSE }, kept = { .good = TRUE };
  Work left = { .good = TRUE, .cancelled = cancellable };

  run_work (&good, NULL);
  g_assert_cmpuint (good.done, ==, 1);
  g_assert_cmpstr (good.message, ==, NULL);
  run_work (&bad, NULL);
  g_assert_cmpuint (bad.done, ==, 1);
  g_assert_nonnull (strstr (bad.message, "the work"));
  g_free (bad.message);
  run_work (&kept, cancellable);
  g_assert_cmpuint (kept.done, ==, 1);
  run_work (&left, cancellable); /* the owner has gone meanwhile */
  g_assert_cmpuint (left.done, ==, 0);
}

/* ---- errors ---- */

static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  SlStatus good = SL_SUCCESS,
           bad = sl_status_new (SL_EIO, "a.csv", sl_message ("nothing"), SL_NO_MESSAGE);

  g_assert_true (sl_status_good (&good, &error));
  g_assert_no_error (error);
  g_assert_false (sl_status_good (&bad, &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_assert_nonnull (strstr (error->message, "a.csv"));
  g_assert_false (sl_status_good (&bad, NULL));
  g_clear_error (&error);
  g_assert_false (sl_fail (&error, SL_EFORMAT, "b.csv", "a word", "a number"));
  g_assert_error (error, SL_ERROR, SL_EFORMAT);
  g_assert_nonnull (strstr (error->message, "a number"));
  g_assert_false (sl_fail (NULL, SL_EFORMAT, "b.csv", NULL, NULL));
}

static void
test_load (void)
{
  g_autofree char *path = write_file ("three", "a\0b", 3), *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  bytes = sl_load (path, 3, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (bytes, length, "a\0b", 3);
  g_assert_null (sl_load (path, 2, &length, &error));
  g_assert_error (error, SL_ERROR, SL_ENOMEM);
}

/* What cannot be written into a device is said, whether it is found at once or at the end. */
static void
test_device (void)
{
  g_autofree char *much = g_strnfill (1 << 20, 'x');

  if (g_access ("/dev/full", W_OK) != 0)
    {
      g_test_skip ("there is no such device");
      return;
    }
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (sl_save ("/dev/full", much, i == 0 ? 3 : 1 << 20, &error));
      g_assert_error (error, SL_ERROR, SL_EIO);
      g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    }
}

/* ---- the system ---- */

/* Seconds of all cores, without waiting. */
static double
read_seconds (void)
{
  g_autofree char *text = NULL;
  double           user, nice, system, idle, waiting, hard, soft, stolen;

  g_assert_true (g_file_get_contents ("/proc/stat", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system,
                           &idle, &waiting, &hard, &soft, &stolen),
                   ==, 8);
  return (user + nice + system + hard + soft + stolen) / (double) sysconf (_SC_CLK_TCK);
}

/* What others compute is all but this program's own time, of which there is little. */
static void
test_busy (void)
{
  double  before = read_seconds (), others = sl_busy_others (), after = read_seconds ();
  clock_t own = clock ();

  g_assert_cmpint (own, !=, (clock_t) -1);
  g_assert_true (others <= after);
  g_assert_true (others >= before - (double) own / CLOCKS_PER_SEC - 0.01);
}

static void
test_process (void)
{
  unsigned long long own = sl_process_started (getpid ()), first = sl_process_started (1);

  g_assert_true (own > 0);
  g_assert_true (first <= own);
  g_assert_true (own == sl_process_started (getpid ()));
  g_assert_true (sl_process_started (G_MAXINT) == 0);
}

/* Another one of a program that is gone, found by the process's number and another beginning. */
static char *
leave_folder (const char *own, const char *outside)
{
  g_autofree char *mine
    = g_strdup_printf ("-%ld-%llu.", (long) getpid (), sl_process_started (getpid ()));
  g_autofree char *gone = g_strdup_printf ("-%ld-1.", (long) getpid ());
  g_autoptr (GString) name = g_string_new (own);
  g_autofree char *inside = NULL, *file = NULL, *link = NULL;

  g_assert_cmpuint (g_string_replace (name, mine, gone, 0), ==, 1);
  inside = g_build_filename (name->str, "1", NULL);
  file = g_build_filename (inside, "runs", NULL);
  link = g_build_filename (inside, "link", NULL);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  return g_string_free (g_steal_pointer (&name), FALSE);
}

/* Private, gone with what is in it but not with what that points at, and never taken from a living program. */
static void
test_folder (void)
{
  g_autofree char *kept = write_file ("kept", "y", 1), *outside = g_path_get_dirname (kept);
  g_autofree char *first = sl_temporary_folder (), *left = leave_folder (first, outside);
  g_autofree char *second = sl_temporary_folder ();
  struct stat      about;

  g_assert_cmpint (stat (first, &about), ==, 0);
  g_assert_true (S_ISDIR (about.st_mode));
  g_assert_cmpint (about.st_mode & 0777, ==, 0700);
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
  sl_temporary_remove (first);
  sl_temporary_remove (second);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS)
                  || g_file_test (second, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  folder = g_dir_make_tmp ("sluice-base-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/small-parts/background", test_background);
  g_test_add_func ("/small-parts/errors", test_errors);
  g_test_add_func ("/small-parts/load", test_load);
  g_test_add_func ("/small-parts/device", test_device);
  g_test_add_func ("/small-parts/busy", test_busy);
  g_test_add_func ("/small-parts/process", test_process);
  g_test_add_func ("/small-parts/folder", test_folder);
  failed = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return failed;
}
