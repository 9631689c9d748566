/* SPDX-License-Identifier: MIT
 *
 * Layers of golden numbers; see golden-layer.h.  */
#include "tests/core/nn/golden-layer.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
const double golden_each = 0.0, golden_all = 1e-10;
#else
const double golden_each = 1e-4, golden_all = 2e-6;
#endif

JsonObject *
golden_part (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_object_member (object, member);
}

static JsonNode *root;

void
golden_open (const char *path)
{
  root = sl_golden_load (path);
}

void
golden_close (void)
{
  g_clear_pointer (&root, json_node_unref);
}

JsonObject *
golden_family (const char *family)
{
  return golden_part (json_node_get_object (root), family);
}

JsonObject *
golden_case (const char *family, const char *name)
{
  return golden_part (golden_family (family), name);
}

JsonArray *
golden_cases (const char *family, const char *name)
{
  return json_object_get_array_member (golden_family (family), name);
}

size_t
golden_whole (JsonObject *object, const char *member)
{
  return (size_t) sl_golden_number (object, member);
}

double *
golden_list (JsonObject *object, const char *member, size_t n)
{
  GArray *array = sl_golden_numbers (object, member);

  g_assert_cmpuint (array->len, ==, n);
  return (double *) (gpointer) g_array_free (array, FALSE);
}

void
golden_load (JsonObject *object, const char *member, sl_real *to, size_t n)
{
  g_autofree double *from = golden_list (object, member, n);

  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) from[i];
}

/* Single numbers are as exact as the largest of them. */
void
golden_check (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = golden_list (object, member, n);
  double             most = 1.0;

  for (size_t i = 0; i < n; i++)
    most = fmax (most, fabs (want[i]));
  sl_assert_close (got, want, n, golden_each, golden_all * most);
}

void
golden_check_double (const double *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = golden_list (object, member, n);

  for (size_t i = 0; i < n; i++)
    sl_assert_near (got[i], want[i], golden_each, golden_all);
}

void
golden_check_number (double got, JsonObject *object, const char *member)
{
  double want = sl_golden_number (object, member);

  sl_assert_near (got, want, golden_each, golden_all * fmax (1.0, fabs (want)) * 10.0);
}

void
golden_check_whole (const uint32_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = golden_list (object, member, n);

  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) want[i]);
}

/* A matrix of 0 and 1. */
void
golden_check_mask (const uint8_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = golden_list (object, member, n);

  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) want[i]);
}

/* ---- layers ---- */

static const char *const golden_experts[] = { "E1", "e1", "E2", "e2" };
static const char *const golden_shared[] = { "S1", "s1", "S2", "s2" };

/* Those of `n` experts from `at` on; of[0] … of[3] name A, a, C and c. */
static void
load_experts (const GoldenLayer *c, const char *const of[4], size_t n, sl_real *at)
{
  size_t d = c->inputs, h = c->hidden, o = c->outputs;
  size_t size[4] = { d * h, h, h * o, o }, each = sl_experts_each (d, h, o);

  for (unsigned part = 0, offset = 0; part < 4; offset += size[part++])
    {
      g_autofree sl_real *block = g_new (sl_real, n * size[part]);

      golden_load (c->object, of[part], block, n * size[part]);
      for (size_t i = 0; i < n; i++)
        memcpy (at + i * each + offset, block + i * size[part], size[part] * sizeof *at);
    }
}

static void
check_experts (const GoldenLayer *c, JsonObject *to, const char *const of[4], size_t n,
               const sl_real *at)
{
  size_t d = c->inputs, h = c->hidden, o = c->outputs;
  size_t size[4] = { d * h, h, h * o, o }, each = sl_experts_each (d, h, o);

  for (unsigned part = 0, offset = 0; part < 4; offset += size[part++])
    {
      g_autofree sl_real *block = g_new (sl_real, n * size[part]);

      for (size_t i = 0; i < n; i++)
        memcpy (block + i * size[part], at + i * each + offset, size[part] * sizeof *at);
      golden_check (block, to, of[part], n * size[part]);
    }
}

static void
check_gradients (GoldenLayer *c)
{
  JsonObject    *grads = golden_part (c->object, "grads");
  const sl_real *experts = c->mix.gradient + c->mix.moe.n_gates;
  size_t         each = c->mix.moe.experts.each;

  golden_check (c->mix.gradient, grads, c->gate_name, c->mix.moe.n_gates);
  check_experts (c, grads, golden_experts, c->experts, experts);
  if (c->shared > 0)
    check_experts (c, grads, golden_shared, c->shared, experts + c->experts * each);
  golden_check (c->mix.dx, c->object, "dX", c->rows * c->inputs);
}

void
layer_begin (GoldenLayer *c, JsonObject *object, SlMoeGate gate, const SlMoeSetting *setting)
{
  *c = (GoldenLayer) {
    .object = object,
    .rows = golden_whole (object, "B"),
    .inputs = golden_whole (object, "D"),
    .experts = golden_whole (object, "n"),
    .hidden = golden_whole (object, "hidden"),
    .outputs = golden_whole (object, "out"),
    .gate_name = gate == SL_MOE_SOFT ? "Phi" : "Wg",
  };
  if (json_object_has_member (object, "shared"))
    c->shared = golden_whole (object, "shared");
  if (json_object_has_member (object, "slots"))
    c->slots = golden_whole (object, "slots");
  mix_init (&c->mix,
            &(SlMoeShape) { gate, c->inputs, c->hidden, c->outputs, c->experts, .groups = 1,
                            .most = c->rows, .shared = c->shared, .slots = c->slots },
            setting);
  c->mix.batch = c->rows;
  golden_load (object, "X", c->mix.x, c->rows * c->inputs);
  golden_load (object, "Cw", c->mix.dy, c->rows * c->outputs);
  golden_load (object, c->gate_name, c->mix.weights, c->mix.moe.n_gates);
  load_experts (c, golden_experts, c->experts, c->mix.moe.experts.weights);
  if (c->shared > 0)
    load_experts (c, golden_shared, c->shared, c->mix.moe.shared.weights);
}

static double
layer_task (const Mix *mix)
{
  double task = 0.0;

  for (size_t i = 0; i < mix->batch * mix->moe.shape.outputs; i++)
    task += (double) mix->y[i] * (double) mix->dy[i];
  return task;
}

void
layer_train (GoldenLayer *c)
{
  mix_train (&c->mix);
  golden_check (c->mix.y, c->object, "y", c->rows * c->outputs);
  golden_check_number (mix_objective (&c->mix, true), c->object, "total");
  if (json_object_has_member (c->object, "task"))
    golden_check_number (layer_task (&c->mix), c->object, "task");
  check_gradients (c);
}

void
layer_end (GoldenLayer *c)
{
  mix_clear (&c->mix);
}

void
layer_for_each (const char *family, const char *with, void (*test) (JsonObject *object))
{
  JsonObject *cases = golden_family (family);
  g_autoptr (GList) names = json_object_get_members (cases);
  guint tested = 0;

  for (GList *name = names; name != NULL; name = name->next)
    {
      JsonNode *node = json_object_get_member (cases, name->data);

      if (!JSON_NODE_HOLDS_OBJECT (node)
          || !json_object_has_member (json_node_get_object (node), with))
        continue;
      g_test_message ("%s %s", family, (const char *) name->data);
      test (json_node_get_object (node));
      tested++;
    }
  g_assert_cmpuint (tested, >=, 3);
}
