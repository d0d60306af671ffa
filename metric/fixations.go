package metric

import (
	"math"
	"slices"
)

// NSS is the normalised scanpath saliency: the mean of the standardised map
// (mean 0, sample standard deviation 1) over the fixations, each fixation
// counted. fixations holds the number of fixations per cell; 0 and 1 give the
// MIT benchmark's value, which counts a cell once. 0 is chance.
func NSS(m, fixations []float64) (float64, error) {
	total, err := fixated(m, fixations)
	if err != nil {
		return 0, err
	}
	mean, scale := meanAndScale(m)
	if scale == 0 || len(m) < 2 {
		return 0, ErrConstant
	}
	var squares, sum float64
	for i, v := range m {
		d := (v - mean) / scale
		squares += d * d
		sum += d * (fixations[i] / total)
	}
	return sum / math.Sqrt(squares/float64(len(m)-1)), nil
}

// AUC is the area under the ROC curve of Judd et al. 2009: how well the map,
// thresholded at each fixated cell's value, tells fixated cells (fixations > 0)
// from all others; 0.5 is chance, 1 perfect. Points of the curve are joined by
// straight lines. Cells of equal value are taken together, which is the
// expectation of the random jitter that the MIT benchmark adds, so that a
// constant map scores 0.5 without chance.
func AUC(m, fixations []float64) (float64, error) {
	if _, err := fixated(m, fixations); err != nil {
		return 0, err
	}
	order := make([]int, len(m))
	positives := 0
	for i := range order {
		order[i] = i
		if fixations[i] > 0 {
			positives++
		}
	}
	negatives := len(m) - positives
	if negatives == 0 {
		return 0, ErrConstant
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case m[i] > m[j]:
			return -1
		case m[i] < m[j]:
			return 1
		}
		return 0
	})
	return area(m, fixations, order, positives), nil
}

// area joins the points of the ROC curve at the distinct values of fixated
// cells, from the highest, and ends at (1, 1).
func area(m, fixations []float64, order []int, positives int) float64 {
	var sum, x, y float64
	hits, seen := 0, 0
	to := func(nx, ny float64) {
		sum += (nx - x) * (y + ny) / 2
		x, y = nx, ny
	}
	for seen < len(order) {
		value, before := m[order[seen]], hits
		for seen < len(order) && m[order[seen]] == value {
			if fixations[order[seen]] > 0 {
				hits++
			}
			seen++
		}
		if hits > before {
			to(float64(seen-hits)/float64(len(order)-positives), float64(hits)/float64(positives))
		}
	}
	to(1, 1)
	return sum
}

// fixated checks the pair and returns the number of fixations.
func fixated(m, fixations []float64) (float64, error) {
	if err := match(m, fixations); err != nil {
		return 0, err
	}
	var total float64
	for _, f := range fixations {
		if f < 0 {
			return 0, ErrNegative
		}
		total += f
	}
	if total == 0 {
		return 0, ErrEmpty
	}
	return finite(total)
}
