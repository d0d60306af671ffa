package experiment

import (
	"context"
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// HeatmapExpected measures what a plan tells its reader: the correlation of a
// half-blur heatmap with the noise-free one against q, the noise floor of the
// plain picture relative to the mean of the map. The people are simulated:
// free viewing of one picture.
type HeatmapExpected struct {
	Spec     mechanism.Spec
	Draws    int
	Seed     uint64
	Progress func(done int)
}

// ExpectedRow is one point of the curve.
type ExpectedRow struct {
	Q        float64 `json:"q"`
	CC       Spread  `json:"cc"`
	Subjects int     `json:"subjects"`
	Epsilon  float64 `json:"epsilon"`
	Peak     float64 `json:"peak"`   // of the noise-free map, relative to its mean
	Spread   float64 `json:"spread"` // standard deviation of the noise-free map, relative to its mean
}

// expectedPoints spread q over six decades.
var expectedPoints = []struct {
	n       int
	epsilon float64
}{{2000, 30}, {2000, 8}, {2000, 3}, {2000, 1}, {1000, 1}, {500, 1}, {300, 1}, {200, 1}, {100, 1}, {50, 1}, {24, 1}, {12, 1}, {6, 1}}

// Total is the number of draws.
func (e HeatmapExpected) Total() int { return len(expectedPoints) * e.Draws }

// Run measures every point.
func (e HeatmapExpected) Run(ctx context.Context) ([]ExpectedRow, error) {
	scene := simulate.ShopWindow()
	blur := 0.03 * scene.Width
	canvas := heatmap.Canvas{Width: scene.Width, Height: scene.Height, Cell: math.Floor(blur / 3)}
	cohort := simulate.Cohort{People: 2000, Seconds: 5, Rate: 60, Scenes: []simulate.Scene{scene}}
	looks, err := PoolRecordings(gaze.Seq(cohort.Recordings(noise.Seeded(e.Seed))), canvas)
	if err != nil {
		return nil, err
	}
	peak, sd, err := shapeOf(looks, blur)
	if err != nil {
		return nil, err
	}
	var rows []ExpectedRow
	for i, p := range expectedPoints {
		run := HeatmapCC{Looks: looks, Blur: blur, Subjects: []int{p.n}, Epsilons: []float64{p.epsilon}, Draws: e.Draws, Specs: []mechanism.Spec{e.Spec}, Seed: e.Seed + uint64(i) + 1}
		if e.Progress != nil {
			run.Progress = func(done int) { e.Progress(i*e.Draws + done) }
		}
		table, err := run.Run(ctx)
		if err != nil {
			return rows, err
		}
		q, err := plainFloor(run, p.n, p.epsilon)
		if err != nil {
			return rows, err
		}
		rows = append(rows, ExpectedRow{Q: q, CC: table[0].CC, Subjects: p.n, Epsilon: p.epsilon, Peak: peak, Spread: sd})
	}
	return rows, nil
}

// plainFloor is q of a half-blur heatmap of one picture.
func plainFloor(e HeatmapCC, n int, epsilon float64) (float64, error) {
	m, err := e.build(e.Specs[0], n, epsilon)
	if err != nil {
		return 0, err
	}
	h, ok := m.(heatmap.HalfBlur)
	if !ok {
		return 0, nil
	}
	return h.RelativeFloor(float64(n), epsilon, dp.RoundDown(math.Pow(float64(n), -1.5)))
}

// shapeOf is the peak and the standard deviation of the noise-free map of
// everybody, relative to its mean.
func shapeOf(l *Looks, blur float64) (peak, sd float64, err error) {
	all := make([]int, l.Len())
	for i := range all {
		all[i] = i
	}
	m, err := l.Canvas.Grid().Blur(l.mean(all), blur)
	if err != nil {
		return 0, 0, err
	}
	sum, squares := 0.0, 0.0
	for _, v := range m {
		sum += v
		squares += v * v
		peak = math.Max(peak, v)
	}
	mean := sum / float64(len(m))
	return peak / mean, math.Sqrt(squares/float64(len(m))-mean*mean) / mean, nil
}
