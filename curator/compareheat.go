package curator

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// HeatmapPair is a released heatmap beside the noise-free one of the same
// people, on the same cells, row by row. The latter is for the curator alone.
type HeatmapPair struct {
	Stimulus        string
	Cols, Rows      int
	Cell            float64 // px
	Released, Truth []float64
}

// HeatmapComparison holds a release of heatmaps beside the recordings it was
// made from.
type HeatmapComparison struct {
	Raw   *Data
	Dir   string
	Looks Looks // what counted as looking; Auto as protect does

	Manifest *manifest.Manifest // after Pairs
}

// Pairs reads the recordings once.
func (c *HeatmapComparison) Pairs(ctx context.Context) ([]HeatmapPair, error) {
	text, err := os.ReadFile(filepath.Join(c.Dir, manifest.FileName))
	if err != nil {
		return nil, fmt.Errorf("curator: cannot read the release's manifest: %w", pathless(err))
	}
	if c.Manifest, err = manifest.Parse(text); err != nil {
		return nil, err
	}
	if text, err = os.ReadFile(filepath.Join(c.Dir, "release.json")); err != nil {
		return nil, fmt.Errorf("curator: the release holds no heatmap: %w", pathless(err))
	}
	var public struct {
		heatmap.Shape
		Stimuli []string
	}
	if err := json.Unmarshal(text, &public); err != nil {
		return nil, errors.New("curator: release.json cannot be read")
	}
	if public.Canvas.Steps > 1 {
		return nil, errors.New("curator: films are not compared yet: evaluate a release of one picture per stimulus")
	}
	truth, err := c.truth(ctx, public.Shape, public.Stimuli)
	if err != nil {
		return nil, err
	}
	return c.beside(public.Shape, public.Stimuli, truth)
}

// truth is the noise-free heatmap of each stimulus.
func (c *HeatmapComparison) truth(ctx context.Context, s heatmap.Shape, names []string) ([][]float64, error) {
	known, err := c.Raw.Folder.Stimuli()
	if err != nil {
		return nil, err
	}
	stimuli := make([]string, len(names))
	for i, name := range names {
		if stimuli[i] = name; name != "" {
			if stimuli[i], err = findStimulus(known, name); err != nil {
				return nil, err
			}
		}
	}
	want := func(h *gaze.Header) bool { return stimuliWanted(stimuli, h) }
	peek, err := c.Raw.aside().Peek(ctx, want)
	if err != nil {
		return nil, err
	}
	looks, err := c.Looks.resolve(peek)
	if err != nil {
		return nil, err
	}
	recording := c.Manifest.PrivacyLoss.PrivacyUnit.String() == dp.Recording.String()
	units, err := c.Raw.Units(ctx, recording)
	if err != nil {
		return nil, err
	}
	shaper := shaper{canvas: s.Canvas, stimuli: stimuli, recording: recording, looks: looks}
	if err := shaper.read(c.Raw.aside().Recordings(ctx, want)); err != nil {
		return nil, err
	}
	return means(s, shaper.maps(units), len(stimuli), len(units))
}

func stimuliWanted(stimuli []string, h *gaze.Header) bool {
	for _, s := range stimuli {
		if s == "" || s == h.Stimulus {
			return true
		}
	}
	return false
}

// means are the mean maps over all units, each brought to the public total
// where there is one, and blurred.
func means(s heatmap.Shape, maps heatmap.Maps, stimuli, n int) ([][]float64, error) {
	size := s.Canvas.Rows() * s.Canvas.Cols()
	sums := make([][]float64, stimuli)
	for i := range sums {
		sums[i] = make([]float64, size)
	}
	for one := range maps {
		for i := range sums {
			part := one[i*size : (i+1)*size]
			weight := 1 / float64(n)
			if s.Mass > 0 {
				total := 0.0
				for _, v := range part {
					total += v
				}
				if total == 0 {
					continue
				}
				weight *= s.Mass / total
			}
			for k, v := range part {
				sums[i][k] += weight * v
			}
		}
	}
	for i := range sums {
		var err error
		if sums[i], err = s.Canvas.Grid().Blur(sums[i], s.Blur); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// beside reads the released maps.
func (c *HeatmapComparison) beside(s heatmap.Shape, names []string, truth [][]float64) ([]HeatmapPair, error) {
	var files []string
	for _, o := range c.Manifest.Outputs {
		if path.Base(o.Path) == "heatmap.csv" {
			files = append(files, o.Path)
		}
	}
	if len(files) != len(truth) {
		return nil, fmt.Errorf("curator: the release lists %d heatmaps of %d stimuli", len(files), len(truth))
	}
	var out []HeatmapPair
	for i, name := range files {
		values, err := mapOf(filepath.Join(c.Dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if len(values) != len(truth[i]) {
			return nil, fmt.Errorf("curator: the release's heatmap has %d cells, want %d", len(values), len(truth[i]))
		}
		out = append(out, HeatmapPair{Stimulus: names[i], Cols: s.Canvas.Cols(), Rows: s.Canvas.Rows(), Cell: s.Canvas.Cell, Released: values, Truth: truth[i]})
	}
	return out, nil
}

// mapOf reads the values of a heatmap.csv, row by row.
func mapOf(file string) ([]float64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("curator: cannot read a heatmap: %w", pathless(err))
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 || strings.Join(rows[0], ",") != "x_px,y_px,value" {
		return nil, errors.New("curator: a heatmap of the release cannot be read")
	}
	values := make([]float64, 0, len(rows)-1)
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			return nil, errors.New("curator: a heatmap of the release cannot be read")
		}
		values = append(values, v)
	}
	return values, nil
}
