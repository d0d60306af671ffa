package feature

import "math"

// fixation and saccade are what features need of an event, on grids.
type fixation struct {
	run                 int
	duration            int64
	xVar, yVar          int64
	pupilMean, pupilVar int64
	pupils              int64 // samples with a pupil
}

type saccade struct {
	run         int
	amplitude   int64
	letter      uint32
	large       bool
	right, left bool
}

// tally holds the events inside a window and their sums.
type tally struct {
	options   Options
	pupils    grid
	fixations queue[fixation]
	saccades  queue[saccade]
	durations maxima
	amplitude maxima
	totals    eventTotals
	words     writing
}

// eventTotals are sums over events.
type eventTotals struct {
	durations, xVars, yVars, pupilMeans, pupilVars sums
	amplitudes                                     sums
	large, right, left                             int64
}

func newTally(o Options) *tally { return &tally{options: o, words: newWriting(o.Alphabet)} }

func (y *tally) reset(pupils grid) {
	*y = tally{options: y.options, pupils: pupils, words: newWriting(y.options.Alphabet)}
}

func (e *eventTotals) addFixation(f *fixation) {
	e.durations.add(f.duration)
	e.xVars.add(f.xVar)
	e.yVars.add(f.yVar)
	if f.pupils > 0 {
		e.pupilMeans.add(f.pupilMean)
		e.pupilVars.add(f.pupilVar)
	}
}

func (e *eventTotals) removeFixation(f *fixation) {
	e.durations.remove(f.duration)
	e.xVars.remove(f.xVar)
	e.yVars.remove(f.yVar)
	if f.pupils > 0 {
		e.pupilMeans.remove(f.pupilMean)
		e.pupilVars.remove(f.pupilVar)
	}
}

func (e *eventTotals) addSaccade(s *saccade)    { e.amplitudes.add(s.amplitude); e.sides(s, 1) }
func (e *eventTotals) removeSaccade(s *saccade) { e.amplitudes.remove(s.amplitude); e.sides(s, -1) }

func (e *eventTotals) sides(s *saccade, by int64) {
	if s.large {
		e.large += by
	}
	if s.right {
		e.right += by
	}
	if s.left {
		e.left += by
	}
}

// events are the two kinds of a run, at most one of which is there.
type events struct {
	fixation *fixation
	saccade  *saccade
}

// event is what a run counts as: a fixation if it is slow and long enough, a
// saccade if it is fast.
func (y *tally) event(c *trace, r run, number int) events {
	a, b := c.node(r.first), c.node(r.last)
	if r.fast {
		return events{saccade: y.saccade(c, a, b, number)}
	}
	if b.t-a.t < y.options.Detector.MinDuration {
		return events{}
	}
	t := c.between(r.first, r.last)
	variances, pupilSquares := degrees.squared(), c.pupils.squared()
	return events{fixation: &fixation{run: number, duration: int64(b.t - a.t),
		xVar: variances.quanta(degrees.variance(t.x)), yVar: variances.quanta(degrees.variance(t.y)),
		pupilMean: pupilSquares.quanta(c.pupils.mean(t.pupil)), pupilVar: pupilSquares.quanta(c.pupils.variance(t.pupil)), pupils: t.pupil.n}}
}

// saccade is a fast run from node a to node b. Its direction is that of the
// difference in degrees, where yaw spans less far from the horizon.
func (y *tally) saccade(c *trace, a, b *node, number int) *saccade {
	amplitude := c.sight.Angle(a.at, b.at)
	right, up := b.own.x-a.own.x, float64(b.own.y-a.own.y)
	across := float64(right)
	if c.sight.AllAround() {
		across = float64(wrap(right)) * math.Cos(float64(a.own.y+b.own.y)/2/float64(degrees)*math.Pi/180)
	}
	large := amplitude >= y.options.SmallSaccade
	return &saccade{run: number, amplitude: degrees.quanta(amplitude), letter: y.options.Alphabet.letter(across, up, large),
		large: large, right: across > 0, left: across < 0}
}

// take adds a run that lies inside the window for good.
func (y *tally) take(e events) {
	if f := e.fixation; f != nil {
		y.fixations.push(*f)
		y.totals.addFixation(f)
		y.durations.push(f.run, f.duration)
	}
	if s := e.saccade; s != nil {
		y.saccades.push(*s)
		y.totals.addSaccade(s)
		y.amplitude.push(s.run, s.amplitude)
		y.words.pushBack(s.letter)
	}
}

// forget takes a run and those before it away.
func (y *tally) forget(run int) {
	for y.fixations.len() > 0 && y.fixations.at(0).run <= run {
		y.totals.removeFixation(y.fixations.at(0))
		y.fixations.drop(1)
	}
	for y.saccades.len() > 0 && y.saccades.at(0).run <= run {
		y.totals.removeSaccade(y.saccades.at(0))
		y.words.popFront()
		y.saccades.drop(1)
	}
	y.durations.forget(run)
	y.amplitude.forget(run)
}

// margin is what lies at a window's borders: it counts for this window only.
type margin struct {
	fixations []fixation
	before    []saccade // earlier than all inside
	after     []saccade
}

func (m *margin) clear() { m.fixations, m.before, m.after = m.fixations[:0], m.before[:0], m.after[:0] }

// values are the features of what is inside and at the borders.
func (y *tally) values(m *margin, blinks *sums) [Count]float64 {
	inside := y.totals
	longest, farthest := y.durations.value(), y.amplitude.value()
	for i := range m.fixations {
		y.totals.addFixation(&m.fixations[i])
		longest = max(longest, m.fixations[i].duration)
	}
	for _, list := range [...][]saccade{m.before, m.after} {
		for i := range list {
			y.totals.addSaccade(&list[i])
			farthest = max(farthest, list[i].amplitude)
		}
	}
	y.spell(m)
	var v [Count]float64
	y.fill(&v, longest, farthest)
	blinkValues(&v, blinks, y.options.Window)
	y.words.fill(&v, y.options.Alphabet)
	y.unspell(m)
	y.totals = inside
	return v
}

func (y *tally) spell(m *margin) {
	for i := len(m.before) - 1; i >= 0; i-- {
		y.words.pushFront(m.before[i].letter)
	}
	for i := range m.after {
		y.words.pushBack(m.after[i].letter)
	}
}

func (y *tally) unspell(m *margin) {
	for range m.before {
		y.words.popFront()
	}
	for range m.after {
		y.words.popBack()
	}
}

func (y *tally) fill(v *[Count]float64, longest, farthest int64) {
	e, seconds := &y.totals, y.options.Window.Seconds()
	fixations, saccades := float64(e.durations.n), float64(e.amplitudes.n)
	right, left, large := float64(e.right), float64(e.left), float64(e.large)
	v[fixationRate], v[saccadeRate] = fixations/seconds, saccades/seconds
	v[smallRate], v[largeRate] = (saccades-large)/seconds, large/seconds
	v[rightRate], v[leftRate] = right/seconds, left/seconds
	v[saccadesPerFixation] = ratio(saccades, fixations)
	v[smallShare], v[largeShare] = ratio(saccades-large, saccades), ratio(large, saccades)
	v[rightShare], v[leftShare] = ratio(right, saccades), ratio(left, saccades)
	v[amplitudeMean], v[amplitudeVar] = degrees.mean(e.amplitudes), degrees.variance(e.amplitudes)
	v[amplitudeMax] = float64(farthest) / float64(degrees)
	v[durationMean], v[durationVar] = nanoseconds.mean(e.durations), nanoseconds.variance(e.durations)
	v[durationMax] = float64(longest) / float64(nanoseconds)
	spread, pupils := degrees.squared(), y.pupils.squared()
	v[xVarMean], v[yVarMean] = spread.mean(e.xVars), spread.mean(e.yVars)
	v[xVarVar], v[yVarVar] = spread.variance(e.xVars), spread.variance(e.yVars)
	v[pupilMeanMean], v[pupilMeanVar] = pupils.mean(e.pupilMeans), pupils.variance(e.pupilMeans)
	v[pupilVarMean], v[pupilVarVar] = pupils.mean(e.pupilVars), pupils.variance(e.pupilVars)
}

// ratio is 0 where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
