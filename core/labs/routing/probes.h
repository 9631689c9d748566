/* SPDX-License-Identifier: MIT
 *
 * What the files with the panels of the lab `routing` share.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/labs/routing/lab.h"

extern const SlProbePanel sl_routing_probes[N_PANELS];

/* sentences.c: what was left out as warm-up, or counted; and whether the loads are more uneven than
 * chance.  */
void sl_routing_say_warm_up (SlProbe *p, const SlRoutingLab *s);
void sl_routing_say_cv (SlProbe *p, const SlRoutingLab *s);

/* Says that tokens were not recorded, or that none is left.  False then. */
bool sl_routing_has_tokens (SlProbe *p, const SlRoutingLab *s);

/* How many experts a row has: one, but of very many. */
unsigned sl_routing_span (const SlRoutingLab *s);

/* Their names, row by row, and numbers along x. */
void sl_routing_name_experts (SlProbe *p, const SlRoutingLab *s);
void sl_routing_number_columns (SlProbe *p, double first, size_t columns);

/* The expert that is looked at. */
unsigned sl_routing_expert (const SlRoutingLab *s);

/* Tokens that what grows with tokens times experts looks at, and says so. */
size_t sl_routing_enough (SlProbe *p, const SlRoutingLab *s);

/* alive.c */
void sl_routing_probe_alive (SlProbe *p);

/* loads.c */
void sl_routing_probe_usage (SlProbe *p);
void sl_routing_probe_layers (SlProbe *p);
void sl_routing_probe_by_layer (SlProbe *p);

/* requests.c */
void sl_routing_probe_requests (SlProbe *p);

/* words.c */
void sl_routing_probe_words (SlProbe *p);

/* together.c */
void sl_routing_probe_together (SlProbe *p);

/* memory.c */
void sl_routing_probe_cache (SlProbe *p);

/* keep.c */
void sl_routing_probe_coverage (SlProbe *p);

/* devices.c */
void sl_routing_probe_spare (SlProbe *p);
void sl_routing_probe_capacity (SlProbe *p);

/* compare.c */
void sl_routing_probe_compare (SlProbe *p);
