/* SPDX-License-Identifier: MIT
 *
 * sluice-cli validate: what files are and whether they are good, by the readers that open them
 * elsewhere.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/cli.h"
#include "app/cli/commands/figures.h"
#include "app/cli/commands/validate-json.h"
#include "core/data/image/bitmap.h"
#include "core/data/read/weights.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/files/kind/kind.h"
#include "core/run/foreign/folder.h"
#include "core/run/foreign/foreign.h"
#include "core/run/foreign/trials.h"
#include "core/run/lesson/lesson.h"
#include "core/run/record/data.h"
#include "core/run/record/recipe.h"
#include "core/run/store/store.h"

static const char *const examples
  = N_ ("Checks whatever Sluice opens.  A line for each file says what it is and how it was read,\n"
        "or where it is wrong; then the exit code is 1.\n"
        "\n"
        "Example:\n"
        "  sluice-cli validate runs.sluice run.json figures/*.svg\n");

static char *
read_lesson (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (SlLesson) lesson = sl_lesson_load (file, error);

  if (lesson == NULL)
    return NULL;
  return g_strdup_printf (ngettext ("lesson, %u step", "lesson, %u steps", lesson->steps->len),
                          lesson->steps->len);
}

/* How many runs, how many of them cannot go on, and why one of these cannot. */
static char *
describe_store (SlStore *store, const GPtrArray *runs)
{
  g_autofree char *all
    = g_strdup_printf (ngettext ("store, %u run", "store, %u runs", runs->len), runs->len);
  g_autoptr (GError) why = NULL;
  unsigned over = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      over += !sl_store_goes_on (store, run->uuid, why == NULL ? &why : NULL);
    }
  if (over == 0)
    return g_steal_pointer (&all);
  return g_strdup_printf (_ ("%s; %u cannot be continued, for example: %s"), all, over,
                          why->message);
}

static char *
read_store (const char *path, GError **error)
{
  SlStore *store = sl_store_open_to_read (path, error);
  g_autoptr (GPtrArray) runs = NULL;
  char *found = NULL;

  if (store == NULL)
    return NULL;
  runs = sl_store_check (store, error) ? sl_store_list (store, NULL, FALSE, error) : NULL;
  if (runs != NULL)
    found = describe_store (store, runs);
  g_object_unref (store);
  return found;
}

static char *
read_weights (const char *path, GError **error)
{
  SlTensors *tensors;
  SlStatus   status = sl_weights_open (&tensors, path, NULL);
  char      *found;

  if (!sl_status_good (&status, error))
    return NULL;
  found = g_strdup_printf (ngettext ("weights, %zu tensor", "weights, %zu tensors", tensors->n),
                           tensors->n);
  sl_tensors_free (tensors);
  return found;
}

/* What was found, with a note (or NULL) behind it; takes both. */
static char *
with_note (char *found, char *note)
{
  char *both = note != NULL ? g_strconcat (found, "; ", note, NULL) : g_strdup (found);

  g_free (found);
  g_free (note);
  return both;
}

/* The sentence without the name of the file, with which it begins. */
static const char *
without_name (const char *sentence, const char *path)
{
  g_autofree char  *whole = realpath (path, NULL), *name = g_path_get_basename (path);
  const char *const names[] = { path, whole, name };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i] != NULL && g_str_has_prefix (sentence, names[i]))
      {
        const char *rest = sentence + strlen (names[i]);

        if (g_str_has_prefix (rest, ": ") || g_str_has_prefix (rest, ", "))
          return rest + 2;
      }
  return sentence;
}

/* Curves of another program, or ours as a table or an event file. */
static char *
read_curves (const char *path, GError **error)
{
  SlForeignLook    look = sl_foreign_look (path);
  SlForeign        foreign;
  g_autofree char *said = NULL;

  if (!sl_foreign_open (&foreign, path, error))
    return NULL;
  said = sl_foreign_said (&foreign);
  sl_foreign_clear (&foreign);
  return g_strdup_printf (look == SL_FOREIGN_EVENTS ? _ ("event file, %s")
                          : look == SL_FOREIGN_LOG  ? _ ("log of a trainer, %s")
                                                    : _ ("table, %s"),
                          said);
}

/* What one run of a folder of logs is, or why it is none. */
static bool
read_log (const SlForeignRun *run, GString *found, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *said = NULL;
  SlForeign        foreign;

  if (sl_foreign_open_as (&foreign, run->path, run->title, &why))
    {
      said = sl_foreign_said (&foreign);
      sl_foreign_clear (&foreign);
    }
  g_string_append_printf (found, "\n  %s: %s", run->title,
                          said != NULL ? said : without_name (why->message, run->path));
  if (why != NULL && error != NULL && *error == NULL)
    *error = g_steal_pointer (&why);
  return said != NULL;
}

/* What each run of a folder of logs is, a line each.  Some have no curves, as those that keep parameters alone: only
 * where none has the folder is wrong.  */
static char *
read_logs (const char *path, GError **error)
{
  gboolean more;
  g_autoptr (GPtrArray) runs = sl_foreign_runs_in (path, &more);
  g_autoptr (GString) found = g_string_new (NULL);
  GError *first = NULL;
  guint   good = 0;

  g_string_printf (found, ngettext ("folder of logs, %u run", "folder of logs, %u runs", runs->len),
                   runs->len);
  if (more)
    g_string_append (found, _ ("; further ones are not read"));
  for (guint i = 0; i < runs->len; i++)
    good += read_log (g_ptr_array_index (runs, i), found, &first);
  if (good == 0)
    {
      g_propagate_error (error, first);
      return NULL;
    }
  g_clear_error (&first);
  return g_string_free (g_steal_pointer (&found), FALSE);
}

/* The sweep of another program. */
static char *
read_trials (const char *path, GError **error)
{
  SlTrials trials;
  char    *said;

  if (!sl_trials_open (&trials, path, NULL, NULL, error))
    return NULL;
  said = sl_trials_said (&trials);
  sl_trials_clear (&trials);
  return said;
}

static char *
describe_recording (const SlRouting *routing)
{
  g_autofree char *layers
    = g_strdup_printf (ngettext ("%u layer", "%u layers", routing->n_layers), routing->n_layers);

  if (routing->kind == SL_ROUTING_COUNTS)
    return g_strdup_printf (_ ("recorded routing, %s, %u experts, rows of counts: %zu"), layers,
                            routing->experts, routing->rows);
  return g_strdup_printf (
    _ ("recorded routing, %s, %u experts, %u a token, %zu tokens, %zu of them a warm-up"), layers,
    routing->experts, routing->k, routing->layer[0].tokens, routing->layer[0].warm_up_tokens);
}

static char *
read_data (const char *path, GError **error)
{
  SlDataset *data;
  SlStatus   status = sl_source_open (path, &data);
  char      *found, *numbers;

  if (!sl_status_good (&status, error))
    return NULL;
  if (data->routing != NULL)
    found = describe_recording (data->routing);
  else
    found = g_strdup_printf (_ ("data, %zu, %zu and %zu examples to train, validate and test; "
                                "%u features, %u classes"),
                             data->n[SL_TRAIN], data->n[SL_VALID], data->n[SL_TEST], data->features,
                             data->classes);
  numbers = sl_data_reading (&data->reading, "; ");
  sl_dataset_free (data);
  return with_note (found, numbers);
}

static char *
read_picture (const char *path, GError **error)
{
  SlBitmap bitmap;
  SlStatus status = sl_bitmap_read (path, &bitmap);
  char    *found;

  if (!sl_status_good (&status, error))
    return NULL;
  found = g_strdup_printf (_ ("picture, %u × %u pixels"), bitmap.width, bitmap.height);
  sl_bitmap_clear (&bitmap);
  return found;
}

/* A picture without a recipe is only that; one with a recipe is a figure if its pixels are good. */
static char *
read_figure (const char *path, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1), *picture = NULL;

  if (g_str_has_suffix (lower, ".png"))
    {
      picture = read_picture (path, error);
      if (picture == NULL || !sl_file_has_recipe (path))
        return g_steal_pointer (&picture);
    }
  return sl_validate_recipe (path, error);
}

/* What a file is, in the user's language, to be freed; NULL with a sentence. */
static char *(*const readers[SL_N_FILE_KINDS]) (const char *path, GError **error)
  = { [SL_FILE_DATA] = read_data,
      [SL_FILE_RECORDING] = read_data,
      [SL_FILE_PICTURE] = read_picture,
      [SL_FILE_WEIGHTS] = read_weights,
      [SL_FILE_LESSON] = read_lesson,
      [SL_FILE_EVENTS] = read_curves,
      [SL_FILE_EVENTS_FOLDER] = read_logs,
      [SL_FILE_LOG] = read_curves,
      [SL_FILE_TABLE] = read_curves,
      [SL_FILE_TRIALS] = read_trials,
      [SL_FILE_STORE] = read_store,
      [SL_FILE_RUN] = sl_validate_run,
      [SL_FILE_FIGURE] = read_figure,
      [SL_FILE_STYLE] = sl_validate_style,
      [SL_FILE_FIGURES] = sl_figures_describe,
      [SL_FILE_SWEEP] = sl_validate_sweep,
      [SL_FILE_ANSWERS] = sl_validate_answers,
      [SL_FILE_NETWORK] = sl_validate_network };

static bool
validate (const char *path)
{
  GError          *error = NULL;
  g_autofree char *found = readers[sl_file_kind (path)](path, &error);

  printf ("%s: %s\n", path, found != NULL ? found : without_name (error->message, path));
  g_clear_error (&error);
  return found != NULL;
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("FILE…");
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_validate.summary);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (rest[0] == NULL)
    {
      sl_cli_report ("no file is given; see %s --help", args[0]);
      return SL_EXIT_USAGE;
    }
  for (char **path = rest; *path != NULL; path++)
    if (!validate (*path))
      code = SL_EXIT_FAILED;
  return code;
}

const SlCliCommand sl_command_validate
  = { "validate", N_ ("Checks files and prints what they are."), command };
