/* SPDX-License-Identifier: MIT */
#include "core/run/manual/topics.h"

#include <glib/gi18n.h>

#define HEADING(text)                                                                              \
  {                                                                                                \
    SL_MANUAL_HEADING, NULL, text                                                                  \
  }
#define TEXT(text)                                                                                 \
  {                                                                                                \
    SL_MANUAL_TEXT, NULL, text                                                                     \
  }
#define FORMULA(text)                                                                              \
  {                                                                                                \
    SL_MANUAL_FORMULA, NULL, text                                                                  \
  }
#define POINT(term, text)                                                                          \
  {                                                                                                \
    SL_MANUAL_POINT, term, text                                                                    \
  }

static const SlTopicPart start[] = {
  TEXT (N_ ("Sluice trains small networks that decide what not to compute, and shows while they "
            "learn what that saves and what it costs. Nothing has to be set up: it begins to "
            "train when it opens.")),
  HEADING (N_ ("In five minutes")),
  POINT (
    N_ ("Move a slider."),
    N_ ("s is the density, the share of units that should be on. The rank sets how precisely a "
        "layer estimates which of its units are on. k is the number of experts that work on one "
        "example. The curves change within seconds, and a marker shows the moment of the change.")),
  POINT (N_ ("Read a value."), N_ ("Move the pointer over a plot: all plots show the same step. "
                                   "With the keyboard, focus a plot and use the arrows.")),
  POINT (N_ ("Start again."),
         N_ ("R restarts the run with the same first weights, Shift+R with others. The arrow "
             "beside a changed parameter brings its default back.")),
  POINT (
    N_ ("Go back."),
    N_ ("Ctrl+Z takes the last change back. A change that starts a new run leaves the run before "
        "as it was: its curves stay in the plots, and Ctrl+Z goes on with it at its last update. "
        "The menu has a list of what can be taken back. Each lab keeps its run while you look at "
        "another lab, and the next start shows what was shown last.")),
  POINT (N_ ("Read the help."), N_ ("The i beside every parameter and on every plot explains it in "
                                    "two "
                                    "sentences, with a formula and a source.")),
  POINT (N_ ("Export a figure."),
         N_ ("Ctrl+E saves a figure. Drop it on the window later to see its run again.")),
  { 0 },
};

static const SlTopicPart plots[] = {
  TEXT (N_ ("All plots work alike. Keys go to the plot that has the focus: click it, or go there "
            "with Tab.")),
  HEADING (N_ ("Reading")),
  POINT (N_ ("Pointer, arrows"), N_ ("the values at one step, on all plots at once")),
  POINT (N_ ("Page Up, Page Down"), N_ ("another curve for the arrows to follow")),
  POINT (N_ ("1 to 9, 0"), N_ ("switch a curve off and on; 0 brings all of them back")),
  POINT (N_ ("[ and ]"),
         N_ ("smooth less and more; the measured curve stays behind it in a pale colour")),
  POINT (N_ ("L, Shift+L"), N_ ("logarithmic values, logarithmic steps")),
  POINT (N_ ("S"), N_ ("rows by size or by number")),
  HEADING (N_ ("Zoom")),
  POINT (N_ ("Drag, + and −"), N_ ("zoom; with Shift the values instead of the steps")),
  POINT (N_ ("Alt+arrows"), N_ ("move what is shown")),
  POINT (N_ ("Backspace"), N_ ("the previous zoom")),
  POINT (N_ ("Home, double click"), N_ ("reset the view: show all data and follow new values")),
  POINT (N_ ("Enter, Escape"), N_ ("one plot alone, and back")),
  TEXT (N_ ("New data never move a view that you have zoomed. Where many points share a column of "
            "pixels, the smallest and the largest are drawn: no spike is lost.")),
  HEADING (N_ ("Notes")),
  POINT (N_ ("N, Shift+N"), N_ ("write a note where the cursor is, choose the next one")),
  POINT (N_ ("Drag, Ctrl+arrows"), N_ ("move a note; the point that it marks moves with it")),
  POINT (N_ ("Double click, Delete"), N_ ("change a note, remove the chosen one")),
  TEXT (
    N_ ("Notes are kept with the run, and every exported figure has them. Ctrl+Z takes the last "
        "change of one back.")),
  HEADING (N_ ("How curves look")),
  POINT (N_ ("Solid"), N_ ("measured in this run")),
  POINT (N_ ("Long dashes"), N_ ("the target")),
  POINT (N_ ("Short dashes"), N_ ("what a formula predicts")),
  POINT (N_ ("Dots"), N_ ("a bound or a baseline")),
  POINT (N_ ("Dash and dot with rings"), N_ ("a number from the paper")),
  TEXT (N_ ("Every curve has a marker of its own besides its colour. A gap with a red tick is a "
            "value that is not a number.")),
  { 0 },
};

static const SlTopicPart costs[] = {
  TEXT (N_ ("The cost of a network that skips work can be given in three ways, and they rarely "
            "agree. Every lab shows all three against the same dense network.")),
  POINT (N_ ("Expected"), N_ ("what the probabilities or a formula of the paper predict")),
  POINT (N_ ("Executed"), N_ ("multiplications that were counted during the run")),
  POINT (N_ ("Timed"),
         N_ ("the time measured on this machine, with real kernels that skip work and with the "
             "current weights")),
  FORMULA (N_ ("speed-up = time of the dense pass ÷ time of the conditional pass")),
  TEXT (N_ ("Fewer multiplications do not mean less time. The gate has a cost of its own, gathered "
            "rows are read from memory less efficiently than whole matrices, and with a single "
            "example memory bandwidth is the limit, not arithmetic. Where the timed bar is below "
            "1, the conditional network is slower, whatever the other two show.")),
  TEXT (N_ ("Timings are ratios within one run on this machine: both sides run in turn for many "
            "rounds, and the rounds that were disturbed least are used. The whisker on a bar, and "
            "the number behind ±, is half the interquartile range. Where other programs disturb "
            "the measurement too much, no number is shown: the machine was too busy to measure.")),
  { 0 },
};

static const SlTopicPart files[] = {
  HEADING (N_ ("Figures")),
  TEXT (N_ (
    "Ctrl+E exports the plot with the focus, or all of them, as PNG, SVG, PDF or TikZ (for LaTeX), "
    "and the numbers as CSV, NumPy or JSON. Tables have every sample. Ctrl+Shift+E writes the last "
    "export once more. Ctrl+C copies the plot as a picture and as numbers at once.")),
  TEXT (N_ ("Each figure carries the recipe of its run: lab, settings, seed, data and program. "
            "Drop it on the window, or open it: the stored curves of that run are shown, or its "
            "settings, and a button trains it again.")),
  HEADING (N_ ("Repeating a run")),
  TEXT (
    N_ ("The same recipe gives the same numbers, bit for bit, on the same kind of processor with "
        "the same number of threads; the status line names both. Elsewhere the last digits "
        "differ, and with time so do the curves.")),
  HEADING (N_ ("Without the window")),
  TEXT (N_ ("sluice-cli runs the same labs and writes the same files. sluice-cli run LAB --set "
            "k=4 sets a parameter by its id, which this help shows beside its name.")),
  TEXT (N_ ("Files and numbers are the same in every language: with a decimal point, and "
            "untranslated.")),
  { 0 },
};

static const SlTopicPart recordings[] = {
  TEXT (
    N_ ("The lab for recorded routing opens what trainers and servers write down: which experts "
        "each token went to. Drop the file on the window. These lines make one; run them where "
        "the model runs.")),
  POINT (N_ ("Hugging Face, experts"),
         N_ ("np.save(\"trace.npy\", torch.stack([l.topk(8, -1).indices for l in "
             "out.router_logits], 1).short().cpu().numpy()) with output_router_logits=True")),
  POINT (N_ ("Hugging Face, all scores"),
         N_ ("np.savez(\"trace.npz\", router_logits=torch.stack(out.router_logits, "
             "1).half().cpu().numpy()), which the plot of the bias needs")),
  POINT (N_ ("vLLM"), N_ ("open(\"trace.npy\", "
                          "\"wb\").write(base64.b64decode(response[\"choices\"][0][\"routed_"
                          "experts\"])) with --enable-return-routed-experts")),
  POINT (N_ ("SGLang, tokens"),
         N_ ("np.save(\"trace.npy\", np.frombuffer(base64.b64decode(m[\"routed_experts\"]), "
             "\"<i4\").reshape(-1, layers, k)) with m = meta_info")),
  POINT (N_ ("SGLang, counts"),
         N_ ("d = torch.load(\"expert_distribution_recorder_1.pt\"); np.savez(\"trace.npz\", "
             "logical_count=d[\"logical_count\"].cpu().numpy())")),
  POINT (N_ ("Your own model"),
         N_ ("rows = []; router.register_forward_hook(lambda m, i, o: rows.append(o.topk(8, "
             "-1).indices.short().cpu())); afterwards np.save(\"trace.npy\", "
             "torch.cat(rows).numpy()): one layer")),
  POINT (N_ ("Columns first (Fortran order)"),
         N_ ("np.save(\"trace.npy\", np.ascontiguousarray(np.load(\"trace.npy\")))")),
  TEXT (
    N_ ("Files of Megatron-LM (router_trace_rank*.jsonl), lines of JSON and tables with a column "
        "layer open as they are. A pickle (.pt, .pkl) can run code and is never loaded.")),
  TEXT (N_ ("Equal tokens in a row that chance does not explain are a warm-up or padding. They are "
            "left out, and a plot says so, until \"Count the warm-up\" is switched on.")),
  { 0 },
};

static const SlTopicPart room[] = {
  HEADING (N_ ("Presenting")),
  TEXT (
    N_ ("F5 prepares the window for an audience: large type, thick lines, colours for a projector, "
        "full screen, and of the parameters only those that the lab is about and those that you "
        "changed. F5 or Escape ends it. The menu can start the presentation on a second screen.")),
  POINT (N_ ("Ctrl+plus, Ctrl+minus, Ctrl+0"), N_ ("the size of all type, at any time; it is "
                                                   "remembered")),
  POINT (N_ ("F11"), N_ ("full screen, and nothing else changes")),
  POINT (N_ ("Space, . and R"), N_ ("run or pause, one update, from the beginning")),
  HEADING (N_ ("Lessons")),
  TEXT (N_ (
    "Ctrl+L lists the lessons by level: what happens, what it comes from, how much it saves. Each "
    "line "
    "says how far you came, starts the lesson or goes on with it, and has its worksheet, key and "
    "teacher's notes.")),
  TEXT (N_ ("A lesson is a file of steps. Each step shows a text, may set and lock parameters, and "
            "may ask for a guess before it shows what happens. Back and Next are on the bar at the "
            "bottom; the Page keys of a clicker turn them too.")),
  TEXT (N_ ("Locked rows are grey and say so. Your guess stays on the plot beside the result.")),
  { 0 },
};

static const SlTopicPart reach[] = {
  TEXT (N_ ("Everything can be reached without a pointer, and everything has a name for a screen "
            "reader. Ctrl+? lists the keys.")),
  POINT (
    N_ ("Plots"),
    N_ ("A plot is one stop of Tab. Its description has the newest values of the curves; the "
        "arrows move a cursor along a curve, and the description then has the value under it.")),
  POINT (N_ ("Size"), N_ ("Ctrl+plus, up to three times. The desktop's large text works as well; "
                          "plots follow both.")),
  POINT (N_ ("Contrast"), N_ ("With high contrast on the desktop, plots have thicker lines and "
                              "stronger colours. No plot uses colour alone.")),
  POINT (N_ ("Motion"), N_ ("There are no animations where the desktop has them switched off.")),
  { 0 },
};

const SlTopic sl_topics[] = {
  { "start", N_ ("First steps"), start },
  { "plots", N_ ("Plots and their keys"), plots },
  { "costs", N_ ("Three costs"), costs },
  { "files", N_ ("Figures and files"), files },
  { "recordings", N_ ("Recordings of real models"), recordings },
  { "room", N_ ("Presentations and lessons"), room },
  { "access", N_ ("Keyboard and assistive tools"), reach },
  { 0 },
};
