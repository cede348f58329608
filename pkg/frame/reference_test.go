package frame_test

import (
	"slices"
	"time"
)

// The reference says what the contract's measures are, one straight loop over plain rows for each. It is slow on
// purpose and shares nothing with the code under test.

// referenceTasks has every measure of tasks. Unreported items are not 0 items: a sum of nothing but nulls is null,
// while no rows at all sum up to 0.
var referenceTasks = map[string]func(rows []task) *float64{
	"tasks": func(rows []task) *float64 {
		return ptr(float64(len(rows)))
	},
	"failedTasks": func(rows []task) *float64 {
		failed := 0.0
		for _, r := range rows {
			if r.finishStatus != nil && *r.finishStatus == "FAILED" {
				failed++
			}
		}
		return &failed
	},
	"successRate": func(rows []task) *float64 {
		success, finished := 0.0, 0.0
		for _, r := range rows {
			if r.finishStatus == nil {
				continue
			}
			finished++
			if *r.finishStatus == "SUCCESS" {
				success++
			}
		}
		if finished == 0 {
			return nil
		}
		return ptr(success / finished)
	},
	"processedItems": func(rows []task) *float64 {
		return sumOf(rows, func(r task) *float64 { return r.processedItems })
	},
	"failedItems": func(rows []task) *float64 {
		return sumOf(rows, func(r task) *float64 { return r.failedItems })
	},
	"totalItems": func(rows []task) *float64 {
		return sumOf(rows, func(r task) *float64 { return r.totalItems })
	},
	"itemSuccessRate": func(rows []task) *float64 {
		processed, total := 0.0, 0.0
		for _, r := range rows {
			if r.processedItems != nil && r.totalItems != nil {
				processed += *r.processedItems
				total += *r.totalItems
			}
		}
		if total == 0 {
			return nil
		}
		return ptr(processed / total)
	},
	"duration": func(rows []task) *float64 {
		return meanSeconds(rows, func(r task) (from, to *time.Time) {
			if r.finishStatus == nil {
				return nil, nil
			}
			return r.dateStart, r.dateLastModified
		})
	},
	"queueTime": func(rows []task) *float64 {
		return meanSeconds(rows, func(r task) (from, to *time.Time) { return r.dateCreation, r.dateStart })
	},
	"oldestQueued": func(rows []task) *float64 {
		var oldest *time.Time
		for _, r := range rows {
			if r.state == nil || *r.state != "START" || r.dateCreation == nil {
				continue
			}
			if oldest == nil || r.dateCreation.Before(*oldest) {
				oldest = r.dateCreation
			}
		}
		if oldest == nil {
			return nil
		}
		return ptr(now.Sub(*oldest).Seconds())
	},
}

func sumOf(rows []task, items func(task) *float64) *float64 {
	total, reported := 0.0, 0
	for _, r := range rows {
		if n := items(r); n != nil {
			total += *n
			reported++
		}
	}
	if len(rows) > 0 && reported == 0 {
		return nil
	}
	return &total
}

func meanSeconds(rows []task, between func(task) (from, to *time.Time)) *float64 {
	total, n := 0.0, 0.0
	for _, r := range rows {
		if from, to := between(r); from != nil && to != nil {
			total += to.Sub(*from).Seconds()
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return ptr(total / n)
}

// sumOfRecords and meanOfRecords are the two ways in which rows of automations and runners are put together.
func sumOfRecords(rows []record, field string) *float64 {
	total, n := totalOf(rows, field)
	if n == 0 {
		return nil
	}
	return &total
}

func meanOfRecords(rows []record, field string) *float64 {
	total, n := totalOf(rows, field)
	if n == 0 {
		return nil
	}
	return ptr(total / n)
}

func totalOf(rows []record, field string) (total, n float64) {
	for _, r := range rows {
		if v, ok := r.numbers[field]; ok {
			total += v
			n++
		}
	}
	return total, n
}

// labelsOf are the labels of a row; labels know no null.
func labelsOf[R interface{ cell(string) any }](row R, groupBy []string) map[string]string {
	labels := map[string]string{}
	for _, field := range groupBy {
		labels[field] = ""
		if text, ok := row.cell(field).(string); ok {
			labels[field] = text
		}
	}
	return labels
}

// partsOf are the rows by their labels. Without groupBy all rows are one part, even when there are none.
func partsOf[R interface{ cell(string) any }](rows []R, groupBy []string) map[string][]R {
	parts := map[string][]R{}
	if len(groupBy) == 0 {
		parts[key(nil)] = nil
	}
	for _, row := range rows {
		k := key(labelsOf(row, groupBy))
		parts[k] = append(parts[k], row)
	}
	return parts
}

// referenceNumbers is what a numeric frame shows: one number for each part, and nothing at all where the only number
// of all rows is null.
func referenceNumbers[R any](parts map[string][]R, measure func([]R) *float64) instances {
	out := instances{}
	for k, part := range parts {
		out[k] = measure(part)
		if k == key(nil) && out[k] == nil {
			return instances{}
		}
	}
	return out
}

// within are the tasks whose time lies in the range, both ends included.
func within(rows []task, timeField string, from, to time.Time) []task {
	return slices.DeleteFunc(slices.Clone(rows), func(r task) bool {
		at, ok := r.cell(timeField).(time.Time)
		return !ok || at.Before(from) || at.After(to)
	})
}

// referenceLines is what a timeseries frame shows: for each part the measure of every bucket. begins lists the buckets;
// bucketOf says into which one a time falls.
func referenceLines(parts map[string][]task, timeField string, measure func([]task) *float64, begins []time.Time, bucketOf func(time.Time) time.Time) map[string]line {
	out := map[string]line{}
	for k, part := range parts {
		inside := map[time.Time][]task{}
		for _, r := range part {
			begin := bucketOf(r.cell(timeField).(time.Time))
			inside[begin] = append(inside[begin], r)
		}
		out[k] = line{}
		for _, begin := range begins {
			out[k][begin] = measure(inside[begin])
		}
	}
	return out
}
