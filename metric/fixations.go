package metric

import (
	"cmp"
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
	if math.IsInf(scale, 0) {
		return 0, errOverflow
	}
	if scale == 0 || len(m) < 2 {
		return 0, ErrConstant
	}
	var sum, squares, at float64
	for i, v := range m {
		d := (v - mean) / scale
		sum += d
		squares += d * d
		at += d * (fixations[i] / total)
	}
	n := float64(len(m)) // what rounding left of the mean is taken out here
	return (at - sum/n) / math.Sqrt((squares-sum*sum/n)/(n-1)), nil
}

// AUC is the area under the ROC curve of Judd et al. 2009: how well the map,
// thresholded, tells fixated cells (fixations > 0) from all others. It is the
// probability that a random fixated cell has a higher value than a random other
// one, ties counting one half: 0.5 is chance, 1 perfect. The MIT benchmark's code
// has points of the curve at fixated cells only and breaks ties by random
// jitter; its value is higher by up to half of one over the fixated cells.
func AUC(m, fixations []float64) (float64, error) {
	if _, err := fixated(m, fixations); err != nil {
		return 0, err
	}
	order := make([]int, len(m))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(m[i], m[j]) })
	var hits, below, won float64 // below: other cells of a lower value
	for from := 0; from < len(order); {
		tied, others := 0.0, 0.0
		to := from
		for ; to < len(order) && m[order[to]] == m[order[from]]; to++ {
			if fixations[order[to]] > 0 {
				tied++
			} else {
				others++
			}
		}
		won += tied * (below + others/2)
		hits, below, from = hits+tied, below+others, to
	}
	if below == 0 {
		return 0, ErrConstant
	}
	return won / hits / below, nil
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
