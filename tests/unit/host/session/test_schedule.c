/* tests/unit/host/session/test_schedule.c -- which task of which stream starts when: time is the test's. */
#include "host/session/schedule.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct schedule s;
static struct task_group group;
static struct task_stream legacy, a, b, c, unbound;

static void init(void)
{
	s = (struct schedule){ 0 };
	group = (struct task_group){ 0 };
	task_stream_init(&legacy, &group, STREAM_LEGACY);
	task_stream_init(&a, &group, STREAM_BLOCKING);
	task_stream_init(&b, &group, STREAM_BLOCKING);
	task_stream_init(&c, &group, STREAM_BLOCKING);
	task_stream_init(&unbound, &group, STREAM_FREE);
}
TestSuite(schedule, .init = init);

static void queue(struct task *task, struct task_stream *stream, enum task_lane lane, picoseconds duration)
{
	task->lane = lane;
	task->duration = duration;
	task->starts_early = false;
	task_add(&s, task, stream);
	task_submit(&s, task);
}

static void queue_early(struct task *task, struct task_stream *stream)
{
	task->lane = LANE_KERNELS;
	task->starts_early = true;
	task_add(&s, task, stream);
	task_submit(&s, task);
}

static void queue_behind(struct task *task, struct task_stream *stream, struct task *before)
{
	task->lane = LANE_KERNELS;
	task->starts_early = false;
	task_add(&s, task, stream);
	task_after(task, before);
	task_submit(&s, task);
}

static void starts(struct task *task, picoseconds now)
{
	cr_assert_eq(schedule_start(&s, now), task);
}

static void nothing_starts(void)
{
	cr_assert_null(schedule_start(&s, 0));
}

Test(schedule, a_stream_is_first_in_first_out)
{
	struct task first, second;

	queue(&first, &a, LANE_KERNELS, 0);
	queue(&second, &a, LANE_KERNELS, 0);
	starts(&first, 0);
	nothing_starts();
	schedule_end(&s, &first);
	starts(&second, 0);
	cr_assert_eq(a.pending, 1);
	cr_assert_eq(a.last, &second);
	schedule_end(&s, &second);
	cr_assert_eq(a.pending, 0);
	cr_assert_null(a.last);
	cr_assert_eq(s.pending, 0);
}

Test(schedule, kernels_of_different_streams_start_together_in_the_order_of_the_calls)
{
	struct task first, second, third;

	queue(&first, &b, LANE_KERNELS, 0);
	queue(&second, &unbound, LANE_KERNELS, 0);
	queue(&third, &a, LANE_KERNELS, 0);
	starts(&first, 0);
	starts(&second, 0);
	starts(&third, 0);
	nothing_starts();
}

Test(schedule, what_becomes_ready_late_goes_before_what_was_added_later)
{
	struct task first, second, late;

	queue(&first, &a, LANE_KERNELS, 0);
	queue(&second, &a, LANE_KERNELS, 0);
	queue(&late, &b, LANE_KERNELS, 0);
	starts(&first, 0);
	schedule_end(&s, &first);
	starts(&second, 0);
	starts(&late, 0);
}

Test(schedule, a_refused_kernel_starts_once_another_has_ended)
{
	struct task running, refused, later, point;

	queue(&running, &a, LANE_KERNELS, 0);
	queue(&refused, &b, LANE_KERNELS, 0);
	queue(&later, &c, LANE_KERNELS, 0);
	queue(&point, &unbound, LANE_NONE, 0);
	starts(&running, 0);
	starts(&refused, 0);
	schedule_refuse(&s, &refused);
	starts(&point, 0);
	nothing_starts();
	schedule_end(&s, &point);
	nothing_starts();
	schedule_end(&s, &running);
	starts(&refused, 0);
	starts(&later, 0);
}

Test(schedule, a_task_waits_for_what_it_was_put_behind)
{
	struct task record, again, waiter;

	queue(&record, &a, LANE_NONE, 0);
	queue_behind(&waiter, &unbound, &record);
	queue(&again, &a, LANE_KERNELS, 0);
	starts(&record, 0);
	nothing_starts();
	schedule_end(&s, &record);
	starts(&waiter, 0);
	starts(&again, 0);
}

Test(schedule, a_task_may_wait_for_many_and_many_for_one)
{
	enum { N = 37 };
	struct task before[N], middle, after[N];

	for (int i = 0; i < N; i++)
		queue(&before[i], NULL, LANE_KERNELS, 0);
	middle.lane = LANE_KERNELS;
	task_add(&s, &middle, NULL);
	for (int i = 0; i < N; i++)
		task_after(&middle, &before[i]);
	task_submit(&s, &middle);
	for (int i = 0; i < N; i++)
		queue_behind(&after[i], NULL, &middle);
	for (int i = 0; i < N; i++)
		starts(&before[i], 0);
	for (int i = N; i-- > 0;) {
		nothing_starts();
		schedule_end(&s, &before[i]);
	}
	starts(&middle, 0);
	nothing_starts();
	schedule_end(&s, &middle);
	for (int i = 0; i < N; i++)
		starts(&after[i], 0);
}

Test(schedule, the_default_stream_waits_for_blocking_streams)
{
	struct task in_a, in_b, in_free, in_legacy;

	queue(&in_a, &a, LANE_KERNELS, 0);
	queue(&in_b, &b, LANE_KERNELS, 0);
	queue(&in_free, &unbound, LANE_KERNELS, 0);
	queue(&in_legacy, &legacy, LANE_KERNELS, 0);
	starts(&in_a, 0);
	starts(&in_b, 0);
	starts(&in_free, 0);
	schedule_end(&s, &in_b);
	nothing_starts();
	schedule_end(&s, &in_a);
	starts(&in_legacy, 0); /* the other stream's still runs */
}

Test(schedule, blocking_streams_wait_for_the_default_stream)
{
	struct task in_legacy, in_a, in_free, second;

	queue(&in_legacy, &legacy, LANE_KERNELS, 0);
	queue(&in_a, &a, LANE_KERNELS, 0);
	queue(&in_free, &unbound, LANE_KERNELS, 0);
	queue(&second, &legacy, LANE_KERNELS, 0);
	starts(&in_legacy, 0);
	starts(&in_free, 0);
	nothing_starts();
	schedule_end(&s, &in_legacy);
	starts(&in_a, 0);
	nothing_starts();
	schedule_end(&s, &in_a);
	starts(&second, 0);
}

Test(schedule, the_default_stream_of_one_group_is_none_of_the_others_business)
{
	struct task_group other = { 0 };
	struct task_stream there;
	struct task here, in_other;

	task_stream_init(&there, &other, STREAM_BLOCKING);
	queue(&here, &legacy, LANE_KERNELS, 0);
	queue(&in_other, &there, LANE_KERNELS, 0);
	starts(&here, 0);
	starts(&in_other, 0);
}

Test(schedule, an_engine_does_one_copy_after_the_other)
{
	struct task first, second;

	queue(&first, &a, LANE_COPY, 100);
	queue(&second, &b, LANE_COPY, 30);
	cr_assert_eq(schedule_due(&s), SIM_NEVER);
	starts(&first, 7);
	nothing_starts();
	cr_assert_eq(schedule_due(&s), 107);
	cr_assert_null(schedule_take_due(&s, 106));
	cr_assert_eq(schedule_take_due(&s, 107), &first);
	schedule_end(&s, &first);
	starts(&second, 107);
	cr_assert_eq(schedule_due(&s), 137);
}

Test(schedule, lanes_do_not_hold_each_other_up)
{
	struct task there, back, fill, kernel;

	queue(&there, &a, LANE_COPY, 100);
	queue(&back, &b, LANE_COPY_BACK, 50);
	queue(&fill, &c, LANE_MEMORY, 50);
	queue(&kernel, &unbound, LANE_KERNELS, 0);
	starts(&there, 0);
	starts(&back, 0);
	starts(&fill, 0);
	starts(&kernel, 0);
	cr_assert_eq(schedule_due(&s), 50);
	cr_assert_eq(schedule_take_due(&s, 60), &back, "the earliest; of equals the first added");
	cr_assert_eq(schedule_take_due(&s, 60), &fill);
	cr_assert_null(schedule_take_due(&s, 60));
	cr_assert_eq(schedule_due(&s), 100);
}

Test(schedule, a_copy_that_is_cut_off_frees_its_engine)
{
	struct task first, second;

	queue(&first, &a, LANE_COPY, 100);
	queue(&second, &b, LANE_COPY, 30);
	starts(&first, 0);
	schedule_end(&s, &first);
	starts(&second, 10);
	cr_assert_eq(schedule_due(&s), 40);
	schedule_end(&s, &second);
	cr_assert_eq(schedule_due(&s), SIM_NEVER);
}

Test(schedule, a_stream_that_is_gone_holds_nobody_up)
{
	struct task in_legacy;

	task_stream_fini(&b);
	task_stream_fini(&a);
	queue(&in_legacy, &legacy, LANE_KERNELS, 0);
	starts(&in_legacy, 0);
	schedule_end(&s, &in_legacy);
	task_stream_fini(&legacy);
	queue(&in_legacy, &c, LANE_KERNELS, 0);
	starts(&in_legacy, 0);
}

Test(schedule, a_kernel_that_may_be_early_starts_when_the_one_before_has_triggered)
{
	struct task first, second, third;

	queue(&first, &a, LANE_KERNELS, 0);
	queue_early(&second, &a);
	queue(&third, &a, LANE_KERNELS, 0);
	starts(&first, 0);
	nothing_starts();
	cr_expect(task_is_early(&second, &first) && !task_is_early(&third, &first));
	schedule_trigger(&s, &first);
	starts(&second, 0);
	nothing_starts();
	schedule_end(&s, &first);
	nothing_starts();
	schedule_end(&s, &second);
	starts(&third, 0);
}

/* Also when it is queued late; without a trigger the end lets it start. */
Test(schedule, a_kernel_that_may_be_early_finds_that_the_one_before_has_triggered_or_ended)
{
	struct task first, second, third;

	queue(&first, &a, LANE_KERNELS, 0);
	starts(&first, 0);
	schedule_trigger(&s, &first);
	queue_early(&second, &a);
	starts(&second, 0);
	queue_early(&third, &a);
	nothing_starts();
	schedule_end(&s, &first);
	nothing_starts();
	schedule_end(&s, &second);
	starts(&third, 0);
}

/* Copies and points in the stream never trigger. */
Test(schedule, a_kernel_is_early_behind_kernels_alone)
{
	struct task copy, kernel, point, last;

	queue(&copy, &a, LANE_COPY, 100);
	queue_early(&kernel, &a);
	queue(&point, &a, LANE_NONE, 0);
	queue_early(&last, &a);
	starts(&copy, 0);
	nothing_starts();
	schedule_end(&s, schedule_take_due(&s, 100));
	starts(&kernel, 100);
	schedule_trigger(&s, &kernel);
	nothing_starts();
	schedule_end(&s, &kernel);
	starts(&point, 100);
	schedule_end(&s, &point);
	starts(&last, 100);
}
