/* SPDX-License-Identifier: MIT
 *
 * Writes arrays as the members of an .npz, so that they can be opened by path, too.  */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "lib/sluice.h"

static inline void
npz_put (GByteArray *to, uint64_t value, unsigned bytes)
{
  for (; bytes > 0; bytes--, value >>= 8)
    g_byte_array_append (to, &(guint8) { (guint8) value }, 1);
}

/* One array as .npy. */
static inline GByteArray *
npz_array (const SluiceArray *a)
{
  GByteArray *npy = g_byte_array_new ();
  g_autoptr (GString) head = g_string_new (NULL);
  uint64_t n = 1;

  g_string_printf (head, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                   a->size > 1 ? '<' : '|', a->type, a->size);
  for (unsigned axis = 0; axis < a->axes; axis++)
    {
      g_string_append_printf (head, "%" G_GUINT64_FORMAT ",", a->shape[axis]);
      n *= a->shape[axis];
    }
  g_string_append (head, "), }\n");
  g_byte_array_append (npy, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  npz_put (npy, head->len, 2);
  g_byte_array_append (npy, (const guint8 *) head->str, (guint) head->len);
  g_byte_array_append (npy, a->numbers, (guint) (n * a->size));
  return npy;
}

/* What the local header and the directory have in common. */
static inline void
npz_describe (GByteArray *to, const GByteArray *member, const char *name)
{
  npz_put (to, 20, 2);
  npz_put (to, 0, 8);
  npz_put (to, crc32 (0, member->data, member->len), 4);
  npz_put (to, member->len, 4);
  npz_put (to, member->len, 4);
  npz_put (to, strlen (name), 2);
  npz_put (to, 0, 2);
}

/* Writes n arrays in rows without gaps, uncompressed. */
static inline void
npz_write (const char *path, const SluiceArray *arrays, unsigned n)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  guint    begins;
  gboolean written;

  for (unsigned i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) member = npz_array (&arrays[i]);
      g_autofree char *name = g_strconcat (arrays[i].name, ".npy", NULL);
      guint            place = file->len;

      npz_put (file, 0x04034b50, 4);
      npz_describe (file, member, name);
      g_byte_array_append (file, (const guint8 *) name, (guint) strlen (name));
      g_byte_array_append (file, member->data, member->len);
      npz_put (directory, 0x02014b50, 4);
      npz_put (directory, 20, 2);
      npz_describe (directory, member, name);
      npz_put (directory, 0, 10);
      npz_put (directory, place, 4);
      g_byte_array_append (directory, (const guint8 *) name, (guint) strlen (name));
    }
  begins = file->len;
  g_byte_array_append (file, directory->data, directory->len);
  npz_put (file, 0x06054b50, 4);
  npz_put (file, 0, 4);
  npz_put (file, n, 2);
  npz_put (file, n, 2);
  npz_put (file, directory->len, 4);
  npz_put (file, begins, 4);
  npz_put (file, 0, 2);
  written = g_file_set_contents (path, (const char *) file->data, file->len, NULL);
  g_assert_true (written);
}
