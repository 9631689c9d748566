/* SPDX-License-Identifier: MIT */
#include "core/run/moments/moment.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/alive.h"
#include "core/run/base/frame.h"

enum {
  VERSION = 1,
  OPENED_BYTES = 1 << 20, /* the largest picture has a tenth of it */
  VARINT_BYTES = 10,
  WHOLE = 255, /* a share of 1 */
};

/* The columns of a row that are shares, as bits; the others are counts.  0: there is no such row. */
static unsigned
shares_of (unsigned kind)
{
  static const unsigned char shares[] = {
    [SL_ALIVE_ROW_PIXEL] = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4,
    [SL_ALIVE_ROW_POINT] = 1 << 1 | 1 << 2 | 1 << 3,
    [SL_ALIVE_ROW_CELL] = 1 << 2 | 1 << 3,
    [SL_ALIVE_ROW_EDGE] = 1 << 3,
    [SL_ALIVE_ROW_CLASS] = 1 << 1,
    [SL_ALIVE_ROW_PLACE] = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4,
    [SL_ALIVE_ROW_TOKEN] = 0,
  };

  return kind < G_N_ELEMENTS (shares) ? shares[kind] : 0;
}

/* ---- writing ---- */

static void
put_whole (GByteArray *out, uint64_t value)
{
  guint8 byte[VARINT_BYTES];
  guint  n = 0;

  for (; value >= 128; value >>= 7)
    byte[n++] = (guint8) (value | 128);
  byte[n++] = (guint8) value;
  g_byte_array_append (out, byte, n);
}

/* Small numbers of either sign are small.  False for what is no whole number of a picture. */
static bool
put_count (GByteArray *out, double value)
{
  if (!(fabs (value) <= G_MAXINT32) || floor (value) != value)
    return false;
  put_whole (out, value < 0.0 ? (uint64_t) (-2.0 * value - 1.0) : (uint64_t) (2.0 * value));
  return true;
}

static guint8
level (double share)
{
  return share > 0.0 ? (guint8) lround (fmin (share, 1.0) * WHOLE) : 0;
}

/* A place ends within its room, however its parts are rounded. */
static guint8
share_at (const double *row, unsigned column)
{
  guint8 share = level (row[column]);

  if (row[0] == SL_ALIVE_ROW_PLACE && column > 2)
    return (guint8) MIN (share, WHOLE - level (row[column - 2]));
  return share;
}

static bool
put_matrix (GByteArray *out, const SlSnapshot *snapshot)
{
  const double *row = snapshot->data;
  bool          good = true;

  put_whole (out, snapshot->rows);
  for (unsigned i = 0; i < snapshot->rows; i++)
    {
      guint8 kind = (guint8) row[(size_t) i * SL_ALIVE_COLUMNS];

      g_byte_array_append (out, &kind, 1);
    }
  for (unsigned c = 1; c < SL_ALIVE_COLUMNS; c++)
    for (unsigned i = 0; good && i < snapshot->rows; i++)
      {
        const double *at = row + (size_t) i * SL_ALIVE_COLUMNS;
        guint8        share = share_at (at, c);

        if (shares_of ((unsigned) at[0]) >> c & 1)
          g_byte_array_append (out, &share, 1);
        else
          good = put_count (out, at[c]);
      }
  return good;
}

static void
put_text (GByteArray *out, const char *text)
{
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text) + 1);
}

static SlStatus
no_moment (SlCode code)
{
  return sl_status_new (code, SL_MARK ("picture of a moment"), SL_NO_MESSAGE, SL_NO_MESSAGE);
}

SlStatus
sl_moment_pack (const SlSnapshot *snapshot, void **bytes, size_t *n)
{
  g_autoptr (GByteArray) out = NULL;
  guint8  version = VERSION;
  SlAlive alive;

  *bytes = NULL;
  *n = 0;
  if (sl_snapshot_cells (snapshot) != snapshot->n_data
      || !sl_alive_read (&alive, snapshot->data, snapshot->rows, snapshot->columns))
    return no_moment (SL_EINVAL);
  out = g_byte_array_sized_new (SL_ALIVE_COLUMNS * snapshot->rows + SL_SNAPSHOT_NAMES);
  g_byte_array_append (out, &version, 1);
  put_whole (out, snapshot->step);
  put_text (out, snapshot->note.packed);
  put_text (out, snapshot->names);
  put_text (out, snapshot->row_names);
  if (!put_matrix (out, snapshot))
    return no_moment (SL_EINVAL);
  *bytes = sl_frame_pack (out->data, out->len, n);
  if (*bytes == NULL)
    return sl_status_no_memory ("moment");
  if (*n <= SL_MOMENT_BYTES && out->len <= OPENED_BYTES)
    return SL_SUCCESS;
  g_clear_pointer (bytes, free);
  *n = 0;
  return no_moment (SL_EINVAL);
}

/* ---- reading ---- */

typedef struct
{
  const guint8 *at;
  size_t        left;
  bool          bad;
} Reader;

static guint8
get_byte (Reader *r)
{
  if (r->left == 0)
    {
      r->bad = true;
      return 0;
    }
  r->left--;
  return *r->at++;
}

static uint64_t
get_whole (Reader *r)
{
  uint64_t value = 0;

  for (unsigned i = 0; i < VARINT_BYTES; i++)
    {
      guint8 byte = get_byte (r);

      value |= (uint64_t) (byte & 127) << (7 * i);
      if (byte < 128)
        return value;
    }
  r->bad = true;
  return 0;
}

static double
get_count (Reader *r)
{
  uint64_t value = get_whole (r);
  double   half = (double) (value / 2);

  return value % 2 == 0 ? half : -half - 1.0;
}

static void
get_text (Reader *r, char *text, size_t size)
{
  size_t n = strnlen ((const char *) r->at, r->left);

  if (n == r->left || n >= size || !g_utf8_validate ((const char *) r->at, (gssize) n, NULL))
    {
      r->bad = true;
      return;
    }
  memcpy (text, r->at, n + 1);
  r->at += n + 1;
  r->left -= n + 1;
}

static SlStatus
get_matrix (Reader *r, SlSnapshot *snapshot)
{
  uint64_t rows = get_whole (r);
  double  *cell;

  if (r->bad || rows == 0 || rows > r->left / SL_ALIVE_COLUMNS)
    return no_moment (SL_EFORMAT);
  cell = sl_snapshot_matrix (snapshot, 1, (unsigned) rows, SL_ALIVE_COLUMNS);
  if (cell == NULL)
    return sl_status_no_memory ("moment");
  for (size_t i = 0; i < rows; i++)
    cell[i * SL_ALIVE_COLUMNS] = get_byte (r);
  for (unsigned c = 1; c < SL_ALIVE_COLUMNS; c++)
    for (size_t i = 0; i < rows; i++)
      {
        double *row = cell + i * SL_ALIVE_COLUMNS;

        row[c]
          = shares_of ((unsigned) row[0]) >> c & 1 ? get_byte (r) / (double) WHOLE : get_count (r);
      }
  return r->bad || r->left > 0 ? no_moment (SL_EFORMAT) : SL_SUCCESS;
}

static SlStatus
get_snapshot (Reader *r, SlSnapshot *snapshot)
{
  SlAlive  alive;
  SlStatus status;

  if (get_byte (r) != VERSION)
    return no_moment (SL_EFORMAT);
  snapshot->step = get_whole (r);
  get_text (r, snapshot->note.packed, sizeof snapshot->note.packed);
  get_text (r, snapshot->names, sizeof snapshot->names);
  get_text (r, snapshot->row_names, sizeof snapshot->row_names);
  if (r->bad)
    return no_moment (SL_EFORMAT);
  status = get_matrix (r, snapshot);
  if (sl_ok (&status) && !sl_alive_read (&alive, snapshot->data, snapshot->rows, snapshot->columns))
    return no_moment (SL_EFORMAT);
  return status;
}

SlStatus
sl_moment_unpack (const void *bytes, size_t n, SlSnapshot *snapshot)
{
  Reader   r = { .bad = false };
  SlStatus status;
  void    *opened = sl_frame_open (bytes, n, OPENED_BYTES, &r.left);

  sl_snapshot_reset (snapshot);
  if (opened == NULL)
    return no_moment (SL_EFORMAT);
  r.at = opened;
  status = get_snapshot (&r, snapshot);
  free (opened);
  if (!sl_ok (&status))
    sl_snapshot_reset (snapshot);
  return status;
}
