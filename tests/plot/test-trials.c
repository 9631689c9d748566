/* SPDX-License-Identifier: MIT
 *
 * Tables of sweeps of other programs.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/run/files/kind/kind.h"
#include "core/run/foreign/trials.h"
#include "plot/charts/trials.h"

static const char of_wandb[] = "\"Name\",\"State\",\"User\",\"Runtime\",\"aux_loss_coef\",\"loss_"
                               "fn\",\"lr\",\"seed\",\"_step\","
                               "\"train/loss\",\"val_loss\",\"val_acc\",\"best_valid_loss\"\n"
                               "misty-1,finished,me,120,0.01,mse,0.1,0,100,0.4,0.5,0.8,0.48\n"
                               "misty-2,finished,me,122,0.01,mse,0.1,1,100,0.4,0.55,0.78,0.5\n"
                               "misty-3,finished,me,240,0.1,ce,0.1,0,100,0.4,0.3,0.9,0.29\n"
                               "misty-4,crashed,me,12,0.1,ce,0.1,0,3,1.4,,,0.9\n";

/* A file with this text, which is removed with its folder by drop(). */
static char *
keep (const char *text)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-trials-XXXXXX", NULL);
  char            *path = g_build_filename (folder, "sweep.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
drop (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
}

static const SlForeignTrial *
trial_at (const SlTrials *trials, guint i)
{
  g_assert_cmpuint (i, <, trials->trials->len);
  return g_ptr_array_index (trials->trials, i);
}

static void
assert_names (const GPtrArray *names, const char *expected)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (all, "%s ", (const char *) g_ptr_array_index (names, i));
  g_assert_cmpstr (all->str, ==, expected);
}

static void
test_optuna (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures",
                                            "files", "19-trainer-logs", "optuna.csv", NULL);
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  SlTrials trials;

  g_assert_cmpint (sl_file_kind (path), ==, SL_FILE_TRIALS);
  sl_trials_open (&trials, path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (trials.producer, ==, "Optuna");
  g_assert_cmpstr (trials.error, ==, "value");
  g_assert_cmpuint (trials.trials->len, ==, 9);
  g_assert_cmpuint (trials.unfinished, ==, 1);
  assert_names (trials.settings, "k lr ");
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat_with_epsilon (trial_at (&trials, i)->error, 0.5 / (i + 1), 1e-12);
      g_assert_true (trial_at (&trials, i)->cost == 60);
      g_assert_true (sl_trials_setting (trial_at (&trials, i), 0) == i + 1);
    }
  g_assert_cmpstr (trial_at (&trials, 2)->title, ==, "k 3, lr 0.01");
  said = sl_trials_said (&trials);
  g_assert_nonnull (strstr (said, "“value”"));
  g_assert_nonnull (strstr (said, "1 unfinished"));
  g_assert_nonnull (strstr (said, "k, lr"));
  sl_trials_clear (&trials);
}

/* Runs that differ in the seed alone are one setting; results and what is about a run are no settings. */
static void
test_wandb (void)
{
  char    *path = keep (of_wandb);
  SlFront  front = { 0 };
  SlFigure figure = { 0 };
  g_autoptr (GError) error = NULL;
  SlTrials trials;

  g_assert_cmpint (sl_file_kind (path), ==, SL_FILE_TRIALS);
  sl_trials_open (&trials, path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (trials.error, ==, "val_loss");
  g_assert_cmpstr (trials.cost, ==, "Runtime");
  g_assert_true (trials.seconds);
  assert_names (trials.settings, "aux_loss_coef loss_fn lr seed ");
  assert_names (trials.left_out, "User _step train/loss val_acc best_valid_loss ");
  g_assert_cmpuint (trials.trials->len, ==, 3);
  g_assert_cmpuint (trials.unfinished, ==, 1);
  g_assert_true (trial_at (&trials, 0)->key == trial_at (&trials, 1)->key);
  g_assert_true (trial_at (&trials, 0)->key != trial_at (&trials, 2)->key);
  g_assert_cmpstr (trial_at (&trials, 0)->title, ==, "aux_loss_coef 0.01, loss_fn mse");
  g_assert_cmpint (trials.tone, ==, 0);
  g_assert_true (sl_trials_figure (&trials, &front, &figure));
  g_assert_cmpuint (front.n, ==, 2);
  g_assert_true (front.point[0].x == 121);
  g_assert_cmpfloat_with_epsilon (front.point[0].y, 0.525, 1e-12);
  g_assert_true (front.point[0].best && front.point[1].best);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
  sl_trials_clear (&trials);
  drop (path);
}

/* Other columns can be asked for: an accuracy is turned, and a setting that is the cost stays one. */
/* The time may be the first column, and a number may follow the word that says what is an error. */
static void
test_places (void)
{
  char *path
    = keep ("Runtime,Name,State,k,val_loss2\n120,a,finished,1,0.5\n130,b,finished,2,0.4\n");
  g_autoptr (GError) error = NULL;
  SlTrials trials;

  sl_trials_open (&trials, path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (trials.producer, ==, "Weights & Biases");
  g_assert_cmpstr (trials.cost, ==, "Runtime");
  g_assert_cmpstr (trials.error, ==, "val_loss2");
  sl_trials_clear (&trials);
  drop (path);
}

static void
test_asked (void)
{
  char *path = keep (of_wandb);
  g_autoptr (GError) error = NULL;
  SlTrials trials;

  sl_trials_open (&trials, path, "val_acc", "lr", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (trial_at (&trials, 2)->error, 0.1, 1e-12);
  g_assert_true (trial_at (&trials, 2)->cost == 0.1);
  g_assert_false (trials.seconds);
  assert_names (trials.settings, "aux_loss_coef loss_fn lr seed ");
  sl_trials_clear (&trials);
  g_assert_false (sl_trials_open (&trials, path, "loss_fn", NULL, &error));
  g_assert_nonnull (strstr (error->message, "loss_fn"));
  g_clear_error (&error);
  g_assert_false (sl_trials_open (&trials, path, NULL, "none", &error));
  drop (path);
}

static void
test_times (void)
{
  static const struct
  {
    const char *text;
    double      seconds;
  } times[] = { { "0 days 00:01:00", 60 },
                { "0 days 00:01:00.500000", 60.5 },
                { "2 days 01:00:00", 176400 },
                { "1 day, 0:01:30", 86490 },
                { "00:10:00", 600 },
                { "12.5", 12.5 },
                { "1e2", 100 },
                { "", (double) NAN } };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autofree char *table = g_strdup_printf (
        "number,value,duration,params_k,state\n0,0.5,\"%s\",1,COMPLETE\n1,0.5,3,2,COMPLETE\n",
        times[i].text);
      char *path = keep (table);
      g_autoptr (GError) error = NULL;
      SlTrials trials;

      sl_trials_open (&trials, path, NULL, NULL, &error);
      g_assert_no_error (error);
      if (isnan (times[i].seconds))
        g_assert_true (isnan (trial_at (&trials, 0)->cost));
      else
        g_assert_true (trial_at (&trials, 0)->cost == times[i].seconds);
      sl_trials_clear (&trials);
      drop (path);
    }
}

static void
test_refused (void)
{
  static const char *const others[] = {
    "step,loss\n1,2\n2,1\n", "number,value\n1,2\n", "Name,State\na,b\n", "a,b,c\n1,2,3\n", "",
  };
  static const char *const bad[][2] = { { "number,value,params_k\n0,1,2,3\n", "more cells" },
                                        { "Name,State,Runtime\na,finished,3\n", "error" },
                                        { "number,value,params_k\n\"\n", "quote" } };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *text = g_strdup (others[i]);

      g_assert_false (sl_trials_are (text, strlen (text)));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      char *path = keep (bad[i][0]);
      g_autoptr (GError) error = NULL;
      SlTrials trials;

      g_assert_false (sl_trials_open (&trials, path, NULL, NULL, &error));
      g_assert_nonnull (strstr (error->message, bad[i][1]));
      drop (path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trials/optuna", test_optuna);
  g_test_add_func ("/trials/wandb", test_wandb);
  g_test_add_func ("/trials/places", test_places);
  g_test_add_func ("/trials/asked", test_asked);
  g_test_add_func ("/trials/times", test_times);
  g_test_add_func ("/trials/refused", test_refused);
  return g_test_run ();
}
