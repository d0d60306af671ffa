package eyelink_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/eyelink"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

const ms = time.Millisecond

// continuous is one block with three trials; a fixation goes on from the first
// into the second, another ended before it is stated.
const continuous = `** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED
MSG	90 DISPLAY_COORDS 0 0 1279 1023
START	100 	LEFT	SAMPLES	EVENTS
SAMPLES	GAZE	LEFT	RATE	1000.00	TRACKING	CR
100	  1.0	  2.0	  700.0	...
MSG	101 TRIALID one
101	  2.0	  2.0	  700.0	...
102	  3.0	  2.0	  700.0	...
MSG	103 TRIALID two
EFIX L   100	101	2	  1.5	  2.0	    700
MSG	103 !V IMGLOAD FILL pics/b.png
103	  4.0	  2.0	  700.0	...
104	  5.0	  2.0	  700.0	...
EFIX L   102	104	3	  4.0	  2.0	    700
MSG	104 TRIALID two
105	  6.0	  2.0	  700.0	...
MSG	106 TRIALID unused
MSG	106 TRIALID three
106	  7.0	  2.0	  700.0	...
END	107 	SAMPLES	EVENTS
START	200 	LEFT	SAMPLES	EVENTS
SAMPLES	GAZE	LEFT	RATE	1000.00	TRACKING	CR
200	  8.0	  2.0	  700.0	...
END	201 	SAMPLES	EVENTS
`

func TestTrialsInABlock(t *testing.T) {
	r := read(t, continuous)
	type trial struct {
		name, stimulus string
		times          []time.Duration
		x              float64
	}
	for i, want := range []trial{
		{"one", "", []time.Duration{0, ms, 2 * ms}, 1}, {"two", "b.png", []time.Duration{0, ms, 2 * ms}, 4},
		{"three", "", []time.Duration{0}, 7}, {"", "", []time.Duration{0}, 8},
	} {
		if i >= len(r.Recordings) {
			t.Fatalf("%d recordings, want 4", len(r.Recordings))
		}
		got := r.Recordings[i]
		if got.Trial != want.name || got.Stimulus != want.stimulus || fmt.Sprint(got.Samples.T) != fmt.Sprint(want.times) ||
			got.Samples.Tracks[gaze.Left].X[0] != want.x || got.Rate != 1000 || got.Screen.Width != 1280 {
			t.Errorf("recording %d: %+v %v, want %+v", i, got.Header, got.Samples.T, want)
		}
	}
	if f := r.Recordings[1].Fixations; len(f) != 1 || f[0].Start != 0 || f[0].Duration != 2*ms || len(r.Recordings[0].Fixations) != 0 {
		t.Errorf("fixations %+v, want the part within trial two", f)
	}
	quirks := fmt.Sprint(r.Report.Quirks())
	for _, want := range []string{"2 × further TRIALID", "1 × TRIALID without samples", "1 × event that goes on", "1 × event that ended before"} {
		if !strings.Contains(quirks, want) {
			t.Errorf("quirks %s, want %s", quirks, want)
		}
	}
}

// A TRIALID whose stamp is of another clock begins the trial at its first sample.
func TestTrialWithAStrangeStamp(t *testing.T) {
	r := read(t, strings.Replace(continuous, "MSG\t103 TRIALID", "MSG\t9103 TRIALID", 1))
	if got := r.Recordings[1]; got.Trial != "two" || got.Samples.T[0] != 0 || got.Samples.T[1] != ms {
		t.Errorf("%q begins at %v", got.Trial, got.Samples.T)
	}
}

// blinking has n samples at 1000 Hz and a blink of 10 ms after sample first.
func blinking(n, first int, stated bool) []byte {
	var b strings.Builder
	b.WriteString("** TYPE: EDF_FILE\nSTART\t1000 \tLEFT\tRIGHT\tSAMPLES\tEVENTS\nSAMPLES\tGAZE\tLEFT\tRIGHT\tRATE\t1000.00\n")
	for i := range n {
		if i == first && stated {
			fmt.Fprintf(&b, "SBLINK R %d\n", 1000+i)
		}
		if i == first+10 {
			fmt.Fprintf(&b, "EBLINK R %d\t%d\t%d\n", 1000+first, 1000+first+9, 10)
		}
		fmt.Fprintf(&b, "%d\t 1.0\t 2.0\t 700.0\t 1.0\t 2.0\t 700.0\t.....\n", 1000+i)
	}
	return []byte(b.String())
}

func TestBlinksArePadded(t *testing.T) {
	// The second blink begins where a piece has just been given out.
	for _, first := range []int{100, format.PieceSamples + 3} {
		for _, stated := range []bool{true, false} {
			r := formattest.Read(t, eyelink.ASC(), "x.asc", blinking(first+200, first, stated), format.Options{BlinkPad: 25 * ms})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			s := r.Recordings[0].Samples
			if s.Len() != first+200 {
				t.Fatalf("%d samples, want %d", s.Len(), first+200)
			}
			for i := range s.T {
				lost := i >= first-25 && i < first+10+25
				if !stated && first > format.PieceSamples && i < format.PieceSamples {
					continue // SBLINK is missing: what was given out stays
				}
				if math.IsNaN(s.Tracks[gaze.Right].X[i]) != lost || math.IsNaN(s.Tracks[gaze.Right].Pupil[i]) != lost || s.T[i] != time.Duration(i)*ms {
					t.Fatalf("blink at %d: sample %d at %v: lost is not %v", first, i, s.T[i], lost)
				}
				if math.IsNaN(s.Tracks[gaze.Left].X[i]) {
					t.Fatalf("sample %d of the other eye is lost", i)
				}
			}
		}
	}
}

func TestScreenSizesInMessages(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		want  gaze.Screen
		quirk bool
	}{
		"commands": {"MSG\t80 !CMD 0 screen_phys_coords = -260.0, 147.0, 260.0, -147.0\nMSG\t81 !CMD 0 screen_distance = 600 660\n",
			gaze.Screen{WidthCm: 52, HeightCm: 29.4, DistanceCm: 63}, false},
		"messages":         {"MSG\t80 SCREEN_PHYS_COORDS -190 150 190 -150\nMSG\t81 simulation_screen_distance=700\n", gaze.Screen{WidthCm: 38, HeightCm: 30, DistanceCm: 70}, false},
		"centimetres":      {"MSG\t80 !CMD 0 screen_phys_coords = -29.7 -16.7 29.7 16.7\n", gaze.Screen{}, true},
		"pixels":           {"MSG\t91 !CMD 0 screen_phys_coords = 0 0 1279 1023\n", gaze.Screen{}, true},
		"no distance":      {"MSG\t80 !CMD 0 screen_distance = far\n", gaze.Screen{}, true},
		"other commands":   {"MSG\t80 !CMD 1 heuristic_filter = ON\nMSG\t80 !CMD\n", gaze.Screen{}, false},
		"stated after all": {"MSG\t91 !CMD 0 screen_distance = 700\n", gaze.Screen{DistanceCm: 70}, false},
	} {
		text := strings.Replace(continuous, "START", c.lines+"START", 1)
		r := read(t, text)
		c.want.Width, c.want.Height = 1280, 1024
		if got := r.Recordings[0].Screen; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if quirks := fmt.Sprint(r.Report.Quirks()); strings.Contains(quirks, "unusable") != c.quirk {
			t.Errorf("%s: quirks %s", name, quirks)
		}
	}
}
