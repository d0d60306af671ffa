//go:build slow

package attack

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	formats "github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// halves are every person's recordings of gazere, cut in the middle.
func halves(t *testing.T) (who [2][]int, out [2][]*gaze.Recording) {
	t.Helper()
	d, err := dataset.ByName("gazere")
	if err != nil {
		t.Fatal(err)
	}
	f := dataset.Folder{Definition: d, FS: os.DirFS(formattest.Shared(t, "gazere")), Open: formats.StreamFS}
	people := map[string]int{}
	for r, err := range gaze.Join(f.Recordings(nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := people[r.Participant]; !ok {
			people[r.Participant] = len(people)
		}
		n := r.Samples.Len()
		for h, span := range [][2]int{{0, n / 2}, {n / 2, n}} {
			who[h] = append(who[h], people[r.Participant])
			out[h] = append(out[h], cut(r, span[0], span[1]))
		}
	}
	return who, out
}

func cut(r *gaze.Recording, lo, hi int) *gaze.Recording {
	out := &gaze.Recording{Header: r.Header}
	out.Samples.T = make([]time.Duration, hi-lo)
	for i := range out.Samples.T {
		out.Samples.T[i] = r.Samples.T[lo+i] - r.Samples.T[lo]
	}
	for e, track := range r.Samples.Tracks {
		if track.Present() {
			out.Samples.Tracks[e] = gaze.Track{X: track.X[lo:hi], Y: track.Y[lo:hi]}
		}
	}
	return out
}

// TestRealPeopleAreIdentified: at least five times chance in raw gaze, first
// halves of the recordings enrolled, second halves identified.
func TestRealPeopleAreIdentified(t *testing.T) {
	who, recs := halves(t)
	var rows [2]Rows
	var events [2][2][]Looker // by positions, by half
	options := feature.Options{Window: 15 * time.Second, Step: 5 * time.Second}
	for h := range recs {
		at := 0
		for table, err := range options.Tables(seq(recs[h])) {
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range Windows(table, 1) {
				rows[h].X, rows[h].Person = append(rows[h].X, x), append(rows[h].Person, who[h][at])
			}
			at++
		}
		for i, r := range recs[h] {
			for p := range 2 {
				l, err := Look(who[h][i], r, detect.Standard(), p == 1)
				if err != nil {
					t.Fatal(err)
				}
				events[p][h] = append(events[p][h], l)
			}
		}
	}
	check := func(what string, r *Result, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d (%.2f to %.2f), single %.2f, F1 %.2f, chance %.3f", what, r.Correct, r.Trials, r.Interval.Lower, r.Interval.Upper, r.RowRate, r.MacroF1, r.Chance)
		if r.Rate < 5*r.Chance {
			t.Errorf("%s: %+v", what, r)
		}
	}
	for _, name := range []string{"embedding", "forest"} {
		r, err := Identify{Classifier: name, Settings: Settings{Enrol: Raw}}.Run(rows[0], rows[1], noise.Seeded(1))
		check("windows, "+name, r, err)
	}
	for p := range 2 {
		r, err := Fused{Settings: Settings{Enrol: Raw, Positions: p == 1}}.Run(events[p][0], events[p][1], noise.Seeded(1))
		check(fmt.Sprintf("events, positions %v", p == 1), r, err)
	}
}
