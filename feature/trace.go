package feature

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

var nan = math.NaN()

// node is a valid sample. The interval that ends at it begins at the node
// before, unless it is the first of its stretch.
type node struct {
	t       time.Duration // since the recording's first sample
	at      detect.Point
	stretch int     // first node of the same stretch without long gaps
	own     quanta3 // x, y and pupil
	upto    totals  // of the stretch, this node included
}

// quanta3 are x, y and pupil on their grids.
type quanta3 struct {
	x, y, pupil int64
	seen        bool // the pupil
}

// totals are running totals of nodes.
type totals struct{ x, y, pupil sums }

func (t *totals) add(q *quanta3) {
	t.x.add(q.x)
	t.y.add(q.y)
	if q.seen {
		t.pupil.add(q.pupil)
	}
}

func (t totals) minus(u *totals) totals {
	return totals{t.x.minus(u.x), t.y.minus(u.y), t.pupil.minus(u.pupil)}
}

// run is a row of intervals that are all fast or all slow, from node to node.
type run struct {
	first, last int
	fast        bool
}

// trace holds the nodes that windows to come may need, and their runs as I-VT
// finds them with the whole recording in view. Nodes are numbered from the
// recording's beginning; base is the number of the first that is held.
type trace struct {
	settings detect.IVT
	sight    detect.Sight
	pupils   grid
	nodes    queue[node]
	base     int
	runs     queue[run]
	firstRun int // number of the first run that is held
	done     int // the interval that ends at this node is the next to be classified
	left     int // first node of the velocity window around it
	right    int // last known one
}

func (c *trace) reset() {
	c.nodes.clear()
	c.runs.clear()
	c.base, c.firstRun, c.done, c.left, c.right = 0, 0, 0, 0, 0
}

func (c *trace) node(i int) *node { return c.nodes.at(i - c.base) }
func (c *trace) end() int         { return c.base + c.nodes.len() } // one past the last node
func (c *trace) run(i int) *run   { return c.runs.at(i - c.firstRun) }
func (c *trace) runsEnd() int     { return c.firstRun + c.runs.len() }

// push appends a valid sample.
func (c *trace) push(t time.Duration, at detect.Point, pupil float64) {
	i := c.end()
	n := node{t: t, at: at, stretch: i}
	right, up := c.sight.Degrees(at)
	n.own = quanta3{x: degrees.quanta(right), y: degrees.quanta(up)}
	if usable(pupil) {
		n.own.pupil, n.own.seen = c.pupils.quanta(pupil), true
	}
	if i > c.base {
		if before := c.nodes.last(); t-before.t <= c.settings.MaxGap {
			n.stretch, n.upto = before.stretch, before.upto
			if c.sight.AllAround() { // the shorter way from the node before
				n.own.x = before.own.x + wrap(n.own.x-before.own.x)
			}
		}
	}
	n.upto.add(&n.own)
	c.nodes.push(n)
}

// wrap brings a difference of yaws into half a turn to either side.
func wrap(d int64) int64 {
	if d %= wholeCircle; d > halfCircle {
		return d - wholeCircle
	} else if d <= -halfCircle {
		return d + wholeCircle
	}
	return d
}

// interval reports whether one ends at node i.
func (c *trace) interval(i int) bool { return c.node(i).stretch < i }

func (c *trace) middle(i int) time.Duration {
	a, b := c.node(i-1).t, c.node(i).t
	return a + (b-a)/2
}

// classify goes through the intervals whose velocity depends on nothing that
// comes at now or later.
func (c *trace) classify(now time.Duration) {
	for c.done = max(c.done, c.base+1); c.done < c.end(); c.done++ {
		i := c.done
		if !c.interval(i) {
			c.left = i
			continue
		}
		from, until := c.reach(i)
		if until >= now {
			return
		}
		c.left = max(c.left, c.node(i).stretch, c.base)
		for c.left < i-1 && c.node(c.left).t < from {
			c.left++
		}
		c.right = max(c.right, i)
		for c.right+1 < c.end() && c.node(c.right+1).t <= until && c.node(c.right+1).stretch < c.right+1 {
			c.right++
		}
		c.extend(run{i - 1, i, c.fast(c.left, c.right)})
	}
}

// reach is the span of the velocity window around an interval.
func (c *trace) reach(i int) (from, until time.Duration) {
	middle := c.middle(i)
	return middle - c.settings.Window/2, middle + c.settings.Window/2
}

func (c *trace) fast(left, right int) bool {
	a, b := c.node(left), c.node(right)
	return c.sight.Angle(a.at, b.at)/(float64(b.t-a.t)*1e-9) >= c.settings.Threshold
}

// fastWithin is whether an interval is fast when nothing outside the nodes
// first to last is known.
func (c *trace) fastWithin(i, first, last int) bool {
	from, until := c.reach(i)
	left, right := i-1, i
	for least := max(first, c.node(i).stretch); left > least && c.node(left-1).t >= from; left-- {
	}
	for right < last && c.node(right+1).t <= until && c.node(right+1).stretch <= left {
		right++
	}
	return c.fast(left, right)
}

// extend adds an interval to the runs.
func (c *trace) extend(r run) {
	if c.runs.len() == 0 || !c.runs.last().takes(r) {
		c.runs.push(r)
		return
	}
	c.runs.last().last = r.last
}

// takes reports whether a run goes on with another.
func (r *run) takes(next run) bool { return r.last == next.first && r.fast == next.fast }

// between are the totals of nodes first to last of one stretch.
func (c *trace) between(first, last int) totals {
	a := c.node(first)
	t := c.node(last).upto.minus(&a.upto)
	t.add(&a.own)
	return t
}

// forget drops nodes before one and runs that end before it.
func (c *trace) forget(before int) {
	before = min(before, c.end(), max(c.done-1, c.base))
	if n := before - c.base; n > 0 {
		c.nodes.drop(n)
		c.base = before
	}
	n := 0
	for n < c.runs.len()-1 && c.runs.at(n).last <= before {
		n++
	}
	c.runs.drop(n)
	c.firstRun += n
}

// track is where a recording's positions, and its pupil sizes, are found.
type track struct {
	eye, pupilEye gaze.Eye
	gaze, pupil   bool // there is one
}

// choose looks for columns that were not found before.
func (k *track) choose(piece *gaze.Recording) {
	if !k.gaze {
		_, k.eye, k.gaze = piece.Best()
	}
	if k.pupil {
		return
	}
	for _, e := range [...]gaze.Eye{k.eye, gaze.Cyclopean, gaze.Right, gaze.Left} {
		if piece.Samples.Tracks[e].Pupil != nil {
			k.pupilEye, k.pupil = e, true
			return
		}
	}
}

// at returns what a sample holds. Its eye is closed, as [detect.Blinks] says,
// when its position, or the pupil beside it, is lost.
func (k *track) at(s *gaze.Samples, i int) (x, y, pupil float64, closed bool) {
	x, y, pupil = nan, nan, nan
	t := &s.Tracks[k.eye]
	if k.gaze && t.X != nil {
		x, y = t.X[i], t.Y[i]
		closed = gaze.Lost(x, y) || t.Pupil != nil && !usable(t.Pupil[i])
	}
	if p := s.Tracks[k.pupilEye].Pupil; k.pupil && p != nil {
		pupil = p[i]
	}
	if !k.gaze {
		closed = k.pupil && !usable(pupil)
	}
	return x, y, pupil, closed
}
