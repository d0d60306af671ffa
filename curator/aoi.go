package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// AOIJob releases statistics of areas of interest on one stimulus.
type AOIJob struct {
	Job
	Spec     mechanism.Spec
	Values   map[string]string
	Areas    grid.AOIs // as parsed; those of the stimulus are used
	Stimulus string    // empty = whatever was looked at
	Looks    Looks     // stated or detected fixations
	Enrolled int

	units     []string
	mechanism heatmap.AOI
	shaped    map[string]*grid.AOIAccumulator
}

func (j *AOIJob) recording() bool { return j.Values["unit"] == dp.Recording.String() }

func (j *AOIJob) want(h *gaze.Header) bool { return j.Stimulus == "" || h.Stimulus == j.Stimulus }

// Run walks the job through.
func (j *AOIJob) Run(ctx context.Context) (*Release, error) { return j.walk(ctx, j) }

func (j *AOIJob) about() (mechanism.Spec, []string) { return j.Spec, []string{j.Stimulus} }

func (j *AOIJob) promise(ctx context.Context) (m mechanism.Mechanism, err error) {
	j.mechanism, err = j.prepare(ctx)
	return j.mechanism, err
}

func (j *AOIJob) shape(ctx context.Context) (err error) {
	j.shaped, err = j.read(ctx)
	return err
}

func (j *AOIJob) release(ctx context.Context, out *staging, t *till) (*Release, error) {
	r, err := j.mechanism.Release(inOrder(j.units, j.shaped), j.Source)
	if err != nil {
		return nil, err
	}
	return j.tell(ctx, out, t, r)
}

// Precheck refuses, before any file is opened, what no data can make right.
func (j *AOIJob) Precheck() error {
	if j.Looks == FromSamples {
		return &RefusedError{errors.New("curator: areas of interest need fixations: use --looks stated or --looks detect")}
	}
	_, err := j.build(max(len(j.Areas), 1), max(j.Enrolled, 1000))
	return err
}

func (j *AOIJob) prepare(ctx context.Context) (heatmap.AOI, error) {
	if err := j.chooseAreas(); err != nil {
		return heatmap.AOI{}, err
	}
	peek, err := j.Data.Peek(ctx, j.want)
	if err != nil {
		return heatmap.AOI{}, err
	}
	if j.Looks == AutoLooks && !peek.Stated {
		j.Looks = Detected
	}
	if j.Looks, err = j.Looks.resolve(peek); err != nil {
		return heatmap.AOI{}, &RefusedError{err}
	}
	if j.units, err = j.Data.Units(ctx, j.recording()); err != nil {
		return heatmap.AOI{}, err
	}
	if j.Enrolled != 0 && j.Enrolled < len(j.units) {
		return heatmap.AOI{}, &RefusedError{fmt.Errorf("curator: %d enrolled, but the data hold %d: n cannot be smaller than that", j.Enrolled, len(j.units))}
	}
	return j.build(len(j.Areas), max(len(j.units), j.Enrolled))
}

// chooseAreas finds the stimulus as the data have it, and its areas.
func (j *AOIJob) chooseAreas() error {
	known, err := j.Data.Folder.Stimuli()
	if err != nil {
		return err
	}
	switch {
	case j.Stimulus != "":
		if j.Stimulus, err = findStimulus(known, j.Stimulus); err != nil {
			return err
		}
	case len(known) > 1:
		return &RefusedError{fmt.Errorf("curator: the data hold %d stimuli: name one with --stimulus", len(known))}
	case len(known) == 1:
		j.Stimulus = known[0]
	}
	j.Areas = slices.DeleteFunc(slices.Clone(j.Areas), func(a grid.AOI) bool {
		found, err := findStimulus([]string{j.Stimulus}, a.Stimulus)
		return a.Stimulus != "" && (err != nil || found != j.Stimulus)
	})
	if len(j.Areas) == 0 {
		return &RefusedError{fmt.Errorf("curator: the file of areas has none for stimulus %q", baseName(j.Stimulus))}
	}
	return nil
}

func (j *AOIJob) build(areas, n int) (heatmap.AOI, error) {
	values := map[string]string{"areas": strconv.Itoa(areas), "subjects": strconv.Itoa(n)}
	for name, v := range j.Values {
		values[name] = v
	}
	m, err := j.Spec.Build(values)
	if err != nil {
		return heatmap.AOI{}, &RefusedError{err}
	}
	a, ok := m.(heatmap.AOI)
	if !ok {
		return a, &RefusedError{fmt.Errorf("curator: %s makes no statistics of areas", j.Spec.Name)}
	}
	return a, nil
}

// read gathers statistics over the areas, one accumulator per unit.
func (j *AOIJob) read(ctx context.Context) (map[string]*grid.AOIAccumulator, error) {
	pieces := j.Data.Recordings(ctx, j.want)
	if j.Looks == Detected {
		pieces = detect.Annotate(detect.Standard(), pieces)
	}
	units, nameless, done := map[string]*grid.AOIAccumulator{}, 0, 0
	for r, err := range pieces {
		if err == nil && !r.Continues && j.Progress != nil {
			done++
			j.Progress(done)
		}
		switch {
		case err != nil:
			return nil, err
		case r.Participant != "":
			key := unitKey(&r.Header, j.recording())
			if units[key] == nil {
				units[key] = &grid.AOIAccumulator{Areas: j.Areas}
			}
			if err := units[key].AddFixations(r, r.Fixations); err != nil {
				return nil, err
			}
		case !r.Continues:
			nameless++
		}
	}
	j.tellOddities(nameless)
	return units, checkEnrolled(units, j.units)
}

func (j *AOIJob) what() string {
	text := j.Spec.Name
	if j.Stimulus != "" {
		text += ", stimulus " + baseName(j.Stimulus)
	}
	return j.noted(text)
}

// statistics lists what was released, in the order of the constants.
func statistics(r *heatmap.AOIRelease) []string {
	return slices.DeleteFunc(slices.Clone(heatmap.AllAOIStatistics), func(s string) bool {
		_, ok := r.Statistics[s]
		return !ok
	})
}
