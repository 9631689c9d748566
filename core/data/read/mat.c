/* SPDX-License-Identifier: MIT */
#include "core/data/read/mat.h"

#include <string.h>

/* The header is a text of 116 bytes, then 8 of the system, a version and "IM" or "MI". */
bool
sl_mat_likely (const uint8_t *head, size_t size)
{
  static const char text[] = "MATLAB ";
  enum { HEADER = 128 };

  return size >= HEADER && memcmp (head, text, strlen (text)) == 0
         && (memcmp (head + HEADER - 2, "IM", 2) == 0 || memcmp (head + HEADER - 2, "MI", 2) == 0);
}

SlStatus
sl_mat_refuse (const char *path)
{
  return sl_status_new (
    SL_EFORMAT, path, sl_message ("a file of MATLAB"),
    sl_message (
      "its arrays as .npz, which a line of Python writes: numpy.savez(\"FILE.npz\", **{k: v "
      "for k, v in scipy.io.loadmat(\"FILE.mat\").items() if k[0] != \"_\"})"));
}
