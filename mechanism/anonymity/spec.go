package anonymity

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Specs lists the mechanisms of this room.
func Specs() []mechanism.Spec {
	return []mechanism.Spec{kSameSelectSpec(), kSameSynthSpec(), eventSynthSpec(), marginalsSpec()}
}

var (
	fieldK          = mechanism.Field{Name: "k", Kind: mechanism.Count, Default: "4", Unit: "people", Doc: "people who share what is released; 2 to 8 in the papers"}
	fieldsDetection = []mechanism.Field{
		{Name: "threshold", Kind: mechanism.Number, Default: "30", Unit: "deg/s", Doc: "velocity at or above which gaze is a saccade"},
		{Name: "min-fixation", Kind: mechanism.Duration, Default: "60ms", Doc: "shortest fixation"},
		{Name: "pixels-per-degree", Kind: mechanism.Number, Optional: true, Doc: "scale of positions; default from the recordings' geometry"},
	}
)

func detection(p mechanism.Params) Detection {
	d := Detection{Threshold: p.Number("threshold"), MinFixation: p.Duration("min-fixation")}
	if v := p.Number("pixels-per-degree"); !math.IsNaN(v) {
		d.PixelsPerDegree = v
		if v == 0 {
			d.PixelsPerDegree = -1 // typed, and no scale
		}
	}
	if d.Threshold == 0 {
		d.Threshold = -1
	}
	return d
}

// checked is a mechanism whose parameters were typed: a zero that stands for a
// default in the struct is an error in the text, and becomes negative here.
func checked(p mechanism.Params, m interface {
	Mechanism
	Check() error
}) (mechanism.Mechanism, error) {
	if err := p.Err(); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

func typed(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

func kSameSelectSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: "gaze/k-same-select", Source: "David-John, Butler and Jain 2022",
		Summary: "baseline without a guarantee: everybody gets the mean path of a random group",
		Fields:  []mechanism.Field{fieldK},
		New: func(p mechanism.Params) (mechanism.Mechanism, error) {
			p = p.Collect()
			return checked(p, KSameSelect{K: p.Count("k")})
		},
		Suite: suite(map[string]string{"k": "2"}),
	}
}

func kSameSynthSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: "gaze/k-same-synth", Source: "David-John, Butler and Jain 2023",
		Summary: "baseline without a guarantee: everybody's path is drawn from the mean events of a random group",
		Fields:  append([]mechanism.Field{fieldK}, fieldsDetection...),
		New: func(p mechanism.Params) (mechanism.Mechanism, error) {
			p = p.Collect()
			return checked(p, KSameSynth{K: p.Count("k"), Detection: detection(p)})
		},
		Suite: suite(map[string]string{"k": "2"}, badDetection...),
	}
}

func eventSynthSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: "gaze/event-synth-pd", Source: "David-John, Butler and Jain 2023; Bindschaedler, Shokri and Gunter 2017",
		Summary: "baseline without a guarantee: events drawn anew, released if k−1 others could have led to them",
		Fields: slices.Concat([]mechanism.Field{
			fieldK,
			{Name: "gamma", Kind: mechanism.Number, Default: "2", Doc: "γ: the ratio of likelihoods that count as the same; above 1"},
			{Name: "bandwidth", Kind: mechanism.Number, Default: "1", Unit: "standard deviations", Doc: "how far from a person's event the new one is drawn"},
			{Name: "attempts", Kind: mechanism.Count, Default: "20", Doc: "draws before an event is left out"},
		}, fieldsDetection),
		New: func(p mechanism.Params) (mechanism.Mechanism, error) {
			p = p.Collect()
			m := EventSynthPD{K: p.Count("k"), Gamma: p.Number("gamma"), Bandwidth: p.Number("bandwidth"), Attempts: typed(p.Count("attempts")), Detection: detection(p)}
			if m.Bandwidth == 0 {
				m.Bandwidth = -1
			}
			return checked(p, m)
		},
		Suite: suite(map[string]string{"k": "2"}, slices.Concat(badDetection, []map[string]string{
			{"gamma": "1"}, {"gamma": "0.5"}, {"gamma": "-2"}, {"gamma": "NaN"}, {"bandwidth": "0"}, {"bandwidth": "-1"}, {"attempts": "0"},
		})...),
	}
}

func marginalsSpec() mechanism.Spec {
	s := mechanism.Spec{
		Name: "gaze/task-marginals", Source: "David-John, Butler and Jain 2022",
		Summary: "baseline without a guarantee: paths of nobody, every parameter drawn by itself from the task's histogram",
		Fields: slices.Concat([]mechanism.Field{
			{Name: "bins", Kind: mechanism.Count, Default: "30", Doc: "bins of every histogram"},
			{Name: "recordings", Kind: mechanism.Count, Default: "0", Doc: "recordings released per task; 0: as many as were given"},
		}, fieldsDetection),
		New: func(p mechanism.Params) (mechanism.Mechanism, error) {
			p = p.Collect()
			return checked(p, TaskMarginals{Bins: typed(p.Count("bins")), Recordings: p.Count("recordings"), Detection: detection(p)})
		},
		Suite: suite(map[string]string{"bins": "10"}),
	}
	s.Suite.Bad = append([]map[string]string{{"bins": "0"}, {"bins": "1000000"}, {"recordings": "10000000"}}, badDetection...)
	return s
}

var badDetection = []map[string]string{
	{"threshold": "0"}, {"threshold": "-1"}, {"threshold": "NaN"}, {"min-fixation": "-1s"}, {"min-fixation": "60"}, {"pixels-per-degree": "-1"},
}

func suite(params map[string]string, bad ...map[string]string) mechanism.Suite {
	return mechanism.Suite{
		Params: params, Bad: append([]map[string]string{{"k": "0"}, {"k": "1"}, {"k": "-2"}, {"k": "x"}}, bad...),
		Inputs: oddRecordings, Run: run,
	}
}

// run draws one release of a list of recordings: x and y of the samples that
// are not lost.
func run(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	r, err := m.(Mechanism).Protect(seq(input.([]*gaze.Recording)), src)
	if err != nil {
		return mechanism.Output{}, err
	}
	out := mechanism.Output{Guarantee: r.Guarantee}
	for rec, err := range r.Recordings {
		if err != nil {
			return mechanism.Output{}, err
		}
		t := rec.Samples.Tracks[gaze.Cyclopean]
		for i, x := range t.X {
			if !gaze.Lost(x, t.Y[i]) {
				out.Values = append(out.Values, x, t.Y[i])
			}
		}
	}
	if out.Values == nil {
		return mechanism.Output{}, errors.New("anonymity: every sample of these recordings is lost")
	}
	return out, nil
}

func seq(all []*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// oddRecordings are inputs that must not break a mechanism.
func oddRecordings(mechanism.Mechanism) map[string]any {
	nan := math.NaN()
	lost := func(float64) (x, y float64) { return nan, nan }
	still := func(float64) (x, y float64) { return 3, 4 }
	wild := func(t float64) (x, y float64) { return math.Copysign(math.MaxFloat64, math.Sin(99*t)), math.Inf(1) }
	look := func(at float64) func(t float64) (x, y float64) {
		return func(t float64) (x, y float64) { return at + 8*math.Floor(4*t), at + 0.01*math.Sin(50*t) }
	}
	others := recording("B", 250, look(1))
	backwards := recording("A", 250, look(0))
	slices.Reverse(backwards.Samples.T)
	repeated := recording("A", 250, look(0))
	for i := range repeated.Samples.T {
		repeated.Samples.T[i] = time.Second
	}
	slow := recording("A", 30, look(0))
	pixels := recording("A", 250, look(0))
	pixels.Unit = gaze.Pixels
	world := []*gaze.Recording{recording("A", 250, look(175)), recording("B", 250, look(-175))}
	for _, r := range world {
		r.Frame = gaze.InWorld
	}
	with := func(r *gaze.Recording) []*gaze.Recording { return []*gaze.Recording{r, others} }
	return map[string]any{
		"nobody": []*gaze.Recording{}, "empty": []*gaze.Recording{{}, {}}, "k larger than the group": []*gaze.Recording{others},
		"all lost": with(recording("A", 250, lost)), "one sample": with(recording("A", 1, still)), "still": with(recording("A", 250, still)),
		"out of range": with(recording("A", 250, wild)), "times run back": with(backwards), "times repeat": with(repeated),
		"other rate": with(slow), "pixels without geometry": []*gaze.Recording{pixels, pixels},
		"ordinary": with(recording("A", 250, look(0))), "on the sphere, around the back": world,
		"same person twice": []*gaze.Recording{others, others, recording("A", 250, look(0)), recording("A", 250, look(2))},
		"long names":        with(recording(strings.Repeat("x", 1<<12), 250, look(0))),
	}
}

// recording is two seconds of a position over time, in degrees on a screen.
func recording(who string, rate float64, at func(t float64) (x, y float64)) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Participant: who, Stimulus: "picture", Unit: gaze.Degrees, Rate: gaze.Hertz(rate)}}
	var track gaze.Track
	for i := range int(2 * rate) {
		t := float64(i) / rate
		x, y := at(t)
		track.X, track.Y = append(track.X, x), append(track.Y, y)
		r.Samples.T = append(r.Samples.T, time.Duration(t*float64(time.Second)))
	}
	r.Samples.Tracks[gaze.Cyclopean] = track
	return r
}
