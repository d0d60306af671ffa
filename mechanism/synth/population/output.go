package population

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Output is what is generated: nobody's recordings. None of it is read off the
// data.
type Output struct {
	Recordings int           // default the number of subjects, at most 1000
	Length     time.Duration // of each; default 30 s
	Rate       gaze.Hertz    // default 250
	// BlinksPerMinute is a public habit; default 15, negative for none.
	BlinksPerMinute float64
}

// Bounds on what is generated.
const (
	maxRecordings = 1_000_000
	maxDuration   = 24 * time.Hour
)

func (o Output) withDefaults(subjects int) (Output, error) {
	if o.Recordings == 0 {
		o.Recordings = min(max(subjects, 1), 1000)
	}
	if o.Length == 0 {
		o.Length = 30 * time.Second
	}
	if o.Rate == 0 {
		o.Rate = 250
	}
	if o.BlinksPerMinute == 0 {
		o.BlinksPerMinute = 15
	}
	o.BlinksPerMinute = max(o.BlinksPerMinute, -1)
	switch {
	case o.Recordings < 1 || o.Recordings > maxRecordings:
		return o, fmt.Errorf("population: recordings must be between 1 and %d, got %d", maxRecordings, o.Recordings)
	case o.Length < time.Second || o.Length > maxDuration:
		return o, fmt.Errorf("population: duration must lie between 1s and %v, got %v", maxDuration, o.Length)
	case !(o.Rate >= 10 && o.Rate <= 20000):
		return o, fmt.Errorf("population: rate must lie between 10 and 20000 Hz, got %v", float64(o.Rate))
	case !(o.BlinksPerMinute <= 60):
		return o, fmt.Errorf("population: blinks must be at most 60 per minute, got %v", o.BlinksPerMinute)
	}
	return o, nil
}

func (o Output) describe(p map[string]string) {
	p["recordings"] = strconv.Itoa(o.Recordings)
	p["duration"] = o.Length.String()
	p["rate"] = format(float64(o.Rate))
	p["blinks"] = format(max(o.BlinksPerMinute, 0))
}
