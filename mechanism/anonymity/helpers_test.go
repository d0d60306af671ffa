package anonymity

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func protect(t *testing.T, m Mechanism, all []*gaze.Recording, seed uint64) (*mechanism.PathRelease, []*gaze.Recording) {
	t.Helper()
	r, err := m.Protect(seq(all), noise.Seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := gaze.Collect(r.Recordings)
	if err != nil {
		t.Fatal(err)
	}
	return r, out
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, tol)
	}
}

// habits are people who differ as strongly as people do, and come back.
func habits(t *testing.T, people, sessions int, seconds float64) []*gaze.Recording {
	t.Helper()
	src := noise.Seeded(77)
	scene := simulate.ShopWindow()
	var out []*gaze.Recording
	for p := range people {
		v := simulate.NewViewer(src).Interested(&scene, src)
		u := float64(p) / float64(people-1)
		v.FixationMean = time.Duration((0.15 + 0.3*u) * float64(time.Second))
		v.Refixation, v.Drift = 0.1+0.5*src.Float64(), 0.03+0.2*src.Float64()
		v.OffsetX, v.OffsetY, v.CenterBias = 3*src.Float64()-1.5, 3*src.Float64()-1.5, 0
		v.SaccadeTime = 0.8 + 0.5*src.Float64()
		for s := range sessions {
			session := simulate.Session{Viewer: v, Scene: scene, Seconds: seconds, Participant: fmt.Sprintf("secret-%d", p), Session: fmt.Sprint(s)}
			all, err := gaze.Collect(session.Recording(src))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, all...)
		}
	}
	return out
}

// staring is a person who looks at one place for two seconds.
func staring(who string, x, y float64) *gaze.Recording {
	return recording(who, 250, func(t float64) (float64, float64) { return x + 0.05*math.Sin(40*t), y + 0.05*math.Cos(40*t) })
}

// jumping looks at places in turn, half a second each.
func jumping(who string, places ...float64) *gaze.Recording {
	return recording(who, 250, func(t float64) (float64, float64) {
		return places[min(len(places)-1, int(2*t))] + 0.05*math.Sin(40*t), 0.05 * math.Cos(40*t)
	})
}

func xs(r *gaze.Recording) []float64 { return r.Samples.Tracks[gaze.Cyclopean].X }

func TestRefusals(t *testing.T) {
	two := []*gaze.Recording{staring("A", 0, 0), staring("B", 1, 1)}
	lost := func(who string) *gaze.Recording {
		return recording(who, 250, func(float64) (float64, float64) { return math.NaN(), math.NaN() })
	}
	pixels := staring("B", 1, 1)
	pixels.Unit = gaze.Pixels
	slow := staring("B", 1, 1)
	slow.Rate = 60
	for _, v := range []struct {
		name, want string
		m          Mechanism
		in         []*gaze.Recording
	}{
		{"k of one", "k must lie in 2", KSameSelect{K: 1}, two},
		{"k larger than the group", "k is larger than the number of people", KSameSelect{K: 3}, two},
		{"k larger than the group", "k is larger than the number of people", KSameSynth{K: 3}, two},
		{"k larger than the group", "k is larger than the number of people", EventSynthPD{K: 3, Gamma: 2}, two},
		{"gamma of one", "gamma must lie above 1", EventSynthPD{K: 2, Gamma: 1}, two},
		{"no events", "no fixations were found", KSameSynth{K: 2}, []*gaze.Recording{lost("A"), lost("B")}},
		{"no events", "no fixations were found", EventSynthPD{K: 2, Gamma: 2}, []*gaze.Recording{lost("A"), lost("B")}},
		{"no events", "no fixations were found", TaskMarginals{}, []*gaze.Recording{lost("A")}},
		{"nobody", "no recording has gaze positions", TaskMarginals{}, nil},
		{"two rates", "resample", KSameSelect{K: 2}, []*gaze.Recording{two[0], slow}},
		{"two units", "differ in unit", KSameSynth{K: 2}, []*gaze.Recording{two[0], pixels}},
		{"one person twice", "k is larger than the number of people", KSameSelect{K: 2}, []*gaze.Recording{two[0], two[0]}},
	} {
		_, err := v.m.Protect(seq(v.in), noise.Seeded(1))
		if err == nil || !strings.Contains(err.Error(), v.want) || !strings.HasPrefix(err.Error(), "anonymity: ") {
			t.Errorf("%s, %T: error %v does not say %q", v.name, v.m, err, v.want)
		}
	}
	for _, m := range []Mechanism{KSameSynth{K: 2}, EventSynthPD{K: 2, Gamma: 2}, TaskMarginals{}} {
		all := []*gaze.Recording{pixels, staring("C", 0, 0)}
		all[1].Unit = gaze.Pixels
		if _, err := m.Protect(seq(all), noise.Seeded(1)); !errors.Is(err, gaze.ErrNoGeometry) {
			t.Errorf("%T: pixels without geometry: %v", m, err)
		}
	}
	broken := func(yield func(*gaze.Recording, error) bool) { yield(nil, errors.New("format: line 3")) }
	for _, m := range []Mechanism{KSameSelect{K: 2}, KSameSynth{K: 2}, EventSynthPD{K: 2, Gamma: 2}, TaskMarginals{}} {
		if _, err := m.Protect(broken, noise.Seeded(1)); err == nil {
			t.Errorf("%T: an error of the reader is lost", m)
		}
	}
}

// No ledger takes what is void; the statement is told apart from a guarantee.
func TestStatements(t *testing.T) {
	for want, m := range map[string]Mechanism{
		"k-anonymity, k = 3 among random groups of people who saw the same stimulus":                KSameSelect{K: 3},
		"(4, 1.5)-plausible deniability among the people who saw the same stimulus, event by event": EventSynthPD{K: 4, Gamma: 1.5},
		"independent marginals of the events of everybody with the same task":                       TaskMarginals{},
	} {
		if got := m.Statement().String(); got != want || m.Plan().Parameters["statement"] != want {
			t.Errorf("statement %q, planned %q, want %q", got, m.Plan().Parameters["statement"], want)
		}
		why, void := m.Guarantee().Void()
		if !void || !strings.Contains(why, "not differential privacy: ") || !strings.HasPrefix(m.Guarantee().String(), "none (") {
			t.Errorf("%T promises %v", m, m.Guarantee())
		}
	}
}

func TestHeaders(t *testing.T) {
	all := habits(t, 4, 2, 4)
	for _, m := range []Mechanism{KSameSelect{K: 2}, KSameSynth{K: 2}, EventSynthPD{K: 2, Gamma: 8}} {
		r, out := protect(t, m, all, 1)
		if len(out) != len(all) {
			t.Fatalf("%T releases %d of %d recordings", m, len(out), len(all))
		}
		for i, o := range out {
			at := slices.IndexFunc(all, func(a *gaze.Recording) bool { return a.Participant == o.Participant && a.Session == o.Session })
			if at < 0 || o.Stimulus != all[at].Stimulus || o.Unit != all[at].Unit || o.Screen != all[at].Screen {
				t.Errorf("%T: recording %d is of nobody: %+v", m, i, o.Header)
			}
			if o.Samples.Signals != nil || o.Fixations != nil || o.Samples.Tracks[gaze.Cyclopean].Pupil != nil {
				t.Errorf("%T passes on what it did not protect", m)
			}
		}
		if _, synth := m.(KSameSelect); r.Synthetic == synth {
			t.Errorf("%T: synthetic is %v", m, r.Synthetic)
		}
	}
	r, out := protect(t, TaskMarginals{Recordings: 3}, all, 1)
	if len(out) != 3 || !r.Synthetic {
		t.Fatalf("%d recordings of nobody, synthetic %v", len(out), r.Synthetic)
	}
	for _, o := range out {
		if strings.Contains(o.Participant, "secret") || o.Session != "" {
			t.Errorf("a recording of nobody is called %q, %q", o.Participant, o.Session)
		}
	}
}
