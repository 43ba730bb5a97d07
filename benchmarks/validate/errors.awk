# errors.awk -- statistics of errors in per cent, for the scripts beside it: errors_line(e, count) is the last
# line of every validation, errors_text(e, count) its middle. e[1..count] is sorted, without signs.
function errors_absolute(x) { return x < 0 ? -x : x }

function errors_sort(e, count,  i, j, x) {
	for (i = 1; i <= count; i++)
		e[i] = errors_absolute(e[i])
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && e[j - 1] > e[j]; j--) {
			x = e[j]; e[j] = e[j - 1]; e[j - 1] = x
		}
}

# The value below which that part of the sorted errors lies, between neighbours by their distance.
function errors_quantile(e, count, part,  at, i) {
	at = 1 + part * (count - 1)
	i = int(at)
	return i < count ? e[i] + (at - i) * (e[i + 1] - e[i]) : e[count]
}

# All errors in order, on one line.
function errors_list(e, count,  i, text) {
	errors_sort(e, count)
	text = sprintf("errors in order, %%, 90th percentile %.1f:", count ? errors_quantile(e, count, 0.9) : 0)
	for (i = 1; i <= count; i++)
		text = text sprintf(" %.1f", e[i])
	return text
}

function errors_text(e, count,  i, sum, median) {
	if (!count)
		return "0 figures"
	errors_sort(e, count)
	for (i = 1; i <= count; i++)
		sum += e[i]
	median = (e[int((count + 1) / 2)] + e[int(count / 2) + 1]) / 2
	return sprintf("%d figures, mean error %.1f %%, median error %.1f %%, worst %.1f %%", count,
		sum / count, median, e[count])
}

function errors_line(e, count) { return "validate: " errors_text(e, count) }
