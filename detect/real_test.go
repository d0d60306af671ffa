package detect_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// On real reading at 83 Hz the detector agrees with the fixations that the
// recording software marked (45 px/deg): at least four of five
// marked fixations are found at the same place in time, and reading looks like
// reading: three to five fixations a second that hold for most of the time.
func TestRealReading(t *testing.T) {
	files, _ := filepath.Glob("../../shared/data/gazere/data/*/g-rel/*.csv.gz")
	if len(files) == 0 {
		t.Skip("shared/data/gazere is not beside the checkout")
	}
	marked, found, overlapping := 0, 0, 0
	var span, held time.Duration
	for _, name := range files[:min(12, len(files))] {
		r, spans := gazeRE(t, name)
		d := detect.Standard()
		d.PixelsPerDegree = 45
		fix, err := d.Fixations(r)
		if err != nil {
			t.Fatal(err)
		}
		found += len(fix)
		for _, f := range fix {
			held += f.Duration
		}
		for _, s := range spans {
			if s[1]-s[0] < 100*ms {
				continue
			}
			marked++
			if overlap(fix, s[0], s[1]) > (s[1]-s[0])*8/10 {
				overlapping++
			}
		}
		span += r.Samples.T[r.Samples.Len()-1]
	}
	rate, share := float64(found)/span.Seconds(), held.Seconds()/span.Seconds()
	t.Logf("%d marked fixations, %d of them found; %.2f fixations a second, held %.2f of the time", marked, overlapping, rate, share)
	if marked < 100 || overlapping*5 < marked*4 || rate < 2.5 || rate > 5.5 || share < 0.6 || share > 0.95 {
		t.Error("this does not look like reading")
	}
}

// overlap is how much of a span one fixation covers at best.
func overlap(fix []gaze.Fixation, from, to time.Duration) (best time.Duration) {
	for _, f := range fix {
		best = max(best, min(to, f.Start+f.Duration)-max(from, f.Start))
	}
	return best
}

// gazeRE reads one recording and the spans of the fixations marked in it.
func gazeRE(t *testing.T, name string) (*gaze.Recording, [][2]time.Duration) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	r := &gaze.Recording{Header: gaze.Header{Unit: gaze.Pixels}}
	track := &r.Samples.Tracks[gaze.Cyclopean]
	var spans [][2]time.Duration
	var last string
	lines := bufio.NewScanner(plain)
	lines.Scan()
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "|")
		number := func(i int) float64 {
			v, err := strconv.ParseFloat(cells[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		at := time.Duration(number(0) * 1e9)
		r.Samples.T = append(r.Samples.T, at)
		track.X, track.Y = append(track.X, number(1)), append(track.Y, number(2))
		if id := cells[4]; id != "" && id != last {
			spans, last = append(spans, [2]time.Duration{at, at}), id
		} else if id != "" {
			spans[len(spans)-1][1] = at
		}
	}
	return r, spans
}
