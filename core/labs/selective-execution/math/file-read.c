/* SPDX-License-Identifier: MIT
 *
 * Graphs from JSON; see file.h.  Names come first, then edges, which may lead forward.  */
#include "core/labs/selective-execution/math/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"

enum {
  BYTES = 1 << 16,
  MOST_UNITS = 4096,
  MOST_SIDE = 4096, /* of a constant's shape */
  MOST_STRIDE = 64,
};

typedef struct
{
  SlDagPlan *plan;
  SlDagFile *file;
  SlDagShape input;
  size_t     classes;
} Reading;

/* `at` is what was refused, or what it is missing from. */
static SlStatus
refuse (const SlJson *at, const char *key, SlMessage found, SlMessage expected)
{
  char subject[SL_UTF8_QUOTE];

  sl_utf8_quote (key, subject);
  return sl_status_at (SL_EFORMAT, subject, SL_LINE, at->line, found, expected);
}

/* A member that is missing or of another kind than it has to be. */
static SlStatus
refuse_kind (const SlJson *object, const SlJson *member, const char *key, SlMessage expected)
{
  return refuse (member != NULL ? member : object, key,
                 sl_message_word (sl_json_kind_text (member)), expected);
}

/* Nothing else than these keys, ended by NULL. */
static SlStatus
check_keys (const SlJson *object, const char *const *known)
{
  for (const SlJson *member = object->first; member != NULL; member = member->next)
    {
      unsigned i = 0;

      while (known[i] != NULL && strcmp (known[i], member->key) != 0)
        i++;
      if (known[i] == NULL)
        return refuse (member, member->key, sl_message ("no key of this name"), SL_NO_MESSAGE);
    }
  return SL_SUCCESS;
}

/* A whole number of an object, `fallback` where it is missing. */
static SlStatus
read_count (const SlJson *object, const char *key, unsigned least, unsigned most, size_t fallback,
            size_t *count)
{
  const SlJson *member = sl_json_member (object, key);
  uint64_t      whole = fallback;

  if (member != NULL && (!sl_json_whole (member, most, &whole) || whole < least))
    return refuse_kind (object, member, key,
                        sl_message ("a whole number from %u to %u", least, most));
  *count = (size_t) whole;
  return SL_SUCCESS;
}

static SlStatus
read_truth (const SlJson *object, const char *key, bool *truth)
{
  const SlJson *member = sl_json_member (object, key);

  if (member != NULL && member->kind != SL_JSON_TRUTH)
    return refuse_kind (object, member, key, sl_message ("true or false"));
  *truth = member != NULL && member->number != 0.0;
  return SL_SUCCESS;
}

/* A finite number, `fallback` where it is missing. */
static SlStatus
read_number (const SlJson *object, const char *key, double lo, double hi, double *number)
{
  const SlJson *member = sl_json_member (object, key);

  if (member == NULL)
    return SL_SUCCESS;
  if (member->kind != SL_JSON_NUMBER || !(member->number >= lo && member->number <= hi))
    return refuse_kind (object, member, key, sl_message ("a number from %g to %g", lo, hi));
  *number = member->number;
  return SL_SUCCESS;
}

/* ---- layers ---- */

/* A number of units, or "classes". */
static SlStatus
read_units (const Reading *r, const SlJson *layer, const char *key, size_t *units)
{
  const SlJson *member = sl_json_member_of (layer, key, SL_JSON_TEXT);

  if (member == NULL || strcmp (member->text, "classes") != 0)
    return read_count (layer, key, 1, MOST_UNITS, 0, units);
  *units = r->classes;
  return SL_SUCCESS;
}

static SlStatus
read_dense (const Reading *r, const SlJson *from, SlDagLayer *layer)
{
  SlStatus status = check_keys (from, (const char *[]) { "dense", "rectified", NULL });

  layer->kind = SL_DAG_DENSE;
  if (sl_ok (&status))
    status = read_units (r, from, "dense", &layer->units);
  return sl_ok (&status) ? read_truth (from, "rectified", &layer->rectified) : status;
}

static SlStatus
read_conv (const SlJson *from, SlDagLayer *layer)
{
  SlStatus status = check_keys (from, (const char *[]) { "conv", "stride", "rectified", NULL });

  layer->kind = SL_DAG_CONV;
  if (sl_ok (&status))
    status = read_count (from, "conv", 1, MOST_UNITS, 0, &layer->units);
  if (sl_ok (&status))
    status = read_count (from, "stride", 1, MOST_STRIDE, 1, &layer->stride);
  return sl_ok (&status) ? read_truth (from, "rectified", &layer->rectified) : status;
}

static SlStatus
read_pool (const SlJson *from, SlDagLayer *layer)
{
  SlStatus status = check_keys (from, (const char *[]) { "pool", NULL });

  layer->kind = SL_DAG_POOL;
  return sl_ok (&status) ? read_count (from, "pool", 2, MOST_STRIDE, 0, &layer->stride) : status;
}

static SlStatus
read_place (Reading *r, const SlJson *from, SlDagLayer *layer)
{
  const SlJson *list = sl_json_member (from, "place");
  SlStatus      status = check_keys (from, (const char *[]) { "place", NULL });
  uint8_t      *places = r->file->places[r->file->n_places];
  uint64_t class;

  if (!sl_ok (&status))
    return status;
  if (list->kind != SL_JSON_ARRAY)
    return refuse_kind (from, list, "place", sl_message ("a list of classes"));
  if (r->file->n_places == SL_DAG_PLACES || r->classes > SL_DAG_CLASSES)
    return refuse (from, "place", sl_message ("too many of them"),
                   sl_message ("at most %d, of at most %d classes", SL_DAG_PLACES, SL_DAG_CLASSES));
  r->file->n_places++;
  *layer = (SlDagLayer) { .kind = SL_DAG_PLACE, .units = r->classes, .places = places };
  for (const SlJson *element = list->first; element != NULL; element = element->next)
    {
      if (!sl_json_whole (element, r->classes - 1, &class) || places[class] != 0)
        return refuse (element, "place", sl_message_word (sl_json_kind_text (element)),
                       sl_message ("different classes from 0 to %zu", r->classes - 1));
      places[class] = 1;
    }
  return SL_SUCCESS;
}

static SlStatus
read_layer (Reading *r, const SlJson *from, SlDagLayer *layer)
{
  if (sl_json_member (from, "dense") != NULL)
    return read_dense (r, from, layer);
  if (sl_json_member (from, "conv") != NULL)
    return read_conv (from, layer);
  if (sl_json_member (from, "pool") != NULL)
    return read_pool (from, layer);
  if (sl_json_member (from, "place") != NULL)
    return read_place (r, from, layer);
  return refuse (from, "layers", sl_message_word (sl_json_kind_text (from)),
                 sl_message ("an object with dense, conv, pool or place"));
}

static SlStatus
read_layers (Reading *r, const SlJson *from, SlDagNode *node)
{
  const SlJson *list = sl_json_member (from, "layers");
  SlStatus      status = SL_SUCCESS;

  if (list == NULL)
    return status;
  if (list->kind != SL_JSON_ARRAY)
    return refuse_kind (from, list, "layers", sl_message ("a list"));
  for (const SlJson *layer = list->first; layer != NULL && sl_ok (&status); layer = layer->next)
    {
      if (node->n_layers == SL_DAG_LAYERS)
        return refuse (layer, "layers", sl_message ("too many of them"),
                       sl_message ("at most %d", SL_DAG_LAYERS));
      status = read_layer (r, layer, &node->layer[node->n_layers++]);
    }
  return status;
}

/* ---- nodes ---- */

/* Of a constant: "classes", a number, or channels, height and width. */
static SlStatus
read_shape (const Reading *r, const SlJson *from, SlDagShape *shape)
{
  const SlJson *list = sl_json_member_of (from, "shape", SL_JSON_ARRAY), *side;
  size_t       *to[] = { &shape->channels, &shape->height, &shape->width };
  uint64_t      whole;

  *shape = (SlDagShape) { 0, 1, 1 };
  if (list == NULL)
    {
      SlStatus status = read_units (r, from, "shape", &shape->channels);

      return !sl_ok (&status) || shape->channels > 0
               ? status
               : refuse_kind (from, NULL, "shape", sl_message ("what a constant delivers"));
    }
  side = list->first;
  for (unsigned i = 0; i < 3; i++, side = side->next)
    {
      if (list->n != 3 || !sl_json_whole (side, MOST_SIDE, &whole) || whole == 0)
        return refuse (list, "shape", sl_message_word (sl_json_kind_text (list)),
                       sl_message ("channels, height and width, each at most %d", MOST_SIDE));
      *to[i] = (size_t) whole;
    }
  return SL_SUCCESS;
}

/* Of an input: all numbers of the example, or so many from one on. */
static SlStatus
read_part (const Reading *r, const SlJson *from, SlDagNode *node)
{
  const SlJson *list = sl_json_member (from, "part");
  uint64_t      first, count;

  node->shape = r->input;
  if (list == NULL)
    return SL_SUCCESS;
  if (list->kind != SL_JSON_ARRAY || list->n != 2
      || !sl_json_whole (list->first, SL_DAG_WIDTH, &first)
      || !sl_json_whole (list->first->next, SL_DAG_WIDTH, &count) || count == 0)
    return refuse_kind (from, list, "part", sl_message ("a first number, from 0, and how many"));
  node->first = (size_t) first;
  if (first != 0 || count != sl_dag_width (r->input))
    node->shape = (SlDagShape) { (size_t) count, 1, 1 };
  return SL_SUCCESS;
}

/* What can be shown everywhere: no signs of a format, nothing that controls. */
static bool
is_name (const char *text)
{
  size_t length = strlen (text);

  for (size_t i = 0; i < length; i++)
    if ((unsigned char) text[i] < ' ' || text[i] == 127 || text[i] == '%')
      return false;
  return length > 0 && length < SL_DAG_NAME;
}

/* The node of this name among the first n, or n. */
static unsigned
find_node (const SlDagFile *file, unsigned n, const char *name)
{
  unsigned i = 0;

  while (i < n && strcmp (file->name[i], name) != 0)
    i++;
  return i;
}

static SlStatus
read_name (Reading *r, const SlJson *from, unsigned i)
{
  const SlJson *name = sl_json_member (from, "name");

  if (name == NULL || name->kind != SL_JSON_TEXT || !is_name (name->text))
    return refuse_kind (from, name, "name",
                        sl_message ("a text of 1 to %d letters", SL_DAG_NAME - 1));
  if (find_node (r->file, i, name->text) < i)
    return refuse (name, "name", sl_message ("%s a second time", name->text),
                   sl_message ("a name for each node"));
  snprintf (r->file->name[i], SL_DAG_NAME, "%s", name->text);
  return SL_SUCCESS;
}

static SlStatus
read_kind (const SlJson *from, SlDagKind *kind)
{
  static const char *const names[] = { [SL_DAG_INPUT] = "input",
                                       [SL_DAG_OUTPUT] = "output",
                                       [SL_DAG_REGULAR] = "regular",
                                       [SL_DAG_CONTROL] = "control",
                                       [SL_DAG_DUMMY] = "dummy" };
  const SlJson            *member = sl_json_member (from, "kind");

  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (member == NULL ? k == SL_DAG_REGULAR
                       : member->kind == SL_JSON_TEXT && strcmp (member->text, names[k]) == 0)
      {
        *kind = (SlDagKind) k;
        return SL_SUCCESS;
      }
  return refuse_kind (from, member, "kind",
                      sl_message ("input, output, regular, control or dummy"));
}

static SlStatus
read_node (Reading *r, const SlJson *from)
{
  static const char *const keys[] = { "name",   "kind",  "about", "inputs", "actions", "layers",
                                      "beside", "shape", "value", "lane",   "part",    NULL };
  unsigned                 i = r->plan->n_nodes;
  SlDagNode                node = { .name = r->file->name[i] };
  double                   value = 0.0;
  SlStatus                 status;

  r->file->line[i] = from->line;
  r->file->lane[i] = NAN;
  if (from->kind != SL_JSON_OBJECT)
    return refuse (from, "nodes", sl_message_word (sl_json_kind_text (from)),
                   sl_message ("an object"));
  status = check_keys (from, keys);
  if (sl_ok (&status))
    status = read_name (r, from, i);
  if (sl_ok (&status))
    status = read_kind (from, &node.kind);
  if (sl_ok (&status))
    status = read_layers (r, from, &node);
  if (sl_ok (&status))
    status = read_truth (from, "beside", &node.beside);
  if (sl_ok (&status))
    status = read_number (from, "value", -1e6, 1e6, &value);
  if (sl_ok (&status))
    status = read_number (from, "lane", 0.0, 1.0, &r->file->lane[i]);
  if (sl_ok (&status) && node.kind == SL_DAG_DUMMY)
    status = read_shape (r, from, &node.shape);
  if (sl_ok (&status) && node.kind == SL_DAG_INPUT)
    status = read_part (r, from, &node);
  node.value = (sl_real) value;
  if (sl_ok (&status))
    sl_dag_add (r->plan, &node);
  return status;
}

/* ---- edges ---- */

static SlStatus
add_edge (Reading *r, const SlJson *at, const char *key, const SlJson *name, unsigned node,
          SlDagEdge edge)
{
  unsigned other = r->plan->n_nodes;

  if (name != NULL && name->kind == SL_JSON_TEXT)
    other = find_node (r->file, r->plan->n_nodes, name->text);
  if (other == r->plan->n_nodes)
    return refuse (at, key,
                   name != NULL && name->kind == SL_JSON_TEXT
                     ? sl_message ("\"%s\"", name->text)
                     : sl_message_word (sl_json_kind_text (name)),
                   sl_message ("the name of a node"));
  if (r->plan->n_edges == SL_DAG_EDGES)
    return refuse (at, key, sl_message ("too many of them"),
                   sl_message ("at most %d edges", SL_DAG_EDGES));
  edge.from = edge.control ? node : other;
  edge.to = edge.control ? other : node;
  r->plan->edge[r->plan->n_edges++] = edge;
  return SL_SUCCESS;
}

/* "low", or { "from": "low", "default": 0 }. */
static SlStatus
read_input (Reading *r, const SlJson *from, unsigned node)
{
  SlDagEdge edge = { 0 };
  double    fallback = 0.0;
  SlStatus  status;

  if (from->kind != SL_JSON_OBJECT)
    return add_edge (r, from, "inputs", from, node, edge);
  status = check_keys (from, (const char *[]) { "from", "default", NULL });
  if (sl_ok (&status))
    status = read_number (from, "default", -1e6, 1e6, &fallback);
  edge.has_fallback = sl_json_member (from, "default") != NULL;
  edge.fallback = (sl_real) fallback;
  return sl_ok (&status) ? add_edge (r, from, "from", sl_json_member (from, "from"), node, edge)
                         : status;
}

static SlStatus
read_edges (Reading *r, const SlJson *from, const char *key, bool control, unsigned node)
{
  const SlJson *list = sl_json_member (from, key);
  SlStatus      status = SL_SUCCESS;

  if (list == NULL)
    return status;
  if (list->kind != SL_JSON_ARRAY)
    return refuse_kind (from, list, key, sl_message ("a list"));
  for (const SlJson *at = list->first; at != NULL && sl_ok (&status); at = at->next)
    status = control ? add_edge (r, at, key, at, node, (SlDagEdge) { .control = true })
                     : read_input (r, at, node);
  return status;
}

static SlStatus
read_nodes (Reading *r, const SlJson *root)
{
  const SlJson *list = sl_json_member (root, "nodes");
  SlStatus      status = SL_SUCCESS;
  unsigned      i = 0;

  if (list == NULL || list->kind != SL_JSON_ARRAY)
    return refuse_kind (root, list, "nodes", sl_message ("a list"));
  if (list->n > SL_DAG_NODES)
    return refuse (list, "nodes", sl_message ("%u of them", (unsigned) list->n),
                   sl_message ("at most %d", SL_DAG_NODES));
  for (const SlJson *node = list->first; node != NULL && sl_ok (&status); node = node->next)
    status = read_node (r, node);
  for (const SlJson *node = list->first; node != NULL && sl_ok (&status); node = node->next, i++)
    {
      status = read_edges (r, node, "inputs", false, i);
      if (sl_ok (&status))
        status = read_edges (r, node, "actions", true, i);
    }
  return status;
}

SlStatus
sl_dag_read (SlDagPlan *plan, SlDagFile *file, const char *text, size_t length, SlDagShape input,
             size_t classes)
{
  Reading     r = { plan, file, input, classes };
  const char *key = "sluice-network";
  SlJson     *root;
  SlStatus    status = sl_json_read (&root, text, length, BYTES, "network");

  *plan = (SlDagPlan) { .width = sl_dag_width (input) };
  memset (file, 0, sizeof *file);
  if (!sl_ok (&status))
    return status;
  if (sl_json_member (root, "sluice-plan") != NULL)
    key = "sluice-plan"; /* of earlier versions */
  status = sl_json_version (root, key, "network");
  if (sl_ok (&status))
    status = check_keys (root, (const char *[]) { key, "about", "nodes", NULL });
  if (sl_ok (&status))
    status = read_nodes (&r, root);
  sl_json_free (root);
  return status;
}
