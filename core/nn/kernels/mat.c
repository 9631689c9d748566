/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/mat.h"

#include <assert.h>
#include <cblas.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/threads.h"
#include "core/nn/kernels/wide-gemm.h"

/* The one place where the precision picks names of the library. */
#ifdef SL_DOUBLE
#define GEMM cblas_dgemm
#define GEMV cblas_dgemv
#define TRSM cblas_dtrsm
#define POTRF dpotrf_
#define GELQF dgelqf_
#define ORGLQ dorglq_
#define SYEVD dsyevd_
#else
#define GEMM cblas_sgemm
#define GEMV cblas_sgemv
#define TRSM cblas_strsm
#define POTRF spotrf_
#define GELQF sgelqf_
#define ORGLQ sorglq_
#define SYEVD ssyevd_
#endif

/* LAPACK by its Fortran names: everything by address, lengths of texts last. */
void POTRF (const char *triangle, const int *n, sl_real *a, const int *lda, int *info,
            size_t triangle_length);
void GELQF (const int *m, const int *n, sl_real *a, const int *lda, sl_real *tau, sl_real *work,
            const int *lwork, int *info);
void ORGLQ (const int *m, const int *n, const int *k, sl_real *a, const int *lda,
            const sl_real *tau, sl_real *work, const int *lwork, int *info);
void SYEVD (const char *job, const char *triangle, const int *n, sl_real *a, const int *lda,
            sl_real *w, sl_real *work, const int *lwork, int *iwork, const int *liwork, int *info,
            size_t job_length, size_t triangle_length);

/* Multiplications from which a second thread pays for being woken; OpenBLAS itself would
 * share out 2^18 and be slower than one thread.  */
static const size_t shared_product = 8u << 20;

enum { QR_BLOCK = 32 }; /* rows per block of the work LAPACK is given */

/* Keeps what follows on the calling thread; returns what end_alone() needs.  OpenMP counts per
 * thread, so no other thread is affected.  */
static int
begin_alone (void)
{
  int threads = omp_get_max_threads ();

  if (threads > 1)
    omp_set_num_threads (1);
  return threads;
}

static void
end_alone (int threads)
{
  if (threads > 1)
    omp_set_num_threads (threads);
}

/* C = beta C, for products of no terms. */
static void
scale_matrix (size_t m, size_t n, sl_real beta, sl_real *c, size_t ldc)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
}

#ifdef SL_HAS_WIDE_GEMM
/* The same for our own products, as timed. */
static const size_t shared_wide_product = 2u << 20;

/* Whether the library multiplies with AVX-512: a run that was made with other kernels, perhaps elsewhere,
 * is to have the same bits here.  */
static bool
has_wide_kernel (void)
{
  static const char *const wide[] = { "SkylakeX", "Cooperlake", "Sapphirerapids" };
  const char              *kernel = sl_blas_kernel ();

  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (strcmp (kernel, wide[i]) == 0)
      return true;
  return false;
}
#endif

void
sl_mat_mul (SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k, sl_real alpha,
            const sl_real *a, size_t lda, const sl_real *b, size_t ldb, sl_real beta, sl_real *c,
            size_t ldc)
{
  bool alone = m * n * k < shared_product;
  int  threads;

  if (m == 0 || n == 0 || k == 0)
    {
      scale_matrix (m, n, beta, c, ldc);
      return;
    }
  assert (lda >= (order_a == SL_PLAIN ? k : m) && ldb >= (order_b == SL_PLAIN ? n : k) && ldc >= n);
#ifdef SL_HAS_WIDE_GEMM
  if ((beta == 0 || beta == 1) && sl_wide_gemm_pays (m, n, k) && has_wide_kernel ())
    {
      unsigned together = m * n * k < shared_wide_product ? 1 : (unsigned) omp_get_max_threads ();

      sl_wide_gemm (together, order_a, order_b, m, n, k, alpha, a, lda, b, ldb, beta == 1, c, ldc);
      return;
    }
#endif
  threads = alone ? begin_alone () : 1;
  GEMM (CblasRowMajor, order_a == SL_PLAIN ? CblasNoTrans : CblasTrans,
        order_b == SL_PLAIN ? CblasNoTrans : CblasTrans, (int) m, (int) n, (int) k, alpha, a,
        (int) lda, b, (int) ldb, beta, c, (int) ldc);
  end_alone (threads);
}

void
sl_mat_vec (size_t m, size_t n, const sl_real *a, size_t lda, const sl_real *x, sl_real *y)
{
  int threads;

  if (m == 0 || n == 0)
    {
      scale_matrix (1, m, 0, y, m);
      return;
    }
  assert (lda >= n);
  threads = begin_alone ();
  GEMV (CblasRowMajor, CblasNoTrans, (int) m, (int) n, 1, a, (int) lda, x, 1, 0, y, 1);
  end_alone (threads);
}

size_t
sl_mat_qr_work (size_t m, size_t n)
{
  size_t gram = n * n, householder = n + n * QR_BLOCK;

  return gram > householder ? gram : householder;
}

/* Row major A is column major A', so its QR factorisation is the LQ one of what LAPACK
 * sees.  */
static void
qr_by_reflections (int m, int n, sl_real *a, sl_real *work)
{
  int length = n * QR_BLOCK, info;

  GELQF (&n, &m, a, &n, work, work + n, &length, &info);
  ORGLQ (&n, &m, &n, a, &n, work, work + n, &length, &info);
}

/* Divides every column by its length; false where that cannot be done. */
static bool
normalise_columns (size_t m, size_t n, sl_real *a, sl_real *length)
{
  for (size_t j = 0; j < n; j++)
    length[j] = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      length[j] += a[i * n + j] * a[i * n + j];
  for (size_t j = 0; j < n; j++)
    {
      if (!(length[j] > 0 && isfinite (length[j])))
        return false;
      length[j] = 1 / sqrt (length[j]);
    }
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      a[i * n + j] *= length[j];
  return true;
}

/* By the Cholesky factor of A'A, several times faster; its error is the square of A's
 * condition, so it is for columns that are nearly orthogonal already.  False, with only the
 * lengths of the columns changed, when they are not.  */
static bool
qr_by_cholesky (int m, int n, sl_real *a, sl_real *gram)
{
  const sl_real least = (sl_real) 0.25;
  int           info;

  if (!normalise_columns ((size_t) m, (size_t) n, a, gram))
    return false;
  GEMM (CblasRowMajor, CblasTrans, CblasNoTrans, n, n, m, 1, a, n, a, n, 0, gram, n);
  POTRF ("L", &n, gram, &n, &info, 1);
  if (info != 0)
    return false;
  for (int i = 0; i < n; i++)
    if (!(gram[i * n + i] >= least))
      return false;
  /* LAPACK's lower triangle is the upper one of row major. */
  TRSM (CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, 1, gram, n, a, n);
  return true;
}

void
sl_mat_qr (size_t m, size_t n, sl_real *a, sl_real *work)
{
  int threads;

  assert (m >= n);
  if (n == 0)
    return;
  threads = begin_alone ();
  if (!qr_by_cholesky ((int) m, (int) n, a, work))
    qr_by_reflections ((int) m, (int) n, a, work);
  end_alone (threads);
}

size_t
sl_mat_eigen_work (size_t n)
{
  /* The reals that SYEVD needs as its workspace and, in the same block, its integers. */
  return 1 + 6 * n + 2 * n * n + 3 + 5 * n;
}

static SlStatus
failed (SlMessage found)
{
  return sl_status_new (SL_EDIVERGED, "eigenvalues", found, SL_NO_MESSAGE);
}

SlStatus
sl_mat_eigen_in (size_t n, sl_real *a, sl_real *values, bool vectors, sl_real *work)
{
  int order = (int) n, info = 0, threads;
  int length = (int) (1 + 6 * n + 2 * n * n), ilength = (int) (3 + 5 * n);

  if (n == 0)
    return SL_SUCCESS;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite (a[i]))
      return failed (sl_message ("not a number"));
  threads = begin_alone ();
  SYEVD (vectors ? "V" : "N", "L", &order, a, &order, values, work, &length,
         (int *) (work + length), &ilength, &info, 1, 1);
  end_alone (threads);
  if (info != 0)
    return failed (info < 0 ? sl_message ("not a number") : sl_message ("no convergence"));

  /* LAPACK's order is rising. */
  for (size_t i = 0, j = n - 1; i < j; i++, j--)
    {
      sl_real t = values[i];

      values[i] = values[j];
      values[j] = t;
      if (vectors)
        for (size_t l = 0; l < n; l++)
          {
            t = a[i * n + l];
            a[i * n + l] = a[j * n + l];
            a[j * n + l] = t;
          }
    }
  return SL_SUCCESS;
}

SlStatus
sl_mat_eigen (size_t n, sl_real *a, sl_real *values, bool vectors)
{
  sl_real *work = malloc (sl_mat_eigen_work (n) * sizeof *work);
  SlStatus status;

  if (work == NULL)
    return sl_status_no_memory ("eigenvalues");
  status = sl_mat_eigen_in (n, a, values, vectors, work);
  free (work);
  return status;
}

const char *
sl_blas_kernel (void)
{
  return openblas_get_corename ();
}

const char *
sl_blas_threading (void)
{
  switch (openblas_get_parallel ())
    {
    case OPENBLAS_OPENMP: return "openmp";
    case OPENBLAS_THREAD: return "pthreads";
    default: return "serial";
    }
}

const char *
sl_blas_version (void)
{
  return openblas_get_config ();
}

unsigned
sl_blas_cores (void)
{
  int cores = openblas_get_num_procs ();

  return cores > 0 ? (unsigned) cores : 1;
}

/* OpenBLAS has one number of threads for the whole process, and lowering it frees the buffers of
 * the threads beyond it, perhaps during another thread's product.  An OpenMP build reads the
 * calling thread's number at each product, and 1 is enough for it to stay alone: there OpenBLAS's
 * own number is only ever raised.  */
static void
tell_blas (int threads)
{
  int  now = openblas_get_num_threads ();
  bool enough = false;

#ifdef _OPENMP
  omp_set_num_threads (threads);
  enough = openblas_get_parallel () == OPENBLAS_OPENMP && now >= threads;
#endif
  if (now != threads && !enough)
    openblas_set_num_threads (threads);
}

unsigned
sl_blas_set_threads (unsigned threads)
{
  unsigned cores = sl_blas_cores ();

  if (threads > cores)
    threads = cores;
  if (threads < 1 || openblas_get_parallel () == OPENBLAS_THREAD)
    threads = 1;
  tell_blas ((int) threads);
  return threads;
}

unsigned
sl_blas_threads (void)
{
  int threads = openblas_get_num_threads ();

#ifdef _OPENMP
  if (openblas_get_parallel () == OPENBLAS_OPENMP)
    threads = omp_get_max_threads ();
#endif
  return threads > 0 ? (unsigned) threads : 1;
}
