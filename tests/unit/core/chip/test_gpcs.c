/* Which SMs are of one GPC, and how many clusters those hold. */
#include "core/chip/gpcs.h"
#include <criterion/criterion.h>
#include <string.h>

static struct gpcs gpcs;
static char message[256];

Test(gpcs, sms_are_numbered_two_of_each_gpc_in_turn)
{
	static const uint16_t want[9] = { 0, 1, 6, 7, 2, 3, 4, 5, 8 };

	cr_assert(gpcs_read(&gpcs, "4 2 3", 9, message, sizeof(message)), "%s", message);
	cr_assert_eq(gpcs.count, 3);
	for (int i = 0; i < 9; i++)
		cr_assert_eq(gpcs.sms[i], want[i], "place %d: SM %u", i, gpcs.sms[i]);
}

Test(gpcs, an_h200_holds_as_many_clusters_as_an_h100_was_measured_to)
{
	cr_assert(gpcs_read(&gpcs, "18 18 16 16 16 16 16 8 2 2 2 2", 132, message, sizeof(message)));
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 2), 66);
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 4), 30);
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 8), 15);
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 16), 7);
	cr_assert_eq(gpcs_clusters(&gpcs, 2, 16), 15);
}

Test(gpcs, fewer_sms_leave_the_last_ones_out)
{
	cr_assert(gpcs_read(&gpcs, "4 4 4", 6, message, sizeof(message)));
	cr_assert_eq(gpcs.size[0], 4);
	cr_assert_eq(gpcs.size[1], 2);
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 4), 1);
	cr_assert(gpcs_read(&gpcs, "none", 6, message, sizeof(message)));
	cr_assert_eq(gpcs_clusters(&gpcs, 1, 6), 1);
}

Test(gpcs, lists_that_are_wrong_say_where)
{
	cr_assert_not(gpcs_read(&gpcs, "4 x", 6, message, sizeof(message)));
	cr_assert(strstr(message, "character 3"), "%s", message);
	cr_assert_not(gpcs_read(&gpcs, "4 0", 6, message, sizeof(message)));
	cr_assert_not(gpcs_read(&gpcs, "2 2", 6, message, sizeof(message)));
	cr_assert(strstr(message, "2 of the 6 SMs"), "%s", message);
}
