/* SPDX-License-Identifier: MIT */
#include "tests/core/nn/gesdd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef SL_DOUBLE
#define GESDD dgesdd_
#else
#define GESDD sgesdd_
#endif

/* LAPACK by its Fortran name: everything by address, lengths of texts last. */
void GESDD (const char *job, const int *m, const int *n, sl_real *a, const int *lda, sl_real *s,
            sl_real *u, const int *ldu, sl_real *vt, const int *ldvt, sl_real *work,
            const int *lwork, int *iwork, int *info, size_t job_length);

SlStatus
sl_mat_svd (size_t m, size_t n, const sl_real *a, sl_real *u, sl_real *s, sl_real *vt)
{
  size_t   r = m < n ? m : n;
  int      rows = (int) n, columns = (int) m, least = (int) r, query = -1, info = 0;
  sl_real  best, *copy, *work = NULL;
  int     *iwork;
  SlStatus status = SL_SUCCESS;

  if (r == 0)
    return SL_SUCCESS;
  for (size_t i = 0; i < m * n; i++)
    if (!isfinite (a[i]))
      return sl_status_new (SL_EDIVERGED, "svd", SL_NO_MESSAGE, SL_NO_MESSAGE);
  /* Row major A is column major A' = V S U'. */
  GESDD ("S", &rows, &columns, NULL, &rows, NULL, NULL, &rows, NULL, &least, &best, &query, NULL,
         &info, 1);

  int length = (int) best + 64;

  copy = malloc (m * n * sizeof *copy);
  work = malloc ((size_t) length * sizeof *work);
  iwork = malloc (8 * r * sizeof *iwork);
  if (copy == NULL || work == NULL || iwork == NULL)
    status = sl_status_no_memory ("svd");
  else
    {
      memcpy (copy, a, m * n * sizeof *copy);
      GESDD ("S", &rows, &columns, copy, &rows, s, vt, &rows, u, &least, work, &length, iwork,
             &info, 1);
      if (info != 0)
        status = sl_status_new (SL_EDIVERGED, "svd", SL_NO_MESSAGE, SL_NO_MESSAGE);
    }
  free (copy);
  free (work);
  free (iwork);
  return status;
}
