/* The yardstick of the compiled kernel: the searches of pacman.compiled in C, with the same tables, written recursively.
 *
 * It reads whole numbers from standard input (see tests/bench/kernel.py), runs one search REPEATS times, and writes
 *     value action leaves generated seconds
 * where `seconds` is the time of all repeats. Compile it with -O2 and without fused multiply-add; otherwise the sums
 * differ from those of the kernel.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX, CHANCE, MIN };
enum { PLAYING, WON, LOST };
enum { MOST_GHOSTS = 8, MOST_SEATS = MOST_GHOSTS + 1 };

typedef struct { int32_t stand, timer; } Ghost;
typedef struct { int32_t cell, left, score, outcome; Ghost ghosts[MOST_GHOSTS]; } State;

static int cells, stands, ghosts, seats, plies;
static int32_t *pacman_count, *pacman_action, *pacman_after, *ghost_count, *ghost_action, *ghost_after, *ghost_touch;
static int32_t homes[MOST_GHOSTS], agent_of[MOST_SEATS], layer_of[MOST_SEATS];
static uint8_t *items;
static double low, high;
static long leaves, generated;
static int chosen;

static long number(void) {
    long value;
    if (scanf("%ld", &value) != 1) { fputs("search: a number is missing\n", stderr); exit(2); }
    return value;
}

static int32_t *numbers(int count) {
    int32_t *all = malloc(sizeof *all * (size_t)count);
    for (int i = 0; i < count; i++) all[i] = (int32_t)number();
    return all;
}

static void meet(State *s, int ghost) {
    Ghost *g = &s->ghosts[ghost];
    const int32_t *touch = ghost_touch + 2 * g->stand;
    if (touch[0] != s->cell && touch[1] != s->cell) return;
    if (g->timer) {
        g->stand = homes[ghost];
        g->timer = 0;
        s->score += 200;
    } else if (s->outcome != WON) {
        s->score -= 500;
        s->outcome = LOST;
    }
}

static inline void copy(State *to, const State *from) {
    to->cell = from->cell; to->left = from->left; to->score = from->score; to->outcome = from->outcome;
    for (int i = 0; i < ghosts; i++) to->ghosts[i] = from->ghosts[i];
}

static inline int make(State *to, const State *from, int agent, int choice) {
    copy(to, from);
    if (agent) {
        Ghost *g = &to->ghosts[agent - 1];
        int how = g->timer == 0 ? 0 : g->timer == 1 ? 2 : 1;
        if (g->timer) g->timer--;
        g->stand = ghost_after[(how * stands + g->stand) * 4 + choice];
        meet(to, agent - 1);
        return 0;
    }
    to->cell = pacman_after[from->cell * 5 + choice];
    to->score--;
    int eaten = items[to->cell];
    if (eaten) {
        items[to->cell] = 0;
        if (eaten == 1) {
            to->score += 10;
            if (--to->left == 0) { to->score += 500; to->outcome = WON; }
        } else for (int i = 0; i < ghosts; i++) to->ghosts[i].timer = 40;
    }
    for (int i = 0; i < ghosts; i++) meet(to, i);
    return eaten;
}

static inline int options(const State *s, int agent) {
    return agent ? ghost_count[s->ghosts[agent - 1].stand] : pacman_count[s->cell];
}

static inline int action(const State *s, int agent, int choice) {
    return agent ? ghost_action[s->ghosts[agent - 1].stand * 4 + choice] : pacman_action[s->cell * 5 + choice];
}

static double exhaustive(const State *s, int left, int seat) {
    if (left == 0 || s->outcome) { leaves++; return s->score; }
    int agent = agent_of[seat], layer = layer_of[seat], count = options(s, agent), next = seat + 1 < seats ? seat + 1 : 0;
    double best = 0, p = 1.0 / count;
    State after;
    for (int i = 0; i < count; i++) {
        int eaten = make(&after, s, agent, i);
        generated++;
        double value = exhaustive(&after, left - 1, next);
        if (eaten) items[after.cell] = (uint8_t)eaten;
        if (layer == CHANCE) best += p * value;
        else if (i == 0 || (layer == MAX ? value > best : value < best)) {
            best = value;
            if (left == plies) chosen = i;
        }
    }
    return best;
}

static double windowed(const State *s, int left, int seat, double alpha, double beta, int star);

static double sum(const double *bound, int count, double p) {
    double total = 0;
    for (int i = 0; i < count; i++) total += p * bound[i];
    return total;
}

static double ulp(double value) { return nextafter(value, INFINITY) - value; }

static double settle(const State *s, int left, int seat, double alpha, double beta) {
    int agent = agent_of[seat], count = options(s, agent), next = seat + 1 < seats ? seat + 1 : 0;
    double lo[4], hi[4], p = 1.0 / count;
    State after;
    for (int i = 0; i < count; i++) { lo[i] = low; hi[i] = high; }
    for (int i = 0; i < count; i++) {
        double most = sum(hi, count, p), least = sum(lo, count, p), l = lo[i], h = hi[i];
        double a = (alpha - (most - p * h)) / p, step = -ulp(fmax(fabs(most), fabs(h)));
        for (int cuts = 0; (a - l) * step < 0; a += step, step *= 2) {
            hi[i] = a; cuts = sum(hi, count, p) <= alpha; hi[i] = h;
            if (cuts) break;
        }
        double b = (beta - (least - p * l)) / p;
        step = ulp(fmax(fabs(least), fabs(l)));
        for (int cuts = 0; (b - h) * step < 0; b += step, step *= 2) {
            lo[i] = b; cuts = sum(lo, count, p) >= beta; lo[i] = l;
            if (cuts) break;
        }
        a = fmax(l, a); b = fmin(h, b);
        int eaten = make(&after, s, agent, i);
        generated++;
        double value = windowed(&after, left - 1, next, a, b, 1);
        if (eaten) items[after.cell] = (uint8_t)eaten;
        if (value > a || a <= l) lo[i] = value;
        if (value < b || b >= h) hi[i] = value;
        most = sum(hi, count, p);
        if (most <= alpha) return most;
        if (sum(lo, count, p) >= beta) break;
    }
    return sum(lo, count, p);
}

static double windowed(const State *s, int left, int seat, double alpha, double beta, int star) {
    if (left == 0 || s->outcome) { leaves++; return s->score; }
    int agent = agent_of[seat], layer = layer_of[seat];
    if (star) {
        if (high <= alpha) return high;
        if (low >= beta) return low;
        if (layer == MAX) beta = fmin(beta, high);
        else if (layer == MIN) alpha = fmax(alpha, low);
        else return settle(s, left, seat, alpha, beta);
    }
    int count = options(s, agent), next = seat + 1 < seats ? seat + 1 : 0;
    double best = 0, p = 1.0 / count;
    State after;
    for (int i = 0; i < count; i++) {
        int eaten = make(&after, s, agent, i);
        generated++;
        double value = layer == CHANCE ? windowed(&after, left - 1, next, -INFINITY, INFINITY, star)
                                       : windowed(&after, left - 1, next, alpha, beta, star);
        if (eaten) items[after.cell] = (uint8_t)eaten;
        if (layer == CHANCE) { best += p * value; continue; }
        if (i == 0 || (layer == MAX ? value > best : value < best)) {
            best = value;
            if (left == plies) chosen = i;
        }
        if (layer == MAX) { if (value > alpha) alpha = value; }
        else if (value < beta) beta = value;
        if (alpha >= beta) break;
    }
    return best;
}

int main(int count, char **arguments) {
    if (count != 3) { fputs("usage: search exhaustive|alphabeta|star1 REPEATS < NUMBERS\n", stderr); return 2; }
    char which = arguments[1][0];
    int repeats = atoi(arguments[2]);
    cells = (int)number(); stands = (int)number(); ghosts = (int)number(); plies = (int)number();
    low = (double)number(); high = (double)number();
    pacman_count = numbers(cells); pacman_action = numbers(cells * 5); pacman_after = numbers(cells * 5);
    ghost_count = numbers(stands); ghost_action = numbers(stands * 4); ghost_after = numbers(3 * stands * 4);
    ghost_touch = numbers(stands * 2);
    State root = {0};
    root.cell = (int32_t)number(); root.left = (int32_t)number();
    root.score = (int32_t)number(); root.outcome = (int32_t)number();
    for (int i = 0; i < ghosts; i++) { root.ghosts[i].stand = (int32_t)number(); root.ghosts[i].timer = (int32_t)number(); }
    items = malloc((size_t)cells);
    for (int i = 0; i < cells; i++) items[i] = (uint8_t)number();
    for (int i = 0; i < ghosts; i++) homes[i] = (int32_t)number();
    seats = ghosts + 1;
    for (int i = 0; i < seats; i++) agent_of[i] = (int32_t)number();
    for (int i = 0; i < seats; i++) layer_of[i] = (int32_t)number();
    double value = 0;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (int i = 0; i < repeats; i++) {
        leaves = generated = 0;
        chosen = -1;
        value = which == 'e' ? exhaustive(&root, plies, 0) : windowed(&root, plies, 0, -INFINITY, INFINITY, which == 's');
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    printf("%.17g %d %ld %ld %.9f\n", value, chosen < 0 ? -1 : action(&root, agent_of[0], chosen), leaves, generated, seconds);
    return 0;
}
