/* SPDX-License-Identifier: MIT */
#include "tests/support/fault-vfs.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

enum { SECTOR = 512 };

/* Bytes written at an offset; NULL: cut off there. */
typedef struct
{
  GBytes       *bytes;
  sqlite3_int64 at;
} Write;

/* What is known of one file. */
typedef struct
{
  GByteArray *safe;  /* as of its last sync */
  GArray     *later; /* of Write, since then */
} Shadow;

typedef struct
{
  sqlite3_file  base;
  Shadow       *shadow; /* NULL: not recorded */
  gboolean      is_log;
  sqlite3_file *real; /* behind this */
} File;

static struct
{
  GRecMutex    mutex;
  sqlite3_vfs *real, own;
  unsigned     calls, faults, call;
  int          code;
  gboolean     lasts;
  GHashTable  *shadows; /* name -> Shadow; NULL: nothing is recorded */
  SlFaultEvent event;
  gpointer     data;
} state;

/* ---- failing ---- */

/* SQLITE_OK, or what a call that would fail with `own` in its way has to give. */
static int
count (int own)
{
  int result = SQLITE_OK;

  g_rec_mutex_lock (&state.mutex);
  state.calls++;
  if (state.call > 0 && (state.calls == state.call || (state.lasts && state.calls > state.call)))
    {
      state.faults++;
      result = state.code == SQLITE_FULL && own == SQLITE_IOERR_WRITE ? SQLITE_FULL : own;
    }
  g_rec_mutex_unlock (&state.mutex);
  return result;
}

void
sl_fault_vfs_fail (unsigned call, int code, gboolean lasts)
{
  g_rec_mutex_lock (&state.mutex);
  state.calls = state.faults = 0;
  state.call = call;
  state.code = code;
  state.lasts = lasts;
  g_rec_mutex_unlock (&state.mutex);
}

unsigned
sl_fault_vfs_calls (void)
{
  return state.calls;
}

unsigned
sl_fault_vfs_faults (void)
{
  return state.faults;
}

/* ---- recording ---- */

static void
write_clear (gpointer data)
{
  g_clear_pointer (&((Write *) data)->bytes, g_bytes_unref);
}

static void
shadow_free (gpointer data)
{
  Shadow *shadow = data;

  g_byte_array_unref (shadow->safe);
  g_array_unref (shadow->later);
  g_free (shadow);
}

static Shadow *
shadow_of (const char *path)
{
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  Shadow          *shadow = NULL;

  g_rec_mutex_lock (&state.mutex);
  if (name != NULL && state.shadows != NULL)
    shadow = g_hash_table_lookup (state.shadows, name);
  if (name != NULL && state.shadows != NULL && shadow == NULL)
    {
      shadow = g_new0 (Shadow, 1);
      shadow->safe = g_byte_array_new ();
      shadow->later = g_array_new (FALSE, FALSE, sizeof (Write));
      g_array_set_clear_func (shadow->later, write_clear);
      g_hash_table_insert (state.shadows, g_steal_pointer (&name), shadow);
    }
  g_rec_mutex_unlock (&state.mutex);
  return shadow;
}

void
sl_fault_vfs_record (SlFaultEvent event, gpointer data)
{
  g_rec_mutex_lock (&state.mutex);
  g_clear_pointer (&state.shadows, g_hash_table_unref);
  state.shadows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, shadow_free);
  state.event = event;
  state.data = data;
  g_rec_mutex_unlock (&state.mutex);
}

/* The pieces of a write between two multiples of a sector that `rng` keeps; NULL keeps all. */
static void
apply (GByteArray *to, const Write *write, SlRng *rng)
{
  gsize         n;
  const guint8 *bytes = write->bytes != NULL ? g_bytes_get_data (write->bytes, &n) : NULL;
  gsize         at = (gsize) write->at;

  if (bytes == NULL)
    {
      if (to->len > at)
        g_byte_array_set_size (to, (guint) at);
      return;
    }
  while (n > 0)
    {
      gsize part = MIN (n, SECTOR - at % SECTOR), was = to->len;

      if (rng == NULL || sl_rng_below (rng, 2) == 0)
        {
          if (was < at + part)
            {
              g_byte_array_set_size (to, (guint) (at + part));
              memset (to->data + was, 0, to->len - was);
            }
          memcpy (to->data + at, bytes, part);
        }
      at += part;
      bytes += part;
      n -= part;
    }
}

static void
note (File *file, const void *bytes, int n, sqlite3_int64 at)
{
  Write write = { .at = at };

  if (file->shadow == NULL)
    return;
  write.bytes = bytes != NULL ? g_bytes_new (bytes, (gsize) n) : NULL;
  g_rec_mutex_lock (&state.mutex);
  state.event (FALSE, state.data);
  g_array_append_val (file->shadow->later, write);
  g_rec_mutex_unlock (&state.mutex);
}

static void
note_sync (File *file)
{
  if (file->shadow == NULL)
    return;
  g_rec_mutex_lock (&state.mutex);
  state.event (file->is_log, state.data);
  for (guint i = 0; i < file->shadow->later->len; i++)
    apply (file->shadow->safe, &g_array_index (file->shadow->later, Write, i), NULL);
  g_array_set_size (file->shadow->later, 0);
  g_rec_mutex_unlock (&state.mutex);
}

void
sl_fault_vfs_crash (const char *folder, SlRng *rng)
{
  enum { BEGINNING, SOME, TORN } what = (int) sl_rng_below (rng, 3);
  GHashTableIter i;
  gpointer       name, data;

  g_hash_table_iter_init (&i, state.shadows);
  while (g_hash_table_iter_next (&i, &name, &data))
    {
      const Shadow    *shadow = data;
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GByteArray      *left = g_byte_array_new ();
      guint            end = (guint) sl_rng_below (rng, shadow->later->len + 1);

      g_byte_array_append (left, shadow->safe->data, shadow->safe->len);
      for (guint w = 0; w < shadow->later->len; w++)
        if (what == BEGINNING ? w < end : what == TORN || sl_rng_below (rng, 2) == 0)
          apply (left, &g_array_index (shadow->later, Write, w), what == TORN ? rng : NULL);
      g_assert_true (g_file_set_contents_full (path, (const char *) left->data, left->len,
                                               G_FILE_SET_CONTENTS_NONE, 0600, NULL));
      g_byte_array_unref (left);
    }
}

/* ---- files ---- */

#define REAL(file) (((File *) (file))->real)

static int
file_close (sqlite3_file *file)
{
  return REAL (file)->pMethods->xClose (REAL (file));
}

static int
file_read (sqlite3_file *file, void *to, int n, sqlite3_int64 at)
{
  int code = count (SQLITE_IOERR_READ);

  return code != SQLITE_OK ? code : REAL (file)->pMethods->xRead (REAL (file), to, n, at);
}

static int
file_write (sqlite3_file *file, const void *from, int n, sqlite3_int64 at)
{
  int code = count (SQLITE_IOERR_WRITE);

  if (code != SQLITE_OK)
    return code;
  note ((File *) file, from, n, at);
  return REAL (file)->pMethods->xWrite (REAL (file), from, n, at);
}

static int
file_truncate (sqlite3_file *file, sqlite3_int64 n)
{
  int code = count (SQLITE_IOERR_TRUNCATE);

  if (code != SQLITE_OK)
    return code;
  note ((File *) file, NULL, 0, n);
  return REAL (file)->pMethods->xTruncate (REAL (file), n);
}

static int
file_sync (sqlite3_file *file, int flags)
{
  int code = count (SQLITE_IOERR_FSYNC);

  if (code != SQLITE_OK)
    return code;
  note_sync ((File *) file);
  return REAL (file)->pMethods->xSync (REAL (file), flags);
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *n)
{
  int code = count (SQLITE_IOERR_FSTAT);

  return code != SQLITE_OK ? code : REAL (file)->pMethods->xFileSize (REAL (file), n);
}

static int
file_lock (sqlite3_file *file, int level)
{
  int code = count (SQLITE_IOERR_LOCK);

  return code != SQLITE_OK ? code : REAL (file)->pMethods->xLock (REAL (file), level);
}

static int
file_unlock (sqlite3_file *file, int level)
{
  return REAL (file)->pMethods->xUnlock (REAL (file), level);
}

static int
file_check_lock (sqlite3_file *file, int *held)
{
  return REAL (file)->pMethods->xCheckReservedLock (REAL (file), held);
}

static int
file_control (sqlite3_file *file, int what, void *data)
{
  return REAL (file)->pMethods->xFileControl (REAL (file), what, data);
}

static int
file_sector (sqlite3_file *file)
{
  return REAL (file)->pMethods->xSectorSize (REAL (file));
}

static int
file_features (sqlite3_file *file)
{
  return REAL (file)->pMethods->xDeviceCharacteristics (REAL (file));
}

static int
shared_map (sqlite3_file *file, int page, int size, int grow, void volatile **to)
{
  int code = count (SQLITE_IOERR_SHMMAP);

  return code != SQLITE_OK ? code
                           : REAL (file)->pMethods->xShmMap (REAL (file), page, size, grow, to);
}

static int
shared_lock (sqlite3_file *file, int from, int n, int flags)
{
  return REAL (file)->pMethods->xShmLock (REAL (file), from, n, flags);
}

static void
shared_barrier (sqlite3_file *file)
{
  REAL (file)->pMethods->xShmBarrier (REAL (file));
}

static int
shared_unmap (sqlite3_file *file, int remove)
{
  return REAL (file)->pMethods->xShmUnmap (REAL (file), remove);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2, /* without memory maps of the file itself */
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector,
  .xDeviceCharacteristics = file_features,
  .xShmMap = shared_map,
  .xShmLock = shared_lock,
  .xShmBarrier = shared_barrier,
  .xShmUnmap = shared_unmap,
};

static int
vfs_open (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
  File *own = (File *) file;
  int   code = count (SQLITE_CANTOPEN);

  own->real = (sqlite3_file *) (own + 1);
  own->base.pMethods = NULL;
  if (code == SQLITE_OK)
    code = state.real->xOpen (state.real, name, own->real, flags, got);
  if (code != SQLITE_OK)
    return code;
  own->base.pMethods = &methods;
  own->is_log = (flags & SQLITE_OPEN_WAL) != 0;
  own->shadow = shadow_of (name);
  return SQLITE_OK;
}

static int
vfs_delete (sqlite3_vfs *vfs, const char *name, int sync)
{
  g_autofree char *base = g_path_get_basename (name);
  int              code = count (SQLITE_IOERR_DELETE);

  if (code != SQLITE_OK)
    return code;
  code = state.real->xDelete (state.real, name, sync);
  g_rec_mutex_lock (&state.mutex);
  if (state.shadows != NULL && code == SQLITE_OK)
    {
      state.event (FALSE, state.data);
      g_hash_table_remove (state.shadows, base);
    }
  g_rec_mutex_unlock (&state.mutex);
  return code;
}

static int
vfs_access (sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
  int code = count (SQLITE_IOERR_ACCESS);

  return code != SQLITE_OK ? code : state.real->xAccess (state.real, name, flags, result);
}

void
sl_fault_vfs_use (gboolean use)
{
  if (state.real == NULL)
    {
      state.real = sqlite3_vfs_find (NULL);
      state.own = *state.real;
      state.own.zName = "fault";
      state.own.szOsFile = (int) sizeof (File) + state.real->szOsFile;
      state.own.xOpen = vfs_open;
      state.own.xDelete = vfs_delete;
      state.own.xAccess = vfs_access;
    }
  sqlite3_vfs_register (use ? &state.own : state.real, 1);
}
