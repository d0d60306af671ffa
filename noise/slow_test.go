//go:build slow

package noise

const (
	proofStride = 1
	batteryLen  = 1 << 22
)
