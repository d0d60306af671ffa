package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

// HeatmapCC measures the correlation of private heatmaps with the noise-free
// heatmap of the same people: n observers are drawn afresh, without
// replacement, for each draw of noise. δ = n^−1.5.
type HeatmapCC struct {
	Looks    *Looks
	Blur     float64 // px; required
	Subjects []int   // n; required
	Epsilons []float64
	Draws    int
	Specs    []mechanism.Spec
	// Values are further parameters, for the mechanisms that have them.
	Values map[string]string
	Seed   uint64
	// Progress is told how many draws are done; may be nil.
	Progress func(done int)
}

// Spread is a mean with the standard deviation of one draw.
type Spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// HeatmapRow is one cell of the table.
type HeatmapRow struct {
	Mechanism string          `json:"mechanism"`
	Epsilon   float64         `json:"epsilon"`
	Delta     float64         `json:"delta"`
	Subjects  int             `json:"subjects"`
	Draws     int             `json:"draws"`
	CC        Spread          `json:"cc"`
	Noise     mechanism.Noise `json:"noise"`
	Guarantee string          `json:"guarantee"` // as it would be with secure noise
	Observers int             `json:"observers"` // n was drawn out of these
}

// Total is the number of draws of the whole table.
func (e HeatmapCC) Total() int {
	return len(e.Specs) * len(e.Subjects) * len(e.Epsilons) * e.Draws
}

// Run fills the table, mechanism by mechanism.
func (e HeatmapCC) Run(ctx context.Context) ([]HeatmapRow, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	var rows []HeatmapRow
	src := noise.Seeded(e.Seed)
	for _, spec := range e.Specs {
		for _, n := range e.Subjects {
			for _, epsilon := range e.Epsilons {
				row, err := e.row(ctx, spec, n, epsilon, src.Split(), len(rows)*e.Draws)
				if err != nil {
					return rows, fmt.Errorf("%s at n = %d, ε = %g: %w", spec.Name, n, epsilon, err)
				}
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// Check refuses what makes no table, before anything is drawn.
func (e HeatmapCC) Check() error {
	if e.Draws < 1 || len(e.Specs) == 0 || len(e.Epsilons) == 0 || len(e.Subjects) == 0 {
		return errors.New("experiment: want at least one mechanism, one ε, one n and one draw")
	}
	if e.Looks == nil {
		return errors.New("experiment: want observers, got none")
	}
	for _, n := range e.Subjects {
		if n < 2 || n > e.Looks.Len() {
			return fmt.Errorf("experiment: n must be between 2 and the %d observers in the data, got %d", e.Looks.Len(), n)
		}
	}
	for _, spec := range e.Specs {
		for _, epsilon := range e.Epsilons {
			if _, err := e.build(spec, e.Subjects[0], epsilon); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e HeatmapCC) build(spec mechanism.Spec, n int, epsilon float64) (heatmap.Mechanism, error) {
	c := e.Looks.Canvas
	values := map[string]string{
		"epsilon": text(epsilon), "delta": text(dp.RoundDown(math.Pow(float64(n), -1.5))), "subjects": strconv.Itoa(n),
		"width": text(c.Width), "height": text(c.Height), "cell": text(c.Cell) + "px", "blur": text(e.Blur) + "px",
		"cap": "0.2", "picture": heatmap.PictureBest,
	}
	for name, v := range e.Values {
		values[name] = v
	}
	for name := range values {
		if _, takes := spec.Field(name); !takes {
			delete(values, name)
		}
	}
	m, err := spec.Build(values)
	if err != nil {
		return nil, err
	}
	h, ok := m.(heatmap.Mechanism)
	if !ok {
		return nil, errors.New("experiment: this mechanism makes no heatmap")
	}
	return h, nil
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (e HeatmapCC) row(ctx context.Context, spec mechanism.Spec, n int, epsilon float64, src *noise.Source, before int) (HeatmapRow, error) {
	m, err := e.build(spec, n, epsilon)
	if err != nil {
		return HeatmapRow{}, err
	}
	scores := make([]float64, e.Draws)
	err = inParallel(ctx, e.Draws, src, func(i int, src *noise.Source) (err error) {
		scores[i], err = e.draw(m, n, src)
		return err
	}, func(done int) {
		if e.Progress != nil {
			e.Progress(before + done)
		}
	})
	p := m.Plan()
	return HeatmapRow{
		Mechanism: spec.Short(), Epsilon: epsilon, Delta: p.Guarantee.Delta, Subjects: n, Draws: e.Draws,
		CC: spread(scores), Noise: p.Noise, Guarantee: p.Guarantee.String(), Observers: e.Looks.Len(),
	}, err
}

// draw is the correlation of one release. A picture without any structure
// (all cells equal) correlates with nothing: zero.
func (e HeatmapCC) draw(m heatmap.Mechanism, n int, src *noise.Source) (float64, error) {
	chosen := e.Looks.sample(n, src)
	r, err := m.Release(e.Looks.maps(chosen), src)
	if err != nil {
		return 0, err
	}
	c := e.Looks.Canvas
	truth, err := c.Grid().Blur(e.Looks.mean(chosen), e.Blur)
	if err != nil {
		return 0, err
	}
	cc, err := metric.CC(r.Maps[0], truth)
	if errors.Is(err, metric.ErrConstant) {
		return 0, nil
	}
	return cc, err
}

// inParallel runs f for 0..n−1 on all processors, each with a source of its
// own, so that the result does not depend on their number.
func inParallel(ctx context.Context, n int, src *noise.Source, f func(int, *noise.Source) error, progress func(done int)) error {
	sources := make([]*noise.Source, n)
	for i := range sources {
		sources[i] = src.Split()
	}
	var mu sync.Mutex
	var failed error
	next, done := 0, 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if failed == nil {
			failed = ctx.Err()
		}
		next++
		return next - 1, next <= n && failed == nil
	}
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				err := f(i, sources[i])
				mu.Lock()
				failed = errors.Join(failed, err)
				done++
				progress(done)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

func spread(v []float64) Spread {
	s := Spread{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, x := range v {
		s.Mean += x / float64(len(v))
		s.Min, s.Max = math.Min(s.Min, x), math.Max(s.Max, x)
	}
	for _, x := range v {
		s.SD += (x - s.Mean) * (x - s.Mean)
	}
	if len(v) > 1 {
		s.SD = math.Sqrt(s.SD / float64(len(v)-1))
	}
	return s
}
