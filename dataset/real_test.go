package dataset_test

import (
	"io/fs"
	"math"
	"os"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

// counted is an opener that counts.
func counted(n *int) format.Opener {
	return func(fsys fs.FS, name string, o format.Options) gaze.Seq {
		*n++
		return all.StreamFS(fsys, name, o)
	}
}

// shared finds a real data set beside the checkout.
func shared(t *testing.T, name string) *dataset.Folder {
	t.Helper()
	fsys := os.DirFS(formattest.Shared(t, name))
	d, _, err := dataset.Match(fsys)
	if err != nil || d.Name != name {
		t.Fatalf("matched %q: %v", d.Name, err)
	}
	return &dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
}

func TestRealOSIE(t *testing.T) {
	f := shared(t, "osie")
	people, err := f.Participants()
	if err != nil || len(people) != 15 || people[14] != "15" {
		t.Errorf("%v %v", people, err)
	}
	stimuli, err := f.Stimuli()
	if err != nil || len(stimuli) != 700 || stimuli[0] != "1001.jpg" {
		t.Errorf("%d stimuli, %v", len(stimuli), err)
	}
	fixations, recordings := 0, 0
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	shortest, longest := time.Hour, time.Duration(0)
	for r, err := range f.Recordings(nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Screen.Width != 800 || r.Screen.Height != 600 || r.Unit != gaze.Pixels || r.Fixations[0].Start != 0 {
			t.Fatalf("%+v", r.Header)
		}
		recordings++
		fixations += len(r.Fixations)
		for _, x := range r.Fixations {
			lo = [2]float64{min(lo[0], x.X), min(lo[1], x.Y)}
			hi = [2]float64{max(hi[0], x.X), max(hi[1], x.Y)}
			shortest, longest = min(shortest, x.Duration), max(longest, x.Duration)
		}
	}
	if recordings != 10500 || fixations != 98321 {
		t.Errorf("%d recordings with %d fixations, want 10500 with 98321", recordings, fixations)
	}
	if lo[0] < 1.1 || lo[0] > 1.3 || hi[0] > 799.3 || hi[0] < 799.1 || lo[1] < 1.1 || hi[1] > 599.3 {
		t.Errorf("positions from %v to %v, want 1.2..799.2 and 1.2..599.2", lo, hi)
	}
	if shortest != 20*time.Millisecond || longest != 1975*time.Millisecond {
		t.Errorf("durations from %v to %v, want 20ms to 1.975s", shortest, longest)
	}
	if path, err := f.StimulusPath("1001.jpg"); err != nil || path != "stimuli/1001.jpg" {
		t.Errorf("%s %v", path, err)
	}
	if _, err := f.StimulusPath("1002.jpg"); err == nil {
		t.Error("a picture that is not in the copy")
	}
}

func TestRealOSIEOneStimulus(t *testing.T) {
	f := shared(t, "osie")
	n := 0
	for r, err := range f.Recordings(dataset.ForStimuli("1001.jpg")) {
		if err != nil || r.Stimulus != "1001.jpg" {
			t.Fatalf("%+v %v", r, err)
		}
		n++
	}
	if n != 15 {
		t.Errorf("%d recordings, want those of 15 observers", n)
	}
}

func TestRealGazeRE(t *testing.T) {
	f := shared(t, "gazere")
	people, err := f.Participants()
	if err != nil || len(people) != 24 {
		t.Errorf("%d people, %v", len(people), err)
	}
	summaries, err := f.Inspect()
	if err != nil || len(summaries) != 120 {
		t.Fatalf("%d files, %v", len(summaries), err)
	}
	for _, s := range summaries {
		if s.Error != "" || s.Rows < 100 || s.Rate.Hz < 82.8 || s.Rate.Hz > 83.1 || s.Lost != 0 || s.Unit != "px" {
			t.Errorf("%s: %d rows, %+v, lost %v, %s %s", s.File, s.Rows, s.Rate, s.Lost, s.Unit, s.Error)
		}
	}
	tasks := make(map[string]int)
	relevance := make(map[string]int)
	off := 0
	for r, err := range gaze.Join(f.Recordings(nil)) {
		if err != nil {
			t.Fatal(err)
		}
		task, _ := f.Definition.Label("task", &r.Header)
		tasks[task]++
		class, _ := f.Definition.Label("relevance", &r.Header)
		relevance[class]++
		track, _, _ := r.Best()
		for i, x := range track.X {
			if !r.Screen.Contains(x, track.Y[i]) {
				off++
			}
		}
	}
	if tasks["g-rel"] != 72 || tasks["GoogleNQ"] != 48 {
		t.Errorf("tasks %v, want 72 and 48 of 24 people with 3 and 2 texts", tasks)
	}
	if relevance["relevant"] != 48 || relevance["irrelevant"] != 24 || relevance[""] != 48 {
		t.Errorf("relevance %v", relevance)
	}
	if off == 0 {
		t.Error("no sample off screen: the file has some")
	}
}
