package studio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

// aoiPreview keeps the simulated people's statistics of the scene's areas.
type aoiPreview struct {
	once   sync.Once
	areas  grid.AOIs
	people []*grid.AOIAccumulator
	err    error
	clean  cache[*heatmap.AOIRelease]
	normal normals
}

type aoiView struct {
	p *previews
	a *aoiPreview
}

// prepare gathers the statistics once.
func (a *aoiPreview) prepare(people []*gaze.Recording) {
	a.once.Do(func() {
		scene := previewScene()
		for _, o := range scene.HotSpots() {
			a.areas = append(a.areas, grid.AOI{Name: o.Name, X: o.X, Y: o.Y, Width: o.W, Height: o.H})
		}
		for _, r := range people {
			fixations, err := detect.Standard().Fixations(r)
			if err != nil {
				a.err = err
				return
			}
			one := &grid.AOIAccumulator{Areas: a.areas}
			if a.err = one.AddFixations(r, fixations); a.err != nil {
				return
			}
			a.people = append(a.people, one)
		}
	})
}

func (v *aoiView) sketches(*choice) bool { return true }

func (v *aoiView) shows(c *choice) []string {
	if chosen := c.Values["statistics"]; chosen != "" {
		return strings.Split(chosen, ",")
	}
	return heatmap.AllAOIStatistics
}

func (v *aoiView) before(c *choice, show string) (picture, error) {
	s, _, err := v.statistic(c, show)
	if err != nil {
		return picture{}, err
	}
	return v.bars(show, s.Values, 0, "without noise"), nil
}

// after adds the noise of the choice: that of as many areas as the data have.
func (v *aoiView) after(c *choice, show string, _ bool) (picture, error) {
	s, m, err := v.statistic(c, show)
	if err != nil {
		return picture{}, err
	}
	deviation, err := strconv.ParseFloat(m.Plan().Parameters["deviation-"+show], 64)
	if err != nil {
		return picture{}, refuse("This statistic is not released.", "Choose one of those that are.")
	}
	most := map[string]float64{heatmap.AOIFirst: m.Horizon, heatmap.AOIOrder: float64(len(v.a.areas)) + 1}[show]
	if most == 0 {
		most = 1
	}
	values := slices.Clone(s.Values)
	at := 1000 * slices.Index(heatmap.AllAOIStatistics, show) // each has numbers of its own
	z := v.a.normal.first(at + len(values))
	for i := range values {
		values[i] = math.Min(most, math.Max(0, values[i]+deviation*z[at+i]))
	}
	return v.bars(show, values, deviation, "as it would be released"), nil
}

// statistic is a statistic of the simulated people with hardly any noise.
func (v *aoiView) statistic(c *choice, show string) (s heatmap.AOIStatistic, m heatmap.AOI, err error) {
	built, err := c.build()
	if err != nil {
		return s, m, err
	}
	m, ok := built.(heatmap.AOI)
	if !ok {
		return s, m, fmt.Errorf("studio: %s makes no statistics of areas", c.Spec.Name)
	}
	people, err := v.p.cohort()
	if err != nil {
		return s, m, err
	}
	v.a.prepare(people)
	if v.a.err != nil {
		return s, m, v.a.err
	}
	clean := m
	clean.Epsilon, clean.Areas, clean.Subjects = almostNone, len(v.a.areas), previewPeople
	r, err := v.a.clean.get(keyOf(clean), func() (*heatmap.AOIRelease, error) {
		return clean.Release(slices.Values(v.a.people), noise.Seeded(1))
	})
	if err != nil {
		return s, m, err
	}
	s, ok = r.Statistics[show]
	if !ok {
		return s, m, refuse("This statistic is not released.", "Choose one of those that are.")
	}
	return s, m, nil
}

// Names and units of the statistics.
var (
	aoiTitles = map[string]string{
		heatmap.AOIDwell: "Share of dwell time", heatmap.AOIHits: "People who looked at the area",
		heatmap.AOIFirst: "Time to the first fixation", heatmap.AOITransitions: "Moves between areas",
		heatmap.AOIOrder: "Rank of the first visit",
	}
	aoiUnits = map[string]string{
		heatmap.AOIDwell: "share", heatmap.AOIHits: "share of people", heatmap.AOIFirst: "s",
		heatmap.AOITransitions: "share of moves", heatmap.AOIOrder: "rank",
	}
)

// maxMoves is how many moves between areas a chart shows: the most frequent.
const maxMoves = 12

func (v *aoiView) bars(show string, values []float64, deviation float64, how string) picture {
	b := report.Bars{Title: aoiTitles[show] + ", " + how, Unit: aoiUnits[show], Guarantee: "simulated people, for choosing only"}
	names := append(v.a.areas.Names(), "outside")
	for i, x := range values {
		label := names[i%len(names)]
		if show == heatmap.AOITransitions {
			label = names[i/len(names)] + " → " + label
		}
		b.Bars = append(b.Bars, report.Bar{Label: label, Value: x, Deviation: deviation})
	}
	if show == heatmap.AOITransitions {
		b.Bars = v.frequent(b.Bars)
	}
	return picture{draw: b.WritePNG, alt: b.AltText()}
}

// frequent keeps the moves that are most frequent without noise, so that both
// sides show the same ones.
func (v *aoiView) frequent(bars []report.Bar) []report.Bar {
	k := len(v.a.areas) + 1
	sums := make([]float64, k*k)
	for _, p := range v.a.people {
		for i, x := range p.Transitions {
			sums[i] += x
		}
	}
	order := make([]int, len(sums))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, sums[b]-sums[a])) })
	var out []report.Bar
	for _, i := range order[:min(maxMoves, len(order))] {
		out = append(out, bars[i])
	}
	return out
}
