/* SPDX-License-Identifier: MIT
 *
 * See field.h.  */
#include "core/run/query/field.h"

#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/fit.h"
#include "core/run/base/number.h"
#include "core/run/query/setting.h"

typedef enum {
  LAB,
  NAME,
  STATUS,
  CREATED,
  STEP,
  SEED,
  SECONDS,
  DATA,
  SWEEP,
  SETTING,
  KERNEL,
  THREADS,
  VERSION,
  PINNED,
  NOTE,
  TAG,
  ID,
  ERROR_,
  EXECUTED,
  EXPECTED,
  TIMED,
  PARAMETERS,
  N_FACTS,
} Fact;

static const struct
{
  const char *id;
  SlFieldKind kind;
} facts[N_FACTS] = {
  [LAB] = { "lab", SL_FIELD_TEXT },
  [NAME] = { "name", SL_FIELD_TEXT },
  [STATUS] = { "status", SL_FIELD_TEXT },
  [CREATED] = { "created", SL_FIELD_DATE },
  [STEP] = { "step", SL_FIELD_NUMBER },
  [SEED] = { "seed", SL_FIELD_NUMBER },
  [SECONDS] = { "seconds", SL_FIELD_NUMBER },
  [DATA] = { "data", SL_FIELD_TEXT },
  [SWEEP] = { "sweep", SL_FIELD_TEXT },
  [SETTING] = { SL_FIELD_SETTING, SL_FIELD_TEXT },
  [KERNEL] = { "kernel", SL_FIELD_TEXT },
  [THREADS] = { "threads", SL_FIELD_NUMBER },
  [VERSION] = { "version", SL_FIELD_TEXT },
  [PINNED] = { "pinned", SL_FIELD_TRUTH },
  [NOTE] = { "note", SL_FIELD_TEXT },
  [TAG] = { "tag", SL_FIELD_TAGS },
  [ID] = { "id", SL_FIELD_TEXT },
  [ERROR_] = { "error", SL_FIELD_NUMBER },
  [EXECUTED] = { "executed", SL_FIELD_NUMBER },
  [EXPECTED] = { "expected", SL_FIELD_NUMBER },
  [TIMED] = { "timed", SL_FIELD_NUMBER },
  [PARAMETERS] = { "parameters", SL_FIELD_NUMBER },
};

static const char set_prefix[] = "set.";

/* ---- finding ---- */

static gboolean
find_param (const char *name, SlField *field)
{
  gboolean found = FALSE;

  for (int l = 0; l < SL_FIELD_LABS && sl_labs[l] != NULL; l++)
    {
      int p = sl_param_find (sl_labs[l]->params, sl_labs[l]->n_params, name);

      field->param[l] = (signed char) p;
      found = found || p >= 0;
      if (p >= 0 && field->id == NULL)
        field->id = sl_labs[l]->params[p].id;
    }
  return found;
}

/* No run has a figure whose name was never read from a store; the look-up does not intern the
 * name.  */
static const char *
find_figure (const char *name, const GPtrArray *runs)
{
  GQuark      quark = g_quark_try_string (name);
  const char *interned = quark != 0 ? g_quark_to_string (quark) : NULL;

  for (guint i = 0; interned != NULL && runs != NULL && i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      for (unsigned f = 0; f < run->n_figures; f++)
        if (run->figure[f].name == interned)
          return interned;
    }
  return NULL;
}

gboolean
sl_field_find (const char *name, const GPtrArray *runs, SlField *field)
{
  *field = (SlField) { .fact = -1 };
  memset (field->param, -1, sizeof field->param);
  for (int f = 0; f < N_FACTS; f++)
    if (strcmp (name, facts[f].id) == 0)
      {
        field->fact = f;
        field->kind = facts[f].kind;
        field->id = facts[f].id;
        return TRUE;
      }
  field->kind = SL_FIELD_ANY;
  if (find_param (g_str_has_prefix (name, set_prefix) ? name + strlen (set_prefix) : name, field))
    return TRUE;
  field->kind = SL_FIELD_NUMBER;
  field->figure = field->id = find_figure (name, runs);
  return field->figure != NULL;
}

/* ---- reading ---- */

static void
be_text (SlFieldValue *value, SlFieldKind kind, const char *text)
{
  value->text = text;
  value->kind = text[0] != '\0' ? kind : SL_FIELD_NOTHING;
}

static void
be_number (SlFieldValue *value, SlFieldKind kind, double number)
{
  value->number = number;
  value->kind = isnan (number) ? SL_FIELD_NOTHING : kind;
}

static void
read_outcome (Fact fact, const SlStoreRun *run, SlFieldValue *value)
{
  SlOutcome outcome;

  sl_store_run_outcome (run, &outcome);
  be_number (value, SL_FIELD_NUMBER,
             fact == ERROR_     ? outcome.error
             : fact == EXECUTED ? outcome.executed
             : fact == EXPECTED ? outcome.expected
             : fact == TIMED    ? outcome.timed
                                : outcome.parameters);
}

static void
read_setting (const SlStoreRun *run, SlFieldValue *value)
{
  g_autofree char *text = sl_run_settings_text (run, NULL, ", ", " ");

  sl_fit (value->room, text, sizeof value->room);
  be_text (value, SL_FIELD_TEXT, value->room);
}

static void
read_fact (Fact fact, const SlStoreRun *run, SlFieldValue *value)
{
  switch (fact)
    {
    case LAB: be_text (value, SL_FIELD_TEXT, run->lab_id); return;
    case NAME: be_text (value, SL_FIELD_TEXT, run->name); return;
    case STATUS: be_text (value, SL_FIELD_TEXT, sl_run_status_text (run->status)); return;
    case CREATED: be_number (value, SL_FIELD_DATE, run->created); return;
    case STEP: be_number (value, SL_FIELD_NUMBER, (double) run->step); return;
    case SEED: be_number (value, SL_FIELD_NUMBER, (double) run->seed); return;
    case SECONDS: be_number (value, SL_FIELD_NUMBER, run->seconds); return;
    case DATA: be_text (value, SL_FIELD_TEXT, run->data); return;
    case SWEEP: be_text (value, SL_FIELD_TEXT, run->sweep); return;
    case SETTING: read_setting (run, value); return;
    case KERNEL: be_text (value, SL_FIELD_TEXT, run->kernel); return;
    case THREADS: be_number (value, SL_FIELD_NUMBER, run->threads); return;
    case VERSION: be_text (value, SL_FIELD_TEXT, run->version); return;
    case PINNED: be_number (value, SL_FIELD_TRUTH, run->pinned); return;
    case NOTE: be_text (value, SL_FIELD_TEXT, sl_given (run->note)); return;
    case TAG: be_text (value, SL_FIELD_TAGS, sl_given (run->tags)); return;
    case ID: be_text (value, SL_FIELD_TEXT, run->uuid); return;
    default: read_outcome (fact, run, value);
    }
}

static void
read_param (const SlField *field, const SlStoreRun *run, SlFieldValue *value)
{
  const SlParam *param = NULL;
  SlValue        set;

  for (int l = 0; l < SL_FIELD_LABS && sl_labs[l] != NULL && param == NULL; l++)
    if (sl_labs[l] == run->lab && field->param[l] >= 0)
      {
        param = &run->lab->params[field->param[l]];
        set = sl_store_run_value (run, (unsigned) field->param[l]);
      }
  if (param == NULL)
    return;
  if (param->kind == SL_CHOICE || (param->kind == SL_LIST && set.n != 1))
    be_text (value, SL_FIELD_TEXT, sl_param_format (param, &set, value->room, sizeof value->room));
  else
    be_number (value, param->kind == SL_BOOLEAN ? SL_FIELD_TRUTH : SL_FIELD_NUMBER, set.v[0]);
}

void
sl_field_read (const SlField *field, const SlStoreRun *run, SlFieldValue *value)
{
  value->kind = SL_FIELD_NOTHING;
  value->number = 0;
  value->text = "";
  if (field->fact >= 0)
    read_fact ((Fact) field->fact, run, value);
  else if (field->figure == NULL)
    read_param (field, run, value);
  else
    for (unsigned f = 0; f < run->n_figures; f++)
      if (run->figure[f].name == field->figure)
        {
          be_number (value, SL_FIELD_NUMBER, run->figure[f].value);
          return;
        }
}

const char *
sl_field_text (const SlFieldValue *value, char text[SL_FIELD_TEXT_SIZE])
{
  char       number[SL_NUMBER_SIZE];
  GDateTime *date;
  char      *written;

  text[0] = '\0';
  switch (value->kind)
    {
    case SL_FIELD_TEXT:
    case SL_FIELD_TAGS: sl_fit (text, value->text, SL_FIELD_TEXT_SIZE); break;
    case SL_FIELD_TRUTH:
      g_strlcpy (text, value->number != 0 ? "yes" : "no", SL_FIELD_TEXT_SIZE);
      break;
    case SL_FIELD_NUMBER:
      g_strlcpy (text, sl_number_format (value->number, number), SL_FIELD_TEXT_SIZE);
      break;
    case SL_FIELD_DATE:
      date = fabs (value->number) < 2e11 ? g_date_time_new_from_unix_utc ((gint64) value->number)
                                         : NULL;
      written = date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%S") : NULL;
      g_strlcpy (text, sl_given (written), SL_FIELD_TEXT_SIZE);
      g_free (written);
      g_clear_pointer (&date, g_date_time_unref);
      break;
    default: break;
    }
  return text;
}

static int
rank (SlFieldKind kind)
{
  return kind == SL_FIELD_NOTHING ? 2 : kind == SL_FIELD_TEXT || kind == SL_FIELD_TAGS ? 1 : 0;
}

int
sl_field_compare (const SlFieldValue *a, const SlFieldValue *b)
{
  if (rank (a->kind) != rank (b->kind))
    return rank (a->kind) - rank (b->kind);
  if (rank (a->kind) == 1)
    return strcmp (a->text, b->text);
  return rank (a->kind) == 2 ? 0 : (a->number > b->number) - (a->number < b->number);
}

const SlParam *
sl_field_param (const SlField *field)
{
  for (int l = 0; l < SL_FIELD_LABS && sl_labs[l] != NULL; l++)
    if (field->fact < 0 && field->figure == NULL && field->param[l] >= 0)
      return &sl_labs[l]->params[field->param[l]];
  return NULL;
}

/* ---- lists ---- */

static void
add_once (GPtrArray *texts, GHashTable *seen, const char *text)
{
  if (text[0] != '\0' && g_hash_table_add (seen, (gpointer) text))
    g_ptr_array_add (texts, (gpointer) text);
}

GPtrArray *
sl_field_names (const GPtrArray *runs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) figures = g_hash_table_new (NULL, NULL); /* names are interned */
  GPtrArray *names = g_ptr_array_new ();

  for (int f = 0; f < N_FACTS; f++)
    add_once (names, seen, facts[f].id);
  for (int l = 0; sl_labs[l] != NULL; l++)
    for (unsigned p = 0; p < sl_labs[l]->n_params; p++)
      add_once (names, seen, sl_labs[l]->params[p].id);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      for (unsigned f = 0; f < run->n_figures; f++)
        if (g_hash_table_add (figures, (gpointer) run->figure[f].name))
          add_once (names, seen, run->figure[f].name);
    }
  return names;
}

static void
add_tags (GPtrArray *texts, GHashTable *seen, const GPtrArray *runs)
{
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      g_auto (GStrv) tags
        = g_strsplit (sl_given (((const SlStoreRun *) g_ptr_array_index (runs, i))->tags), ",", -1);

      for (char **tag = tags; *tag != NULL; tag++)
        add_once (texts, seen, g_intern_string (*tag));
    }
}

static void
add_choices (const SlField *field, GPtrArray *texts, GHashTable *seen)
{
  for (int l = 0; l < SL_FIELD_LABS && sl_labs[l] != NULL; l++)
    {
      const SlParam *param = field->param[l] >= 0 ? &sl_labs[l]->params[field->param[l]] : NULL;

      if (param != NULL && param->kind == SL_BOOLEAN)
        {
          add_once (texts, seen, "yes");
          add_once (texts, seen, "no");
        }
      for (const SlChoice *c = param != NULL && param->kind == SL_CHOICE ? param->choices : NULL;
           c != NULL && c->id != NULL; c++)
        add_once (texts, seen, c->id);
    }
}

gboolean
sl_field_is_setting (const SlField *field)
{
  return field->fact == SETTING;
}

GPtrArray *
sl_field_values (const SlField *field, const GPtrArray *runs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *texts = g_ptr_array_new ();

  if (field->fact == LAB)
    for (int l = 0; sl_labs[l] != NULL; l++)
      add_once (texts, seen, sl_labs[l]->id);
  else if (field->fact == STATUS)
    for (int s = 0; s < SL_N_RUN_STATUSES; s++)
      add_once (texts, seen, sl_run_status_text ((SlRunStatus) s));
  else if (field->fact == CREATED)
    {
      add_once (texts, seen, "today");
      add_once (texts, seen, "yesterday");
    }
  else if (field->fact == PINNED)
    {
      add_once (texts, seen, "yes");
      add_once (texts, seen, "no");
    }
  else if (field->fact == TAG)
    add_tags (texts, seen, runs);
  else
    add_choices (field, texts, seen);
  return texts;
}
