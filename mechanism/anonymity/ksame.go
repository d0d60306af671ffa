package anonymity

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// KSameSelect releases, for every person, the mean path of a random group of
// at least K people who saw the same stimulus: sample by sample, shorter
// recordings repeated from their beginning (David-John et al. 2022).
type KSameSelect struct {
	K int // required; 2 to 8 in the papers
}

// KSameSynth averages events instead of samples: the j-th fixations (duration,
// mean and deviation of the position) and saccades (duration, velocity profile)
// of a random group of at least K people; each member's path is drawn anew from
// the group's events (David-John et al. 2023).
type KSameSynth struct {
	K int // required; 2 to 8 in the papers
	Detection
}

const whyKSame = "k-anonymity is not differential privacy: who knows the others of a group subtracts them, a group that agrees shows what it agrees on, and groups drawn anew intersect"

// Statement implements [Mechanism].
func (m KSameSelect) Statement() Statement {
	return Statement{Kind: "k-anonymity", K: m.K, Among: "random groups of people who saw the same stimulus"}
}

// Statement implements [Mechanism].
func (m KSameSynth) Statement() Statement { return KSameSelect{m.K}.Statement() }

// Check reports parameters that make no mechanism.
func (m KSameSelect) Check() error { return checkK(m.K) }

// Check reports parameters that make no mechanism.
func (m KSameSynth) Check() error { return errors.Join(checkK(m.K), m.check()) }

// Guarantee is void: nothing is promised.
func (m KSameSelect) Guarantee() dp.Guarantee { return none(whyKSame) }

// Guarantee is void: nothing is promised.
func (m KSameSynth) Guarantee() dp.Guarantee { return none(whyKSame) }

// Plan implements [mechanism.Mechanism].
func (m KSameSelect) Plan() mechanism.Plan {
	return planOf(m, "gaze/k-same-select", map[string]string{"k": strconv.Itoa(m.K)})
}

// Plan implements [mechanism.Mechanism].
func (m KSameSynth) Plan() mechanism.Plan {
	return planOf(m, "gaze/k-same-synth", m.parameters(map[string]string{"k": strconv.Itoa(m.K)}))
}

// Protect implements [mechanism.Paths].
func (m KSameSelect) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	paths, err := byGroup(pieces, m.K, src, func(members []record) ([]points, error) {
		mean := meanPath(members)
		all := make([]points, len(members))
		for i := range all {
			all[i] = mean
		}
		return all, nil
	})
	if err != nil {
		return nil, err
	}
	return release(m.Plan(), src, paths, false), nil
}

// Protect implements [mechanism.Paths].
func (m KSameSynth) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	paths, err := byGroup(pieces, m.K, src, func(members []record) ([]points, error) {
		mean, err := m.meanEvents(members)
		all := make([]points, len(members))
		for i := range all {
			all[i] = render(mean, surfaceOf(&members[0].Header), members[0].period, src)
		}
		return all, err
	})
	if err != nil {
		return nil, err
	}
	return release(m.Plan(), src, paths, true), nil
}

// byGroup parts the people of every stimulus into groups and gives every
// member the path that of makes.
func byGroup(pieces gaze.Seq, k int, src *noise.Source, of func([]record) ([]points, error)) ([]path, error) {
	all, err := collect(pieces)
	if err != nil {
		return nil, err
	}
	var out []path
	for _, set := range sets(all) {
		if err := alike(set); err != nil {
			return nil, err
		}
		groups, err := group(len(set), k, src)
		if err != nil {
			return nil, err
		}
		paths := make([]path, len(set)) // in the order of the recordings, not of the groups
		for _, g := range groups {
			members := make([]record, len(g))
			for i, at := range g {
				members[i] = set[at]
			}
			made, err := of(members)
			if err != nil {
				return nil, err
			}
			for i, at := range g {
				paths[at] = path{set[at].Header, made[i], set[0].period}
			}
		}
		out = append(out, paths...)
	}
	return out, nil
}

// meanPath is the mean of the members' samples; shorter recordings repeat.
func meanPath(members []record) (p points) {
	s := surfaceOf(&members[0].Header)
	length := 0
	for _, r := range members {
		length = max(length, len(r.x))
	}
	x, y := make([]float64, len(members)), make([]float64, len(members))
	for i := range length {
		for j, r := range members {
			x[j], y[j] = r.x[i%len(r.x)], r.y[i%len(r.y)]
		}
		mx, my := s.mean(x, y)
		p.x, p.y = append(p.x, mx), append(p.y, my)
	}
	return p
}

// meanEvents is the mean of the members' events; shorter sequences repeat, and
// members without fixations do not count.
func (m KSameSynth) meanEvents(members []record) ([]event, error) {
	s, length := surfaceOf(&members[0].Header), 0
	var all [][]event
	for i := range members {
		e, err := events(&members[i], m.Detection)
		if err != nil {
			return nil, fmt.Errorf("anonymity: events: %w", err)
		}
		if len(e) > 0 {
			all = append(all, e)
			length = max(length, len(e))
		}
	}
	if len(all) < m.K {
		return nil, fmt.Errorf("anonymity: k is larger than the number of people with fixations in a group (%w)", errNoEvents)
	}
	out, column := make([]event, length), make([]event, len(all))
	for j := range out {
		for i, e := range all {
			column[i] = e[j%len(e)]
		}
		out[j] = meanEvent(s, column)
	}
	return out, nil
}

func meanEvent(s surface, all []event) (m event) {
	x, y := make([]float64, len(all)), make([]float64, len(all))
	n, seen := float64(len(all)), 0.0
	for i, e := range all {
		x[i], y[i] = e.x, e.y
		m.seconds += e.seconds / n
		m.dx += e.dx / n
		m.dy += e.dy / n
		if v := e.move; v.seen() {
			m.move = move{m.move.seconds + v.seconds, m.move.a + v.a, m.move.b + v.b, m.move.c + v.c}
			seen++
		}
	}
	m.x, m.y = s.mean(x, y)
	if seen > 0 {
		m.move = move{m.move.seconds / seen, m.move.a / seen, m.move.b / seen, m.move.c / seen}
	}
	return m
}
