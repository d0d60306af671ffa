package experiment

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/synth"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// gazers are people before the shop window.
func gazers(t testing.TB, people int) []*gaze.Recording {
	t.Helper()
	c := simulate.Cohort{People: people, Seconds: 10, Rate: 83, Scenes: []simulate.Scene{simulate.ShopWindow()}}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(3)))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(pieces gaze.Seq, _ *noise.Source) (gaze.Seq, error) { return pieces, nil }

// moved is by so many px to the right.
func moved(by float64) func(gaze.Seq, *noise.Source) (gaze.Seq, error) {
	return func(pieces gaze.Seq, _ *noise.Source) (gaze.Seq, error) {
		return func(yield func(*gaze.Recording, error) bool) {
			for r, err := range pieces {
				if err != nil {
					yield(nil, err)
					return
				}
				out := &gaze.Recording{Header: r.Header}
				out.Samples.T = r.Samples.T
				for e, t := range r.Samples.Tracks {
					if t.Present() {
						x := make([]float64, len(t.X))
						for i := range x {
							x[i] = t.X[i] + by
						}
						out.Samples.Tracks[e] = gaze.Track{X: x, Y: t.Y}
					}
				}
				if !yield(out, nil) {
					return
				}
			}
		}, nil
	}
}

func utility(t testing.TB, people int, entries ...GazeEntry) *GazeUtility {
	t.Helper()
	return &GazeUtility{Entries: entries, Recordings: gazers(t, people), Width: 1280, Height: 960, PixelsPerDegree: 24, Draws: 2}
}

func TestGazeUtilityByHand(t *testing.T) {
	e := utility(t, 6, GazeEntry{Mechanism: "same", Protect: same}, GazeEntry{Mechanism: "moved", Protect: moved(30)},
		GazeEntry{Mechanism: "away", Protect: moved(5000)}, GazeEntry{Mechanism: "nobody", Nobody: true, Protect: same})
	rows, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 5 || e.Total() != 10 {
		t.Fatalf("%d rows, %d draws", len(rows), e.Total())
	}
	floor, zero, near, away, nobody := rows[0], rows[1], rows[2], rows[3], rows[4]
	if floor.Mechanism != SplitHalf || floor.RMSE != nil || floor.Density.Mean <= 0 || floor.Density.SD <= 0 {
		t.Errorf("split half: %+v", floor)
	}
	if zero.RMSE.Mean != 0 || zero.Density.Mean != 0 || zero.Duration.Mean != 0 || zero.Amplitude.Mean != 0 || zero.Fixations.Mean != 1 {
		t.Errorf("the same: %+v", zero)
	}
	if math.Abs(near.RMSE.Mean-30) > 1e-9 || near.RMSESum.Mean < 30*math.Sqrt(600) || near.Density.Mean <= 0 || near.Amplitude.Mean > 1e-6 {
		t.Errorf("moved by 30 px: %+v", near)
	}
	if away.Density != nil || away.Off.Mean != 1 || away.RMSE == nil {
		t.Errorf("moved off the screen: %+v", away)
	}
	if nobody.RMSE != nil || nobody.RMSESum != nil || nobody.Density.Mean != 0 {
		t.Errorf("of nobody: %+v", nobody)
	}
	text, err := json.Marshal(nobody)
	if err != nil || !strings.Contains(string(text), `"rmse":null`) || !strings.Contains(string(text), `"epsilon":null`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestGazeUtilityOfDPGazeSynth: the order that the figures are about, and a table
// that can be made again.
func TestGazeUtilityOfDPGazeSynth(t *testing.T) {
	m := synth.DPGazeSynth{Epsilon: 3, Area: synth.Area{Width: 1280, Height: 960}, Radius: 48, Rate: 83}
	entry := func(calibration string, m synth.DPGazeSynth) GazeEntry {
		return GazeEntry{
			Mechanism: "dpgazesynth", Calibration: calibration, Epsilon: 3, Radius: 48, Percent: 5,
			Protect: func(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
				r, err := m.Protect(pieces, src)
				if err != nil {
					return nil, err
				}
				return r.Recordings, nil
			},
		}
	}
	printed := m
	printed.Published = true
	e := utility(t, 30, GazeEntry{Mechanism: "prior-only", Protect: m.Prior}, GazeEntry{Mechanism: "start-held", Epsilon: 3, Protect: m.Held},
		entry(mechanism.Published, printed), entry(mechanism.Guaranteed, m))
	rows, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	prior, held, published, corrected := rows[1], rows[2], rows[3], rows[4]
	for _, r := range rows {
		t.Logf("%s %s: RMSE %v, density %v", r.Mechanism, r.Calibration, r.RMSE, r.Density)
	}
	if corrected.Density.Mean > published.Density.Mean || corrected.Density.Mean > prior.Density.Mean || held.RMSE.Mean > prior.RMSE.Mean {
		t.Error("the corrected mechanism is not better than the published one, or worse than its prior")
	}
	if len(published.Paper) != 2 || published.Paper[0].RMSE != 4.170e4 || published.Paper[1].Density != 0.009 || corrected.Paper != nil || prior.Paper != nil {
		t.Errorf("the paper's numbers: %+v, %+v", published.Paper, corrected.Paper)
	}
	again, err := e.Run(t.Context())
	if d := cmp.Diff(rows, again); d != "" || err != nil {
		t.Errorf("the same seed gives another table: %v\n%s", err, d)
	}
}

func TestGazeUtilityThatCannotBeMade(t *testing.T) {
	good := GazeEntry{Mechanism: "same", Protect: same}
	for name, e := range map[string]*GazeUtility{
		"no recording": {Entries: []GazeEntry{good}, Draws: 1, Width: 1, Height: 1, PixelsPerDegree: 1},
		"no draw":      {Entries: []GazeEntry{good}, Recordings: gazers(t, 1), Width: 1280, Height: 960, PixelsPerDegree: 24},
		"no screen":    {Entries: []GazeEntry{good}, Recordings: gazers(t, 1), Draws: 1},
		"twice":        {Entries: []GazeEntry{good, good}, Recordings: gazers(t, 1), Draws: 1, Width: 1280, Height: 960, PixelsPerDegree: 24},
	} {
		if rows, err := e.Run(t.Context()); err == nil {
			t.Errorf("%s: %d rows", name, len(rows))
		}
	}
	alone := utility(t, 1, good)
	rows, err := alone.Run(t.Context())
	if err != nil || rows[0].Density != nil {
		t.Errorf("one person has no halves: %+v, %v", rows, err)
	}
}
