package estimate

import (
	"math"
	"testing"
)

func TestBestQuery(t *testing.T) {
	before := 0.0
	for _, c := range []struct{ noise, want float64 }{
		{-1, 3 / math.Sqrt2}, {math.NaN(), 3 / math.Sqrt2}, {0, 3 / math.Sqrt2},
		{1e-9, 3 / math.Sqrt2}, {0.042, 4}, {10, 5}, {math.Inf(1), 5},
	} {
		got := BestQuery(3, c.noise)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("noise %v: got %v, want %v", c.noise, got, c.want)
		}
		if got < before {
			t.Errorf("noise %v: %v is below that of less noise, %v", c.noise, got, before)
		}
		before = got
	}
}

// At n = 100, ε = 1 the recommended query beats the half blur on average over
// the ways of looking.
func TestBestQueryPays(t *testing.T) {
	var best, half float64
	for _, s := range scenes() {
		for seed := range uint64(3) {
			noise := math.Sqrt2 * 2.75 / 100
			p, truth := s.releaseAt(generator(seed), 100, 8, 2.75, BestQuery(3, noise))
			best += correlation(mustLogGaussian(t, p), truth) / 9
			p, truth = s.releaseAt(generator(seed), 100, 8, 2.75, 3/math.Sqrt2)
			half += correlation(mustLogGaussian(t, p), truth) / 9
		}
	}
	t.Logf("best %.3f, half blur %.3f", best, half)
	if best < half {
		t.Errorf("best %.3f, half blur %.3f", best, half)
	}
}
