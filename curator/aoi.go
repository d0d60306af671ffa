package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/dataset"
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

	units []string
}

func (j *AOIJob) recording() bool { return j.Values["unit"] == dp.Recording.String() }

func (j *AOIJob) want(h *gaze.Header) bool {
	return j.Stimulus == "" || dataset.ForStimuli(j.Stimulus)(h)
}

// Run walks the job through, like [HeatmapJob.Run].
func (j *AOIJob) Run(ctx context.Context) (*Release, error) {
	j.Areas = j.Areas.For(j.Stimulus)
	if len(j.Areas) == 0 {
		return nil, &RefusedError{fmt.Errorf("curator: the file of areas has none for stimulus %q", j.Stimulus)}
	}
	if _, err := j.build(1000); err != nil {
		return nil, err
	}
	m, err := j.prepare(ctx)
	if err != nil {
		return nil, err
	}
	out, err := stage(j.Out, j.Force)
	if err != nil {
		return nil, err
	}
	defer out.discard()
	people, err := j.Data.Units(ctx, false)
	if err != nil {
		return nil, err
	}
	t, err := j.open(ctx, people, m.Guarantee())
	if err != nil {
		return nil, err
	}
	defer t.close()
	all, err := j.Data.areas(ctx, j, j.Looks)
	if err != nil {
		return nil, err
	}
	if err := t.charge(ctx, m.Guarantee(), j.what()); err != nil {
		return nil, err
	}
	r, err := m.Release(inOrder(j.units, all), j.Source)
	if err != nil {
		return nil, t.after(err)
	}
	rel, err := j.tell(ctx, out, t, r)
	return rel, t.after(err)
}

func (j *AOIJob) prepare(ctx context.Context) (heatmap.AOI, error) {
	peek, err := j.Data.Peek(ctx, j.want)
	if err != nil {
		return heatmap.AOI{}, err
	}
	if j.Looks == FromSamples {
		return heatmap.AOI{}, &RefusedError{errors.New("curator: areas of interest need fixations: use --looks stated or --looks detect")}
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
	return j.build(max(len(j.units), j.Enrolled))
}

func (j *AOIJob) build(n int) (heatmap.AOI, error) {
	values := map[string]string{"areas": strconv.Itoa(len(j.Areas)), "subjects": strconv.Itoa(n)}
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

func (j *AOIJob) what() string {
	text := j.Spec.Name
	if j.Stimulus != "" {
		text += ", stimulus " + j.Stimulus
	}
	if j.Note != "" {
		text += ": " + j.Note
	}
	return text[:min(len(text), 450)]
}

// statistics lists what was released, in the order of the constants.
func statistics(r *heatmap.AOIRelease) []string {
	return slices.DeleteFunc(slices.Clone(heatmap.AllAOIStatistics), func(s string) bool {
		_, ok := r.Statistics[s]
		return !ok
	})
}
