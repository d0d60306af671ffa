package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/series"
)

// SeriesJob releases feature signals: those of every recording, or mean
// signals over people. What a Spec asks for and was not typed follows from
// public facts: which features every recording has, how long the recordings
// are, how many of them a person has, and the features' public bounds.
type SeriesJob struct {
	Job
	Spec     mechanism.Spec
	Values   map[string]string // parameters as typed
	Options  feature.Options   // how features are computed
	Stimuli  []string          // names; empty or "all" = every recording
	Enrolled int               // n of means, where more people were enrolled than have data
	Pupils   bool              // release the pupil's features too: which signals there are is public, not read off the data

	*series.Tables
	headers    []gaze.Header     // of the recordings
	conditions []string          // of means
	free       bool              // nothing is promised, so that the data may be looked at
	shown      map[string]string // what a condition is called in a release
	step       time.Duration     // between windows
	mechanism  mechanism.Mechanism
}

// seriesFromData are the parameters that follow from the data.
var seriesFromData = []string{"features", "length", "recordings", "trials", "subjects", "conditions"}

// Run walks the job through.
func (j *SeriesJob) Run(ctx context.Context) (*Release, error) { return j.walk(ctx, j) }

func (j *SeriesJob) about() (mechanism.Spec, []string) {
	if j.means() {
		return j.Spec, j.publicConditions() // they name files
	}
	return j.Spec, nil
}

// Precheck refuses, before any file is opened, what no data can make right.
func (j *SeriesJob) Precheck() error {
	if err := j.setOptions(); err != nil {
		return &RefusedError{err}
	}
	k, _ := strconv.Atoi(j.Values["coefficients"])
	length := strconv.Itoa(max(1024, 2*k)) // as long as k may need
	m, err := j.build(map[string]string{"features": "1", "length": length, "recordings": "1", "trials": "1", "subjects": "1000", "conditions": "1"}, []series.Bounds{{Lo: 0, Hi: 1}})
	if j.free = false; err == nil {
		_, j.free = m.Guarantee().Void()
	}
	if j.Options.BlinkSource == feature.AutoBlinks && !j.free {
		j.Options.BlinkSource = feature.NoBlinks
	}
	if err != nil && !strings.Contains(err.Error(), "epsilon is too small") { // may do for real lengths
		return &RefusedError{err}
	}
	return nil
}

// setOptions takes window and step from the parameters where they were typed
// there.
func (j *SeriesJob) setOptions() error {
	for name, d := range map[string]*time.Duration{"window": &j.Options.Window, "step": &j.Options.Step} {
		if v := j.Values[name]; v != "" {
			var err error
			if *d, err = time.ParseDuration(v); err != nil {
				return fmt.Errorf("curator: --%s: %w", name, err)
			}
		}
	}
	j.Options = j.Options.Resolved()
	return j.Options.Validate()
}

// build makes the mechanism from what was typed and what is public.
func (j *SeriesJob) build(public map[string]string, bounds []series.Bounds) (mechanism.Mechanism, error) {
	values := map[string]string{"window": j.Options.Window.String(), "step": j.Options.Step.String()}
	var lower, upper []string
	for _, b := range bounds {
		lower = append(lower, strconv.FormatFloat(b.Lo, 'g', -1, 64))
		upper = append(upper, strconv.FormatFloat(b.Hi, 'g', -1, 64))
	}
	values["lower"], values["upper"] = strings.Join(lower, ","), strings.Join(upper, ",")
	for _, more := range []map[string]string{public, j.Values} {
		for name, v := range more {
			values[name] = v
		}
	}
	for name := range values {
		if _, takes := j.Spec.Field(name); !takes && j.Values[name] == "" {
			delete(values, name)
		}
	}
	return j.Spec.Build(values)
}

// promise reads the features: how many there are and how long is public, and
// the mechanism follows from that alone.
func (j *SeriesJob) promise(ctx context.Context) (mechanism.Mechanism, error) {
	if err := j.setOptions(); err != nil {
		return nil, &RefusedError{err}
	}
	if err := j.read(ctx); err != nil {
		return nil, err
	}
	people, err := j.Data.Units(ctx, false)
	if err != nil {
		return nil, err
	}
	if j.Enrolled != 0 && j.Enrolled < len(people) {
		return nil, &RefusedError{fmt.Errorf("curator: %d enrolled, but the data hold %d: n cannot be smaller than that", j.Enrolled, len(people))}
	}
	public := j.public(max(len(people), j.Enrolled))
	if j.mechanism, err = j.build(public, j.Bounds); err != nil {
		return nil, &RefusedError{err}
	}
	j.mechanism = j.informed(j.mechanism)
	if j.shown, err = j.showConditions(); err != nil {
		return nil, err
	}
	j.nameAccount()
	return j.mechanism, nil
}

// informed tells the mechanism what its parameters do not: where they and the
// features are from.
func (j *SeriesJob) informed(m mechanism.Mechanism) mechanism.Mechanism {
	foreign := (FeatureData{Data: j.Data}).Precomputed()
	switch m := m.(type) {
	case series.Laplace:
		m.Cut.Foreign = foreign
		return m
	case series.Gaussian:
		m.Cut.Foreign = foreign
		return m
	case series.Mean:
		if j.Values["length"] == "" {
			m.LengthFromData = true
			j.Tell("warning: means are as long as the longest recording, which one person may have made so: give --length to keep that private")
		}
		return m
	}
	return m
}

// signals takes the features that are public: those of the gaze, of blinks where
// their source was typed, of pupils where they were asked for. Were they read
// off the data, one person's samples would decide on everybody's signals.
func (j *SeriesJob) signals(tables []*feature.Table) *series.Tables {
	if j.free {
		return series.FromTables(tables, j.Options)
	}
	return series.FromTablesOf(tables, j.Options, func(i int) bool {
		return (j.Pupils || !ofPupils(i)) && (j.Options.BlinkSource != feature.NoBlinks || !ofBlinks(i))
	})
}

// ofPupils and ofBlinks are the features of pupils and of blinks.
func ofPupils(i int) bool { return i >= pupilFeature && i < pupilFeature+4 }
func ofBlinks(i int) bool { return i >= pupilFeature+4 && i < pupilFeature+7 }

// public is what everybody may know of the recordings' shape.
func (j *SeriesJob) public(people int) map[string]string {
	length, most, trials := 0, 0, 0
	of, in := map[string]int{}, map[string]int{}
	for i := range j.Recordings {
		length = max(length, j.Recordings[i].Windows())
		of[j.Recordings[i].Subject]++
		most = max(most, of[j.Recordings[i].Subject])
		session := unitKey(&j.headers[i], true)
		in[session]++
		trials = max(trials, in[session])
		if c := j.Recordings[i].Condition; !slices.Contains(j.conditions, c) {
			j.conditions = append(j.conditions, c)
		}
	}
	slices.Sort(j.conditions)
	return map[string]string{
		"features": strconv.Itoa(len(j.Features)), "length": strconv.Itoa(length), "recordings": strconv.Itoa(most), "trials": strconv.Itoa(trials),
		"subjects": strconv.Itoa(people), "conditions": strconv.Itoa(len(j.conditions)),
	}
}

// nameAccount keeps spends for chunks of different length apart: a chunk of
// 64 windows is another unit than one of 32, and its ε is not their sum.
func (j *SeriesJob) nameAccount() {
	p := j.mechanism.Plan()
	if p.Guarantee.Unit != dp.Chunk {
		return
	}
	d := *j.Data
	d.Name += fmt.Sprintf(", chunks of %s windows of %v every %v", p.Parameters["chunk"], j.Options.Window, j.Options.Step)
	j.Data = &d
}

// read computes the features, or reads those that were computed before.
func (j *SeriesJob) read(ctx context.Context) error {
	want, err := j.want()
	if err != nil {
		return err
	}
	var tables []*feature.Table
	done, nameless := 0, 0
	for t, err := range (FeatureData{Data: j.Data, Options: j.Options, Want: want}).Tables(ctx) {
		if err != nil {
			return err
		}
		if done++; j.Progress != nil {
			j.Progress(done)
		}
		if t.Header.Participant == "" {
			nameless++
			continue
		}
		if t.Windows() > 0 {
			j.headers = append(j.headers, t.Header)
			j.step = t.Step
		}
		tables = append(tables, t)
	}
	j.Tables = j.signals(tables)
	j.tellOddities(nameless)
	if j.Skipped > 0 {
		j.Tell("data: %d recordings are shorter than a window of %v and are left out", j.Skipped, j.Options.Window)
	}
	if len(j.Recordings) == 0 || len(j.Features) == 0 {
		return fmt.Errorf("curator: no recording has a window of %v with features: give a shorter --window", j.Options.Window)
	}
	if j.step != j.Options.Step { // computed before, with a step of their own
		j.Options.Step = j.step
	}
	return nil
}

func (j *SeriesJob) want() (func(*gaze.Header) bool, error) {
	if len(j.Stimuli) == 0 || slices.Equal(j.Stimuli, []string{"all"}) {
		return nil, nil
	}
	known, err := j.Data.Folder.Stimuli()
	if err != nil {
		return nil, err
	}
	var chosen []string
	for _, s := range j.Stimuli {
		name, err := findStimulus(known, s)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, name)
	}
	return func(h *gaze.Header) bool { return slices.Contains(chosen, h.Stimulus) }, nil
}

// shape looks for what could not be released, before anything is charged, and
// tells the curator what is clamped.
func (j *SeriesJob) shape(context.Context) error {
	seen := series.Look(j.Recordings, j.used())
	if seen.Outside > 0 {
		j.Tell("data: %d of %d values lie outside their public bounds and count as the bound", seen.Outside, seen.Values)
	}
	if seen.Missing > 0 && j.mechanism.Plan().Parameters["gaps"] == series.RefuseGaps.String() {
		return errors.Join(series.ErrGap, errors.New("curator: give --gaps interpolate; recordings may lack what --pupils and --blinks ask for"))
	}
	switch m := j.mechanism.(type) { // what was typed may be too small
	case series.Mean:
		return m.Accepts(j.Recordings, j.conditions)
	case series.Mechanism:
		return m.Accepts(j.Recordings)
	}
	return nil
}

// used are the bounds of the mechanism: those typed, else those of the features.
func (j *SeriesJob) used() []series.Bounds {
	switch m := j.mechanism.(type) {
	case series.Laplace:
		return m.Bounds
	case series.Gaussian:
		return m.Bounds
	case series.Mean:
		return m.Bounds
	}
	return nil
}

func (j *SeriesJob) what() string {
	return j.noted(fmt.Sprintf("%s, %d signals of %v windows", j.Spec.Name, len(j.Features), j.Options.Window))
}

func (j *SeriesJob) release(ctx context.Context, out *staging, t *till) (*Release, error) {
	var r *series.Release
	var err error
	switch m := j.mechanism.(type) {
	case series.Mean:
		r, err = m.Release(j.Recordings, j.conditions, j.Source)
	case series.Mechanism:
		r, err = m.Release(j.Recordings, j.Source)
	default:
		err = fmt.Errorf("curator: %s releases no signals", j.Spec.Name)
	}
	if err != nil {
		return nil, err
	}
	return j.tell(ctx, out, t, r)
}
