package attention

import "math"

// Span is from when until when a task waits or runs, in nanoseconds since the epoch. Its end is exclusive.
type Span struct{ Began, Ended int64 }

// Open ends a span that lasts.
const Open = int64(math.MaxInt64)

// Seconds returns the length of the span, until now if it lasts.
func (s Span) Seconds(now int64) float64 {
	if s.Ended == Open {
		s.Ended = now
	}
	return seconds(s.Ended - s.Began)
}

// Waits returns when the task waits in the queue: from its creation until it starts, or a person cancels it. What the service
// says of now is true, even if its clock is ahead. ok is false if the task never waited, or nobody knows until when.
func (t *Task) Waits(now int64) (of Span, ok bool) {
	switch {
	case t.Created == 0:
		return of, false
	case t.State == Queued:
		return Span{min(t.Created, now), Open}, true
	case t.Started != 0:
		return Span{t.Created, t.Started}, t.Started >= t.Created
	default:
		return Span{t.Created, t.Ended}, t.State == Canceled && t.Ended >= t.Created
	}
}

// Runs returns when the task runs: from its start, or from its creation if it runs and nobody knows since when, until its end.
// ok is false if the task never ran, or nobody knows from when until when.
func (t *Task) Runs(now int64) (of Span, ok bool) {
	switch {
	case t.State == Running:
		return Span{min(t.begin(), now), Open}, t.begin() != 0
	default:
		return Span{t.Started, t.Ended}, t.State != Queued && t.Started != 0 && t.Ended >= t.Started
	}
}
