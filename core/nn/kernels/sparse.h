/* SPDX-License-Identifier: MIT
 *
 * Products with a matrix of which most numbers are 0: what a gate, a rectifier or dropout left of a
 * batch.  The numbers that are not 0 are listed once and then meet whole rows of a dense matrix.  Each
 * has a naive reference in the tests.
 *
 * Every number of a result is summed by one thread in rising order, so that results are the same bytes
 * for any number of threads.  Nothing allocates.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

enum {
  SL_SPARSE_DEEP = 128,     /* columns of a listed matrix that are worked on together */
  SL_SPARSE_MOST = 1 << 16, /* columns of a listed matrix, at most */
  SL_SPARSE_TALL = 1024,    /* columns of one that is listed from its transposed, at most */
};

/* A matrix (rows, terms) by its numbers that are not 0. */
typedef struct
{
  size_t    most_rows, most; /* room */
  size_t    rows, terms;
  size_t    blocks; /* of SL_SPARSE_DEEP columns */
  uint32_t *begin;  /* (rows blocks + 1) where each row's numbers in each block begin */
  uint16_t *term;   /* their columns within the block, rising */
  sl_real  *value;
} SlSparse;

/* Cuts room for matrices of up to `most` numbers in up to `most_rows` rows. */
void sl_sparse_carve (SlSparse *s, size_t most_rows, size_t most, SlArena *scratch);

/* Lists a (rows, terms). */
void sl_sparse_list (SlSparse *s, size_t rows, size_t terms, const sl_real *a);
/* Lists the transposed of a (terms, rows). */
void sl_sparse_list_transposed (SlSparse *s, size_t rows, size_t terms, const sl_real *a);

/* How many numbers of a (n) are not 0. */
size_t sl_sparse_count (size_t n, const sl_real *a);

/* C (rows, n) = S M, M (terms, n). */
void sl_sparse_mul (const SlSparse *s, size_t n, const sl_real *m, sl_real *c);
