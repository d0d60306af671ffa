package synth

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dataset"
	formats "github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/simulate"
)

// BenchmarkProtect shows that time is linear in samples, on a grid of 60 × 60 too:
// ns per sample for two sizes, and what one sample more costs.
func BenchmarkProtect(b *testing.B) {
	for name, m := range map[string]DPGazeSynth{"paths": {}, "positions": {Aim: AimPositions}, "printed": {Published: true}} {
		m.Epsilon, m.Area, m.Radius, m.Rate, m.Grid = 1, screen, 48, 83, 60
		b.Run(name, func(b *testing.B) {
			few, many := people(b, 10, 30, simulate.ShopWindow()), people(b, 40, 30, simulate.ShopWindow())
			best := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for i, all := range [][]*gaze.Recording{few, many} {
					start := time.Now()
					released(b, m, all, 1)
					best[i] = min(best[i], time.Since(start))
				}
			}
			a, z := float64(samples(few)), float64(samples(many))
			b.ReportMetric(float64(best[0])/a, "ns/sample-few")
			b.ReportMetric(float64(best[1])/z, "ns/sample-many")
			b.ReportMetric(float64(best[1]-best[0])/(z-a), "ns/sample-more")
		})
	}
}

func samples(all []*gaze.Recording) (n int) {
	for _, r := range all {
		n += r.Samples.Len()
	}
	return n
}

// gazere are the real recordings, px from the top left.
func gazere(t testing.TB) []*gaze.Recording {
	t.Helper()
	d, err := dataset.ByName("gazere")
	if err != nil {
		t.Fatal(err)
	}
	f := dataset.Folder{Definition: d, FS: os.DirFS(formattest.Shared(t, "gazere")), Open: formats.StreamFS}
	all, err := gaze.Collect(f.Recordings(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		p, eye, _ := r.Best()
		for i := range p.X {
			p.X[i], p.Y[i], _ = r.Screen.ToTopLeftPixels(p.X[i], p.Y[i], r.Unit)
		}
		only := gaze.Samples{T: r.Samples.T}
		only.Tracks[eye] = gaze.Track{X: p.X, Y: p.Y}
		r.Samples = only
		r.Unit, r.Screen.Origin = gaze.Pixels, gaze.TopLeft
	}
	return all
}

// BenchmarkFigures prints, for real recordings, the errors as printed and
// corrected at the same ε and r.
func BenchmarkFigures(b *testing.B) {
	all := gazere(b)
	tally := func(all []*gaze.Recording) *metric.Paths {
		p := &metric.Paths{Width: 2560, Height: 1440, PixelsPerDegree: 45, Clamp: true}
		for _, r := range all {
			if err := p.Add(r); err != nil {
				b.Fatal(err)
			}
		}
		return p
	}
	truth := tally(all)
	for _, c := range []struct {
		grid   int
		radius float64
	}{{60, 72}, {30, 144}} {
		for _, epsilon := range []float64{1, 2, 3} {
			for _, name := range []string{"printed", AimPaths, AimPositions} {
				b.Run(fmt.Sprintf("r=%gpx/epsilon=%g/%s", c.radius, epsilon, name), func(b *testing.B) {
					m := DPGazeSynth{Epsilon: epsilon, Area: Area{Width: 2560, Height: 1440}, Radius: c.radius, Grid: c.grid, PerDegree: 45, Rate: 83}
					if m.Published = name == "printed"; !m.Published {
						m.Aim = name
					}
					for b.Loop() {
						out := released(b, m, all, 1)
						e := truth.Compare(tally(out))
						b.ReportMetric(*e.Density, "density")
						b.ReportMetric(*e.Duration, "duration")
						b.ReportMetric(*e.Amplitude, "amplitude")
						b.ReportMetric(meanRMSE(b, all, out), "RMSE")
					}
				})
			}
		}
	}
}
