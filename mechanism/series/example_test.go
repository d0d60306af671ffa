package series_test

import (
	"fmt"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// recording is one feature over 64 windows.
func recording(subject string) series.Signals {
	v := make([]float64, 64)
	for t := range v {
		v[t] = 0.4
	}
	return series.Signals{Subject: subject, Recording: "1", Condition: "text", Values: [][]float64{v}}
}

func ExampleLaplace() {
	m := series.Laplace{
		Method: series.CFPA, Epsilon: 1, Coefficients: 3,
		Cut:    series.Cut{Features: 1, Length: 64, Chunk: 32, Unit: dp.Chunk},
		Bounds: []series.Bounds{{Lo: 0, Hi: 1}},
	}
	fmt.Println(m.Guarantee())
	fmt.Println(m.Plan().Composed["recording"])
	r, err := m.Release([]series.Signals{recording("a"), recording("b")}, noise.Secure())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Recordings), "recordings of", r.Recordings[0].Windows(), "windows")
	// Output:
	// 1-DP per chunk, replace one, central
	// 2-DP per recording, replace one, central
	// 2 recordings of 64 windows
}

func ExampleGaussian() {
	m := series.Gaussian{
		Epsilon: 1, Delta: 1e-5, Coefficients: 3,
		Cut:    series.Cut{Features: 1, Length: 64, Recordings: 2},
		Bounds: []series.Bounds{{Lo: 0, Hi: 1}},
	}
	fmt.Println(m.Guarantee())
	// Output: (1, 1e-05)-DP per subject, replace one, central
}

func ExampleMean() {
	m := series.Mean{
		Epsilon: 3, Delta: 1e-5, Subjects: 100, Coefficients: 3,
		Cut:    series.Cut{Features: 1, Length: 64},
		Bounds: []series.Bounds{{Lo: 0, Hi: 1}},
	}
	r, err := m.Release([]series.Signals{recording("a"), recording("b")}, []string{"text"}, noise.Secure())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Guarantee, "·", r.Recordings[0].Condition)
	// Output: (3, 1e-05)-DP per subject, replace one, central · text
}
