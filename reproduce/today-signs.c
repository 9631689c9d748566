/* SPDX-License-Identifier: MIT
 *
 * What the papers on predictors of active units say of their order, on a toy: at equal shares of computed units,
 * and with sparsity made by training.  */
#include "reproduce/orders.h"

enum { DENSE, SVD, LEARNED, SIGNS, SPARSE, ROWS };
enum { ERROR, COST, COLUMNS };

static const char *const rows[ROWS + 1] = {
  "no estimator", "singular values", "learned", "sign bits", "sign bits, L1 in training", NULL,
};

#define FIFTH "estimator=on aim=density aim-value=0.2 "

static const char *const words[ROWS] = {
  "estimator=off",
  FIFTH "predictor=svd",
  FIFTH "predictor=learned",
  FIFTH "predictor=sign-bits",
  FIFTH "predictor=sign-bits l1=0.3 l1-warm-up=100 l1-length=400",
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [COST] = { "cost", "% of dense", SL_SAME_SHAPE },
};

static const SlTableOrder orders[] = {
  { LEARNED, SVD, ERROR, "learned factors find active units better than those of W (Deja Vu)" },
  { SIGNS, LEARNED, COST, "sign bits cost less than learned factors (SparseInfer)" },
};

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "sign-estimator",
                       .data = "fashion-mnist",
                       .settings = "evaluate-every=300",
                       .rows = words,
                       .budget = { .steps = r->quick ? 150 : 600 },
                       .read = sl_reproduction_error_and_cost };
  SlExit      code = sl_reproduction_runs (r, &runs);
  double      loss;

  if (code != SL_EXIT_FINE)
    return code;
  loss = sl_reproduction_mean (r, SIGNS, ERROR) - sl_reproduction_mean (r, DENSE, ERROR);
  sl_reproduction_claim (
    r, loss < 1.0, "sign bits stay within one point of the dense network (SparseInfer): here %+.2f",
    loss);
  loss = sl_reproduction_mean (r, SPARSE, ERROR) - sl_reproduction_mean (r, DENSE, ERROR);
  sl_reproduction_claim (
    r, loss < 1.0,
    "training for sparsity costs no quality (ProSparse), less than a point: here %+.2f", loss);
  sl_reproduction_orders (r, orders, G_N_ELEMENTS (orders));
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_today_signs = {
  .id = "today-signs",
  .title = "today's predictors of active units, at equal shares of computed units",
  .source = "Liu et al. 2023 (Deja Vu), Shin et al. 2024 (SparseInfer), Song et al. 2024 (ProSparse)",
  .time = "4 min",
  .quick_time = "1 min",
  .conditions = "Published: language models with billions of parameters, most of whose units are off. Here: "
                "Fashion-MNIST, 784-400-300-200-10, 600 updates with a fifth of each layer computed from the first "
                "update on. A word of 64 sign bits counts as one multiplication.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
