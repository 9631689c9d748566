/* SPDX-License-Identifier: MIT
 *
 * SQLite, as the store uses it: opening, tables, statements and what went wrong in words.  */
#include "core/run/store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/utf8.h"
#include "core/run/store/store.h"

static const char TABLES[]
  = "CREATE TABLE run ("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL DEFAULT '',"
    "  colour INTEGER NOT NULL DEFAULT 0, lab TEXT NOT NULL, recipe TEXT NOT NULL,"
    "  data TEXT NOT NULL DEFAULT '', data_hash TEXT NOT NULL DEFAULT '', seed TEXT NOT NULL,"
    "  kernel TEXT NOT NULL, threads INTEGER NOT NULL, version TEXT NOT NULL,"
    "  status TEXT NOT NULL, problem TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '',"
    "  step INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,"
    "  created REAL NOT NULL, touched REAL NOT NULL, sweep TEXT NOT NULL DEFAULT '',"
    "  cell INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0,"
    "  deleted INTEGER NOT NULL DEFAULT 0, view TEXT);"
    "CREATE TABLE channel ("
    "  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  name TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0, last REAL,"
    "  PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE block ("
    "  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
    "  channel INTEGER NOT NULL, position INTEGER NOT NULL, n INTEGER NOT NULL,"
    "  first INTEGER NOT NULL, stride INTEGER NOT NULL, data BLOB NOT NULL,"
    "  sum INTEGER NOT NULL, UNIQUE (run, channel, position));"
    "CREATE TABLE flag ("
    "  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  step REAL NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE figure ("
    "  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL,"
    "  value REAL, PRIMARY KEY (run, name)) WITHOUT ROWID;"
    "CREATE TABLE checkpoint ("
    "  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
    "  step INTEGER NOT NULL, changes INTEGER NOT NULL, flags INTEGER NOT NULL,"
    "  seconds REAL NOT NULL, bytes INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL,"
    "  UNIQUE (run, step));"
    "CREATE VIEW samples_of_run AS SELECT block.run, block.channel, channel.name, block.position,"
    "  block.n, block.first, block.stride, block.data FROM block JOIN channel"
    "  ON channel.run = block.run AND channel.number = block.channel;"
    "CREATE VIEW runs AS SELECT id, uuid, name, lab, data, seed, status, step, seconds,"
    "  datetime (created, 'unixepoch') AS created, sweep, pinned FROM run WHERE deleted = 0;";

/* Came later: files from before get them when they are opened for writing, and programs from before
 * do not look at them.  */
static const char LATER_TABLES[]
  = "CREATE TABLE IF NOT EXISTS picture ("
    "  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, data BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS edits ("
    "  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, text TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS visit ("
    "  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, step INTEGER NOT NULL,"
    "  present INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS moments ("
    "  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, step INTEGER NOT NULL,"
    "  data BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS annotation ("
    "  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, note TEXT NOT NULL DEFAULT '',"
    "  tags TEXT NOT NULL DEFAULT '');"
    "CREATE TABLE IF NOT EXISTS workspace (id INTEGER PRIMARY KEY CHECK (id = 0), text TEXT NOT "
    "NULL);"
    "CREATE INDEX IF NOT EXISTS run_name ON run (name);";

guint32
sl_store_sum (const void *data, size_t n)
{
  return (guint32) crc32_z (0, data, n);
}

gboolean
sl_store_file_fail (const SlStoreFile *file, GError **error)
{
  const char *path = file->path, *why = file->db != NULL ? sqlite3_errmsg (file->db) : "";
  int         number = file->db != NULL ? sqlite3_system_errno (file->db) : 0;

  switch (file->db != NULL ? sqlite3_errcode (file->db) : SQLITE_NOMEM)
    {
    case SQLITE_FULL: return sl_fail (error, SL_EIO, path, _ ("the disk is full"), NULL);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return sl_fail (error, SL_EIO, path, _ ("another program keeps it locked"), NULL);
    case SQLITE_READONLY:
    case SQLITE_PERM: return sl_fail (error, SL_EIO, path, _ ("it is read-only"), NULL);
    case SQLITE_NOTADB:
      return sl_fail (error, SL_EFORMAT, path, _ ("other content"), _ ("a store of runs"));
    case SQLITE_CORRUPT: return sl_fail (error, SL_EFORMAT, path, _ ("the file is damaged"), NULL);
    case SQLITE_NOMEM: return sl_fail (error, SL_ENOMEM, path, NULL, NULL);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return sl_fail (error, SL_EIO, path, number != 0 ? g_strerror (number) : why, NULL);
    default: return sl_fail (error, SL_EIO, path, why, NULL);
    }
}

gboolean
sl_store_file_is_ill (const SlStoreFile *file)
{
  switch (sqlite3_errcode (file->db))
    {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG: return FALSE;
    default: return TRUE;
    }
}

gboolean
sl_store_file_run (const SlStoreFile *file, const char *sql, GError **error)
{
  return sqlite3_exec (file->db, sql, NULL, NULL, NULL) == SQLITE_OK
         || sl_store_file_fail (file, error);
}

static sqlite3_stmt *
prepare_list (const SlStoreFile *file, GError **error, const char *sql, const char *format,
              va_list arguments)
{
  sqlite3_stmt *statement = NULL;
  int           code = sqlite3_prepare_v2 (file->db, sql, -1, &statement, NULL);

  for (int i = 1;
       code == SQLITE_OK && *format != '\0' && i <= sqlite3_bind_parameter_count (statement);
       i++, format++)
    switch (*format)
      {
      case 'i': code = sqlite3_bind_int64 (statement, i, va_arg (arguments, gint64)); break;
      case 'd': code = sqlite3_bind_double (statement, i, va_arg (arguments, double)); break;
      case 's':
        code
          = sqlite3_bind_text (statement, i, va_arg (arguments, const char *), -1, SQLITE_STATIC);
        break;
      default:
        {
          const void *data = va_arg (arguments, const void *);

          code
            = sqlite3_bind_blob64 (statement, i, data, va_arg (arguments, size_t), SQLITE_STATIC);
        }
      }
  if (code == SQLITE_OK)
    return statement;
  sl_store_file_fail (file, error);
  sqlite3_finalize (statement);
  return NULL;
}

sqlite3_stmt *
sl_store_prepare (const SlStoreFile *file, GError **error, const char *sql, const char *format, ...)
{
  sqlite3_stmt *statement;
  va_list       arguments;

  va_start (arguments, format);
  statement = prepare_list (file, error, sql, format, arguments);
  va_end (arguments);
  return statement;
}

/* Steps to the first row when the caller reads its number, else through all rows. */
static int
carry_out (const SlStoreFile *file, sqlite3_stmt *statement, gint64 *number, GError **error)
{
  int row = -1;

  while (statement != NULL && (row = sl_store_step (file, statement, error)) > 0 && number == NULL)
    ;
  if (number != NULL)
    *number = row > 0 ? sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_finalize (statement);
  return row;
}

gboolean
sl_store_do (const SlStoreFile *file, GError **error, const char *sql, const char *format, ...)
{
  va_list arguments;
  int     row;

  va_start (arguments, format);
  row = carry_out (file, prepare_list (file, error, sql, format, arguments), NULL, error);
  va_end (arguments);
  return row == 0;
}

int
sl_store_number (const SlStoreFile *file, gint64 *number, GError **error, const char *sql,
                 const char *format, ...)
{
  va_list arguments;
  int     row;

  va_start (arguments, format);
  row = carry_out (file, prepare_list (file, error, sql, format, arguments), number, error);
  va_end (arguments);
  return row;
}

int
sl_store_step (const SlStoreFile *file, sqlite3_stmt *statement, GError **error)
{
  switch (sqlite3_step (statement))
    {
    case SQLITE_ROW: return 1;
    case SQLITE_DONE: return 0;
    default: sl_store_file_fail (file, error); return -1;
    }
}

gboolean
sl_store_has_table (const SlStoreFile *file, const char *name)
{
  return sqlite3_table_column_metadata (file->db, "main", name, NULL, NULL, NULL, NULL, NULL, NULL)
         == SQLITE_OK;
}

const char *
sl_store_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text != NULL ? text : "";
}

/* Makes the tables of an empty database, unless another program does so at the same moment. */
static gboolean
make_tables (const SlStoreFile *file, GError **error)
{
  g_autofree char *mark = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d;",
                                           SL_STORE_APPLICATION, SL_STORE_VERSION);
  gint64           pages = 0, id = 0;
  gboolean         fine;

  fine = sl_store_file_run (file, "BEGIN IMMEDIATE", error)
         && sl_store_number (file, &id, error, "PRAGMA application_id", "") >= 0
         && sl_store_number (file, &pages, error, "PRAGMA page_count", "") >= 0;
  if (fine && id == 0 && pages <= 1)
    fine = sl_store_file_run (file, TABLES, error) && sl_store_file_run (file, mark, error);
  if (fine)
    return sl_store_file_run (file, "COMMIT", error);
  sqlite3_exec (file->db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

/* Whether the file is a store, and of a version that this program knows. */
static gboolean
check (const SlStoreFile *file, GError **error)
{
  gint64 id, version, tables, pages;
  char   found[80], expected[80];

  if (sl_store_number (file, &id, error, "PRAGMA application_id", "") < 0
      || sl_store_number (file, &version, error, "PRAGMA user_version", "") < 0
      || sl_store_number (file, &pages, error, "PRAGMA page_count", "") < 0)
    return FALSE;
  if (id == 0 && pages <= 1) /* the program that was making it was stopped */
    return sl_fail (error, SL_EFORMAT, file->path, _ ("an empty file"), _ ("a store of runs"));
  if (id != SL_STORE_APPLICATION)
    return sl_fail (error, SL_EFORMAT, file->path, _ ("other content"), _ ("a store of runs"));
  g_snprintf (found, sizeof found, _ ("a store of version %lld"), (long long) version);
  g_snprintf (expected, sizeof expected, _ ("version %d, the newest that this program reads"),
              SL_STORE_VERSION);
  if (version > SL_STORE_VERSION)
    return sl_fail (error, SL_EUNSUPPORTED, file->path, found, expected);
  if (version < 1)
    return sl_fail (error, SL_EFORMAT, file->path, found, expected);
  /* Nothing is added to a file that only says it is a store. */
  return sl_store_number (file, &tables, error,
                          "SELECT count (*) FROM sqlite_master WHERE type = 'table' AND name IN"
                          " ('run', 'channel', 'block', 'flag', 'figure', 'checkpoint')",
                          "")
           >= 0
         && (tables == 6
             || sl_fail (error, SL_EFORMAT, file->path, _ ("other tables"), _ ("a store of runs")));
}

/* Names of runs become those of folders, so that each has to be what a program gives. */
static gboolean
check_uuids (const SlStoreFile *file, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (file, error, "SELECT uuid FROM run", "");
  char quoted[SL_UTF8_QUOTE];
  int  more = -1;

  while (row != NULL && (more = sl_store_step (file, row, error)) > 0)
    if (!g_uuid_string_is_valid (sl_store_text (row, 0)))
      return sl_fail (error, SL_EFORMAT, file->path, sl_utf8_quote (sl_store_text (row, 0), quoted),
                      _ ("UUIDs as the names of runs"));
  return more == 0;
}

/* What is written from now on, an earlier version does not read. */
static gboolean
upgrade (const SlStoreFile *file, GError **error)
{
  g_autofree char *mark = g_strdup_printf ("PRAGMA user_version = %d", SL_STORE_VERSION);
  gint64           version;

  if (sl_store_number (file, &version, error, "PRAGMA user_version", "") < 0)
    return FALSE;
  return version == SL_STORE_VERSION || sl_store_file_run (file, mark, error);
}

static gboolean
prepare_file (const SlStoreFile *file, gboolean write, GError **error)
{
  gint64 pages;

  sqlite3_extended_result_codes (file->db, 0);
  sqlite3_busy_timeout (file->db, SL_STORE_BUSY_MS);
  if (!write)
    return check (file, error) && check_uuids (file, error);
  /* These two pragmas have to come before the first page is written. */
  return sl_store_number (file, &pages, error, "PRAGMA page_count", "") >= 0
         && (pages > 0
             || sl_store_file_run (file, "PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2", error))
         /* A file of one page has no tables yet: the program that was making them was stopped. */
         && (pages > 1 || make_tables (file, error)) && check (file, error)
         && check_uuids (file, error)
         && sl_store_file_run (file,
                               "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                               "PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 4194304",
                               error)
         && sl_store_file_run (file, LATER_TABLES, error) && upgrade (file, error);
}

/* Whether a file can be made there. */
static gboolean
takes_files (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return faccessat (AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0
         || sl_fail (error, SL_EIO, path, g_strerror (errno), NULL);
}

/* Whether there is a regular file, or nothing yet: from a pipe SQLite would wait for ever. */
static gboolean
is_regular (const char *path, gboolean write, bool *there, GError **error)
{
  struct stat about;

  *there = stat (path, &about) == 0;
  if (!*there)
    return errno == ENOENT ? !write || takes_files (path, error)
                           : sl_fail (error, SL_EIO, path, g_strerror (errno), NULL);
  return S_ISREG (about.st_mode)
         || sl_fail (error, SL_EFORMAT, path,
                     S_ISDIR (about.st_mode) ? _ ("a folder") : _ ("a pipe or device"),
                     _ ("a store of runs"));
}

/* Files of other users are opened, too: their tables must not run code. */
static gboolean
harden (const SlStoreFile *file, GError **error)
{
  return (sqlite3_db_config (file->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK
          && sqlite3_db_config (file->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) == SQLITE_OK
          && sqlite3_db_config (file->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) == SQLITE_OK
          && sqlite3_db_config (file->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) == SQLITE_OK)
         || sl_store_file_fail (file, error);
}

/* What is left of a store that could not be made. */
static void
remove_empty (const char *path)
{
  struct stat about;

  if (stat (path, &about) == 0 && about.st_size == 0)
    g_unlink (path);
}

gboolean
sl_store_file_open (SlStoreFile *file, const char *name, const char *path, gboolean write,
                    GError **error)
{
  int  flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  bool there;

  *file = (SlStoreFile) { .path = path };
  if (!is_regular (path, write, &there, error))
    return FALSE;
  if (sqlite3_open_v2 (name, &file->db, flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI, NULL)
        == SQLITE_OK
      && harden (file, error) && prepare_file (file, write, error))
    return TRUE;
  if (error == NULL || *error == NULL)
    sl_store_file_fail (file, error);
  g_clear_pointer (&file->db, sqlite3_close);
  if (write && !there)
    remove_empty (path);
  return FALSE;
}

char *
sl_store_file_open_to_read (SlStoreFile *file, const char *path, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", TRUE);
  g_autofree char *fixed = NULL;

  if (sl_store_file_open (file, path, path, FALSE, NULL))
    return g_strdup_printf ("file:%s?mode=ro", escaped);
  /* In a folder that cannot be written, the log of a store cannot be looked for. */
  fixed = g_strdup_printf ("file:%s?immutable=1", escaped);
  return sl_store_file_open (file, fixed, path, FALSE, error) ? g_steal_pointer (&fixed) : NULL;
}

/* The last one that closes a file removes its log if it may write, and only then. */
void
sl_store_file_remove_log (const char *path)
{
  SlStoreFile file = { .path = path };

  if (sl_store_is_open (path)
      && sqlite3_open_v2 (path, &file.db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
      && harden (&file, NULL))
    sqlite3_exec (file.db, "SELECT count (*) FROM sqlite_master", NULL, NULL, NULL);
  sqlite3_close (file.db);
}

gboolean
sl_store_is_open (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);

  return g_file_test (log, G_FILE_TEST_IS_REGULAR);
}

/* The first bytes of a file; false where it is shorter or cannot be read.  By SQLite, which keeps a file open for as
 * long as this process has locks on it: closing it in another way would end them all.  */
static bool
read_head (const char *path, guint8 *head, int n)
{
  sqlite3_vfs             *vfs = sqlite3_vfs_find (NULL);
  g_autofree char         *full = g_malloc0 ((gsize) vfs->mxPathname + 1);
  g_autofree char         *journal = NULL, *log = NULL;
  g_autofree sqlite3_file *file = g_malloc0 ((gsize) vfs->szOsFile);
  sqlite3_filename         name;
  int                      flags, code;

  if (vfs->xFullPathname (vfs, path, vfs->mxPathname, full) != SQLITE_OK)
    return false;
  journal = g_strconcat (full, "-journal", NULL);
  log = g_strconcat (full, "-wal", NULL);
  name = sqlite3_create_filename (full, journal, log, 0, NULL);
  code = name == NULL
           ? SQLITE_NOMEM
           : vfs->xOpen (vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, &flags);
  if (code == SQLITE_OK)
    code = file->pMethods->xRead (file, head, n, 0);
  if (file->pMethods != NULL)
    file->pMethods->xClose (file);
  sqlite3_free_filename (name);
  return code == SQLITE_OK;
}

gboolean
sl_store_is_store (const char *path)
{
  static const char MAGIC[16] = "SQLite format 3";
  guint8            head[72];

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) && read_head (path, head, sizeof head)
         && memcmp (head, MAGIC, sizeof MAGIC) == 0 && head[68] == 0x53 && head[69] == 0x6c
         && head[70] == 0x75 && head[71] == 0x63;
}
