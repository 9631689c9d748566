/* SPDX-License-Identifier: MIT
 *
 * Mixtures of experts whose numbers come from an independent float64 implementation, with what they should
 * give, for the tests of all gates in both precisions.  */
#pragma once

#include <json-glib/json-glib.h>

#include "tests/core/nn/moe-mix.h"

extern const double golden_each,
  golden_all; /* how far single numbers may be off, and all of them */

void golden_open (const char *path);
void golden_close (void);

JsonObject *golden_part (JsonObject *object, const char *member);
JsonObject *golden_family (const char *family);
JsonObject *golden_case (const char *family, const char *name);
JsonArray  *golden_cases (const char *family, const char *name); /* a list of them */
size_t      golden_whole (JsonObject *object, const char *member);

/* `n` numbers; free with g_free(). */
double *golden_list (JsonObject *object, const char *member, size_t n);
void    golden_load (JsonObject *object, const char *member, sl_real *to, size_t n);

/* Single numbers are as exact as the largest of them. */
void golden_check (const sl_real *got, JsonObject *object, const char *member, size_t n);
void golden_check_double (const double *got, JsonObject *object, const char *member, size_t n);
void golden_check_number (double got, JsonObject *object, const char *member);
void golden_check_whole (const uint32_t *got, JsonObject *object, const char *member, size_t n);

/* A matrix of 0 and 1. */
void golden_check_mask (const uint8_t *got, JsonObject *object, const char *member, size_t n);

typedef struct
{
  JsonObject *object;
  Mix         mix;
  size_t      rows, inputs, experts, hidden, outputs, shared, slots;
  const char *gate_name; /* of its numbers */
} GoldenLayer;

void layer_begin (GoldenLayer *c, JsonObject *object, SlMoeGate gate, const SlMoeSetting *setting);
void layer_end (GoldenLayer *c);

/* Forward and backward, and what all cases have: output, objective and gradients. */
void layer_train (GoldenLayer *c);

/* Each member of a family that has this one, of which there must be three. */
void layer_for_each (const char *family, const char *with, void (*test) (JsonObject *object));
