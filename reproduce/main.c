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
#include "reproduce/reproduce.h"

/* clang-format off */
static const SlPaperTable *const tables[] = {
  &sl_table_davis_32,
  &sl_table_davis_33,
  &sl_table_davis_42,
  &sl_table_davis_44,
  &sl_table_davis_45,
  &sl_table_davis_a,
  &sl_table_shazeer_6,
  &sl_table_shazeer_6_large,
  &sl_table_shazeer_7,
  &sl_table_bengio_1,
  &sl_table_bengio_1_long,
  &sl_table_liu_2a,
  &sl_table_liu_2b,
  &sl_table_liu_2c,
  &sl_table_liu_2d,
  &sl_table_liu_2d_two,
  &sl_table_liu_faces,
  &sl_table_cho_4,
  &sl_table_donier, &sl_table_donier_networks,
  &sl_table_li_1,
  &sl_table_li_2,
  &sl_table_li_3,
  &sl_table_li_4,
  &sl_table_today_experts,
  &sl_table_today_signs,
  &sl_table_today_gates,
  &sl_table_today_exits,
};
/* clang-format on */

static const char *const examples = N_ (
  "Each row is printed with what was published, what came out here (mean ± standard\n"
  "deviation over the seeds), and a verdict: \"number\" is the published value within two\n"
  "standard deviations or 5 %, \"faster\" a speed above it, \"shape\" what the table says of\n"
  "its rows but not the value, \"not at this scale\" what no desktop can show, \"differs\"\n"
  "none of these.\n"
  "\n"
  "Examples:\n"
  "  sluice-reproduce --list\n"
  "  sluice-reproduce davis-4.2 davis-4.4\n"
  "  sluice-reproduce shazeer-6 --seeds 3 --figure balance.svg\n"
  "  sluice-reproduce today --seeds 3\n"
  "  sluice-reproduce davis-3.3 --data ~/mnist --quick\n"
  "  sluice-reproduce bengio-patient --data ~/mnist --store runs.sluice\n"
  "  sluice-reproduce liu-2a --store runs.sluice --figure curve.svg\n"
  "  sluice-reproduce --all --quick --report tables.md\n"
  "\n"
  "Some tables are about MNIST, which is not part of this program: --data is the folder of\n"
  "its four files.  Some are about thirty million letters of text: --text is the file; one\n"
  "is about faces: --faces is the file of pictures, and one about CIFAR-10: --cifar is its\n"
  "file.  All are looked for in the folder that SLUICE_SHARED_DATA names, too.  With --all,\n"
  "tables whose data are nowhere are passed over, and with --quick those that have no quick\n"
  "form.\n");

/* What tables need: in the list, in the shared folder with the options of the source, and when it is
 * nowhere.  */
static const struct
{
  const char *listed, *shared, *options, *missing;
} needs[] = {
  [SL_NEEDS_NO_FILE] = { "", NULL, NULL, NULL },
  [SL_NEEDS_MNIST]
  = { "; needs MNIST", "mnist", "", N_ ("where are the four files of MNIST? give --data FOLDER") },
  [SL_NEEDS_WIKI8]
  = { "; needs a text", "text/wiki8-train-30M.gz", ":valid=0.04,test=0.01,text=letters",
      N_ ("where is the text? give --text FILE") },
  [SL_NEEDS_FACES] = { "; needs faces", "faces/lfw_subset-200x25x25-images-idx3-ubyte.gz",
                       ":valid=0.1,test=0.45", N_ ("where are the faces? give --faces FILE") },
  [SL_NEEDS_CIFAR] = { "; needs CIFAR-10", "cifar10/cifar10-lossless-first4000.bin.gz",
                       ":valid=0.15,test=0.15,pixels=standardised",
                       N_ ("where are the pictures of CIFAR-10? give --cifar FILE") },
};

static void
print_list (const SlTyped *typed)
{
  if (typed->markdown)
    {
      sl_items_print (true, stdout);
      return;
    }
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    printf (
      "%-14s %s\n%-14s %s; %s, %s%s%s\n", tables[i]->id, tables[i]->title, "", tables[i]->source,
      tables[i]->time, tables[i]->quick_time != NULL ? "with --quick " : "not quick",
      tables[i]->quick_time != NULL ? tables[i]->quick_time : "", needs[tables[i]->needs].listed);
  sl_items_print (false, stdout);
}

static const SlPaperTable *
find (const char *id)
{
  const char *ids[G_N_ELEMENTS (tables) + 1] = { NULL };

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      if (strcmp (tables[i]->id, id) == 0)
        return tables[i];
      ids[i] = tables[i]->id;
    }
  sl_cli_report ("there is no table \"%s\"; perhaps %s?", id, sl_cli_nearest (id, ids));
  return NULL;
}

/* "today" is all tables "today-…": one for each lab that has gates of today. */
static bool
is_meant (const char *word, const SlPaperTable *table)
{
  return strcmp (word, "all") == 0
         || (strcmp (word, "today") == 0 && g_str_has_prefix (table->id, "today-"));
}

/* The chosen tables, of SlPaperTable; NULL after a complaint. */
static GPtrArray *
chosen (char **words)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (; *words != NULL; words++)
    if (strcmp (*words, "all") == 0 || strcmp (*words, "today") == 0)
      {
        for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
          if (is_meant (*words, tables[i]))
            g_ptr_array_add (found, (gpointer) tables[i]);
      }
    else
      {
        const SlPaperTable *table = find (*words);

        if (table == NULL)
          return NULL;
        g_ptr_array_add (found, (gpointer) table);
      }
  return g_steal_pointer (&found);
}

/* What a table needs, as typed or where it is shared; NULL when that is nowhere.  Free with
 * g_free().  */
static char *
data_of (const SlTyped *typed, SlTableNeeds what)
{
  const char      *shared = g_getenv ("SLUICE_SHARED_DATA");
  const char      *given = what == SL_NEEDS_WIKI8   ? typed->text
                           : what == SL_NEEDS_FACES ? typed->faces
                           : what == SL_NEEDS_CIFAR ? typed->cifar
                                                    : typed->data;
  g_autofree char *place = NULL;

  if (needs[what].shared == NULL)
    return NULL;
  if (given != NULL)
    place = g_strdup (given);
  else if (shared != NULL)
    place = g_build_filename (shared, needs[what].shared, NULL);
  return place != NULL ? g_strconcat (place, needs[what].options, NULL) : NULL;
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
  GString           *json;
  SlReproductionPage page;
} Work;

static SlExit
show (Work *work, const SlReproduction *reproduction)
{
  const SlTyped *typed = work->typed;

  if (typed->json)
    {
      g_string_append (work->json, work->json->len > 1 ? ",\n  " : "\n  ");
      sl_reproduction_json (reproduction, work->json);
    }
  else if (typed->markdown)
    sl_reproduction_markdown (reproduction, stdout);
  else
    sl_reproduction_print (reproduction, stdout);
  fflush (stdout);
  if (typed->report != NULL)
    {
      sl_page_add (&work->page, reproduction);
      if (!sl_page_write (&work->page, typed->report))
        return SL_EXIT_FAILED;
    }
  if (typed->figure != NULL)
    {
      g_autofree char *path = figure_path (typed, reproduction->table, work->several);

      return sl_reproduction_figure (reproduction, &typed->looks, path) ? SL_EXIT_FINE
                                                                        : SL_EXIT_FAILED;
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
make (Work *work, const SlPaperTable *table, char *data)
{
  const SlTyped  *typed = work->typed;
  double          began = sl_clock_wall (), computed = processor_seconds ();
  SlReproduction *reproduction = g_new (SlReproduction, 1);
  SlExit          code;

  sl_reproduction_init (reproduction, table);
  reproduction->data = data;
  reproduction->quick = typed->quick;
  reproduction->quiet = typed->quiet;
  reproduction->store = work->store;
  if (typed->quick)
    reproduction->seeds = 1;
  if (typed->seeds != SL_SEEDS_AS_USUAL)
    reproduction->seeds = (unsigned) typed->seeds;
  code = sl_reproduction_check_data (reproduction);
  if (code == SL_EXIT_FINE)
    code = table->run (reproduction);
  reproduction->seconds = sl_clock_wall () - began;
  reproduction->processor = processor_seconds () - computed;
  if (code == SL_EXIT_FINE && work->store != NULL && reproduction->runs == 0)
    sl_cli_report ("%s: it trains no runs that a store could keep", table->id);
  if (code == SL_EXIT_FINE)
    code = show (work, reproduction);
  else if (code == SL_EXIT_STOPPED)
    sl_cli_report ("%s: stopped", table->id);
  sl_reproduction_clear (reproduction);
  g_free (reproduction);
  return code;
}

static SlExit
reproduce (Work *work, const SlPaperTable *table)
{
  g_autofree char *data = data_of (work->typed, table->needs);
  const char      *why = passed_over (work->typed, table, data);

  if (why != NULL)
    {
      sl_cli_report ("%s: passed over, %s", table->id, _ (why));
      sl_page_pass_over (&work->page, table, why);
      return SL_EXIT_FINE;
    }
  if (table->needs != SL_NEEDS_NO_FILE && data == NULL)
    {
      sl_cli_report ("%s: %s", table->id, _ (needs[table->needs].missing));
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

static SlExit
perform (const SlTyped *typed, char **words)
{
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (SlStore) store = NULL;
  Work    work = { .typed = typed };
  GError *error = NULL;
  SlExit  code = SL_EXIT_USAGE;

  if ((found = chosen (words)) != NULL)
    code = sl_typed_check (typed, found);
  if (code == SL_EXIT_FINE && typed->store != NULL
      && (store = sl_store_open (typed->store, &error)) == NULL)
    code = sl_cli_fail_error (error);
  if (code != SL_EXIT_FINE)
    return code;
  work.store = store;
  work.json = g_string_new ("[");
  sl_page_init (&work.page);
  sl_stop_watch ();
  code = reproduce_tables (&work, found);
  /* Prints the tables that are made, also where a later table failed or was stopped. */
  if (typed->json)
    printf (
      "{\n  \"version\": \"%s\", \"kernel\": \"%s\", \"threads\": %u,\n  \"tables\": %s]\n}\n",
      SL_VERSION, sl_blas_kernel (), sl_blas_cores (), work.json->str);
  sl_page_clear (&work.page);
  g_string_free (work.json, TRUE);
  return code;
}

static SlExit
read_command (char **args)
{
  GOptionContext    *context = g_option_context_new ("[TABLE…|today|all]");
  SlTyped            typed = { .seeds = SL_SEEDS_AS_USUAL };
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_NONE, &typed.list,
      N_ ("List the tables, how long they take, and what of Davis 2016 is made"), NULL },
    { "all", 0, 0, G_OPTION_ARG_NONE, &typed.all,
      N_ ("All tables, and a report: reproduced.md if none is named"), NULL },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &typed.report,
      N_ ("Verdicts and tables as one page of Markdown"), "FILE" },
    { "seeds", 0, 0, G_OPTION_ARG_INT, &typed.seeds, N_ ("Runs of each row, or trials of a speed"),
      "N" },
    { "quick", 0, 0, G_OPTION_ARG_NONE, &typed.quick,
      N_ ("Shorter runs, one seed: at best the shape is right"), NULL },
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &typed.data, N_ ("The folder of MNIST"), "FOLDER" },
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &typed.text, N_ ("The text for davis-4.5 and davis-a"),
      "FILE" },
    { "faces", 0, 0, G_OPTION_ARG_FILENAME, &typed.faces, N_ ("The pictures for liu-faces"),
      "FILE" },
    { "cifar", 0, 0, G_OPTION_ARG_FILENAME, &typed.cifar, N_ ("The pictures for davis-3.2"),
      "FILE" },
    { "figure", 0, 0, G_OPTION_ARG_FILENAME, &typed.figure,
      N_ ("Published numbers beside ours as bars"), "FILE" },
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &typed.store,
      N_ ("Keep runs here, and go on with those that were stopped"), "FILE" },
    { "markdown", 0, 0, G_OPTION_ARG_NONE, &typed.markdown, N_ ("Tables for a page"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &typed.json, N_ ("One JSON document instead of lines"),
      NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &typed.quiet, N_ ("No messages while it runs"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, _ ("Makes published tables again, and compares."));
  g_option_context_add_main_entries (context, entries, NULL);
  sl_looks_add_options (&typed.looks, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      static char *all[] = { (char *) "all", NULL };

      typed.all |= g_strv_contains ((const char *const *) rest, "all");
      if (typed.all && typed.report == NULL && !typed.json && !typed.markdown)
        typed.report = g_strdup ("reproduced.md");
      if (typed.list && typed.json)
        {
          sl_cli_report ("--list prints lines, or a table with --markdown");
          code = SL_EXIT_USAGE;
        }
      else if (typed.list || (rest[0] == NULL && !typed.all))
        print_list (&typed);
      else if (typed.all)
        code = perform (&typed, all);
      else
        code = perform (&typed, rest);
    }
  sl_looks_clear (&typed.looks);
  g_free (typed.data);
  g_free (typed.text);
  g_free (typed.faces);
  g_free (typed.cifar);
  g_free (typed.report);
  g_free (typed.figure);
  g_free (typed.store);
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
