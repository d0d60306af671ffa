package feature_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// Whatever is wrong with a recording, there is a table without NaN, or an error
// that says why, and the input stays as it was.
func TestOddRecordings(t *testing.T) {
	refused := map[string]bool{"no geometry": true, "unknown unit": true, "extreme stamps": true}
	for _, c := range gazetest.Cases() {
		before := gazetest.Clone(c.Recording)
		var got *feature.Table
		var failed error
		for table, err := range (feature.Options{Window: 500 * ms, Step: 100 * ms}).Tables(gazetest.Seq(c.Recording)) {
			got, failed = table, err
		}
		if (failed != nil) != refused[c.Name] {
			t.Errorf("%s: %v", c.Name, failed)
		}
		if failed == nil {
			for i, column := range got.Columns {
				if slices.ContainsFunc(column, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || v < 0 }) {
					t.Errorf("%s: %s is %v", c.Name, feature.Names()[i], column)
				}
				if got.Has(i) != (column != nil) && got.Windows() > 0 {
					t.Errorf("%s: %s: absent %v, %d values", c.Name, feature.Names()[i], got.Absent, len(column))
				}
			}
		}
		if d := gazetest.Diff(before, c.Recording); d != "" {
			t.Errorf("%s was changed: %s", c.Name, d)
		}
	}
}

func TestWhatOddRecordingsHold(t *testing.T) {
	for name, want := range map[string]struct{ windows, absent, leftOut int }{
		"no samples":       {0, 7, 0},
		"one sample":       {0, 7, 0},
		"one lost sample":  {0, 4, 0},
		"all lost":         {12, 4, 0}, // without pupils; blinks could have been seen
		"constant":         {12, 7, 0},
		"repeated stamps":  {12, 7, 150},
		"one stamp":        {0, 7, 199},
		"backward stamps":  {0, 7, 199},
		"clock restarts":   {4, 7, 100},
		"pupil only":       {0, 52, 0}, // nothing is lost, so no blinks either
		"one long gap":     {35996, 7, 0},
		"every other lost": {12, 4, 0},
	} {
		for _, c := range gazetest.Cases() {
			if c.Name != name {
				continue
			}
			got := tables(t, feature.Options{Window: 500 * ms, Step: 100 * ms}, gazetest.Seq(c.Recording))[0]
			if got.Windows() != want.windows || len(got.Absent) != want.absent || got.LeftOut != want.leftOut {
				t.Errorf("%s: %d windows, %d absent, %d left out, want %+v", name, got.Windows(), len(got.Absent), got.LeftOut, want)
			}
		}
	}
}

// A scale that is typed replaces the geometry that is missing.
func TestExplicitScale(t *testing.T) {
	var without *gaze.Recording
	for _, c := range gazetest.Cases() {
		if c.Name == "no geometry" {
			without = c.Recording
		}
	}
	o := feature.Options{Window: time.Second}
	for _, err := range o.Tables(gazetest.Seq(without, gazetest.People(1)[0])) {
		if !errors.Is(err, gaze.ErrNoGeometry) {
			t.Errorf("pixels without geometry: %v", err)
		}
		break
	}
	o.Detector.PixelsPerDegree = 40
	if got := tables(t, o, gazetest.Seq(without))[0]; got.Windows() != 5 || got.Columns[1][0] == 0 {
		t.Errorf("%d windows, saccades %v", got.Windows(), got.Columns[1])
	}
}

// An error ends one recording, not the others.
func TestOneBadRecording(t *testing.T) {
	bad := gazetest.Clone(gazetest.People(1)[0])
	bad.Screen = gaze.Screen{}
	var got []*feature.Table
	failed := 0
	for table, err := range (feature.Options{Window: time.Second}).Tables(gazetest.Pieces(100, gazetest.People(2)[0], bad, gazetest.People(2)[1])) {
		if err != nil {
			failed++
			continue
		}
		got = append(got, table)
	}
	if failed != 1 || len(got) != 2 || got[1].Header.Participant != "P2" || got[1].Windows() != 5 {
		t.Errorf("%d errors, %d tables", failed, len(got))
	}
}

func TestBlinkSources(t *testing.T) {
	c := gazetest.Cohort(1)
	c.Seconds, c.Truth = 30, true
	stated := gazetest.Recordings(c)[0]
	silent := gazetest.Clone(stated)
	silent.Blinks = nil
	none := gazetest.Clone(silent)
	none.Blinks = []gaze.Blink{}
	both := gazetest.Clone(stated) // each blink stated for either eye
	for _, b := range stated.Blinks {
		b.Eye = gaze.Left
		both.Blinks = append(both.Blinks, b)
	}
	rate := func(r *gaze.Recording, source feature.BlinkSource) (v float64, present bool) {
		got := tables(t, feature.Options{Window: 30 * time.Second, BlinkSource: source}, gazetest.Seq(r))[0]
		if !got.Has(27) {
			return 0, false
		}
		return got.Columns[27][0] * 30, true
	}
	want := float64(len(stated.Blinks))
	for _, x := range []struct {
		name    string
		r       *gaze.Recording
		source  feature.BlinkSource
		want    float64
		present bool
	}{
		{"stated", stated, feature.AutoBlinks, want, true},
		{"stated for both eyes", both, feature.AutoBlinks, want, true},
		{"detected", silent, feature.AutoBlinks, want, true},
		{"stated: none", none, feature.AutoBlinks, 0, true},
		{"stated wanted, none stated", silent, feature.StatedBlinks, 0, false},
		{"detected wanted", none, feature.DetectedBlinks, want, true},
		{"none wanted", stated, feature.NoBlinks, 0, false},
	} {
		if v, present := rate(x.r, x.source); math.Abs(v-x.want) > 1e-9 || present != x.present {
			t.Errorf("%s: %v blinks, present %v, want %v, %v", x.name, v, present, x.want, x.present)
		}
	}
	if want < 3 {
		t.Errorf("only %v blinks to look at", want)
	}
}

func TestOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]feature.Options{
		"window":    {Window: -1},
		"long":      {Window: 2 * time.Hour},
		"step":      {Step: time.Microsecond},
		"detector":  {Detector: detect.IVT{Threshold: -1}},
		"velocity":  {Detector: detect.IVT{Threshold: 30, Window: time.Minute}},
		"scale":     {Detector: detect.IVT{PixelsPerDegree: -3}},
		"blinks":    {Blinks: detect.Blinks{MinDuration: time.Second}},
		"small":     {SmallSaccade: math.NaN()},
		"alphabet":  {Alphabet: 9},
		"source":    {BlinkSource: 9},
		"limits":    {Limits: feature.Limits{Rate: -1}},
		"amplitude": {Limits: feature.Limits{Amplitude: math.Inf(1)}},
		"pupil":     {Limits: feature.Limits{PupilLow: 10}},
		"longest":   {Limits: feature.Limits{Fixation: -1}},
	} {
		if o.Validate() == nil {
			t.Errorf("%s: no error for %+v", name, o)
		}
		for table, err := range o.Tables(gazetest.Seq()) {
			if err == nil {
				t.Errorf("%s: a table %v", name, table)
			}
		}
	}
	if err := (feature.Options{}).Validate(); err != nil {
		t.Error(err)
	}
	if o := (feature.Options{}).Resolved(); o.Detector != detect.Standard() || o.Resolved() != o {
		t.Errorf("defaults %+v", o)
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	zero := []int{}
	for i, name := range feature.Names() {
		if name == "" || seen[name] || feature.Units()[i] == "" {
			t.Errorf("%d: %q [%s]", i, name, feature.Units()[i])
		}
		seen[name] = true
		if feature.AlwaysZero(i) {
			zero = append(zero, i)
		}
	}
	if !slices.Equal(zero, []int{30, 36, 42, 48}) {
		t.Errorf("always zero: %v", zero)
	}
	for _, a := range []feature.Alphabet{feature.Bulling, feature.Compass} {
		if b, err := feature.ParseAlphabet(a.String()); err != nil || b != a {
			t.Error(a, b, err)
		}
	}
	for b := feature.AutoBlinks; b <= feature.NoBlinks; b++ {
		if c, err := feature.ParseBlinkSource(b.String()); err != nil || b != c {
			t.Error(b, c, err)
		}
	}
	if feature.Bulling.Words(4) != 331776 || feature.Compass.Words(2) != 256 {
		t.Error("number of words")
	}
}

// Memory holds one window, however long the recording.
func TestMemoryIsBounded(t *testing.T) {
	rows := 0
	s, err := (feature.Options{Window: time.Second, Step: 500 * ms}).Stream(func(feature.Row) { rows++ })
	if err != nil {
		t.Fatal(err)
	}
	hour := simulate.Cohort{People: 1, Seconds: 1200, Rate: 250, Scenes: []simulate.Scene{simulate.ShopWindow()}}
	var before, after runtime.MemStats
	pieces, highest := 0, uint64(0)
	for piece, err := range hour.Recordings(noise.Seeded(3)) {
		if err == nil {
			err = s.Add(piece)
		}
		if err != nil {
			t.Fatal(err)
		}
		if pieces++; pieces == 10 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if highest = after.HeapAlloc; highest > before.HeapAlloc+1<<19 {
		t.Errorf("%d bytes after 10 pieces, %d after %d", before.HeapAlloc, highest, pieces)
	}
	s.Flush()
	if rows != 2399 {
		t.Errorf("%d rows of 20 minutes", rows)
	}
}
