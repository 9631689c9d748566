/* SPDX-License-Identifier: MIT
 *
 * Arrays of numbers in files of MATLAB, versions 5 to 7: level 5 of the format, raw or with its variables
 * compressed (MathWorks, "MAT-File Format"; what Octave's save -v6 and -v7 and SciPy write).  From front to
 * back, nothing is read whole.  Files of version 7.3, which are HDF5, and those of level 4 are refused.
 *
 * (Debian's libmatio reads the format too, and brings all of HDF5; it makes room for what a file says it has
 * before it looks whether that can be.)  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SL_MAT_AXES = 8, SL_MAT_NAME = 64 };

typedef struct SlMat SlMat;

/* A full array of real numbers.  Its first axis runs fastest. */
typedef struct
{
  char     name[SL_MAT_NAME];
  unsigned axes;
  uint64_t size[SL_MAT_AXES];
  uint64_t numbers; /* their product */
  bool     bytes;   /* they are whole numbers from 0 to 255 in the file */
} SlMatArray;

/* True for the first bytes of such a file, of those of version 7.3 too. */
bool sl_mat_likely (const uint8_t *head, size_t size);

/* Opens a file and checks its header.  SL_EIO, SL_EFORMAT, SL_ENOMEM; on failure *mat is NULL. */
SlStatus sl_mat_open (SlMat **mat, const char *path);

/* Closes and frees; NULL is fine. */
void sl_mat_close (SlMat *mat);

/* Goes to the next array, past what else there is; *found is false at the end of the file.  What it says
 * it has can be in the file.  SL_EIO, SL_EFORMAT.  */
SlStatus sl_mat_next (SlMat *mat, SlMatArray *array, bool *found);

/* Reads the next numbers of the array, those of `bytes` as they are, others as doubles.  SL_EIO, SL_EFORMAT. */
SlStatus sl_mat_bytes (SlMat *mat, uint8_t *to, size_t n);
SlStatus sl_mat_doubles (SlMat *mat, double *to, size_t n);
