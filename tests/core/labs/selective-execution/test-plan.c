/* SPDX-License-Identifier: MIT
 *
 * Networks of choices as files: each key is read as it says, what is wrong is refused with its line and key,
 * and what is written reads as the same network.  */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/selective-execution/math/file.h"
#include "tests/support/close.h"

enum { CLASSES = 10 };

static const SlDagShape input = { 2, 6, 5 };

static const char whole[]
  = "{\"sluice-network\": 1, \"about\": \"all keys\",\n"
    " \"nodes\": [\n"
    "  {\"name\": \"in\", \"kind\": \"input\", \"lane\": 0.25},\n"
    "  {\"name\": \"rest\", \"kind\": \"input\", \"part\": [7, 4]},\n"
    "  {\"name\": \"N1\", \"inputs\": [\"in\"], \"about\": \"conv\", \"lane\": 1, \"layers\": "
    "[{\"conv\": 3, "
    "\"stride\": 2, \"rectified\": true}, {\"conv\": 4}, {\"pool\": 2}, {\"dense\": 7, "
    "\"rectified\": true}]},\n"
    "  {\"name\": \"Q\", \"kind\": \"control\", \"inputs\": [\"N1\"], \"layers\": [{\"dense\": "
    "2}], "
    "\"actions\": [\"D\", \"N2\"]},\n"
    "  {\"name\": \"D\", \"kind\": \"dummy\", \"shape\": \"classes\", \"value\": -0.375},\n"
    "  {\"name\": \"E\", \"kind\": \"dummy\", \"shape\": [3, 2, 4], \"value\": 0.1},\n"
    "  {\"name\": \"F\", \"kind\": \"dummy\", \"shape\": 5},\n"
    "  {\"name\": \"N2\", \"kind\": \"regular\", \"beside\": true, \"inputs\": [\"N1\", \"rest\"], "
    "\"layers\": [{\"dense\": 3}, {\"place\": [9, 0, 4]}]},\n"
    "  {\"name\": \"N3\", \"inputs\": [\"N1\"], \"layers\": [{\"dense\": \"classes\"}]},\n"
    "  {\"name\": \"out\", \"kind\": \"output\", \"inputs\": [{\"from\": \"D\", \"default\": 0}, "
    "{\"from\": \"N2\", \"default\": 1.5}, \"N3\"]}]}";

static void
check_layer (const SlDagLayer *layer, SlDagLayerKind kind, size_t units, size_t stride,
             bool rectified)
{
  g_assert_cmpint (layer->kind, ==, kind);
  g_assert_cmpuint (layer->units, ==, units);
  g_assert_cmpuint (layer->stride, ==, stride);
  g_assert_cmpint (layer->rectified, ==, rectified);
}

static void
check_shape (SlDagShape shape, size_t channels, size_t height, size_t width)
{
  g_assert_cmpuint (shape.channels, ==, channels);
  g_assert_cmpuint (shape.height, ==, height);
  g_assert_cmpuint (shape.width, ==, width);
}

static void
check_edge (const SlDagEdge *edge, unsigned from, unsigned to, bool control, bool has,
            double fallback)
{
  g_assert_cmpuint (edge->from, ==, from);
  g_assert_cmpuint (edge->to, ==, to);
  g_assert_cmpint (edge->control, ==, control);
  g_assert_cmpint (edge->has_fallback, ==, has);
  g_assert_cmpfloat ((double) edge->fallback, ==, fallback);
}

/* Everything that `whole` says. */
static void
check_whole (const SlDagPlan *plan, const SlDagFile *file, bool lines)
{
  static const SlDagKind kinds[]
    = { SL_DAG_INPUT, SL_DAG_INPUT, SL_DAG_REGULAR, SL_DAG_CONTROL, SL_DAG_DUMMY,
        SL_DAG_DUMMY, SL_DAG_DUMMY, SL_DAG_REGULAR, SL_DAG_REGULAR, SL_DAG_OUTPUT };
  static const char *const names[] = { "in", "rest", "N1", "Q", "D", "E", "F", "N2", "N3", "out" };
  static const unsigned    layers[] = { 0, 0, 4, 1, 0, 0, 0, 2, 1, 0 };
  const SlDagNode         *node = plan->node;

  g_assert_cmpuint (plan->width, ==, 60);
  g_assert_cmpuint (plan->n_nodes, ==, G_N_ELEMENTS (kinds));
  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      g_assert_cmpint (node[i].kind, ==, kinds[i]);
      g_assert_cmpstr (node[i].name, ==, names[i]);
      g_assert_cmpuint (node[i].n_layers, ==, layers[i]);
      g_assert_cmpint (node[i].beside, ==, i == 7);
      if (lines)
        g_assert_cmpuint (file->line[i], ==, i + 3);
      g_assert_true (i == 0   ? file->lane[i] == 0.25
                     : i == 2 ? file->lane[i] == 1.0
                              : isnan (file->lane[i]));
    }
  check_shape (node[0].shape, 2, 6, 5);
  g_assert_cmpuint (node[0].first, ==, 0);
  check_shape (node[1].shape, 4, 1, 1);
  g_assert_cmpuint (node[1].first, ==, 7);
  check_layer (&node[2].layer[0], SL_DAG_CONV, 3, 2, true);
  check_layer (&node[2].layer[1], SL_DAG_CONV, 4, 1, false);
  check_layer (&node[2].layer[2], SL_DAG_POOL, 0, 2, false);
  check_layer (&node[2].layer[3], SL_DAG_DENSE, 7, 0, true);
  check_layer (&node[3].layer[0], SL_DAG_DENSE, 2, 0, false);
  check_shape (node[4].shape, CLASSES, 1, 1);
  g_assert_cmpfloat ((double) node[4].value, ==, -0.375);
  check_shape (node[5].shape, 3, 2, 4);
  sl_assert_near ((double) node[5].value, 0.1, 1e-7, 0);
  check_shape (node[6].shape, 5, 1, 1);
  g_assert_cmpfloat ((double) node[6].value, ==, 0);
  check_layer (&node[7].layer[0], SL_DAG_DENSE, 3, 0, false);
  check_layer (&node[7].layer[1], SL_DAG_PLACE, CLASSES, 0, false);
  for (unsigned c = 0; c < CLASSES; c++)
    g_assert_cmpint (node[7].layer[1].places[c] != 0, ==, c == 0 || c == 4 || c == 9);
  check_layer (&node[8].layer[0], SL_DAG_DENSE, CLASSES, 0, false);
  g_assert_cmpuint (plan->n_edges, ==, 10);
  check_edge (&plan->edge[0], 0, 2, false, false, 0);
  check_edge (&plan->edge[1], 2, 3, false, false, 0);
  check_edge (&plan->edge[2], 3, 4, true, false, 0);
  check_edge (&plan->edge[3], 3, 7, true, false, 0);
  check_edge (&plan->edge[4], 2, 7, false, false, 0);
  check_edge (&plan->edge[5], 1, 7, false, false, 0);
  check_edge (&plan->edge[6], 2, 8, false, false, 0);
  check_edge (&plan->edge[7], 4, 9, false, true, 0);
  check_edge (&plan->edge[8], 7, 9, false, true, 1.5);
  check_edge (&plan->edge[9], 8, 9, false, false, 0);
}

static void
test_whole (void)
{
  static SlDagPlan plan, again;
  static SlDagFile file, other;
  SlStatus         status = sl_dag_read (&plan, &file, whole, strlen (whole), input, CLASSES);
  char            *text;

  g_assert_true (sl_ok (&status));
  check_whole (&plan, &file, true);
  status = sl_dag_write (&plan, file.lane, CLASSES, &text);
  g_assert_true (sl_ok (&status));
  status = sl_dag_read (&again, &other, text, strlen (text), input, CLASSES);
  g_assert_true (sl_ok (&status));
  check_whole (&again, &other, false);
  g_assert_nonnull (strstr (text, "\"layers\": [{\"dense\": \"classes\"}]"));
  free (text);
  /* Without places in a picture, and for data of another number of classes. */
  status = sl_dag_write (&plan, NULL, CLASSES + 1, &text);
  g_assert_true (sl_ok (&status));
  g_assert_null (strstr (text, "lane"));
  g_assert_null (strstr (text, "classes"));
  free (text);
}

/* A node of one kind of everything, in which one text is another one. */
static void
check_refused (const char *old, const char *new, unsigned line, const char *key)
{
  static SlDagPlan plan;
  static SlDagFile file;
  g_autoptr (GString) text = g_string_new (whole);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", key);
  SlStatus         status;

  g_assert_cmpuint (g_string_replace (text, old, new, 1), ==, 1);
  status = sl_dag_read (&plan, &file, text->str, text->len, input, CLASSES);
  if (sl_ok (&status))
    g_error ("%s is taken", new);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_cmpstr (status.subject, ==, quoted);
  g_assert_cmpint (status.place, ==, SL_LINE);
  g_assert_cmpuint (status.position, ==, line);
}

static void
check_taken (const char *old, const char *new)
{
  static SlDagPlan plan;
  static SlDagFile file;
  g_autoptr (GString) text = g_string_new (whole);
  char     sentence[512];
  SlStatus status;

  g_assert_cmpuint (g_string_replace (text, old, new, 1), ==, 1);
  status = sl_dag_read (&plan, &file, text->str, text->len, input, CLASSES);
  if (!sl_ok (&status))
    g_error ("%s: %s", new, sl_status_text (&status, sentence, sizeof sentence));
}

static void
check_version (const char *version, SlCode code)
{
  static SlDagPlan plan;
  static SlDagFile file;
  g_autoptr (GString) text = g_string_new (whole);
  SlStatus status;

  g_assert_cmpuint (g_string_replace (text, "\"sluice-network\": 1", version, 1), ==, 1);
  status = sl_dag_read (&plan, &file, text->str, text->len, input, CLASSES);
  g_assert_cmpint (status.code, ==, code);
  g_assert_cmpstr (status.subject, ==, "network");
}

static void
test_refused (void)
{
  check_version ("\"sluice-network\": 0", SL_EFORMAT);
  check_version ("\"sluice-network\": 2", SL_EUNSUPPORTED);
  check_version ("\"sluice-plan\": 2", SL_EUNSUPPORTED);
  check_taken ("\"sluice-network\": 1", "\"sluice-plan\": 1");
  check_refused ("\"about\": \"all keys\"", "\"abouts\": \"all keys\"", 1, "abouts");
  check_refused ("\"name\": \"rest\"", "\"name\": \"in\"", 4, "name");
  check_refused ("\"name\": \"rest\"", "\"name\": \"\"", 4, "name");
  check_refused ("\"name\": \"rest\"", "\"name\": 3", 4, "name");
  check_refused ("\"name\": \"rest\"", "\"name\": \"a%s\"", 4, "name");
  check_refused ("\"name\": \"rest\"", "\"name\": \"a\\tb\"", 4, "name");
  check_refused ("\"name\": \"rest\"", "\"name\": \"a\x7f\"", 4, "name");
  check_refused ("\"name\": \"F\"", "\"name\": \"123456789012345678901234\"", 9, "name");
  check_refused ("\"kind\": \"control\"", "\"kind\": \"controls\"", 6, "kind");
  check_refused ("\"kind\": \"control\"", "\"kind\": 1", 6, "kind");
  check_refused ("\"lane\": 1,", "\"lane\": 1.25,", 5, "lane");
  check_refused ("\"lane\": 1,", "\"lane\": -0.25,", 5, "lane");
  check_refused ("\"lane\": 1,", "\"lane\": true,", 5, "lane");
  check_refused ("\"beside\": true", "\"beside\": 1", 10, "beside");
  check_refused ("\"value\": 0.1", "\"value\": 1e7", 8, "value");
  check_refused ("\"part\": [7, 4]", "\"part\": [7]", 4, "part");
  check_refused ("\"part\": [7, 4]", "\"part\": [7, 0]", 4, "part");
  check_refused ("\"part\": [7, 4]", "\"part\": [7, 4, 1]", 4, "part");
  check_refused ("\"part\": [7, 4]", "\"part\": [-1, 4]", 4, "part");
  check_refused ("\"part\": [7, 4]", "\"part\": 7", 4, "part");
  check_refused ("\"shape\": [3, 2, 4]", "\"shape\": [3, 2]", 8, "shape");
  check_refused ("\"shape\": [3, 2, 4]", "\"shape\": [3, 0, 4]", 8, "shape");
  check_refused ("\"shape\": [3, 2, 4]", "\"shape\": [3, 2, 4097]", 8, "shape");
  check_refused ("\"shape\": [3, 2, 4]", "\"shape\": [3, 2, 4, 1]", 8, "shape");
  check_refused ("\"shape\": 5", "\"about\": \"none\"", 9, "shape");
  check_refused ("\"shape\": 5", "\"shape\": 0", 9, "shape");
  check_refused ("\"shape\": 5", "\"shape\": 4097", 9, "shape");
  check_refused ("\"shape\": 5", "\"shape\": \"class\"", 9, "shape");
  check_refused ("{\"conv\": 4}", "{\"conv\": 0}", 5, "conv");
  check_refused ("{\"conv\": 4}", "{\"conv\": 4097}", 5, "conv");
  check_refused ("{\"conv\": 4}", "{\"conv\": \"classes\"}", 5, "conv");
  check_refused ("{\"conv\": 4}", "{\"conv\": 4, \"stride\": 0}", 5, "stride");
  check_refused ("{\"conv\": 4}", "{\"conv\": 4, \"stride\": 65}", 5, "stride");
  check_refused ("{\"conv\": 4}", "{\"conv\": 4, \"rectified\": 1}", 5, "rectified");
  check_refused ("{\"conv\": 4}", "{\"conv\": 4, \"strides\": 1}", 5, "strides");
  check_refused ("{\"conv\": 4}", "{\"convs\": 4}", 5, "layers");
  check_refused ("{\"conv\": 4}", "4", 5, "layers");
  check_refused ("{\"pool\": 2}", "{\"pool\": 1}", 5, "pool");
  check_refused ("{\"pool\": 2}", "{\"pool\": 65}", 5, "pool");
  check_refused ("{\"pool\": 2}", "{\"pool\": 2, \"rectified\": true}", 5, "rectified");
  check_refused ("{\"dense\": 2}", "{\"dense\": 0}", 6, "dense");
  check_refused ("{\"dense\": 2}", "{\"dense\": 2, \"stride\": 1}", 6, "stride");
  check_refused ("{\"dense\": 2}", "{\"dense\": 2, \"rectified\": 0}", 6, "rectified");
  check_refused ("[{\"dense\": 2}]", "{\"dense\": 2}", 6, "layers");
  check_refused ("[{\"dense\": 2}]",
                 "[{\"dense\": 2},{\"dense\": 2},{\"dense\": 2},{\"dense\": 2},{\"dense\": "
                 "2},{\"dense\": 2},{\"dense\": 2}]",
                 6, "layers");
  check_refused ("[9, 0, 4]", "[9, 0, 10]", 10, "place");
  check_refused ("[9, 0, 4]", "[9, 0, 9]", 10, "place");
  check_refused ("[9, 0, 4]", "9", 10, "place");
  check_refused ("{\"place\": [9, 0, 4]}", "{\"place\": [9, 0, 4], \"rectified\": true}", 10,
                 "rectified");
  check_refused ("\"inputs\": [\"in\"]", "\"inputs\": \"in\"", 5, "inputs");
  check_refused ("\"inputs\": [\"in\"]", "\"inputs\": [\"inn\"]", 5, "inputs");
  check_refused ("\"inputs\": [\"in\"]", "\"inputs\": [3]", 5, "inputs");
  check_refused ("\"actions\": [\"D\", \"N2\"]", "\"actions\": [\"D\", \"N5\"]", 6, "actions");
  check_refused ("\"actions\": [\"D\", \"N2\"]", "\"actions\": \"D\"", 6, "actions");
  check_refused ("{\"from\": \"D\", \"default\": 0}", "{\"from\": \"G\", \"default\": 0}", 12,
                 "from");
  check_refused ("{\"from\": \"D\", \"default\": 0}", "{\"default\": 0}", 12, "from");
  check_refused ("{\"from\": \"D\", \"default\": 0}", "{\"from\": \"D\", \"default\": 2e6}", 12,
                 "default");
  check_refused ("{\"from\": \"D\", \"default\": 0}", "{\"from\": \"D\", \"defaults\": 0}", 12,
                 "defaults");
}

/* The largest numbers that there can be. */
static void
test_taken (void)
{
  check_taken ("\"name\": \"F\"", "\"name\": \"12345678901234567890123\"");
  check_taken ("\"name\": \"F\"", "\"name\": \"a b\"");
  check_taken ("\"lane\": 1,", "\"lane\": 0,");
  check_taken ("\"value\": 0.1", "\"value\": -1e6");
  check_taken ("\"value\": 0.1", "\"value\": 1e6");
  check_taken ("\"shape\": 5", "\"shape\": 4096");
  check_taken ("\"shape\": [3, 2, 4]", "\"shape\": [4096, 1, 4096]");
  check_taken ("{\"conv\": 4}", "{\"conv\": 4096, \"stride\": 64}");
  check_taken ("{\"pool\": 2}", "{\"pool\": 64}");
  check_taken ("[9, 0, 4]", "[]");
  check_taken (
    "[{\"dense\": 2}]",
    "[{\"dense\": 2},{\"dense\": 2},{\"dense\": 2},{\"dense\": 2},{\"dense\": 2},{\"dense\": 2}]");
  check_taken ("\"part\": [7, 4]", "\"part\": [0, 60]");
}

/* As many nodes, edges and layers that place as there may be, and one more of each. */
static void
test_most (void)
{
  static SlDagPlan plan;
  static SlDagFile file;

  for (unsigned more = 0; more < 2; more++)
    for (int what = 0; what < 3; what++)
      {
        unsigned nodes = what == 0 ? SL_DAG_NODES + more : 8;
        unsigned edges = what == 1 ? SL_DAG_EDGES + more : 0;
        unsigned places = what == 2 ? SL_DAG_PLACES + more : 0;
        g_autoptr (GString) text = g_string_new ("{\"sluice-plan\": 1, \"nodes\": [");
        SlStatus status;

        for (unsigned i = 0; i < nodes; i++)
          {
            unsigned here = places > i * 4 ? MIN (places - i * 4, 4) : 0;

            g_string_append_printf (text, "%s{\"name\": \"n%u\", \"layers\": [", i > 0 ? "," : "",
                                    i);
            for (unsigned l = 0; l < here; l++)
              g_string_append (text, l > 0 ? ",{\"place\": [0]}" : "{\"place\": [0]}");
            g_string_append (text, "], \"inputs\": [");
            for (unsigned e = 0; i == 0 && e < edges; e++)
              g_string_append (text, e > 0 ? ",\"n1\"" : "\"n1\"");
            g_string_append (text, "]}");
          }
        g_string_append (text, "]}");
        status = sl_dag_read (&plan, &file, text->str, text->len, input, CLASSES);
        g_assert_cmpint (sl_ok (&status), ==, more == 0);
        if (more == 0)
          g_assert_cmpuint (plan.n_nodes + plan.n_edges + file.n_places, ==,
                            nodes + edges + places);
      }
}

/* Rules are no part of a file. */
static void
test_rules (void)
{
  static SlDagPlan plan;
  SlDagNode        node = { .name = "r",
                            .kind = SL_DAG_CONTROL,
                            .n_layers = 2,
                            .layer = { { .kind = SL_DAG_DENSE, .units = 1 }, { .kind = SL_DAG_RULE } } };
  SlStatus         status;
  char            *text;

  sl_dag_add (&plan, &node);
  status = sl_dag_write (&plan, NULL, CLASSES, &text);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  g_assert_null (text);
  plan.node[0].layer[1].kind = SL_DAG_RANK;
  status = sl_dag_write (&plan, NULL, CLASSES, &text);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  plan.node[0].layer[1] = (SlDagLayer) { .kind = SL_DAG_DENSE, .units = 2 };
  plan.node[0].name = "a \"b\\c\"";
  status = sl_dag_write (&plan, NULL, CLASSES, &text);
  g_assert_true (sl_ok (&status));
  g_assert_nonnull (strstr (text, "{\"name\": \"a \\\"b\\\\c\\\"\""));
  free (text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/whole", test_whole);
  g_test_add_func ("/plan/refused", test_refused);
  g_test_add_func ("/plan/taken", test_taken);
  g_test_add_func ("/plan/most", test_most);
  g_test_add_func ("/plan/rules", test_rules);
  return g_test_run ();
}
