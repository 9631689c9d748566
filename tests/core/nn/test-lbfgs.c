/* SPDX-License-Identifier: MIT
 *
 * L-BFGS: it solves a quadratic and Rosenbrock's valley, never goes up, backs off where the loss is
 * no number, throws away a history that leads nowhere, and goes on the same from a copy.  In
 * double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/optim/lbfgs.h"
#include "tests/support/close.h"

enum { MOST = 40 };

typedef struct
{
  size_t   n;
  unsigned calls;
  double   turn; /* of the objective that changes */
} Task;

static void
quadratic (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  Task *task = data;

  task->calls++;
  *loss = 0;
  for (size_t i = 0; i < task->n; i++)
    {
      double steep = 1.0 + 50.0 * (double) i, at = x[i] - (double) i - task->turn;

      *loss += 0.5 * steep * at * at;
      gradient[i] = steep * at;
    }
}

static void
rosenbrock (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  Task *task = data;

  task->calls++;
  *loss = 0;
  memset (gradient, 0, task->n * sizeof *gradient);
  for (size_t i = 0; i + 1 < task->n; i++)
    {
      double a = 1.0 - x[i], b = x[i + 1] - x[i] * x[i];

      *loss += a * a + 100.0 * b * b;
      gradient[i] += -2.0 * a - 400.0 * x[i] * b;
      gradient[i + 1] += 200.0 * b;
    }
}

/* A well with a wall: no number beyond x = 1. */
static void
walled (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  Task *task = data;

  task->calls++;
  *loss = x[0] < 1.0 ? -x[0] - log (1.0 - x[0]) * 0.01 : NAN;
  gradient[0] = x[0] < 1.0 ? -1.0 + 0.01 / (1.0 - x[0]) : NAN;
}

static void
flat (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  *loss = 3.0;
  memset (gradient, 0, ((Task *) data)->n * sizeof *gradient);
}

static void
nowhere (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  *loss = NAN;
  memset (gradient, 0, ((Task *) data)->n * sizeof *gradient);
}

/* A slope that lies: nothing is lower down it. */
static void
lying (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  *loss = fabs (x[0] - 1.0);
  gradient[0] = x[0] == 1.0 ? 1.0 : x[0] > 1.0 ? 1.0 : -1.0;
}

typedef struct
{
  SlArena kept, scratch;
  SlLbfgs o;
} Method;

static void
method_init (Method *method, size_t n, unsigned most)
{
  SlStatus status;

  *method = (Method) { 0 };
  sl_lbfgs_carve (&method->o, n, most, &method->kept, &method->scratch);
  status = sl_arena_init (&method->kept, method->kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&method->scratch, method->scratch.used);
  g_assert_true (sl_ok (&status));
  sl_lbfgs_carve (&method->o, n, most, &method->kept, &method->scratch);
}

static void
method_clear (Method *method)
{
  sl_arena_clear (&method->kept);
  sl_arena_clear (&method->scratch);
}

/* The strong Wolfe conditions of a step from x0 with the gradient g0: the loss falls by a share of what the slope
 * promises, and the slope is less steep at its end.  */
static void
assert_wolfe (const SlLbfgs *o, double fell, const sl_real *x0, const sl_real *g0, const sl_real *x)
{
  double before = 0, after = 0;

  for (size_t i = 0; i < o->n; i++)
    {
      before += g0[i] * (x[i] - x0[i]);
      after += o->gradient[i] * (x[i] - x0[i]);
    }
  g_assert_true (before < 0);
  g_assert_true (fell >= -1e-4 * before * (1 - 1e-9));
  g_assert_true (fabs (after) <= 0.9 * fabs (before) * (1 + 1e-9));
}

/* Steps until the gradient is small; returns how many. */
static int
solve (Method *method, SlLbfgsEvaluate evaluate, Task *task, sl_real *x, double small)
{
  double last = HUGE_VAL;

  for (int step = 1; step <= 500; step++)
    {
      SlLbfgsReport report;
      unsigned      calls = task->calls;
      double        square = 0;
      sl_real       x0[MOST], g0[MOST];

      memcpy (x0, x, task->n * sizeof *x);
      memcpy (g0, method->o.gradient, task->n * sizeof *g0);
      g_assert_true (sl_lbfgs_step (&method->o, 0.1, x, evaluate, task, &report));
      g_assert_cmpuint (report.evaluations, ==, task->calls - calls);
      g_assert_true (method->o.memory->loss <= last);
      if (step > 1)
        assert_wolfe (&method->o, last - method->o.memory->loss, x0, g0, x);
      last = method->o.memory->loss;
      for (size_t i = 0; i < task->n; i++)
        square += method->o.gradient[i] * method->o.gradient[i];
      if (sqrt (square) < small)
        return step;
    }
  g_assert_not_reached ();
}

static void
test_quadratic (void)
{
  for (unsigned most = 1; most <= 12; most += 11)
    {
      Task    task = { .n = 12 };
      sl_real x[MOST] = { 0 };
      Method  method;
      int     steps;

      method_init (&method, task.n, most);
      steps = solve (&method, quadratic, &task, x, 1e-9);
      g_test_message ("%u pairs: %d steps, %u evaluations", most, steps, task.calls);
      for (size_t i = 0; i < task.n; i++)
        sl_assert_near (x[i], (double) i, 0, 1e-8);
      if (most > 1)
        g_assert_cmpint (steps, <, 60);
      method_clear (&method);
    }
}

static void
test_rosenbrock (void)
{
  Task    task = { .n = 10 };
  sl_real x[MOST];
  Method  method;
  int     steps;

  for (size_t i = 0; i < task.n; i++)
    x[i] = i % 2 == 0 ? -1.2 : 1.0;
  method_init (&method, task.n, 8);
  steps = solve (&method, rosenbrock, &task, x, 1e-8);
  g_test_message ("%d steps, %u evaluations", steps, task.calls);
  for (size_t i = 0; i < task.n; i++)
    sl_assert_near (x[i], 1.0, 0, 1e-6);
  g_assert_cmpuint (task.calls, <, 200);
  method_clear (&method);
}

static void
test_wall (void)
{
  Task    task = { .n = 1 };
  sl_real x[1] = { -5.0 };
  Method  method;

  method_init (&method, 1, 4);
  solve (&method, walled, &task, x, 1e-6);
  sl_assert_near (x[0], 0.99, 0, 1e-6);
  method_clear (&method);
}

static void
test_still (void)
{
  Task          task = { .n = 3 };
  sl_real       x[3] = { 1, 2, 3 }, kept[3] = { 1, 2, 3 };
  SlLbfgsReport report;
  Method        method;

  method_init (&method, 3, 4);
  g_assert_true (sl_lbfgs_step (&method.o, 0.1, x, flat, &task, &report));
  g_assert_cmpfloat (report.length, ==, 0.0);
  sl_lbfgs_clear (&method.o);
  g_assert_false (sl_lbfgs_step (&method.o, 0.1, x, nowhere, &task, &report));
  g_assert_cmpmem (x, sizeof x, kept, sizeof kept);
  method_clear (&method);

  method_init (&method, 1, 4);
  x[0] = 1.0;
  task.n = 1;
  g_assert_true (sl_lbfgs_step (&method.o, 0.1, x, lying, &task, &report));
  g_assert_cmpfloat (report.length, ==, 0.0);
  g_assert_cmpfloat (x[0], ==, 1.0);
  g_assert_cmpfloat (method.o.memory->loss, ==, 0.0);
  method_clear (&method);
}

/* A history of another valley is thrown away rather than followed up hill. */
static void
test_history (void)
{
  Task          task = { .n = 8 };
  sl_real       x[MOST] = { 0 };
  SlLbfgsReport report;
  Method        method;

  method_init (&method, task.n, 5);
  for (int i = 0; i < 5; i++)
    g_assert_true (sl_lbfgs_step (&method.o, 0.1, x, quadratic, &task, &report));
  /* As if gradients had changed the other way. */
  for (unsigned i = 0; i < method.o.memory->pairs; i++)
    method.o.memory->rho[i] = -method.o.memory->rho[i];
  g_assert_true (sl_lbfgs_step (&method.o, 0.1, x, quadratic, &task, &report));
  g_assert_true (report.restarted);
  g_assert_true (report.length > 0.0);
  solve (&method, quadratic, &task, x, 1e-9);
  /* The objective moves, the history stays: it still is the same shape. */
  task.turn = 1.0;
  sl_lbfgs_redraw (&method.o);
  g_assert_cmpint (solve (&method, quadratic, &task, x, 1e-9), <, 100);
  sl_assert_near (x[3], 4.0, 0, 1e-8);
  method_clear (&method);
}

/* A copy of what is kept goes on as the original does, to the last bit. */
static void
test_copy (void)
{
  Task          task = { .n = 10 };
  sl_real       x[MOST] = { 0 }, other[MOST];
  SlLbfgsReport report;
  Method        a, b;

  method_init (&a, task.n, 3);
  method_init (&b, task.n, 3);
  for (int i = 0; i < 6; i++)
    g_assert_true (sl_lbfgs_step (&a.o, 0.1, x, rosenbrock, &task, &report));
  memcpy (other, x, sizeof other);
  *b.o.memory = *a.o.memory;
  memcpy (b.o.s, a.o.s, a.o.most * a.o.n * sizeof *a.o.s);
  memcpy (b.o.y, a.o.y, a.o.most * a.o.n * sizeof *a.o.y);
  memcpy (b.o.gradient, a.o.gradient, a.o.n * sizeof *a.o.gradient);
  for (int i = 0; i < 10; i++)
    {
      g_assert_true (sl_lbfgs_step (&a.o, 0.1, x, rosenbrock, &task, &report));
      g_assert_true (sl_lbfgs_step (&b.o, 0.1, other, rosenbrock, &task, &report));
      g_assert_cmpmem (x, sizeof x, other, sizeof other);
    }
  method_clear (&a);
  method_clear (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lbfgs/quadratic", test_quadratic);
  g_test_add_func ("/lbfgs/rosenbrock", test_rosenbrock);
  g_test_add_func ("/lbfgs/wall", test_wall);
  g_test_add_func ("/lbfgs/still", test_still);
  g_test_add_func ("/lbfgs/history", test_history);
  g_test_add_func ("/lbfgs/copy", test_copy);
  return g_test_run ();
}
