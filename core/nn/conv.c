/* SPDX-License-Identifier: MIT
 *
 * Convolution by products of strips; see conv.h.  */
#include "core/nn/conv.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/nn/blocks.h"
#include "core/nn/clones.h"
#include "core/nn/columns.h"
#include "core/nn/mat.h"

enum
{
  POSITIONS = 1024,     /* of a strip: enough that a product packs its weights for many */
  FEW = 128,            /* where a small picture is cut no further */
  PARTS = 4,            /* into which a small picture is cut for the threads */
  COLUMNS = 320 * 1024, /* numbers gathered at a time: they stay in a core's cache */
  WORKERS = 16,         /* threads that there is work space for */
  GROUPS = 4,           /* partial sums of the weights' gradient */
};

/* Multiplications of a call from which more threads pay. */
static const double shared_pass = 1 << 20;

/* How a pass over one example is cut. */
typedef struct
{
  SlColumns columns;
  size_t    channels;       /* that columns are gathered from */
  size_t    height;         /* rows of the output, of columns.across positions */
  size_t    rows, strips;   /* of a strip, of an example */
  size_t    together;       /* channels gathered at a time */
  bool      plain;          /* a kernel of one pixel: the picture is its own columns */
} Cut;

static size_t
ratio_up (size_t a, size_t b)
{
  return (a + b - 1) / b;
}

/* As many channels at a time as fit, in even shares. */
static void
cut_strips (Cut *cut)
{
  size_t across = cut->columns.across, each = cut->columns.tall * cut->columns.wide;
  size_t rows = POSITIONS / across, few = ratio_up (FEW, across), share, shares;

  share = ratio_up (cut->height, PARTS);
  if (rows > share)
    rows = share > few ? share : few;
  if (rows > ratio_up (cut->height, 2))
    rows = ratio_up (cut->height, 2);
  if (rows < 1)
    rows = 1;
  cut->strips = ratio_up (cut->height, rows);
  cut->rows = ratio_up (cut->height, cut->strips);
  shares = ratio_up (cut->channels * each * cut->rows * across, COLUMNS);
  cut->together = cut->plain ? cut->channels : ratio_up (cut->channels, shares);
}

static bool
is_plain (const SlConv *conv)
{
  return conv->tall == 1 && conv->wide == 1 && conv->stride == 1 && conv->pad == 0;
}

/* The output is gathered from the input. */
static Cut
forward_cut (const SlConv *conv)
{
  Cut cut = {
    .columns = { .height = conv->height,
                 .width = conv->width,
                 .tall = conv->tall,
                 .wide = conv->wide,
                 .stride = conv->stride,
                 .above = conv->pad,
                 .left = conv->pad,
                 .across = sl_conv_width (conv) },
    .channels = conv->inputs,
    .height = sl_conv_height (conv),
    .plain = is_plain (conv),
  };

  cut_strips (&cut);
  return cut;
}

/* Whether the gradient of the input is gathered from that of the output, a convolution with the
 * kernel turned round.  It moves O R S numbers for a position, none for a kernel of one pixel; the
 * other way, adding columns up, moves C R S twice.  */
static bool
turns_round (const SlConv *conv)
{
  return conv->stride == 1 && (is_plain (conv) || conv->outputs <= 2 * conv->inputs);
}

static Cut
backward_cut (const SlConv *conv)
{
  Cut cut = {
    .columns = { .height = sl_conv_height (conv),
                 .width = sl_conv_width (conv),
                 .tall = conv->tall,
                 .wide = conv->wide,
                 .stride = 1,
                 .above = conv->tall - 1 - conv->pad,
                 .left = conv->wide - 1 - conv->pad,
                 .across = conv->width },
    .channels = conv->outputs,
    .height = conv->height,
    .plain = is_plain (conv),
  };

  cut_strips (&cut);
  return cut;
}

/* Numbers that a thread gathers at a time. */
static size_t
strip_size (const Cut *cut)
{
  return cut->plain ? 0
                    : cut->together * cut->columns.tall * cut->columns.wide * cut->rows
                        * cut->columns.across;
}

static size_t
rows_of (const Cut *cut, size_t strip)
{
  return sl_least (cut->rows, cut->height - strip * cut->rows);
}

bool
sl_conv_valid (const SlConv *conv)
{
  return conv->inputs > 0 && conv->outputs > 0 && conv->height > 0 && conv->width > 0
         && conv->tall > 0 && conv->wide > 0 && conv->stride > 0 && conv->pad < conv->tall
         && conv->pad < conv->wide && conv->height + 2 * conv->pad >= conv->tall
         && conv->width + 2 * conv->pad >= conv->wide;
}

double
sl_conv_products (const SlConv *conv)
{
  return (double) sl_conv_height (conv) * (double) sl_conv_width (conv)
         * (double) sl_conv_weights (conv);
}

static size_t
n_workers (void)
{
  return sl_least (sl_blas_cores (), WORKERS);
}

/* Threads for `items` pieces of work that make so many multiplications. */
static int
threads_for (size_t items, double products)
{
#ifdef _OPENMP
  if (products < shared_pass)
    return 1;
  return (int) sl_least (sl_least ((size_t) omp_get_max_threads (), n_workers ()),
                         items > 0 ? items : 1);
#else
  (void) items;
  (void) products;
  return 1;
#endif
}

static size_t
this_thread (void)
{
#ifdef _OPENMP
  return (size_t) omp_get_thread_num ();
#else
  return 0;
#endif
}

size_t
sl_conv_work (const SlConv *conv, unsigned passes)
{
  Cut    forward = forward_cut (conv);
  size_t strips = strip_size (&forward) * n_workers (), most = 0;

  if (passes & SL_CONV_FORWARD)
    most = strips;
  if (passes & SL_CONV_TO_WEIGHTS && strips + (GROUPS - 1) * sl_conv_weights (conv) > most)
    most = strips + (GROUPS - 1) * sl_conv_weights (conv);
  if (passes & SL_CONV_TO_INPUT && turns_round (conv))
    {
      Cut backward = backward_cut (conv);

      strips = strip_size (&backward) * n_workers () + sl_conv_weights (conv);
    }
  if (passes & SL_CONV_TO_INPUT && strips > most)
    most = strips;
  return most;
}

/* What one strip is multiplied with and where the result goes. */
typedef struct
{
  Cut            cut;
  size_t         outputs;
  const sl_real *w; /* (outputs, cut.channels R S) */
  const sl_real *b; /* (outputs) or NULL */
  bool           relu, add;
  size_t         stride_in, stride_out; /* from example to example */
  size_t         space;                 /* work space of a thread */
} Pass;

/* The columns of channels `first` to `first + count` - 1, gathered into `space` or as they lie;
 * *ld from row to row.  */
static const sl_real *
columns_of (const Cut *cut, size_t strip, size_t first, size_t count, const sl_real *x,
            sl_real *space, size_t *ld)
{
  const SlColumns *columns = &cut->columns;
  size_t           plane = columns->height * columns->width;

  x += first * plane;
  if (cut->plain)
    {
      *ld = plane;
      return x + strip * cut->rows * columns->across;
    }
  *ld = rows_of (cut, strip) * columns->across;
  sl_columns_gather (columns, count, x, strip * cut->rows, rows_of (cut, strip), space);
  return space;
}

SL_CLONES static void
finish_rows (size_t outputs, size_t n, const sl_real *b, bool relu, sl_real *y, size_t ld)
{
  for (size_t o = 0; o < outputs; o++)
    {
      sl_real bias = b != NULL ? b[o] : 0, *row = y + o * ld;

      if (relu)
        for (size_t i = 0; i < n; i++)
          row[i] = row[i] + bias < 0 ? 0 : row[i] + bias;
      else
        for (size_t i = 0; i < n; i++)
          row[i] += bias;
    }
}

static void
one_strip (const Pass *pass, size_t item, const sl_real *x, sl_real *y, sl_real *work)
{
  const Cut *cut = &pass->cut;
  size_t     each = cut->columns.tall * cut->columns.wide, k = cut->channels * each;
  size_t     example = item / cut->strips, strip = item % cut->strips;
  size_t     n = rows_of (cut, strip) * cut->columns.across, ld;
  size_t     plane = cut->height * cut->columns.across;
  sl_real   *space = work + this_thread () * pass->space;

  x += example * pass->stride_in;
  y += example * pass->stride_out + strip * cut->rows * cut->columns.across;
  for (size_t c = 0; c < cut->channels; c += cut->together)
    {
      size_t         count = sl_least (cut->together, cut->channels - c);
      const sl_real *columns = columns_of (cut, strip, c, count, x, space, &ld);

      sl_mat_mul (SL_PLAIN, SL_PLAIN, pass->outputs, n, count * each, 1, pass->w + c * each, k,
                  columns, ld, c > 0 || pass->add ? 1 : 0, y, plane);
    }
  if (pass->b != NULL || pass->relu)
    finish_rows (pass->outputs, n, pass->b, pass->relu, y, plane);
}

static void
all_strips (Pass *pass, size_t batch, double products, const sl_real *x, sl_real *y,
            sl_real *work)
{
  size_t items = batch * pass->cut.strips;

  pass->space = strip_size (&pass->cut);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_for (items, products))
#endif
  for (size_t i = 0; i < items; i++)
    one_strip (pass, i, x, y, work);
}

void
sl_conv_forward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                 const sl_real *b, bool relu, sl_real *y, sl_real *work)
{
  Pass pass = {
    .cut = forward_cut (conv),
    .outputs = conv->outputs,
    .w = w,
    .b = b,
    .relu = relu,
    .stride_in = sl_conv_inputs (conv),
    .stride_out = sl_conv_outputs (conv),
  };

  all_strips (&pass, batch, (double) batch * sl_conv_products (conv), x, y, work);
}

/* w (O, C, R, S) to (C, O, R, S) with every kernel turned round. */
static void
turn_weights (const SlConv *conv, const sl_real *w, sl_real *turned)
{
  size_t each = conv->tall * conv->wide;

#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads( \
    threads_for (conv->inputs, (double) (sl_conv_weights (conv) * 8)))
#endif
  for (size_t c = 0; c < conv->inputs; c++)
    for (size_t o = 0; o < conv->outputs; o++)
      {
        const sl_real *from = w + (o * conv->inputs + c) * each;
        sl_real       *to = turned + (c * conv->outputs + o) * each;

        for (size_t i = 0; i < each; i++)
          to[i] = from[each - 1 - i];
      }
}

static void
gather_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy, sl_real *dx,
              bool add, sl_real *work)
{
  Pass pass = {
    .cut = backward_cut (conv),
    .outputs = conv->inputs,
    .w = work,
    .add = add,
    .stride_in = sl_conv_outputs (conv),
    .stride_out = sl_conv_inputs (conv),
  };

  turn_weights (conv, w, work);
  all_strips (&pass, batch, (double) batch * sl_conv_products (conv), dy, dx,
              work + sl_conv_weights (conv));
}

/* Adds what the outputs of one strip say about the input. */
static void
add_strip (const SlConv *conv, const Cut *cut, size_t strip, const sl_real *w, const sl_real *dy,
           sl_real *dx, sl_real *space)
{
  size_t each = conv->tall * conv->wide, n = rows_of (cut, strip) * cut->columns.across;

  dy += strip * cut->rows * cut->columns.across;
  for (size_t c = 0; c < cut->channels; c += cut->together)
    {
      size_t count = sl_least (cut->together, cut->channels - c);

      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, count * each, n, conv->outputs, 1, w + c * each,
                  cut->channels * each, dy, cut->height * cut->columns.across, 0, space, n);
      sl_columns_add (&cut->columns, count, space, strip * cut->rows, rows_of (cut, strip),
                      dx + c * conv->height * conv->width);
    }
}

/* Strips that follow one another reach into the same rows of the input, so they take turns: those
 * of one turn are so far apart that they do not.  */
static void
scatter_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy, sl_real *dx,
               bool add, sl_real *work)
{
  Cut    cut = forward_cut (conv);
  size_t space = strip_size (&cut);
  size_t reach = conv->tall > conv->stride ? conv->tall - conv->stride : 0;
  size_t turns = 1 + ratio_up (reach, conv->stride * cut.rows);

  if (!add)
    memset (dx, 0, batch * sl_conv_inputs (conv) * sizeof *dx);
  for (size_t turn = 0; turn < turns && turn < cut.strips; turn++)
    {
      size_t each = ratio_up (cut.strips - turn, turns), items = batch * each;

#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads( \
    threads_for (items, (double) batch * sl_conv_products (conv)))
#endif
      for (size_t i = 0; i < items; i++)
        add_strip (conv, &cut, turn + i % each * turns, w,
                   dy + i / each * sl_conv_outputs (conv), dx + i / each * sl_conv_inputs (conv),
                   work + this_thread () * space);
    }
}

/* dw = Σ of the items from `first` up to `end`. */
static void
some_weights (const SlConv *conv, const Cut *cut, size_t first, size_t end, const sl_real *x,
              const sl_real *dy, sl_real *dw, sl_real *space)
{
  size_t each = conv->tall * conv->wide, k = conv->inputs * each, ld;
  size_t plane = cut->height * cut->columns.across;

  for (size_t i = first; i < end; i++)
    {
      size_t         example = i / cut->strips, strip = i % cut->strips;
      size_t         n = rows_of (cut, strip) * cut->columns.across;
      const sl_real *slope = dy + example * sl_conv_outputs (conv)
                             + strip * cut->rows * cut->columns.across;

      for (size_t c = 0; c < cut->channels; c += cut->together)
        {
          size_t         count = sl_least (cut->together, cut->channels - c);
          const sl_real *columns = columns_of (cut, strip, c, count,
                                               x + example * sl_conv_inputs (conv), space, &ld);

          sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, conv->outputs, count * each, n, 1, slope, plane,
                      columns, ld, i > first ? 1 : 0, dw + c * each, k);
        }
    }
}

static void
to_weights (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *dy, sl_real *dw,
            sl_real *work)
{
  Cut      cut = forward_cut (conv);
  size_t   items = batch * cut.strips, groups = sl_least (items, GROUPS), space = strip_size (&cut);
  size_t   n = sl_conv_weights (conv);
  sl_real *strips = work + (GROUPS - 1) * n;

  if (items == 0)
    {
      memset (dw, 0, n * sizeof *dw);
      return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads( \
    threads_for (groups, (double) batch * sl_conv_products (conv)))
#endif
  for (size_t g = 0; g < groups; g++)
    some_weights (conv, &cut, g * items / groups, (g + 1) * items / groups, x, dy,
                  g == 0 ? dw : work + (g - 1) * n, strips + this_thread () * space);
  for (size_t g = 1; g < groups; g++)
    for (size_t i = 0; i < n; i++)
      dw[i] += work[(g - 1) * n + i];
}

/* The sum of n numbers, in lanes of its own so that it vectorises. */
SL_CLONES static double
sum_of (size_t n, const sl_real *x)
{
  enum { LANES = 16 };
  sl_real sum[LANES] = { 0 };
  double  total = 0;
  size_t  i = 0;

  for (; i + LANES <= n; i += LANES)
    for (size_t l = 0; l < LANES; l++)
      sum[l] += x[i + l];
  for (size_t l = 0; l < LANES; l++)
    total += (double) sum[l];
  for (; i < n; i++)
    total += (double) x[i];
  return total;
}

static void
to_bias (const SlConv *conv, size_t batch, const sl_real *dy, sl_real *db)
{
  size_t plane = sl_conv_height (conv) * sl_conv_width (conv);

  for (size_t o = 0; o < conv->outputs; o++)
    {
      double sum = 0;

      for (size_t e = 0; e < batch; e++)
        sum += sum_of (plane, dy + (e * conv->outputs + o) * plane);
      db[o] = (sl_real) sum;
    }
}

void
sl_conv_backward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                  const sl_real *dy, sl_real *dw, sl_real *db, sl_real *dx, bool add,
                  sl_real *work)
{
  if (dw != NULL)
    to_weights (conv, batch, x, dy, dw, work);
  if (db != NULL)
    to_bias (conv, batch, dy, db);
  if (dx == NULL)
    return;
  if (turns_round (conv))
    gather_input (conv, batch, w, dy, dx, add, work);
  else
    scatter_input (conv, batch, w, dy, dx, add, work);
}
