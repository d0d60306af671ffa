package classify

import (
	"encoding/json"
	"os/exec"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// theirs are scikit-learn's seconds on the same task, empty where there is no
// python3 with it.
var theirs = sync.OnceValue(func() map[string]float64 {
	out, err := exec.Command("python3", "testdata/speed.py").Output()
	if err != nil {
		return nil
	}
	var seconds map[string]float64
	if json.Unmarshal(out, &seconds) != nil {
		return nil
	}
	return seconds
})

// task is 5000 rows of 52 features of 20 classes.
func task() (x [][]float64, y []int) {
	src := noise.Seeded(1)
	centres := make([][]float64, 20)
	for c := range centres {
		for range 52 {
			centres[c] = append(centres[c], 0.35*src.NormFloat64())
		}
	}
	for i := range 5000 {
		row := make([]float64, 52)
		for j := range row {
			row[j] = centres[i%20][j] + src.NormFloat64()
		}
		x, y = append(x, row), append(y, i%20)
	}
	return x, y
}

// BenchmarkFitPredict fits 5000×52 rows of 20 classes and labels them again.
func BenchmarkFitPredict(b *testing.B) {
	x, y := task()
	for _, n := range All() {
		b.Run(n.Name, func(b *testing.B) {
			for b.Loop() {
				m, err := n.Learner.Fit(x, y, noise.Seeded(1))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Predict(m, x); err != nil {
					b.Fatal(err)
				}
			}
			if their, ok := theirs()[n.Name]; ok {
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/their, "×scikit-learn")
			}
		})
	}
}

// BenchmarkCell is one cell of a table of Bozkir et al. 2021: 20 persons left
// out one by one, 7200 rows of 52 features, noise instead of signal: three
// classes, the four classifiers.
func BenchmarkCell(b *testing.B) {
	src := noise.Seeded(2)
	var x [][]float64
	var y, person []int
	for i := range 7200 {
		row := make([]float64, 52)
		for j := range row {
			row[j] = src.NormFloat64()
		}
		x, y, person = append(x, row), append(y, i/120%3), append(person, i/360)
	}
	splits, err := LeaveOneGroupOut(person)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range Papers() {
		b.Run(n.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Validate(n.Learner, x, y, splits, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
