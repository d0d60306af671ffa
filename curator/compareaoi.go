package curator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
)

// AOIComparison holds a release of statistics of areas beside those of the
// recordings it was made from.
type AOIComparison struct {
	Raw      *Data
	Dir      string
	Areas    grid.AOIs // required: a release names its areas, but does not say where they are
	Stimulus string    // as the release was made
	Looks    Looks

	Manifest *manifest.Manifest // after Pairs
}

// AOIPair is one statistic as released and without noise, area by area; the
// latter is for the curator alone.
type AOIPair struct {
	Statistic, Unit string
	Labels          []string
	Released, Truth []float64
	Deviation       float64 // of the noise in Released, as the release states it
}

// ErrNoAOI is returned for releases that hold no statistics of areas.
var ErrNoAOI = errors.New("curator: the release holds no statistics of areas of interest")

// ErrNeedAreas is returned where the areas are not given.
var ErrNeedAreas = errors.New("curator: the release does not say where its areas are: give the file that it was made with")

// Pairs reads the recordings once. Statistics that were not released are left out.
func (c *AOIComparison) Pairs(ctx context.Context) ([]AOIPair, error) {
	text, err := os.ReadFile(filepath.Join(c.Dir, manifest.FileName))
	if err != nil {
		return nil, fmt.Errorf("curator: cannot read the release's manifest: %w", pathless(err))
	}
	if c.Manifest, err = manifest.Parse(text); err != nil {
		return nil, err
	}
	text, err = os.ReadFile(filepath.Join(c.Dir, "aoi.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoAOI
	}
	if err != nil {
		return nil, fmt.Errorf("curator: cannot read the release's statistics: %w", pathless(err))
	}
	released := map[string]heatmap.AOIStatistic{}
	if err := json.Unmarshal(text, &released); err != nil || len(c.Manifest.Mechanisms) != 1 {
		return nil, errors.New("curator: aoi.json cannot be read")
	}
	if len(c.Areas) == 0 {
		return nil, ErrNeedAreas
	}
	truth, areas, err := c.truth(ctx, released)
	if err != nil {
		return nil, err
	}
	var pairs []AOIPair
	for _, name := range statistics(truth) {
		r, t := released[name], truth.Statistics[name]
		if len(r.Values) != len(t.Values) {
			return nil, fmt.Errorf("curator: the release has %d values of %s, these areas have %d: it was made with others", len(r.Values), name, len(t.Values))
		}
		p := AOIPair{Statistic: aoiTitles[name], Unit: aoiUnits[name], Released: r.Values, Truth: t.Values, Deviation: r.Deviation}
		for _, l := range aoiLabels(areas, name, len(r.Values)) {
			p.Labels = append(p.Labels, strings.Trim(l[0]+" → "+l[1], " →"))
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// hardlyNoise is an ε at which the mechanism's noise does not show: the same
// mechanism, so that values are bounded and read alike.
const hardlyNoise = "1e6"

// truth runs the release's mechanism nearly without noise, from a seed.
func (c *AOIComparison) truth(ctx context.Context, released map[string]heatmap.AOIStatistic) (*heatmap.AOIRelease, grid.AOIs, error) {
	spec, err := specOf("aoi", c.Manifest.Mechanisms[0].Name.String())
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, name := range heatmap.AllAOIStatistics {
		if _, ok := released[name]; ok {
			names = append(names, name)
		}
	}
	j := AOIJob{
		Job:  Job{Data: c.Raw.aside(), Source: noise.Seeded(1), Tell: func(string, ...any) {}},
		Spec: spec, Areas: c.Areas, Stimulus: c.Stimulus, Looks: c.Looks,
		Values: map[string]string{"epsilon": hardlyNoise, "delta": "0.1", "statistics": strings.Join(names, ","), "unit": c.Manifest.PrivacyLoss.PrivacyUnit.String()},
	}
	for name, v := range c.Manifest.Mechanisms[0].Parameters {
		switch name {
		case "horizon":
			j.Values[name] = fmt.Sprint(v)
		case "subjects":
			j.Enrolled, _ = strconv.Atoi(fmt.Sprint(v))
		}
	}
	m, err := j.promise(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := j.shape(ctx); err != nil {
		return nil, nil, err
	}
	r, err := m.(heatmap.AOI).Release(inOrder(j.units, j.shaped), j.Source)
	return r, j.Areas, err
}

func specOf(product, name string) (mechanism.Spec, error) {
	for _, s := range heatmap.Specs() {
		if s.Product() == product && s.Name == name {
			return s, nil
		}
	}
	return mechanism.Spec{}, fmt.Errorf("curator: the release's mechanism %q is not known here", name)
}
