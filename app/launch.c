/* SPDX-License-Identifier: MIT */
#include "app/launch.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/words.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/lesson/lesson.h"
#include "core/run/lesson/own.h"
#include "core/run/record/data.h"
#include "ui/window/window.h"

enum { FIRST_SEED = 1 };

void
sl_launch_add_options (GApplication *application)
{
  GOptionEntry entries[] = {
    { "data", 'd', 0, G_OPTION_ARG_STRING, NULL,
      N_ ("Data: a source, source:option=value,… or a file (see sluice-cli data)"), "SPEC" },
    { "lab", 'l', 0, G_OPTION_ARG_STRING, NULL, N_ ("Lab to open (see sluice-cli labs)"), "ID" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, NULL, N_ ("Set a parameter; may be repeated"),
      "ID=VALUE" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("Seed of the run (default 1)"), "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, NULL,
      N_ ("Threads of matrix products (default: as in the preferences)"), "N" },
    { "kernel", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_ ("Kernel of matrix products (default: the fastest measured)"), "NAME" },
    { "paused", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Do not start training"), NULL },
    { "fresh", 0, 0, G_OPTION_ARG_NONE, NULL,
      N_ ("Begin with nothing that was kept, and keep nothing"), NULL },
    { "lesson", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_ ("Lesson to begin: an ID (see sluice-cli worksheet) or a file"), "ID|FILE" },
    { "present", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Present to an audience: full screen, large"),
      NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and quit"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, "[FILE…]" },
    { 0 },
  };

  for (GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    entry->description = sl_words (entry->description);
  g_application_add_main_option_entries (application, entries);
  g_application_set_option_context_parameter_string (
    application, _ ("— watch a network decide what not to compute"));
  g_application_set_option_context_summary (
    application, _ ("FILE is data to train on, or an exported figure whose run begins again. "
                    "Further files are curves to compare."));
}

static char *
absolute (const char *name, const char *folder)
{
  return g_canonicalize_filename (name, folder);
}

/* A name that is no source may be a file relative to where the command was given. */
static char *
data_spec (const char *spec, const char *folder)
{
  g_autofree char *path = absolute (spec, folder);
  char             text[sizeof ((SlDataset *) NULL)->id];
  SlStatus         status;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && sl_source_find (spec) == NULL)
    return g_steal_pointer (&path);
  status = sl_source_locate_spec (spec, folder, text, sizeof text);
  return g_strdup (sl_ok (&status) ? text : spec);
}

static gboolean
refuse (GError **error, const SlStatus *status)
{
  if (sl_ok (status))
    return FALSE;
  g_propagate_error (error, sl_status_to_error (status));
  return TRUE;
}

static gboolean
read_settings (SlRecipe *plan, const char *const *pairs, GError **error)
{
  SlStatus status;

  for (unsigned i = 0; pairs != NULL && pairs[i] != NULL; i++)
    {
      const char      *equals = strchr (pairs[i], '=');
      gsize            length = equals != NULL ? (gsize) (equals - pairs[i]) : 0;
      g_autofree char *id = equals != NULL ? g_strndup (pairs[i], length) : NULL;

      status = id == NULL ? sl_status_new (SL_EINVAL, "--set", sl_message_verbatim (pairs[i]),
                                           sl_message ("ID=VALUE"))
                          : sl_settings_set (&plan->settings, plan->lab->params,
                                             plan->lab->n_params, id, equals + 1);

      if (refuse (error, &status))
        return FALSE;
    }
  status = sl_settings_check_reach (&plan->settings, plan->lab->params, plan->lab->n_params);
  return !refuse (error, &status);
}

/* Data without a lab begin the one that has a use for them. */
static void
choose_lab (SlLaunch *launch, gboolean said)
{
  const char *opened = launch->file != NULL ? launch->file : launch->data;

  if (!said && opened != NULL && !sl_launch_is_for_window (launch))
    launch->plan.lab = sl_lab_for_data (launch->plan.lab, opened);
}

static void
read_files (SlLaunch *launch, const char *const *files, const char *folder)
{
  g_autoptr (GStrvBuilder) beside = g_strv_builder_new ();

  if (files == NULL || files[0] == NULL)
    return;
  launch->file = absolute (files[0], folder);
  for (unsigned i = 1; files[i] != NULL; i++)
    {
      g_autofree char *path = absolute (files[i], folder);

      g_strv_builder_add (beside, path);
    }
  launch->beside = g_strv_builder_end (beside);
}

/* The id of a lab where a file belongs, and no such file. */
static gboolean
names_lab (const char *const *files, const char *path)
{
  return files != NULL && files[0] != NULL && sl_lab_find (files[0]) != NULL
         && !g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The sentence names the lesson that is written nearly so. */
static gboolean
refuse_lesson (const char *name, char **names, GError **error)
{
  const char *nearest = names[0];

  for (char **other = names; *other != NULL; other++)
    if (sl_word_distance (name, *other) < sl_word_distance (name, nearest))
      nearest = *other;
  g_set_error (error, SL_ERROR, SL_EINVAL,
               /* Translators: both are ids of lessons, such as 1-gate. */
               _ ("--lesson: there is no lesson \"%s\"; the nearest ID is %s"), name, nearest);
  return FALSE;
}

/* A file that is no lesson is refused here, too. */
static gboolean
read_lesson (SlLaunch *launch, const char *name, const char *folder, GError **error)
{
  g_auto (GStrv) names = sl_all_lessons ();
  g_autofree char *own = sl_own_lesson_find (name);
  g_autofree char *path = own != NULL ? g_strdup (own) : absolute (name, folder);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (SlLesson) lesson = NULL;

  if (own == NULL && g_strv_contains ((const char *const *) names, name))
    {
      launch->lesson = g_strdup (name);
      return TRUE;
    }
  if (strchr (name, '/') == NULL && !g_str_has_suffix (name, ".lesson")
      && !g_file_test (path, G_FILE_TEST_EXISTS))
    return refuse_lesson (name, names, error);
  lesson = sl_lesson_load (file, error);
  if (lesson == NULL)
    {
      g_prefix_error (error, "--lesson: ");
      return FALSE;
    }
  launch->lesson = own != NULL ? g_strdup (name) : g_steal_pointer (&path);
  return TRUE;
}

gboolean
sl_launch_read (SlLaunch *launch, GVariantDict *options, const char *folder, GError **error)
{
  const char             *lab = NULL, *data = NULL, *seed = NULL, *lesson = NULL;
  int                     threads = 0;
  g_autofree const char **pairs = NULL;
  g_autofree const char **files = NULL;

  *launch = (SlLaunch) { .plan = { .lab = sl_labs[0], .seed = FIRST_SEED } };
  g_variant_dict_lookup (options, "lab", "&s", &lab);
  g_variant_dict_lookup (options, "data", "&s", &data);
  g_variant_dict_lookup (options, "seed", "&s", &seed);
  g_variant_dict_lookup (options, "lesson", "^&ay", &lesson);
  g_variant_dict_lookup (options, "set", "^a&s", &pairs);
  g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&ay", &files);
  if (g_variant_dict_lookup (options, "threads", "i", &threads) && threads < 1)
    {
      g_set_error (error, SL_ERROR, SL_EINVAL, _ ("--threads: found %d, expected at least 1"),
                   threads);
      return FALSE;
    }
  launch->threads = (unsigned) threads;
  launch->paused = g_variant_dict_contains (options, "paused");
  launch->fresh = g_variant_dict_contains (options, "fresh");
  launch->present = g_variant_dict_contains (options, "present");
  if (lesson != NULL && !read_lesson (launch, lesson, folder, error))
    return FALSE;
  launch->asked = lesson != NULL || lab != NULL || data != NULL || seed != NULL || pairs != NULL
                  || files != NULL;
  if (lab != NULL && (launch->plan.lab = sl_lab_find (lab)) == NULL)
    {
      g_set_error (error, SL_ERROR, SL_EINVAL,
                   _ ("--lab: found \"%s\", expected a lab that \"sluice-cli labs\" lists"), lab);
      return FALSE;
    }
  launch->data = data != NULL ? data_spec (data, folder) : NULL;
  read_files (launch, files, folder);
  if (names_lab (files, launch->file))
    {
      g_set_error (error, SL_ERROR, SL_EINVAL,
                   /* Translators: "%s" is the id of a lab in both places. */
                   _ ("there is no file \"%s\"; --lab %s opens the lab of that name"), files[0],
                   files[0]);
      return FALSE;
    }
  choose_lab (launch, lab != NULL);
  sl_settings_default (&launch->plan.settings, launch->plan.lab->params,
                       launch->plan.lab->n_params);
  if (!read_settings (&launch->plan, pairs, error))
    return FALSE;
  if (seed != NULL
      && !g_ascii_string_to_unsigned (seed, 10, 0, G_MAXUINT64, &launch->plan.seed, error))
    {
      g_prefix_error (error, "--seed: ");
      return FALSE;
    }
  return TRUE;
}

void
sl_launch_clear (SlLaunch *launch)
{
  sl_recipe_clear (&launch->plan);
  g_clear_pointer (&launch->data, g_free);
  g_clear_pointer (&launch->file, g_free);
  g_clear_pointer (&launch->beside, g_strfreev);
  g_clear_pointer (&launch->lesson, g_free);
}

gboolean
sl_launch_is_for_window (const SlLaunch *launch)
{
  return launch->file != NULL && sl_window_opens (launch->file);
}

void
sl_launch_start (const SlLaunch *launch, SlSession *session)
{
  if (launch->lesson == NULL && !sl_launch_is_for_window (launch))
    sl_session_start (session, launch->plan.lab, &launch->plan.settings,
                      launch->file != NULL ? launch->file : launch->data, launch->plan.seed,
                      !launch->paused);
}
