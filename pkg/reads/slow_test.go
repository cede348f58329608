package reads

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// slow is a service of so many pages of four tasks, each of which takes a while. A task comes now and then, and ends after three minutes.
type slow struct {
	began            time.Time
	pages            int
	latency, spacing time.Duration
	old              []string
}

func (s *slow) count() int { return 4*s.pages - 2 + int(time.Since(s.began)/s.spacing) }

func (s *slow) created(id int) time.Time {
	after := time.Duration(id - 4*s.pages + 2)
	return s.began.Add(max(after*s.spacing, min(0, after)*time.Minute))
}

func (s *slow) task(id int) string {
	at, state := s.created(id), "START"
	if time.Since(at) >= 3*time.Minute {
		state = "FINISHED"
	}
	return fmt.Sprintf(`{"id":%d,"state":%q,"dateCreation":%q}`, id, state, at.UTC().Format(time.RFC3339))
}

func (s *slow) rows() (rows []string) {
	const recent = 20
	if s.old == nil {
		for id := 4*s.pages - recent; id > 0; id-- {
			s.old = append(s.old, s.task(id))
		}
	}
	for id := s.count(); id > 4*s.pages-recent; id-- {
		rows = append(rows, s.task(id))
	}
	return append(rows, s.old...)
}

func (s *slow) serve() *servicetest.Fake {
	return servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(s.latency)
		servicetest.Paged(4, s.rows)(w, r)
	})
}

// isRight checks that an answer has every task once, as of its time.
func (s *slow) isRight(t *testing.T, r *Result) {
	t.Helper()
	assert.Empty(t, r.Missing)
	got, states := ids(r), r.Table.Column("state").Strings
	require.GreaterOrEqual(t, len(got), 4*s.pages-2)
	require.False(t, s.created(int(got[0])+1).Before(r.AsOf), "no task is missing in front")
	for i, id := range got {
		require.EqualValues(t, len(got)-i, id)
		require.True(t, states[i] == "FINISHED" || s.created(int(id)).Add(3*time.Minute).After(r.AsOf), "%d is stale", id)
	}
}

// asks asks until there is an answer, at most so often, as a panel or a rule does.
func asks(t *testing.T, every time.Duration, ask func(ctx context.Context) error) (times int) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(every - time.Since(began)%every) {
		times++
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // A rule.
		patient, stop := Patient(ctx, time.Now())
		err := ask(patient)
		stop()
		require.NoError(t, ctx.Err())
		cancel()
		if err == nil {
			return times
		}
		require.ErrorIs(t, err, ErrSlow)
		require.Less(t, times, 100, err)
	}
}

// A slow service is read to the end by those who are told to ask again, however often they do, with as many requests as by one who waits.
func TestSlowServiceIsReadToTheEnd(t *testing.T) {
	for _, test := range []struct {
		pages                   int
		latency, spacing, every time.Duration
		most                    float64 // requests, compared with one who waits
	}{
		{100, 2 * time.Second, 151 * time.Second, 15 * time.Second, 1.1}, {100, 8 * time.Second, 151 * time.Second, time.Minute, 1.1},
		{200, 5500 * time.Millisecond, 151 * time.Second, 30 * time.Second, 1.1}, {450, 8 * time.Second, 151 * time.Second, time.Minute, 1.2},
		{100, 8 * time.Second, 601 * time.Second, 5 * time.Minute, 2},
		{450, 8 * time.Second, 3601 * time.Second, 5 * time.Minute, 1.2},
	} {
		if testing.Short() && test.pages > 200 {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			isWhole := test.spacing > time.Hour // Nothing predicts such a list.
			world := func() (*slow, *servicetest.Fake, *Reads) {
				s := &slow{began: time.Now(), pages: test.pages, latency: test.latency, spacing: test.spacing}
				f := s.serve()
				return s, f, start(t, f, func(c *Config) { c.Incremental = !isWhole })
			}
			s, f, r := world()
			waited, err := r.Read(t.Context(), lastDays(tasks, 30))
			require.NoError(t, err)
			s.isRight(t, waited)
			uncut := f.Count(tasksPath)

			s, f, r = world()
			progress, last := 0, time.Time{}
			times := asks(t, test.every, func(ctx context.Context) error {
				result, err := r.Read(ctx, lastDays(tasks, 30))
				if err != nil {
					var pages, all int
					_, _ = fmt.Sscanf(Progress(err), "%d/%d", &pages, &all)
					assert.GreaterOrEqual(t, pages, progress, "%s", err)
					assert.InDelta(t, test.pages, all, 40)
					progress, last = pages, time.Now()
					return err
				}
				s.isRight(t, result)
				return nil
			})
			t.Log(test, times, "times", f.Count(tasksPath), "of", uncut, time.Since(s.began), time.Since(last))
			assert.LessOrEqual(t, float64(f.Count(tasksPath)), test.most*float64(uncut))
		})
	}
}

// Rows that were read over many minutes are late, which a rule refuses, and the next question is answered with new ones.
func TestSlowRowsAreTooOldForARule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{began: time.Now(), pages: 100, latency: 8 * time.Second, spacing: 601 * time.Second}
		r := start(t, s.serve(), func(c *Config) { c.MaxConcurrent = 4 })
		var late *Result
		require.Greater(t, asks(t, 9*time.Minute, func(ctx context.Context) (err error) {
			late, err = r.Read(ctx, lastDays(tasks, 30))
			return err
		}), 2)
		require.Greater(t, time.Since(late.AsOf), slowAge)
		require.ErrorContains(t, late.Late, "it took longer than 5m0s to read its rows")
		require.Contains(t, late.Warnings[0].Text, "ago: the service is slow")
		asks(t, time.Minute, func(ctx context.Context) error {
			result, err := r.Read(ctx, lastDays(tasks, 30))
			if err == nil {
				s.isRight(t, result)
				require.NoError(t, result.Late)
				require.Less(t, time.Since(result.AsOf), slowAge)
			}
			return err
		})
	})
}

// Windows that take minutes together are read one after the other.
func TestWindowsOfASlowServiceAreReadToTheEnd(t *testing.T) {
	for _, every := range []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(3 * time.Second)
				days, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
				servicetest.Paged(20, func() (rows []string) {
					for n := range 100 {
						rows = append(rows, fmt.Sprintf(`{"label":"a-%d","taskCount":%d}`, n, days))
					}
					return rows
				})(w, r)
			})
			r := start(t, f)
			days := []int{}
			for d := 60; d > 0; d-- {
				days = append(days, d)
			}
			asks(t, every, func(ctx context.Context) error {
				windows, err := r.Windows(ctx, lastDays(automations, 0), days)
				if err != nil {
					assert.Contains(t, err.Error(), " of 60 was read after ")
				}
				assert.True(t, err != nil || len(windows) == 60)
				return err
			})
			assert.LessOrEqual(t, f.Count(automationsPath), 360)
		})
	}
}
