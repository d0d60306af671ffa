package heatmap

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// The stated error of a picture is that of the picture: over releases of the
// same people, within a factor of two.
func TestEstimatedErrorIsTheError(t *testing.T) {
	for _, n := range []int{30, 200, 1000} {
		m := HalfBlur{Epsilon: 1, Delta: 1e-4, Subjects: n, Blur: 30, Canvas: Canvas{Width: 900, Height: 600, Cell: 10}}
		maps := make([][]float64, n)
		for i := range maps {
			maps[i] = looker(m.Canvas, i)
		}
		truth := release(t, loud(m), maps, 1).Maps[0]
		squares, stated := 0.0, 0.0
		const draws = 5
		for seed := range uint64(draws) {
			r := release(t, m, maps, seed+2)
			if err := r.EstimateError(); err != nil {
				t.Fatal(err)
			}
			stated += r.NoiseFloor / draws
			for i, v := range r.Maps[0] {
				squares += (v - truth[i]) * (v - truth[i]) / float64(len(truth)*draws)
			}
		}
		if ratio := stated / math.Sqrt(squares); ratio < 0.5 || ratio > 2 {
			t.Errorf("n = %d: stated error %.3g, error %.3g", n, stated, math.Sqrt(squares))
		}
	}
}

// looker looks at five places around spots of unequal appeal, and at three
// anywhere.
func looker(c Canvas, i int) []float64 {
	m := make([]float64, c.Len())
	src := noise.Seeded(uint64(i))
	spots := [][2]int{{20, 15}, {20, 15}, {20, 15}, {60, 20}, {60, 20}, {45, 45}, {75, 40}}
	for k := range 8 {
		x, y := src.IntN(c.Cols()), src.IntN(c.Rows())
		if k < 5 {
			s := spots[src.IntN(len(spots))]
			x, y = s[0]+src.IntN(13)-6, s[1]+src.IntN(13)-6
		}
		m[y*c.Cols()+x]++
	}
	return m
}

func TestEstimatedErrorIsRepeatable(t *testing.T) {
	m := small()
	r := release(t, m, [][]float64{single(48, 20)}, 3)
	again, err := Render(r.Raw, r.Shape, m.Picture)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.EstimateError(); err != nil {
		t.Fatal(err)
	}
	if err := again.EstimateError(); err != nil || again.NoiseFloor != r.NoiseFloor || r.NoiseFloor <= 0 {
		t.Errorf("the same release states %v and %v, %v", r.NoiseFloor, again.NoiseFloor, err)
	}
	plain := release(t, HalfBlur{Epsilon: 1, Delta: 1e-3, Subjects: 20, Blur: 30, Canvas: m.Canvas, Picture: Picture{Method: PicturePlain}}, nil, 1)
	floor := plain.NoiseFloor
	if err := plain.EstimateError(); err != nil || plain.NoiseFloor != floor {
		t.Errorf("the exact floor of a plain picture became %v, %v", plain.NoiseFloor, err)
	}
}
