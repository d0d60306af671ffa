package feature

import (
	"fmt"
	"math"
)

// Alphabet says which saccades are the same letter of a word.
type Alphabet uint8

const (
	// Bulling is the alphabet of Bulling et al. 2011: 8 letters for small
	// saccades, one per 45 degrees of direction, and 16 for large ones, one per
	// 22.5 degrees. 24 letters.
	Bulling Alphabet = iota
	// Compass has 8 directions for small and 8 for large saccades. 16 letters.
	Compass
)

// String returns the alphabet's name.
func (a Alphabet) String() string {
	switch a {
	case Bulling:
		return "bulling"
	case Compass:
		return "compass"
	}
	return fmt.Sprintf("Alphabet(%d)", uint8(a))
}

// ParseAlphabet reads an alphabet's name.
func ParseAlphabet(s string) (Alphabet, error) {
	for _, a := range [...]Alphabet{Bulling, Compass} {
		if a.String() == s {
			return a, nil
		}
	}
	return 0, fmt.Errorf("feature: want the alphabet bulling or compass, got %q", s)
}

// Letters is the number of letters.
func (a Alphabet) Letters() int {
	if a == Compass {
		return 16
	}
	return 24
}

// Words is the number of possible words of a length.
func (a Alphabet) Words(length int) int {
	n := 1
	for range length {
		n *= a.Letters()
	}
	return n
}

const smallDirections = 8

// letter returns the letter of a saccade by its direction in degrees to the
// right and upwards: small ones come first, then large ones, each
// counterclockwise from the right, sectors centred on their directions.
func (a Alphabet) letter(right, up float64, large bool) uint32 {
	directions, base := smallDirections, 0
	if large {
		directions, base = a.Letters()-smallDirections, smallDirections
	}
	sector := int(math.Round(math.Atan2(up, right) / (2 * math.Pi) * float64(directions)))
	return uint32(base + (sector+directions)%directions)
}
