package signal

// Differences writes the first value and then what each value adds to the one
// before: dst[0] = x[0], dst[t] = x[t] − x[t−1]. dst may be x. It returns dst.
func Differences(dst, x []float64) []float64 {
	before := 0.0
	for t, v := range x {
		dst[t] = v - before
		before = v
	}
	return dst[:len(x)]
}

// CumulativeSums undoes [Differences]: dst[t] = x[0] + … + x[t]. dst may be x.
// It returns dst.
func CumulativeSums(dst, x []float64) []float64 {
	sum := 0.0
	for t, v := range x {
		sum += v
		dst[t] = sum
	}
	return dst[:len(x)]
}
