/* SPDX-License-Identifier: MIT
 *
 * Runs of a store as a web page.  */
#pragma once

#include "app/cli/show/outputs.h"
#include "core/run/compare/trade.h"
#include "core/run/store/store.h"

/* Writes outputs->html: the page of several runs that are compared (settled), or of the only one.  `sweep` is the command
 * that makes them again, or NULL.  Complains.  */
SlExit sl_plot_page (SlStore *store, const SlTrade *trade, const char *sweep, SlOutputs *outputs);

/* Whether a page can have this name.  Complains. */
bool sl_plot_page_check (const char *path);
