/* SPDX-License-Identifier: MIT
 *
 * Reads the golden numbers: JSON made by an independent float64 implementation.  A missing
 * member is a failed test.  */
#pragma once

#include <json-glib/json-glib.h>

#include "tests/support/close.h"

static inline JsonNode *
sl_golden_load (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_parser_steal_root (parser);
}

/* The rows of a matrix, and the numbers of one. */
static inline size_t
sl_golden_rows (JsonObject *object, const char *member)
{
  return json_array_get_length (json_object_get_array_member (object, member));
}

static inline size_t
sl_golden_columns (JsonObject *object, const char *member)
{
  return json_array_get_length (
    json_array_get_array_element (json_object_get_array_member (object, member), 0));
}

/* Appends every number of a nested array to `to`. */
static inline void
sl_golden_flatten (JsonNode *node, GArray *to)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        sl_golden_flatten (json_array_get_element (array, i), to);
    }
  else
    {
      double value = json_node_get_double (node);

      g_array_append_val (to, value);
    }
}

/* The numbers of a member, row by row. */
static inline GArray *
sl_golden_numbers (JsonObject *object, const char *member)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  g_assert_true (json_object_has_member (object, member));
  sl_golden_flatten (json_object_get_member (object, member), numbers);
  return numbers;
}

/* The n numbers of a member, as the library takes them. */
static inline void
sl_golden_copy (JsonObject *object, const char *member, sl_real *to, size_t n)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (object, member);

  g_assert_cmpuint (numbers->len, ==, n);
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) g_array_index (numbers, double, i);
}

/* As sl_assert_close(), with the n numbers of a member. */
static inline void
sl_golden_expect (const sl_real *got, JsonObject *object, const char *member, size_t n, double rtol,
                  double atol)
{
  g_autoptr (GArray) want = sl_golden_numbers (object, member);

  g_assert_cmpuint (want->len, ==, n);
  sl_assert_close (got, &g_array_index (want, double, 0), n, rtol, atol);
}

static inline double
sl_golden_number (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_node_get_double (json_object_get_member (object, member));
}
