//go:build !slow

package noise

const (
	proofStride = 48      // every how many cells of a Gaussian table are recomputed in big floats
	batteryLen  = 1 << 19 // draws for each scale, eight times as many for two of them
)
