package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gazeward/gazeward/dataset"
	formats "github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// osie are the pooled observers of OSIE on a canvas of 8 px cells: every
// observer and image is one observer of a common map.
func osie(t testing.TB) *Looks {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		folder := filepath.Join(dir, "shared", "data", "osie")
		if _, err := os.Stat(folder); err == nil {
			return pool(t, folder)
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("OSIE is not there: put it into shared/data/osie beside the checkout")
		}
		dir = up
	}
}

func pool(t testing.TB, folder string) *Looks {
	t.Helper()
	d, err := dataset.ByName("osie")
	if err != nil {
		t.Fatal(err)
	}
	f := dataset.Folder{Definition: d, FS: os.DirFS(folder), Open: formats.StreamFS}
	l, err := PoolRecordings(f.Recordings(nil), heatmap.Canvas{Width: 800, Height: 600, Cell: 8})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestFigureOnRealFixations: what the half-blur heatmap is worth on pooled real
// fixations, s = 24 px, δ = n^−1.5 (10 draws; one scatters by 0.02 about the
// mean, which was 0.92 and more when this was written).
func TestFigureOnRealFixations(t *testing.T) {
	l := osie(t)
	if l.Len() < 10_000 {
		t.Fatalf("%d observers, want about 10 500", l.Len())
	}
	e := HeatmapCC{Looks: l, Blur: 24, Subjects: []int{300}, Epsilons: []float64{1}, Draws: 10, Specs: specs(t, "halfblur"), Seed: 1}
	row := table(t, e)[0]
	t.Logf("CC at n = 300, ε = 1: %.4f ± %.4f", row.CC.Mean, row.CC.SD)
	if row.CC.Mean < 0.88 || row.CC.Mean > 1 {
		t.Errorf("CC %v, want at least 0.88", row.CC)
	}
}

// BenchmarkHeatmapCC prints the figures: the mean correlation over 20 draws.
func BenchmarkHeatmapCC(b *testing.B) {
	l := osie(b)
	for _, c := range []struct {
		name    string
		n       int
		epsilon float64
	}{{"n=100/epsilon=1", 100, 1}, {"n=300/epsilon=1", 300, 1}, {"n=300/epsilon=3", 300, 3}} {
		b.Run(c.name, func(b *testing.B) {
			e := HeatmapCC{Looks: l, Blur: 24, Subjects: []int{c.n}, Epsilons: []float64{c.epsilon}, Draws: 20, Specs: specs(b, "halfblur"), Seed: 1}
			for b.Loop() {
				row := table(b, e)[0]
				b.ReportMetric(row.CC.Mean, "CC")
				b.ReportMetric(row.CC.SD, "sd")
			}
		})
	}
}
