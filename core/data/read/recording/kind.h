/* SPDX-License-Identifier: MIT
 *
 * What kind of a recording the arrays of a file are, by the roles that their names have.  */
#pragma once

#include "core/data/read/meaning/meaning.h"

/* Two columns without a heading are the layer and the expert of a routing each, once the person says so. */
void sl_kind_name_pairs (SlMeaning *meaning);

/* An answer of LightLLM has layers or tokens first, by its version: the numbers must tell. */
void sl_kind_forget_order (SlMeaning *meaning);

/* A line of a token that has a list of experts for each layer is read as one of an answer. */
void sl_kind_take_token_lines (SlMeaning *meaning);

/* A table of loads without a column of layers has a row for each: columns of experts by their headings, or all columns
 * once the person says so.  */
bool sl_kind_is_matrix (SlMeaning *meaning, SlRole as);

/* Rows of whole numbers without a heading that all add up to the same: as many routings in each layer. */
bool sl_kind_are_even_sums (const SlMeaning *meaning);

/* Whether arrays of expert numbers come with the answers of a server. */
bool sl_kind_are_answers (const SlMeaning *meaning);

/* Rows that say which layer they are of. */
bool sl_kind_are_rows (const SlMeaning *meaning);

/* Whether the columns of rows have what makes them routing. */
bool sl_kind_have_experts (const SlMeaning *meaning);

/* Whether most curves beside a column of training steps are loads of experts; any two, where the person says so. */
bool sl_kind_are_trained (const SlMeaning *meaning, SlRole as);
