package format_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

func at(steps ...time.Duration) []time.Duration {
	var t time.Duration
	all := []time.Duration{0}
	for _, s := range steps {
		t += s
		all = append(all, t)
	}
	return all
}

func recording(rate gaze.Hertz, times []time.Duration) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Rate: rate, Unit: gaze.Pixels, Screen: gaze.Screen{Width: 100, Height: 100}}}
	r.Samples.T = times
	track := &r.Samples.Tracks[gaze.Left]
	for range times {
		track.X, track.Y = append(track.X, 50), append(track.Y, 50)
	}
	return r
}

func TestMeasuredRate(t *testing.T) {
	ms := time.Millisecond
	for name, c := range map[string]struct {
		rate gaze.Hertz
		t    []time.Duration
		want float64
	}{
		"regular":            {0, at(4*ms, 4*ms, 4*ms, 4*ms), 250},
		"third of a ms":      {0, at(3*ms, 3*ms, 4*ms, 3*ms, 3*ms, 4*ms), 300},
		"one pause":          {0, at(10*ms, 10*ms, time.Minute, 10*ms), 100},
		"excerpt, stated":    {1000, at(ms, 30*ms, 200*ms, ms, 40*ms, 60*ms, 90*ms), 1000},
		"stated wrongly":     {1000, at(20*ms, 20*ms, 20*ms, 20*ms), 50},
		"repeated stamps":    {0, at(5*ms, 0, 5*ms, 0, 5*ms), 200},
		"backwards":          {0, at(5*ms, 5*ms, -100*ms, 5*ms), 200},
		"one sample":         {0, at(), 0},
		"only repeated":      {0, at(0, 0), 0},
		"two eyes alternate": {0, at(ms, 7*ms, ms, 7*ms, ms, 7*ms), 250},
	} {
		t.Run(name, func(t *testing.T) {
			var tally format.Tally
			tally.Add(recording(c.rate, c.t))
			got := tally.Summary(nil).Rate
			if math.Abs(got.Hz-c.want) > 1e-9*c.want || got.NominalHz != float64(c.rate) {
				t.Errorf("%+v, want %v Hz", got, c.want)
			}
		})
	}
}

func TestSummaryCounts(t *testing.T) {
	r := recording(0, at(time.Second, time.Second, time.Second))
	tr := &r.Samples.Tracks[gaze.Left]
	tr.X[0], tr.X[1] = math.NaN(), 500
	r.Participant = "a"
	more := recording(0, at(time.Second))
	more.Continues = true
	other := recording(0, at(2*time.Second))
	other.Participant = "b"
	var report format.Report
	report.Detected("test", []string{"because"})
	report.DropIdentity("name")
	report.Count("odd thing", 3)
	s, err := format.Summarize(func(yield func(*gaze.Recording, error) bool) {
		_ = yield(r, nil) && yield(more, nil) && yield(other, nil)
	}, &report)
	if err != nil {
		t.Fatal(err)
	}
	if s.Recordings != 2 || s.Subjects != 2 || s.Rows != 8 || s.SpanS != 5 || s.Lost != 0.125 || s.Unit != "px" || s.Format != "test" {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"3 × odd thing", "1 × position off screen (14.3 % of the positions)"} {
		if !slices.Contains(s.Quirks, want) {
			t.Errorf("quirks %q, want %q", s.Quirks, want)
		}
	}
	if !slices.Equal(s.Dropped, []string{"name"}) || !slices.Equal(s.Identity, s.Dropped) {
		t.Errorf("dropped %q, identity %q", s.Dropped, s.Identity)
	}
}

// The names are an interface: inspect --json prints them.
func TestSummaryNames(t *testing.T) {
	var tally format.Tally
	tally.Add(recording(0, at(time.Second)))
	text, err := json.Marshal(tally.Summary(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"format", "why", "recordings", "rows", "span_s", "rate", "hz", "nominal_hz", "jitter_ms", "unit", "eyes", "lost",
		"screen", "dropped", "quirks", "width_px", "height_px", "width_cm", "height_cm", "distance_cm", "origin",
	} {
		if !strings.Contains(string(text), `"`+key+`":`) {
			t.Errorf("%s is missing in %s", key, text)
		}
	}
	if strings.Contains(string(text), `"dropped":null`) || !strings.Contains(string(text), `"width_cm":null`) {
		t.Errorf("lists must not be null, unknown lengths must: %s", text)
	}
	if text, _ := json.Marshal((&format.Tally{}).Summary(nil)); !strings.Contains(string(text), `"rate":null`) || !strings.Contains(string(text), `"screen":null`) {
		t.Errorf("without samples: %s", text)
	}
}

func TestSummaryOfEvents(t *testing.T) {
	r := &gaze.Recording{Header: gaze.Header{Unit: gaze.Pixels}}
	r.Fixations = []gaze.Fixation{{Duration: time.Second, X: 1, Y: 1}, {Start: time.Second, Duration: time.Second, X: math.NaN()}}
	var tally format.Tally
	tally.Add(r)
	if s := tally.Summary(nil); s.Rows != 2 || s.SpanS != 2 || s.Lost != 0.5 || s.Rate != nil {
		t.Errorf("%+v", s)
	}
}

func TestSummarizePassesTheErrorOn(t *testing.T) {
	s, err := format.Summarize(func(yield func(*gaze.Recording, error) bool) {
		_ = yield(recording(0, at(time.Second)), nil) && yield(nil, errBroken)
	}, nil)
	if !errors.Is(err, errBroken) || s.Rows != 2 || s.Error == "" {
		t.Errorf("%+v %v", s, err)
	}
}
