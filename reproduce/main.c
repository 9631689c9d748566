/* SPDX-License-Identifier: MIT
 *
 * sluice-reproduce: published tables beside what comes out here.  */
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/cli/stop.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/typed.h"

static const char *const examples = N_ (
  "Each row has the published value, the value here (mean ± standard deviation over the seeds)\n"
  "and a verdict: \"number\" is within two standard deviations or 5 %, \"faster\" a speed above "
  "it,\n"
  "\"shape\" the paper's statement but not its value, \"differs\" the opposite, \"not at this "
  "scale\"\n"
  "what no desktop can show, \"not decided here\" anything else.  Statements are tested by\n"
  "a one-sided t test over five seeds or more, with Holm's correction for the table at 0.05.\n"
  "\n"
  "Examples:\n"
  "  sluice-reproduce shazeer-6 --seeds 3 --figure balance.svg\n"
  "  sluice-reproduce --all --quick --report tables.md\n"
  "\n"
  "Some tables need your files: --data is the folder of the four files of MNIST, --text thirty\n"
  "million letters, --faces and --cifar (CIFAR-10) files of pictures; SLUICE_SHARED_DATA may\n"
  "name a folder with all.  --all leaves out tables without their data, --quick those without\n"
  "a quick form.\n");

static void
print_list (const SlTyped *typed, const GPtrArray *tables)
{
  for (guint i = 0; i < tables->len && !typed->markdown; i++)
    {
      const SlPaperTable *table = tables->pdata[i];

      printf ("%-14s %s\n%-14s %s; %s, %s%s%s\n", table->id, table->title, "", table->source,
              table->time, table->quick_time != NULL ? "with --quick " : "not quick",
              table->quick_time != NULL ? table->quick_time : "", sl_needs_listed (table->needs));
    }
  sl_items_print (typed->markdown, stdout);
}

/* "today" is all tables "today-…": one for each lab that has gates of today. */
static bool
is_meant (const char *word, const SlPaperTable *table)
{
  return strcmp (word, "all") == 0 || strcmp (word, table->id) == 0
         || (strcmp (word, "today") == 0 && g_str_has_prefix (table->id, "today-"));
}

/* Adds what one word means; false after a complaint. */
static bool
choose (const char *word, const GPtrArray *tables, GPtrArray *found)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  guint before = found->len;

  for (guint i = 0; i < tables->len; i++)
    {
      SlPaperTable *table = tables->pdata[i];

      g_ptr_array_add (ids, (gpointer) table->id);
      if (is_meant (word, table))
        g_ptr_array_add (found, table);
    }
  g_ptr_array_add (ids, NULL);
  if (found->len == before)
    sl_cli_report ("there is no table \"%s\"; perhaps %s?", word,
                   sl_cli_nearest (word, (const char *const *) ids->pdata));
  return found->len > before;
}

/* "figure.svg" for a single table, "figure-davis-4.2.svg" for one of several. */
static char *
figure_path (const SlTyped *typed, const SlPaperTable *table, bool several)
{
  const char *dot = strrchr (typed->figure, '.');

  return several ? g_strdup_printf ("%.*s-%s%s", (int) (dot - typed->figure), typed->figure,
                                    table->id, dot)
                 : g_strdup (typed->figure);
}

/* The state of one run of the program, for all tables. */
typedef struct
{
  const SlTyped     *typed;
  bool               several;
  SlStore           *store; /* or NULL */
  SlJsonWriter       json;
  SlReproductionPage page;
} Work;

static SlExit
show (Work *work, const SlReproduction *r)
{
  const SlTyped *typed = work->typed;

  if (typed->json)
    sl_reproduction_json (r, &work->json);
  else if (typed->markdown)
    sl_reproduction_markdown (r, stdout);
  else
    sl_reproduction_print (r, stdout);
  fflush (stdout);
  if (typed->report != NULL)
    {
      sl_page_add (&work->page, r);
      if (!sl_page_write (&work->page, typed->report))
        return SL_EXIT_FAILED;
    }
  if (typed->figure != NULL)
    {
      g_autofree char *path = figure_path (typed, r->table, work->several);

      return sl_reproduction_figure (r, &typed->looks, path) ? SL_EXIT_FINE : SL_EXIT_FAILED;
    }
  return SL_EXIT_FINE;
}

/* Why a table is not made among all, or NULL. */
static const char *
passed_over (const SlTyped *typed, const SlPaperTable *table, const char *data)
{
  if (typed->quick && table->quick_time == NULL)
    return N_ ("not quick");
  return typed->all && table->needs != SL_NEEDS_NO_FILE && data == NULL
           ? N_ ("its data are not here")
           : NULL;
}

/* Processor time of all threads, those that have ended included. */
static double
processor_seconds (void)
{
  struct timespec now;

  return clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now) == 0
           ? (double) now.tv_sec + 1e-9 * (double) now.tv_nsec
           : (double) NAN;
}

static SlExit
make (Work *work, const SlPaperTable *table, const char *data)
{
  const SlTyped  *typed = work->typed;
  double          began = sl_clock_wall (), computed = processor_seconds ();
  SlReproduction *r = sl_reproduction_new (table);
  SlExit          code;

  r->data = data;
  r->cells->quick = typed->quick;
  r->quiet = typed->quiet;
  r->store = work->store;
  if (typed->quick)
    r->cells->seeds = 1;
  sl_typed_seeds (typed, &r->first, &r->cells->seeds);
  code = sl_needs_check (r);
  if (code == SL_EXIT_FINE)
    code = sl_reproduction_make (r);
  r->seconds = sl_clock_wall () - began;
  r->processor = processor_seconds () - computed;
  if (code == SL_EXIT_FINE && work->store != NULL && r->runs == 0)
    sl_cli_report ("%s: it trains no runs that a store could keep", table->id);
  if (code == SL_EXIT_FINE)
    code = show (work, r);
  else if (code == SL_EXIT_STOPPED)
    sl_cli_report ("%s: stopped", table->id);
  sl_reproduction_free (r);
  return code;
}

static SlExit
reproduce (Work *work, const SlPaperTable *table)
{
  g_autofree char *data = sl_needs_data (work->typed, table->needs);
  const char      *why = passed_over (work->typed, table, data);

  if (why != NULL)
    {
      sl_cli_report ("%s: passed over, %s", table->id, _ (why));
      sl_page_pass_over (&work->page, table, why);
      return SL_EXIT_FINE;
    }
  if (table->needs != SL_NEEDS_NO_FILE && data == NULL)
    {
      sl_cli_report ("%s: %s", table->id, _ (sl_needs_missing (table->needs)));
      return SL_EXIT_FAILED;
    }
  return make (work, table, data);
}

/* All chosen tables.  A table that fails does not keep the others from being made. */
static SlExit
reproduce_tables (Work *work, const GPtrArray *found)
{
  SlExit code = SL_EXIT_FINE;

  work->several = found->len > 1;
  for (guint i = 0; i < found->len; i++)
    {
      const SlPaperTable *table = g_ptr_array_index (found, i);
      SlExit              now = reproduce (work, table);

      if (now == SL_EXIT_FINE)
        continue;
      code = now;
      if (now == SL_EXIT_STOPPED || !work->typed->all)
        break;
      sl_page_pass_over (&work->page, table, "failed");
    }
  if (work->typed->report != NULL && !sl_page_write (&work->page, work->typed->report))
    code = SL_EXIT_FAILED;
  return code;
}

/* Up to the tables. */
static void
begin_json (SlJsonWriter *w)
{
  sl_json_writer_init (w);
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "version", SL_VERSION);
  sl_json_add_text (w, "kernel", sl_blas_kernel ());
  sl_json_add_whole (w, "threads", sl_blas_cores ());
  sl_json_open (w, "tables", '[', SL_JSON_LINES);
}

static SlExit
perform (const SlTyped *typed, const GPtrArray *tables, char **words)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (SlStore) store = NULL;
  g_autofree char *json = NULL;
  Work             work = { .typed = typed };
  GError          *error = NULL;
  SlExit           code;

  for (; *words != NULL; words++)
    if (!choose (*words, tables, found))
      return SL_EXIT_USAGE;
  code = sl_typed_check (typed, found);
  if (code == SL_EXIT_FINE && typed->store != NULL
      && (store = sl_store_open (typed->store, &error)) == NULL)
    code = sl_cli_fail_error (error);
  if (code != SL_EXIT_FINE)
    return code;
  work.store = store;
  begin_json (&work.json);
  sl_page_init (&work.page);
  sl_stop_watch ();
  code = reproduce_tables (&work, found);
  /* Prints the tables that are made, also where a later table failed or was stopped. */
  json = sl_json_writer_end (&work.json, TRUE);
  if (typed->json)
    fputs (json, stdout);
  sl_page_clear (&work.page);
  return code;
}

/* Lists the tables, or makes those that were typed. */
static SlExit
act (SlTyped *typed, char **words)
{
  static char *all[] = { (char *) "all", NULL };

  GError *error = NULL;
  g_autoptr (GPtrArray) tables = sl_tables_load (&error);

  if (tables == NULL)
    return sl_cli_fail_error (error);
  typed->all |= g_strv_contains ((const char *const *) words, "all");
  if (typed->all && typed->report == NULL && !typed->json && !typed->markdown)
    typed->report = g_strdup ("reproduced.md");
  if (typed->list && typed->json)
    {
      sl_cli_report ("--list prints lines, or a table with --markdown");
      return SL_EXIT_USAGE;
    }
  if (!typed->list && (typed->all || words[0] != NULL))
    return perform (typed, tables, typed->all ? all : words);
  print_list (typed, tables);
  return SL_EXIT_FINE;
}

static SlExit
read_command (char **args)
{
  GOptionContext    *context = g_option_context_new ("[TABLE…|today|all]");
  SlTyped            typed = { 0 };
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_NONE, &typed.list, N_ ("List the tables and how long they take"),
      NULL },
    { "all", 0, 0, G_OPTION_ARG_NONE, &typed.all,
      N_ ("All tables, with a report (default reproduced.md)"), NULL },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &typed.report,
      N_ ("Verdicts and tables as one page of Markdown"), "FILE" },
    { "seeds", 0, 0, G_OPTION_ARG_STRING, &typed.seeds,
      N_ ("Runs of each row, or trials of a speed; 6-10: these seeds"), "N" },
    { "quick", 0, 0, G_OPTION_ARG_NONE, &typed.quick,
      N_ ("Shorter runs, one seed: at best the shape is right"), NULL },
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &typed.data[SL_NEEDS_MNIST], N_ ("The folder of MNIST"),
      "FOLDER" },
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &typed.data[SL_NEEDS_WIKI8],
      N_ ("The text for davis-4.5 and davis-a"), "FILE" },
    { "faces", 0, 0, G_OPTION_ARG_FILENAME, &typed.data[SL_NEEDS_FACES],
      N_ ("The pictures for liu-faces"), "FILE" },
    { "cifar", 0, 0, G_OPTION_ARG_FILENAME, &typed.data[SL_NEEDS_CIFAR],
      N_ ("The pictures for davis-3.2"), "FILE" },
    { "figure", 0, 0, G_OPTION_ARG_FILENAME, &typed.figure,
      N_ ("Published numbers beside ours as bars"), "FILE" },
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &typed.store,
      N_ ("Keep runs here, and resume stopped ones"), "FILE" },
    { "markdown", 0, 0, G_OPTION_ARG_NONE, &typed.markdown, N_ ("Tables for a page"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &typed.json, N_ ("One JSON document instead of lines"),
      NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &typed.quiet, N_ ("No messages while it runs"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &typed.version, N_ ("Print the version and quit"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, _ ("Makes published tables again, and compares."));
  g_option_context_add_main_entries (context, entries, NULL);
  sl_looks_add_options (&typed.looks, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      if (typed.version)
        puts ("sluice-reproduce " SL_VERSION);
      else
        code = act (&typed, rest);
    }
  sl_typed_clear (&typed);
  return code;
}

int
main (int argc, char **argv)
{
  char *name = (char *) "sluice-reproduce";

  sl_cli_start (name, argv);
  argv[0] = name;
  return sl_cli_end (read_command (argv));
}
