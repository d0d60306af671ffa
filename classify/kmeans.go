package classify

import (
	"math"

	"github.com/gazeward/gazeward/noise"
)

// cluster finds k centres by k-means: drawn by k-means++ (Arthur and
// Vassilvitskii 2007), moved by Lloyd's steps until no row changes its centre.
// There are fewer than k where there are fewer distinct rows. It also returns
// the mean distance of each centre's rows from it.
func cluster(x [][]float64, k int, src *noise.Source) (centres [][]float64, spread []float64) {
	const steps = 100
	centres = seeds(x, k, src)
	of, away := make([]int, len(x)), make([]float64, len(x))
	assign(x, centres, of, away)
	for range steps {
		recentre(x, centres, of, away)
		if !assign(x, centres, of, away) {
			break
		}
	}
	spread, size := make([]float64, len(centres)), make([]float64, len(centres))
	for i, c := range of {
		spread[c] += math.Sqrt(away[i])
		size[c]++
	}
	for c := range spread {
		spread[c] /= math.Max(1, size[c])
	}
	return centres, spread
}

// seeds are rows, each drawn with probability proportional to its squared
// distance from the nearest one drawn before.
func seeds(x [][]float64, k int, src *noise.Source) [][]float64 {
	centres := [][]float64{append([]float64(nil), x[src.IntN(len(x))]...)}
	away := make([]float64, len(x))
	for i, row := range x {
		away[i] = square(row, centres[0])
	}
	for len(centres) < k {
		total := 0.0
		for _, d := range away {
			total += d
		}
		if !(total > 0) {
			break
		}
		at, left := len(x)-1, src.Float64()*total
		for i, d := range away {
			if left -= d; left < 0 && d > 0 {
				at = i
				break
			}
		}
		c := append([]float64(nil), x[at]...)
		centres = append(centres, c)
		for i, row := range x {
			away[i] = math.Min(away[i], square(row, c))
		}
	}
	return centres
}

// assign gives every row its nearest centre, and reports whether any changed.
func assign(x, centres [][]float64, of []int, away []float64) (changed bool) {
	for i, row := range x {
		nearest, least := 0, math.Inf(1)
		for c, centre := range centres {
			if d := square(row, centre); d < least {
				nearest, least = c, d
			}
		}
		changed = changed || of[i] != nearest
		of[i], away[i] = nearest, least
	}
	return changed
}

// recentre moves every centre to the mean of its rows; one without rows goes
// to the row that is farthest from its own centre.
func recentre(x, centres [][]float64, of []int, away []float64) {
	size := make([]float64, len(centres))
	for _, c := range of {
		size[c]++
	}
	for c := range centres {
		if size[c] > 0 {
			clear(centres[c])
		}
	}
	for i, row := range x {
		for j, v := range row {
			centres[of[i]][j] += v / size[of[i]]
		}
	}
	for c := range centres {
		if size[c] == 0 {
			far := 0
			for i, d := range away {
				if d > away[far] {
					far = i
				}
			}
			copy(centres[c], x[far])
			away[far] = 0
		}
	}
}
