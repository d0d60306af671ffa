package feature

import "time"

// meet brings the tally to the window from..to. Runs that lie well inside it
// are added once and taken away once. What lies at the borders goes into the
// margin: there the window is classified as if nothing else were known, since
// velocities taken over a few milliseconds would look across.
//
// Intervals first+1..last lie inside. Those whose velocity window reaches over
// a border, up to inner-1 and from outer+1, are classified anew; for the others
// the runs found before hold.
func (s *Stream) meet(from, to time.Duration) {
	c := &s.trace
	first := c.base
	for first < c.end() && c.node(first).t < from {
		first++
	}
	c.forget(first)
	s.margin.clear()
	last := c.end() - 1
	inner, outer := first+1, last
	for inner <= last && c.starts(inner, from) {
		inner++
	}
	for outer > first && c.ends(outer, to) {
		outer--
	}
	head, tail := c.around(inner, outer)
	s.tally.forget(head)
	for i := max(s.nextRun, head+1); i < tail; i++ {
		s.tally.take(s.tally.event(c, *c.run(i), i))
		s.nextRun = i + 1
	}
	if first <= last {
		s.border(first, last, inner, outer, head, tail)
	}
}

// starts reports that the velocity window of an interval begins before a time.
// None reaches over the beginning of a stretch.
func (c *trace) starts(i int, from time.Duration) bool {
	if !c.interval(i) {
		return false
	}
	begin, _ := c.reach(i)
	return begin < from
}

// ends reports that the velocity window of an interval goes on to a time, so
// that it may not have been classified yet.
func (c *trace) ends(i int, to time.Duration) bool {
	if !c.interval(i) {
		return c.node(i).t >= to-c.settings.Window
	}
	_, end := c.reach(i)
	return end >= to
}

// around finds the run that holds the first interval from inner on, and the one
// that holds the last up to outer: those between them lie inside. Where there
// is none it is a number beyond all runs, or before them.
func (c *trace) around(inner, outer int) (head, tail int) {
	head, tail = c.firstRun, c.runsEnd()-1
	for head < c.runsEnd() && c.run(head).last < inner {
		head++
	}
	for tail >= c.firstRun && c.run(tail).first >= outer {
		tail--
	}
	return head, tail
}

// border lists the runs at both borders, cut there.
func (s *Stream) border(first, last, inner, outer, head, tail int) {
	c := &s.trace
	var left, right []run
	left = c.anew(left, first+1, inner-1, first, last)
	if inner > outer {
		left = c.anew(left, max(inner, first+1), last, first, last)
		s.count(left, first, last, false)
		return
	}
	if head < c.runsEnd() && c.run(head).first < outer {
		left = join(left, c.cut(head, inner, outer))
	}
	if tail > head {
		right = join(right, c.cut(tail, inner, outer))
		right = c.anew(right, outer+1, last, first, last)
	} else {
		left = c.anew(left, outer+1, last, first, last)
	}
	s.count(left, first, last, false)
	s.count(right, first, last, true)
}

// cut is the part of a run in intervals inner to outer.
func (c *trace) cut(i, inner, outer int) run {
	r := c.run(i)
	return run{max(r.first, inner-1), min(r.last, outer), r.fast}
}

// anew classifies intervals i to j from nodes first to last alone.
func (c *trace) anew(runs []run, i, j, first, last int) []run {
	for ; i <= j; i++ {
		if c.interval(i) {
			runs = join(runs, run{i - 1, i, c.fastWithin(i, first, last)})
		}
	}
	return runs
}

func join(runs []run, r run) []run {
	if n := len(runs); n > 0 && runs[n-1].takes(r) {
		runs[n-1].last = r.last
		return runs
	}
	return append(runs, r)
}

// count puts runs of a border into the margin. A saccade from the window's
// first sample or to its last may be cut there, and does not count.
func (s *Stream) count(runs []run, first, last int, after bool) {
	for _, r := range runs {
		if r.fast && (r.first == first || r.last == last) {
			continue
		}
		e := s.tally.event(&s.trace, r, 0)
		switch {
		case e.fixation != nil:
			s.margin.fixations = append(s.margin.fixations, *e.fixation)
		case e.saccade != nil && after:
			s.margin.after = append(s.margin.after, *e.saccade)
		case e.saccade != nil:
			s.margin.before = append(s.margin.before, *e.saccade)
		}
	}
}
