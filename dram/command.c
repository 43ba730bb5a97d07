/* dram/command.c -- the command bus of a channel: the scheduler's choice, refresh, and closing of rows for
 * which no request waits.
 *
 * Refresh: every tREFI all banks are precharged and refreshed; a refresh that is due has priority over all
 * other commands. */
#include "dram/channel_internal.h"
#include "dram/trace.h"

static __attribute__((noinline)) void check_timing(
	const struct dram_channel *c, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	const char *broken = dram_checker_command(c->checker, command, bank, row, now);

	bug_if(broken, "dram[%u], cycle %llu: %s to bank %u, row %llu breaks %s", c->number,
		(unsigned long long)now, dram_command_names[command], bank, (unsigned long long)row, broken);
}

void dram_issue(struct dram_channel *c, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	if (c->checker)
		check_timing(c, command, bank, row, now);
	dram_device_issue(&c->device, command, bank, row, now);
	c->next_command = now + 1;
}

/* To be called before an ACT or PRE: from the first ACT to the PRE of the last open bank a row is open. */
static void count_open(struct dram_channel *c, enum dram_command command, uint32_t bank, cycles now)
{
	if (command == DRAM_ACT && !c->device.open_banks)
		c->open_since = now;
	if (command == DRAM_PRE && c->device.open_banks == UINT64_C(1) << bank)
		c->stats.open_cycles += now - c->open_since;
}

static void issue_command(struct dram_channel *c, enum dram_command command, uint32_t bank, uint64_t row,
	uint32_t column, cycles now)
{
	static const size_t counters[] = { [DRAM_ACT] = offsetof(struct dram_stats, activates),
		[DRAM_PRE] = offsetof(struct dram_stats, precharges),
		[DRAM_RD] = offsetof(struct dram_stats, read_bursts),
		[DRAM_WR] = offsetof(struct dram_stats, write_bursts),
		[DRAM_REF] = offsetof(struct dram_stats, refreshes) };

	if (c->trace)
		dram_trace_write(
			c->trace, &(struct dram_traced){ command, c->number, bank, column, row, now });
	++*(uint64_t *)((char *)&c->stats + counters[command]);
	if (command == DRAM_ACT || command == DRAM_PRE)
		count_open(c, command, bank, now);
	dram_issue(c, command, bank, row, now);
	if (command == DRAM_ACT || command == DRAM_PRE)
		dram_queue_row_changed(&c->queue, bank);
	if (command == DRAM_PRE)
		sim_hist_add(&c->stats.row_requests, c->row_requests[bank]);
	if (command == DRAM_ACT)
		c->row_requests[bank] = 0;
}

/* Of these open banks, the one that can be precharged first. */
static struct dram_choice precharge_first(const struct dram_channel *c, uint64_t banks, uint32_t *bank)
{
	struct dram_choice step = { .command = DRAM_PRE, .ready = SIM_NEVER };

	for (; banks; banks &= banks - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(banks);
		cycles ready = dram_ready_at(&c->device, DRAM_PRE, b);

		if (ready < step.ready) {
			step.ready = ready;
			*bank = b;
		}
	}
	return step;
}

/* The next step of a refresh that is due: precharge an open bank (the one that can be precharged first),
 * or refresh. */
static struct dram_choice refresh_step(const struct dram_channel *c, uint32_t *bank)
{
	struct dram_choice step = { .command = DRAM_REF, .ready = dram_ready_at(&c->device, DRAM_REF, 0) };

	*bank = 0;
	if (c->device.open_banks)
		step = precharge_first(c, c->device.open_banks, bank);
	step.ready = dram_later(step.ready, dram_later(c->next_command, c->next_refresh));
	return step;
}

static void issue_refresh_step(struct dram_channel *c, enum dram_command command, uint32_t bank, cycles when)
{
	issue_command(c, command, bank, 0, 0, when);
	if (command == DRAM_REF)
		c->next_refresh += c->config.tREFI;
}

/* While all banks are closed, all refreshes but the last are only counted, unless the commands are traced
 * or checked. */
static void skip_refreshes(struct dram_channel *c, cycles now)
{
	uint64_t missed = (now - 1 - c->next_refresh) / c->config.tREFI;

	if (c->device.open_banks || c->checker || c->trace)
		return;
	c->stats.refreshes += missed;
	c->next_refresh += missed * c->config.tREFI;
}

void dram_make_up_refreshes(struct dram_channel *c, cycles now)
{
	while (c->next_refresh < now) {
		uint32_t bank;
		struct dram_choice step;

		skip_refreshes(c, now);
		step = refresh_step(c, &bank);
		if (step.ready >= now)
			return;
		issue_refresh_step(c, step.command, bank, step.ready);
	}
}

static void count_outcome(struct dram_channel *c, struct dram_request *r, enum dram_command command)
{
	if (r->outcome != DRAM_UNTOUCHED)
		return;
	dram_stamp(c, r->packet, AT_DRAM_COMMAND, sim_now(c->component.sim));
	if (command == DRAM_ACT) {
		r->outcome = DRAM_MISS;
		c->stats.row_misses++;
	} else if (command == DRAM_PRE) {
		r->outcome = DRAM_CONFLICT;
		c->stats.row_conflicts++;
	} else {
		r->outcome = DRAM_HIT;
		c->stats.row_hits++;
	}
}

/* Called when the last column command of the request has issued. */
static void finish_request(struct dram_channel *c, struct dram_request *r, cycles now)
{
	struct packet *p = r->packet;

	c->stats.bytes += p->bytes;
	c->row_requests[r->bank]++;
	dram_queue_remove(&c->queue, r);
	if (p->kind == PACKET_WRITE) {
		c->stats.writes++;
		sim_hist_add(&c->stats.write_latency, dram_age_of(c, p));
		packet_free(p);
		return;
	}
	c->stats.reads++;
	ring_push(&c->replies, p, now + c->config.tCL + c->device.timing.burst);
}

static void issue_for(struct dram_channel *c, const struct dram_choice *choice, cycles now)
{
	struct dram_request *r = choice->request;
	bool is_column = choice->command == DRAM_RD || choice->command == DRAM_WR;

	count_outcome(c, r, choice->command);
	issue_command(c, choice->command, r->bank, r->row, r->column, now);
	r->bursts -= is_column;
	if (c->sched->class->issued)
		c->sched->class->issued(c->sched, &c->queue, choice);
	if (!is_column)
		return;
	c->stats.data_bus_cycles += c->device.timing.burst;
	c->stats.turnarounds += c->bus != r->direction;
	c->bus = r->direction;
	r->column += c->device.timing.burst_bytes;
	if (r->bursts)
		return;
	if (c->sched->class->served)
		c->sched->class->served(c->sched, &c->queue, r, now);
	finish_request(c, r, now);
}

/* The last cycle, from `from` on, until which the scheduler's input is certain if no command issues: before
 * another request joins the queues, or a refresh is due. */
static cycles certain_until(const struct dram_channel *c, bool waiting, cycles from)
{
	cycles end = c->last_tick + 1 + c->config.latency;

	if (c->waits || c->config.row_policy || c->replies.count >= c->replies.capacity)
		return from;
	end = dram_earlier(end, dram_next_join(c));
	if (waiting)
		end = dram_earlier(end, c->next_refresh);
	return dram_later(end, from + 1) - 1;
}

static struct dram_choice ask_scheduler(struct dram_channel *c, cycles now)
{
	return c->sched->class->rank ? dram_choose_by_rank(c->sched, &c->queue, now)
				     : c->sched->class->choose(c->sched, &c->queue, now);
}

/* The scheduler's choice for this cycle, or the plan, which it made earlier, if that is still valid. If
 * nothing can go in this cycle, the plan is for the next in which something can, provided that its input is
 * certain, so that the cycles between need not be looked at. */
static const struct dram_choice *choose_command(struct dram_channel *c, bool waiting, cycles now)
{
	cycles until;

	if (now < c->plan_end)
		return &c->plan;
	c->queue.reply_room = c->replies.count < c->replies.capacity;
	c->plan = ask_scheduler(c, now);
	until = c->plan.request && c->plan.ready > now ? certain_until(c, waiting, now) : now;
	while (c->plan.request && c->plan.ready > now && c->plan.ready <= until) {
		now = c->plan.ready;
		if (!c->plan.stands)
			c->plan = ask_scheduler(c, now);
	}
	c->plan.ready = dram_later(c->plan.ready, now); /* timing may allow it sooner, but it is chosen for
							   then */
	c->plan_end = now + 1;
	return &c->plan;
}

static bool has_waiting(const struct dram_channel *c)
{
	return c->queue.count[DRAM_READS] || c->queue.count[DRAM_WRITES] || dram_in_pipes(c);
}

/* Returns when there may be a next command, after one has issued: it asks the scheduler for its choice at
 * the next cycle, if its input is certain already, so that the cycles until bus and banks are ready need
 * not be ticked one by one. */
static cycles next_command(struct dram_channel *c, cycles now)
{
	bool waiting = has_waiting(c);
	cycles next;

	if (c->waits || !c->config.latency || c->config.row_policy ||
		c->replies.count >= c->replies.capacity || dram_next_join(c) <= now + 1 ||
		(waiting && c->next_refresh <= now + 1))
		return now + 1;
	next = choose_command(c, waiting, now + 1)->ready;
	if (waiting)
		next = dram_earlier(next, c->next_refresh);
	return dram_later(next, now + 1);
}

/* A command has issued: when there may be a next one, or a reply. */
static cycles next_channel_event(struct dram_channel *c, cycles now)
{
	cycles next = next_command(c, now);

	if (c->replies.count && c->replies.entry[c->replies.head].when > now)
		next = dram_earlier(next, c->replies.entry[c->replies.head].when);
	return next;
}

static cycles step_refresh(struct dram_channel *c, cycles now)
{
	uint32_t bank;
	struct dram_choice step = refresh_step(c, &bank);

	if (step.ready > now)
		return step.ready;
	c->plan_end = 0;
	issue_refresh_step(c, step.command, bank, now);
	return now + 1;
}

cycles dram_command_step(struct dram_channel *c, cycles now)
{
	bool waiting = has_waiting(c);
	const struct dram_choice *choice;
	struct dram_choice close;
	uint32_t bank = 0;
	cycles next;

	if (waiting && c->next_refresh <= now)
		return step_refresh(c, now);
	choice = choose_command(c, waiting, now);
	if (choice->request && choice->ready <= now) {
		c->plan_end = 0;
		issue_for(c, choice, now);
		return next_channel_event(c, now);
	}
	next = waiting ? dram_earlier(choice->ready, c->next_refresh) : choice->ready;
	if (!c->config.row_policy)
		return next;
	close = precharge_first(c, c->device.open_banks & ~dram_queue_hits(&c->queue), &bank);
	if (close.ready > now)
		return dram_earlier(next, close.ready);
	c->plan_end = 0;
	issue_command(c, DRAM_PRE, bank, 0, 0, now);
	return now + 1;
}
