/* SPDX-License-Identifier: MIT
 *
 * Stores of runs that SQLite has nothing against: a good one whose cells were changed.  The input is a
 * list of changes: which cell, what kind of value, and the value as a part.  */
#include <sqlite3.h>
#include <zlib.h>

#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "tests/fuzz/error.h"
#include "tests/fuzz/store.h"

enum { STEPS = 620, CHANGES_MOST = 8 }; /* steps: a block and a piece of the next */

static const struct
{
  const char *table, *column;
} cells[] = {
  { "run", "uuid" },         { "run", "name" },           { "run", "colour" },
  { "run", "lab" },          { "run", "recipe" },         { "run", "data" },
  { "run", "data_hash" },    { "run", "seed" },           { "run", "kernel" },
  { "run", "threads" },      { "run", "version" },        { "run", "status" },
  { "run", "problem" },      { "run", "owner" },          { "run", "step" },
  { "run", "seconds" },      { "run", "created" },        { "run", "touched" },
  { "run", "sweep" },        { "run", "cell" },           { "run", "pinned" },
  { "run", "deleted" },      { "run", "view" },           { "channel", "number" },
  { "channel", "name" },     { "channel", "n" },          { "channel", "last" },
  { "block", "channel" },    { "block", "position" },     { "block", "n" },
  { "block", "first" },      { "block", "stride" },       { "block", "data" },
  { "block", "sum" },        { "flag", "number" },        { "flag", "step" },
  { "flag", "text" },        { "figure", "name" },        { "figure", "value" },
  { "checkpoint", "step" },  { "checkpoint", "changes" }, { "checkpoint", "flags" },
  { "checkpoint", "bytes" }, { "checkpoint", "data" },    { "checkpoint", "sum" },
};

/* A run with samples, a marker, a score and a checkpoint. */
static void
write_run (SlStore *store, uint64_t seed)
{
  const SlLab *lab = sl_lab_find ("stochastic-gates");
  SlCheckpoint checkpoint = { .step = 300, .data = malloc (64), .bytes = 64 };
  SlSettings   settings;
  SlRecipe     recipe;
  SlRecord     record;
  SlWriter    *writer;

  fuzz_require (checkpoint.data != NULL);
  memset (checkpoint.data, 'c', checkpoint.bytes);
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, seed);
  fuzz_require (sl_record_init (&record, lab, &settings, 1).code == SL_OK);
  writer = sl_writer_new (store, NULL, &recipe, &record.layout, NULL, 0);
  sl_record_mark (&record, 200.0, "a change");
  sl_writer_markers (writer, &record);
  for (uint64_t step = 1; step <= STEPS; step++)
    for (unsigned c = 0; c < 2; c++)
      sl_writer_sample (
        writer,
        &(SlSample) { .step = step * (1 + step % (1 + c)), .channel = c, .value = (double) step });
  sl_writer_checkpoint (writer, &checkpoint, 0, 1, 1.0);
  sl_writer_scores (writer, SL_TEST, &(SlScore) { "error", "", "", 0.25 }, 1, STEPS);
  sl_writer_status (writer, seed % 2 == 0 ? SL_RUN_PAUSED : SL_RUN_RUNNING, NULL);
  sl_writer_free (writer);
  sl_record_clear (&record);
  sl_recipe_clear (&recipe);
}

/* The good store, made once. */
static const char *
good (gsize *length)
{
  static char *bytes;
  static gsize n;

  if (bytes == NULL)
    {
      char path[512];
      g_autoptr (SlStore) store = NULL;

      fuzz_write ("a.sluice", (const uint8_t *) "", 0);
      fuzz_path ("a.sluice", path, sizeof path);
      store = sl_store_open (path, NULL);
      fuzz_require (store != NULL);
      write_run (store, 1);
      write_run (store, 2);
      fuzz_require (sl_store_flush (store, NULL));
      g_clear_object (&store);
      fuzz_require (g_file_get_contents (path, &bytes, &n, NULL));
    }
  *length = n;
  return bytes;
}

static void
bind (sqlite3_stmt *statement, unsigned kind, const uint8_t *value, size_t size)
{
  static const sqlite3_int64 odd[]
    = { 0, 1, -1, 255, 499, 500, 501, G_MAXINT32, G_MININT32, G_MAXINT64, G_MININT64 };
  double        real = 0.0;
  sqlite3_int64 whole = 0;

  memcpy (&real, value, MIN (size, sizeof real));
  memcpy (&whole, value, MIN (size, sizeof whole));
  switch (kind % 6)
    {
    case 0: sqlite3_bind_int64 (statement, 1, whole); break;
    case 1:
      sqlite3_bind_int64 (statement, 1, odd[size > 0 ? value[0] % G_N_ELEMENTS (odd) : 0]);
      break;
    case 2: sqlite3_bind_double (statement, 1, real); break;
    case 3:
      sqlite3_bind_text (statement, 1, (const char *) value, (int) size, SQLITE_STATIC);
      break;
    case 4: sqlite3_bind_blob (statement, 1, value, (int) size, SQLITE_STATIC); break;
    default: break; /* NULL */
    }
}

/* What the tables forbid stays as it was. */
static void
change (sqlite3 *db, const uint8_t **data, size_t *size)
{
  unsigned         cell = (*data)[0] % G_N_ELEMENTS (cells), kind = (*data)[1];
  gboolean         newest = kind >= 128;
  g_autofree char *sql
    = g_strdup_printf ("UPDATE OR IGNORE %s SET %s = ?1%s", cells[cell].table, cells[cell].column,
                       !newest                                  ? ""
                       : strcmp (cells[cell].table, "run") == 0 ? " WHERE id = 2"
                                                                : " WHERE run = 2");
  sqlite3_stmt  *statement = NULL;
  const uint8_t *value;
  size_t         part;

  *data += 2;
  *size -= 2;
  value = fuzz_part (data, size, &part);
  fuzz_require (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK);
  bind (statement, kind, value, part);
  sqlite3_step (statement);
  sqlite3_finalize (statement);
}

static void
sum (sqlite3_context *context, int n, sqlite3_value **value)
{
  const void *data = sqlite3_value_blob (value[0]);
  size_t      size = (size_t) sqlite3_value_bytes (value[0]);

  sqlite3_result_int64 (context, data == NULL ? 0 : (sqlite3_int64) crc32_z (0, data, size));
}

int
LLVMFuzzerTestOneInput (const uint8_t *input, size_t input_size)
{
  const uint8_t *data = input;
  size_t         size = input_size;
  char           path[512];
  gsize          length;
  const char    *bytes = good (&length);
  sqlite3       *db = NULL;
  gboolean sums = size > 0 && data[0] % 4 != 0; /* or hardly a changed block would be looked at */

  if (size == 0)
    return 0;
  fuzz_write ("a.sluice", (const uint8_t *) bytes, length);
  fuzz_path ("a.sluice", path, sizeof path);
  fuzz_require (sqlite3_open (path, &db) == SQLITE_OK);
  data++;
  size--;
  fuzz_require (sqlite3_exec (db, "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL)
                == SQLITE_OK);
  for (unsigned i = 0; i < CHANGES_MOST && size >= 2; i++)
    change (db, &data, &size);
  sqlite3_create_function (db, "sum_of", 1, SQLITE_UTF8, NULL, sum, NULL, NULL);
  if (sums)
    sqlite3_exec (db,
                  "UPDATE block SET sum = sum_of (data); UPDATE checkpoint SET sum = sum_of (data)",
                  NULL, NULL, NULL);
  sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  sqlite3_close (db);
  fuzz_use_store ("a.sluice", input, input_size);
  return 0;
}
