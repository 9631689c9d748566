/* SPDX-License-Identifier: MIT
 *
 * The files of published tables, read and checked; see table.h.  */
#include "core/run/published/table.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"

/* Groups by the first word of their names, with the keys they may have and those they need.  A group
 * that has `free` keys may have any that the table fills in somewhere.  */
static const struct
{
  const char *kind, *keys, *needed;
} groups[] = {
  { "table",
    " order title source conditions needs seeds lab data settings measure across toy trials "
    "curves-from ",
    "order title source conditions seeds" },
  { "full", " time epochs steps patience measure at trunk {} ", "time" },
  { "quick", " time epochs steps patience measure at trunk {} ", "time" },
  { "column", " name unit kind read missing quick ", "name kind" },
  { "rows", " settings data epochs then plot curves ", "" },
  { "row", " label settings data epochs then plot curves from quick read- published- ", "" },
  { "claim", " text that each some kind quick ", "text that" },
  { "plot", " x x-unit x-whole y y-unit y-lo y-hi across up rows names columns categories ", "" },
};

static const char *const needs[SL_N_TABLE_NEEDS + 1] = { "", "mnist", "wiki8", "faces", "cifar" };
static const char *const column_kinds[] = { "number", "faster", "shape", "scale", NULL };
static const char *const claim_kinds[] = { "paper", "ours", "scale", "arithmetic", NULL };

const char *
sl_table_word (const SlPaperTable *table, const char *group, const char *key)
{
  g_autofree char *value = g_key_file_get_value (table->file, group, key, NULL);

  return value != NULL ? g_intern_string (g_strstrip (value)) : NULL;
}

/* Always FALSE. */
static gboolean
refuse (const SlPaperTable *table, const char *group, const char *found, const char *expected,
        GError **error)
{
  g_autofree char *subject = g_strdup_printf ("%s.table [%s]", table->id, group);

  return sl_fail (error, SL_EFORMAT, subject, found, expected);
}

/* A key of its group, or of the family "published-" and a column, or one that "{key}" asks for somewhere. */
static gboolean
check_key (const SlPaperTable *table, const char *keys, const char *group, const char *key,
           const char *all, GError **error)
{
  g_autofree char *word = g_strdup_printf (" %s ", key), *place = g_strdup_printf ("{%s}", key);
  const char      *dash = strchr (key, '-');
  g_autofree char *family
    = dash != NULL ? g_strdup_printf (" %.*s ", (int) (dash - key + 1), key) : g_strdup (" - ");

  if (strstr (keys, word) != NULL || (strstr (keys, " {} ") != NULL && strstr (all, place) != NULL)
      || (strstr (keys, family) != NULL && sl_table_find_column (table, dash + 1) >= 0))
    return TRUE;
  return refuse (table, group, key, keys, error);
}

static gboolean
check_group (const SlPaperTable *table, const char *group, const char *all, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (table->file, group, NULL, NULL);
  size_t length = strcspn (group, " "), g = 0;

  while (g < G_N_ELEMENTS (groups)
         && (strlen (groups[g].kind) != length || strncmp (groups[g].kind, group, length) != 0))
    g++;
  if (g == G_N_ELEMENTS (groups))
    return refuse (table, group, group, "table, full, quick, column, rows, row, claim, plot",
                   error);
  for (char **key = keys; *key != NULL; key++)
    if (!check_key (table, groups[g].keys, group, *key, all, error))
      return FALSE;
  g_auto (GStrv) needed = g_strsplit (groups[g].needed, " ", -1);
  for (char **key = needed; *key != NULL; key++)
    if (sl_table_word (table, group, *key) == NULL)
      return refuse (table, group, NULL, *key, error);
  return TRUE;
}

/* Index of a key's word among `words`; `otherwise` where the group does not have the key. */
static gboolean
read_choice (const SlPaperTable *table, const char *group, const char *key,
             const char *const *words, unsigned otherwise, unsigned *choice, GError **error)
{
  const char *word = sl_table_word (table, group, key);

  *choice = otherwise;
  if (word == NULL)
    return TRUE;
  for (*choice = 0; words[*choice] != NULL; (*choice)++)
    if (strcmp (words[*choice], word) == 0)
      return TRUE;
  g_autofree char *expected = g_strjoinv (", ", (char **) words);
  return refuse (table, group, word, expected, error);
}

static gboolean
read_flag (const SlPaperTable *table, const char *group, const char *key, bool otherwise,
           bool *flag, GError **error)
{
  static const char *const words[] = { "no", "yes", NULL };
  unsigned                 choice;

  if (!read_choice (table, group, key, words, otherwise, &choice, error))
    return FALSE;
  *flag = choice == 1;
  return TRUE;
}

static gboolean
read_whole (const SlPaperTable *table, const char *key, unsigned *number, GError **error)
{
  const char *word = sl_table_word (table, "table", key);
  guint64     value = 0;

  if (word != NULL && !g_ascii_string_to_unsigned (word, 10, 0, 1000, &value, NULL))
    return refuse (table, "table", word, key, error);
  *number = (unsigned) value;
  return TRUE;
}

/* "1.124 ± 0.0737", "≈ 1.80". */
static gboolean
read_published (const SlPaperTable *table, const char *group, const char *column,
                SlPublished *published, GError **error)
{
  g_autofree char *key = g_strconcat ("published-", column, NULL);
  const char      *about = "≈ ", *between = " ± ";
  char            *end;

  *published = (SlPublished) { sl_table_word (table, group, key), (double) NAN, (double) NAN };
  if (published->text == NULL)
    return TRUE;
  published->value = g_ascii_strtod (
    published->text + (g_str_has_prefix (published->text, about) ? strlen (about) : 0), &end);
  if (g_str_has_prefix (end, between))
    published->sd = g_ascii_strtod (end + strlen (between), &end);
  return *end == '\0' || refuse (table, group, published->text, key, error);
}

static gboolean
read_row (SlPaperTable *table, const char *group, GError **error)
{
  SlTableRow *row = &table->row[table->n_rows];
  bool        quick;

  if (table->n_rows == SL_TABLE_ROWS)
    return refuse (table, group, group, "≤ SL_TABLE_ROWS", error);
  row->id = g_intern_string (group + strlen ("row "));
  row->label = sl_table_word (table, group, "label");
  if (row->label == NULL)
    row->label = row->id;
  for (unsigned c = 0; c < table->n_columns; c++)
    if (!read_published (table, group, table->column[c].id, &row->published[c], error))
      return FALSE;
  if (!read_flag (table, group, "quick", true, &quick, error))
    return FALSE;
  row->full_only = !quick;
  table->n_rows++;
  return TRUE;
}

static gboolean
read_column (SlPaperTable *table, const char *group, GError **error)
{
  SlTableColumn *column = &table->column[table->n_columns];
  unsigned       kind;
  bool           quick;

  if (table->n_columns == SL_TABLE_COLUMNS)
    return refuse (table, group, group, "≤ SL_TABLE_COLUMNS", error);
  column->id = g_intern_string (group + strlen ("column "));
  column->name = sl_table_word (table, group, "name");
  column->unit = sl_table_word (table, group, "unit");
  column->read = sl_table_word (table, group, "read");
  if (column->unit == NULL)
    column->unit = "";
  if (!read_choice (table, group, "kind", column_kinds, 0, &kind, error)
      || !read_flag (table, group, "quick", true, &quick, error))
    return FALSE;
  column->kind = (SlColumnKind) kind;
  column->full_only = !quick;
  table->n_columns++;
  return TRUE;
}

static gboolean
read_claim (SlPaperTable *table, const char *group, GError **error)
{
  SlTableStatement *claim = &table->claim[table->n_claims];
  const char       *some = sl_table_word (table, group, "some");
  unsigned          kind;
  bool              quick;

  if (table->n_claims == SL_TABLE_CLAIMS)
    return refuse (table, group, group, "≤ SL_TABLE_CLAIMS", error);
  claim->text = sl_table_word (table, group, "text");
  claim->that = sl_table_word (table, group, "that");
  claim->rows = some != NULL ? some : sl_table_word (table, group, "each");
  claim->some = some != NULL;
  if (!read_choice (table, group, "kind", claim_kinds, 0, &kind, error)
      || !read_flag (table, group, "quick", true, &quick, error))
    return FALSE;
  claim->kind = (SlClaimKind) kind;
  claim->full_only = !quick;
  table->n_claims++;
  return TRUE;
}

static gboolean
read_head (SlPaperTable *table, GError **error)
{
  unsigned what;

  table->title = sl_table_word (table, "table", "title");
  table->source = sl_table_word (table, "table", "source");
  table->conditions = sl_table_word (table, "table", "conditions");
  table->time = sl_table_word (table, "full", "time");
  table->quick_time = sl_table_word (table, "quick", "time");
  if (!read_whole (table, "seeds", &table->seeds, error))
    return FALSE;
  if (table->seeds < 1 || table->seeds > SL_TABLE_SEEDS)
    return refuse (table, "table", sl_table_word (table, "table", "seeds"), "seeds", error);
  if (!read_choice (table, "table", "needs", needs, SL_NEEDS_NO_FILE, &what, error))
    return FALSE;
  table->needs = (SlTableNeeds) what;
  return read_whole (table, "order", &table->order, error)
         && read_whole (table, "across", &table->across, error)
         && read_flag (table, "table", "toy", false, &table->toy, error)
         && read_flag (table, "table", "trials", false, &table->trials, error);
}

/* Every group whose name begins so, in their order. */
static gboolean
read_groups (SlPaperTable *table, char **names, const char *prefix,
             gboolean (*read) (SlPaperTable *, const char *, GError **), GError **error)
{
  for (; *names != NULL; names++)
    if (g_str_has_prefix (*names, prefix) && !read (table, *names, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_all (SlPaperTable *table, const char *all, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_groups (table->file, NULL);

  if (!g_key_file_has_group (table->file, "table") || !g_key_file_has_group (table->file, "full"))
    return refuse (table, "table", NULL, "[table] [full]", error);
  if (!read_groups (table, names, "column ", read_column, error))
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    if (!check_group (table, *name, all, error))
      return FALSE;
  return read_head (table, error) && read_groups (table, names, "row ", read_row, error)
         && read_groups (table, names, "claim ", read_claim, error);
}

SlPaperTable *
sl_table_read (const char *id, const char *text, gsize length, GError **error)
{
  SlPaperTable    *table = g_new0 (SlPaperTable, 1);
  g_autofree char *all = g_strndup (text, length);

  table->id = g_intern_string (id);
  table->file = g_key_file_new ();
  if (!g_key_file_load_from_data (table->file, text, length, G_KEY_FILE_NONE, error))
    g_prefix_error (error, "%s.table: ", id);
  else if (read_all (table, all, error))
    return table;
  sl_table_free (table);
  return NULL;
}

void
sl_table_free (SlPaperTable *table)
{
  g_key_file_unref (table->file);
  g_free (table);
}

static int
by_order (const void *a, const void *b)
{
  const SlPaperTable *const *p = a, *const *q = b;

  return ((*p)->order > (*q)->order) - ((*p)->order < (*q)->order);
}

GPtrArray *
sl_tables_load (GError **error)
{
  static const char folder[] = "/org/sluice/Sluice/tables/";
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_table_free);
  g_auto (GStrv) names = g_resources_enumerate_children (folder, 0, error);

  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *path = g_strconcat (folder, *name, NULL);
      g_autofree char *id = g_strndup (*name, strlen (*name) - strlen (".table"));
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, error);
      SlPaperTable *table;
      gsize         length;
      const char   *text = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

      if (text == NULL || (table = sl_table_read (id, text, length, error)) == NULL)
        return NULL;
      g_ptr_array_add (tables, table);
    }
  g_ptr_array_sort (tables, by_order);
  return names != NULL ? g_steal_pointer (&tables) : NULL;
}

const char *
sl_table_row_word (const SlPaperTable *table, unsigned row, const char *key)
{
  g_autofree char *group = g_strconcat ("row ", table->row[row].id, NULL);
  const char      *word = sl_table_word (table, group, key);

  return word != NULL ? word : sl_table_word (table, "rows", key);
}

char *
sl_table_fill (const SlPaperTable *table, bool quick, const char *text)
{
  GString    *filled = g_string_new (text);
  const char *form = quick ? "quick" : "full";
  g_auto (GStrv) keys = g_key_file_get_keys (table->file, form, NULL, NULL);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      g_autofree char *place = g_strdup_printf ("{%s}", *key);

      g_string_replace (filled, place, sl_table_word (table, form, *key), 0);
    }
  return g_string_free (filled, FALSE);
}

int
sl_table_find_row (const SlPaperTable *table, const char *id)
{
  for (unsigned row = 0; row < table->n_rows; row++)
    if (strcmp (table->row[row].id, id) == 0)
      return (int) row;
  return -1;
}

int
sl_table_find_column (const SlPaperTable *table, const char *id)
{
  for (unsigned c = 0; c < table->n_columns; c++)
    if (strcmp (table->column[c].id, id) == 0)
      return (int) c;
  return -1;
}

bool
sl_table_row_is (const SlPaperTable *table, unsigned row, const char *patterns)
{
  g_auto (GStrv) pattern = g_strsplit (patterns, "|", -1);

  for (char **p = pattern; *p != NULL; p++)
    if (g_pattern_match_simple (*p, table->row[row].id))
      return true;
  return false;
}
