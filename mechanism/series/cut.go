package series

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/gazeward/gazeward/dp"
)

// Cut says what is public of the signals: how many there are, how long, how
// they are cut into chunks, and which unit is protected.
type Cut struct {
	Features   int     // signals of a recording; required
	Length     int     // windows of the longest table; required
	Chunk      int     // windows of a chunk; 0 = a table is one chunk
	Recordings int     // most tables of one subject: trials of all sessions; 0 = 1
	Trials     int     // most tables of one recording, which is a session; 0 = 1
	Unit       dp.Unit // Subject (default), Recording or Chunk

	// Window and Step are those of the features, for what some seconds of gaze
	// touch: 0 = 30 s and 0.5 s. Gaze is how many seconds; 0 = 1 s.
	Window, Step, Gaze time.Duration
	// Foreign features were computed by others: whether they depend on the gaze
	// inside their window alone is not known, and nothing is said about seconds
	// of gaze.
	Foreign bool
}

// Limits of what is computed.
const (
	maxLength = 1 << 20
	maxItems  = 1 << 40 // coordinates of one unit
)

func (c *Cut) defaults() {
	for _, d := range []struct {
		v    *time.Duration
		want time.Duration
	}{{&c.Window, 30 * time.Second}, {&c.Step, 500 * time.Millisecond}, {&c.Gaze, time.Second}} {
		if *d.v == 0 {
			*d.v = d.want
		}
	}
	c.Recordings, c.Trials = max(c.Recordings, 1), max(c.Trials, 1)
}

func (c Cut) check() error {
	switch {
	case c.Features < 1 || c.Features > 1<<16:
		return fmt.Errorf("series: features must be between 1 and %d, got %d", 1<<16, c.Features)
	case c.Length < 1 || c.Length > maxLength:
		return fmt.Errorf("series: length must be between 1 and %d windows, got %d", maxLength, c.Length)
	case c.Chunk < 0:
		return fmt.Errorf("series: chunk must not be negative, got %d windows", c.Chunk)
	case c.Recordings < 1 || c.Recordings > 1<<16:
		return fmt.Errorf("series: recordings must be between 1 and %d, got %d", 1<<16, c.Recordings)
	case c.Trials < 1 || c.Trials > 1<<16:
		return fmt.Errorf("series: trials must be between 1 and %d, got %d", 1<<16, c.Trials)
	case float64(c.Features)*float64(c.Length)*float64(c.tables(dp.Subject)) > maxItems:
		return errors.New("series: features times length times recordings are too many")
	case c.Unit != dp.Subject && c.Unit != dp.Recording && c.Unit != dp.Chunk:
		return fmt.Errorf("series: unit must be subject, recording or chunk, got %v", c.Unit)
	case c.Window < 0 || c.Step < 0 || c.Gaze < 0 || c.Step > c.Window:
		return fmt.Errorf("series: window, step and gaze must not be negative, and the step not longer than the window, got window %v, step %v, gaze %v", c.Window, c.Step, c.Gaze)
	}
	return nil
}

// chunkLength is the number of windows of a whole chunk.
func (c Cut) chunkLength() int {
	if c.Chunk == 0 || c.Chunk > c.Length {
		return c.Length
	}
	return c.Chunk
}

// chunks is the number of chunks of the longest table; its last one may be
// shorter, and is a chunk of its own length with a sensitivity of its own.
func (c Cut) chunks() int { return (c.Length + c.chunkLength() - 1) / c.chunkLength() }

// spans yields the chunks of a recording of n windows: from, and how many. A
// recording that is one chunk has the length it has.
func (c Cut) spans(n int) iter.Seq2[int, int] {
	size := c.Chunk
	if size == 0 {
		size = n
	}
	return func(yield func(int, int) bool) {
		for from := 0; from < n; from += size {
			if !yield(from, min(size, n-from)) {
				return
			}
		}
	}
}

// chunksIn is how many chunks a unit has.
func (c Cut) chunksIn(u dp.Unit) int {
	if u == dp.Chunk {
		return 1
	}
	return c.chunks() * c.tables(u)
}

// tables is how many tables a subject, or a recording, has at most.
func (c Cut) tables(u dp.Unit) int {
	if u == dp.Recording {
		return max(c.Trials, 1)
	}
	return max(c.Recordings, c.Trials, 1)
}

// units is how many of the protected units another unit has at most: every
// table of a subject may be a recording of its own.
func (c Cut) units(u dp.Unit) int {
	switch {
	case c.Unit == dp.Chunk:
		return c.chunksIn(u)
	case c.Unit == dp.Recording && u == dp.Subject:
		return c.tables(u)
	}
	return 1
}

// Touches is how many windows of a table any stretch of its gaze as long as
// Gaze lies in, and how many chunks they are part of.
func (c Cut) Touches() (windows, chunks int) {
	c.defaults()
	w := math.Ceil((float64(c.Gaze) + float64(c.Window)) / float64(c.Step))
	windows = int(math.Min(w, float64(c.Length)))
	if windows < 2 {
		return windows, 1
	}
	return windows, min((windows-2)/c.chunkLength()+2, c.chunks())
}
