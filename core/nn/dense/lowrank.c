/* SPDX-License-Identifier: MIT
 *
 * Subspace iteration with Chebyshev filters and Rayleigh-Ritz extraction, warm-started; see
 * lowrank.h.  Zhou, Saad, Tiago and Chelikowsky, "Self-consistent-field calculations using
 * Chebyshev-filtered subspace iteration", 2006.  */
#include "core/nn/dense/lowrank.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

enum {
  EXTRA = 8,      /* directions tracked beyond one and a half times the rank */
  COLD_TURNS = 4, /* more turns, of COLD_ROUNDS, when some directions start at random */
  COLD_ROUNDS = 2,
  BLOCK = 32, /* rows turned at a time */
};

/* How far a filter may stretch the first direction against the last: its rounding errors
 * hide in the last one, stretched as much, and have to stay small there.  */
static const double stretch_limit = 1e4;

/* Sums of squares above this could overflow in the products. */
#ifdef SL_DOUBLE
static const double energy_limit = 1e300;
#else
static const double energy_limit = 1e36;
#endif

/* Directions tracked for a rank.  The more there are beyond the rank, the faster the wanted ones
 * settle; near half of all it is cheaper to take all.  */
static size_t
tracked_rank (const SlLowRank *lr, size_t rank)
{
  size_t kept = rank + sl_least (rank / 2 + EXTRA, lr->most / 2 > rank ? lr->most / 2 - rank : 0);

  return rank == 0 ? 0 : rank + EXTRA > lr->most / 2 ? lr->most : kept;
}

/* Scratch numbers of a refresh with `kept` directions. */
static size_t
work_of (const SlLowRank *lr, size_t kept)
{
  size_t qr = sl_mat_qr_work (lr->inputs, kept);
  size_t filter = lr->inputs * sl_least (kept, lr->most / 2);
  size_t ritz = kept * kept + sl_mat_eigen_work (kept) + BLOCK * kept;

  if (qr < filter)
    qr = filter;
  return qr > ritz ? qr : ritz;
}

void
sl_lowrank_init (SlLowRank *lr, size_t units, size_t inputs, SlArena *kept, SlArena *scratch)
{
  *lr = (SlLowRank) { .units = units, .inputs = inputs, .most = sl_least (units, inputs) };
  lr->u = sl_arena_reals (kept, units * lr->most);
  lr->v = sl_arena_reals (kept, inputs * lr->most);
  lr->sigma = sl_arena_reals (kept, lr->most);
  lr->work = sl_arena_reals (scratch, work_of (lr, lr->most));
}

void
sl_lowrank_reset (SlLowRank *lr)
{
  lr->rank = lr->kept = 0;
  lr->energy = lr->lost = 0;
}

SL_CLONES static double
energy_of (size_t n, const sl_real *w)
{
  enum { LANES = 16 };
  double sum[LANES] = { 0 };
  size_t i = 0;

  for (; i + LANES <= n; i += LANES)
    for (int lane = 0; lane < LANES; lane++)
      sum[lane] += (double) w[i + lane] * (double) w[i + lane];
  for (; i < n; i++)
    sum[0] += (double) w[i] * (double) w[i];
  for (int lane = 1; lane < LANES; lane++)
    sum[0] += sum[lane];
  return sum[0];
}

/* Changes the number of columns of a dense (rows, from) to `to` in place. */
static void
resize_columns (sl_real *a, size_t rows, size_t from, size_t to)
{
  if (to < from)
    for (size_t i = 1; i < rows; i++)
      memmove (a + i * to, a + i * from, to * sizeof *a);
  else if (to > from)
    for (size_t i = rows; i-- > 1;)
      memmove (a + i * to, a + i * from, from * sizeof *a);
}

/* a (rows, n) = a P', P (n, n) with the new directions as rows; in place. */
static void
rotate_columns (sl_real *a, size_t rows, size_t n, const sl_real *p, sl_real *block)
{
  for (size_t i = 0; i < rows; i += BLOCK)
    {
      size_t some = sl_least (BLOCK, rows - i);

      memcpy (block, a + i * n, some * n * sizeof *a);
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, some, n, n, 1, block, n, p, n, 0, a + i * n, n);
    }
}

/* From V, an orthonormal basis (inputs, kept): the best U, sigma and V within it. */
static SlStatus
extract_factors (SlLowRank *lr, const sl_real *w)
{
  size_t   kept = lr->kept;
  sl_real *gram = lr->work, *rest = gram + kept * kept;
  SlStatus status;

  sl_mat_mul (SL_PLAIN, SL_PLAIN, lr->units, kept, lr->inputs, 1, w, lr->inputs, lr->v, kept, 0,
              lr->u, kept);
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, kept, kept, lr->units, 1, lr->u, kept, lr->u, kept, 0, gram,
              kept);
  status = sl_mat_eigen_in (kept, gram, lr->sigma, true, rest);
  if (!sl_ok (&status))
    return status;
  for (size_t i = 0; i < kept; i++)
    lr->sigma[i] = lr->sigma[i] > 0 ? (sl_real) sqrt ((double) lr->sigma[i]) : 0;
  rotate_columns (lr->v, lr->inputs, kept, gram, rest);
  rotate_columns (lr->u, lr->units, kept, gram, rest);
  return status;
}

/* A basis of all directions of W, for ranks where iterating would not pay. */
static void
span_all (SlLowRank *lr, const sl_real *w)
{
  size_t d = lr->inputs, kept = lr->most;

  lr->kept = kept;
  if (d == kept)
    {
      memset (lr->v, 0, d * kept * sizeof *lr->v);
      for (size_t i = 0; i < d; i++)
        lr->v[i * kept + i] = 1;
      return;
    }
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < kept; j++)
      lr->v[i * kept + j] = w[j * d + i];
  sl_mat_qr (d, kept, lr->v, lr->work);
}

/* The degree for the next filter, at most `left`: V's directions beyond `edge` are stretched
 * up to T_degree (x), x = 2 sigma_1² / edge - 1.  */
static unsigned
degree_for (double x, unsigned left)
{
  unsigned degree = 1;

  for (double before = 1, now = x; degree < left; degree++)
    {
      double next = 2 * x * now - before;

      if (!(next <= stretch_limit))
        break;
      before = now;
      now = next;
    }
  return degree;
}

/* V = T_degree (2 W'W / edge - 1) V, T the Chebyshev polynomial, which stays in [-1, 1] for
 * singular values up to √edge and grows fastest above.  */
static void
filter_directions (SlLowRank *lr, const sl_real *w, double edge, unsigned degree)
{
  size_t   d = lr->inputs, h = lr->units, kept = lr->kept, n = d * kept;
  sl_real *before = lr->v, *now = lr->work;

  for (unsigned i = 1; i <= degree; i++)
    {
      double   scale = i == 1 ? 2 / edge : 4 / edge;
      sl_real *from = i == 1 ? before : now, *to = i == 1 ? now : before;

      for (size_t j = 0; j < n; j++)
        to[j] = i == 1 ? -from[j] : -2 * from[j] - to[j];
      sl_mat_mul (SL_PLAIN, SL_PLAIN, h, kept, d, 1, w, d, from, kept, 0, lr->u, kept);
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, d, kept, h, (sl_real) scale, w, d, lr->u, kept, 1, to,
                  kept);
      if (i > 1)
        {
          before = now;
          now = to;
        }
    }
  if (now != lr->v)
    memcpy (lr->v, now, n * sizeof *now);
}

/* A polynomial of W'W of degree `rounds`, applied with as few interruptions as the precision
 * allows, and the best factors in what it leaves.  */
static SlStatus
sharpen_basis (SlLowRank *lr, const sl_real *w, unsigned rounds)
{
  double first = (double) lr->sigma[0] * (double) lr->sigma[0];
  double edge = (double) lr->sigma[lr->kept - 1] * (double) lr->sigma[lr->kept - 1];

  edge = fmax (edge, 1e-6 * first);
  for (unsigned left = edge > 0 ? rounds : 0, degree; left > 0; left -= degree)
    {
      degree = degree_for (2 * first / edge - 1, left);
      filter_directions (lr, w, edge, degree);
      sl_mat_qr (lr->inputs, lr->kept, lr->v, lr->work);
    }
  return extract_factors (lr, w);
}

static SlStatus
iterate_subspace (SlLowRank *lr, const sl_real *w, size_t kept, unsigned rounds, SlRng *rng)
{
  size_t   d = lr->inputs, had = sl_least (lr->kept, kept);
  SlStatus status = SL_SUCCESS;

  resize_columns (lr->v, d, lr->kept, kept);
  lr->kept = kept;
  if (had < kept)
    {
      for (size_t i = 0; i < d; i++)
        for (size_t j = had; j < kept; j++)
          lr->v[i * kept + j] = (sl_real) sl_rng_normal (rng);
      sl_mat_qr (d, kept, lr->v, lr->work);
      status = extract_factors (lr, w);
      for (int turn = 0; turn < COLD_TURNS && sl_ok (&status); turn++)
        status = sharpen_basis (lr, w, COLD_ROUNDS);
    }
  return sl_ok (&status) ? sharpen_basis (lr, w, rounds) : status;
}

/* Follows W with `kept` directions, 1 … most. */
static SlStatus
follow_directions (SlLowRank *lr, const sl_real *w, size_t kept, unsigned rounds, SlRng *rng)
{
  SlStatus status;

  if (kept < lr->most)
    status = iterate_subspace (lr, w, kept, rounds, rng);
  else
    {
      span_all (lr, w);
      status = extract_factors (lr, w);
    }
  if (!sl_ok (&status))
    sl_lowrank_reset (lr);
  return status;
}

/* Sets the rank and what it loses. */
static void
cut_at (SlLowRank *lr, size_t rank, double energy)
{
  double held = 0;

  for (size_t i = 0; i < rank; i++)
    held += (double) lr->sigma[i] * (double) lr->sigma[i];
  lr->rank = rank;
  lr->energy = energy;
  lr->lost = energy > held ? 1.0 - held / energy : 0.0;
}

static SlStatus
weigh_directions (const SlLowRank *lr, const sl_real *w, double *energy)
{
  *energy = energy_of (lr->units * lr->inputs, w);
  if (!(*energy <= energy_limit))
    return sl_status_new (SL_EDIVERGED, SL_MARK ("low-rank factors"),
                          sl_message ("weights that are not finite"), SL_NO_MESSAGE);
  return SL_SUCCESS;
}

SlStatus
sl_lowrank_refresh (SlLowRank *lr, const sl_real *w, size_t rank, unsigned rounds, SlRng *rng)
{
  double   energy;
  SlStatus status = weigh_directions (lr, w, &energy);

  rank = sl_least (rank, lr->most);
  if (sl_ok (&status) && rank > 0)
    status = follow_directions (lr, w, tracked_rank (lr, rank), rounds, rng);
  if (sl_ok (&status))
    cut_at (lr, rank, energy);
  return status;
}

SlStatus
sl_lowrank_refresh_energy (SlLowRank *lr, const sl_real *w, double bound, size_t most_rank,
                           unsigned rounds, SlRng *rng)
{
  double   energy;
  SlStatus status = weigh_directions (lr, w, &energy);
  size_t   rank = 0;

  most_rank = sl_least (most_rank, lr->most);
  if (!sl_ok (&status))
    return status;
  /* Twice as many until they hold enough. */
  for (size_t kept = tracked_rank (lr, lr->rank > EXTRA ? lr->rank : EXTRA); most_rank > 0;
       kept *= 2)
    {
      double held = 0;

      kept = 2 * kept > lr->most ? lr->most : sl_least (kept, tracked_rank (lr, most_rank));
      status = follow_directions (lr, w, kept, rounds, rng);
      if (!sl_ok (&status))
        return status;
      rank = 0;
      while (rank < sl_least (kept, most_rank) && !(energy - held <= bound * energy))
        {
          held += (double) lr->sigma[rank] * (double) lr->sigma[rank];
          rank++;
        }
      if (rank == most_rank || kept == lr->most || energy - held <= bound * energy)
        break;
    }
  cut_at (lr, rank, energy);
  return status;
}

double
sl_lowrank_macs (const SlLowRank *lr, unsigned rounds)
{
  double h = (double) lr->units, d = (double) lr->inputs, k = (double) lr->kept;
  double product = h * d * k, ritz = product + h * k * k + 4.0 * k * k * k + (h + d) * k * k;

  /* A basis is made orthonormal by two products of its size. */
  if (lr->kept == lr->most)
    return ritz + (lr->inputs > lr->most ? 2.0 * d * k * k : 0.0);
  return ritz + 2.0 * rounds * product + 2.0 * d * k * k;
}

void
sl_lowrank_estimate (const SlLowRank *lr, size_t batch, const sl_real *x, const sl_real *b,
                     sl_real theta, sl_real *low, sl_real *est)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < lr->units; i++)
      est[e * lr->units + i] = b != NULL ? b[i] - theta : -theta;
  if (lr->rank == 0)
    return;
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, lr->rank, lr->inputs, 1, x, lr->inputs, lr->v, lr->kept, 0,
              low, lr->rank);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, lr->units, lr->rank, 1, low, lr->rank, lr->u,
              lr->kept, 1, est, lr->units);
}
