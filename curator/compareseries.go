package curator

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/manifest"
)

// SignalPair is one recording's signals as they were and as they were released,
// window by window. It is for the curator alone.
type SignalPair struct {
	Participant     string
	Truth, Released [][]float64 // per signal, clamped to the bounds; Truth is NaN where a feature is absent
}

// SeriesComparison holds a release of feature signals beside the recordings it
// was made from.
type SeriesComparison struct {
	Raw      *Data
	Home     Home // its key tells which file is whose
	Dir      string
	Progress func(recordings int) // may be nil
	// PixelsPerDegree is what the release was made with where the recordings have
	// no geometry; 0 = not typed.
	PixelsPerDegree float64

	// After Pairs.
	Manifest *manifest.Manifest
	Signals  []string
	Bounds   [][2]float64
	Unpaired int // files of the release that no recording belongs to
}

// ErrNoSignals is returned for releases that hold no feature signals.
var ErrNoSignals = errors.New("curator: the release holds no feature signals")

// ErrOtherFeatures is returned where the release's features were computed by
// parameters that its description does not let us repeat.
var ErrOtherFeatures = errors.New("curator: the release's features were computed with other parameters than these recordings' would be")

// Pairs computes the features anew, as the release says that they were, and
// reads what was released of them. Without the key there are no pairs.
func (c *SeriesComparison) Pairs(ctx context.Context) ([]SignalPair, error) {
	o, err := c.open()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(c.Home.Dir, "pseudonym.key")); err != nil {
		return nil, nil
	}
	pseudonym, err := c.Home.Pseudonyms()
	if err != nil {
		return nil, err
	}
	job := SeriesJob{} // which names the files
	names, taken := canonical.Names{Pseudonym: pseudonym}, map[string]int{}
	var pairs []SignalPair
	read := 0
	for t, err := range (FeatureData{Data: c.Raw, Options: o}).Tables(ctx) {
		if err != nil {
			return nil, err
		}
		if read++; c.Progress != nil {
			c.Progress(read)
		}
		if t.Header.Participant == "" || t.Windows() == 0 {
			continue
		}
		job.headers = append(job.headers, t.Header)
		name := job.file(len(job.headers)-1, nil, names, taken)
		if !c.lists(name) {
			continue
		}
		p, err := c.pair(name, t)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, *p)
	}
	for _, f := range c.Manifest.Outputs {
		if strings.HasPrefix(f.Path, "signals/") {
			c.Unpaired++
		}
	}
	c.Unpaired -= len(pairs)
	return pairs, nil
}

func (c *SeriesComparison) lists(name string) bool {
	return slices.ContainsFunc(c.Manifest.Outputs, func(o manifest.Output) bool { return o.Path == name })
}

// open reads what the release says of its signals.
func (c *SeriesComparison) open() (o feature.Options, err error) {
	text, err := os.ReadFile(filepath.Join(c.Dir, manifest.FileName))
	if err != nil {
		return o, fmt.Errorf("curator: cannot read the release's manifest: %w", pathless(err))
	}
	if c.Manifest, err = manifest.Parse(text); err != nil {
		return o, err
	}
	text, err = os.ReadFile(filepath.Join(c.Dir, "signals.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return o, ErrNoSignals
	}
	if err != nil {
		return o, fmt.Errorf("curator: cannot read the release's signals: %w", pathless(err))
	}
	var legend struct {
		WindowS    float64        `json:"window_s"`
		StepS      float64        `json:"step_s"`
		Signals    []signalLegend `json:"signals"`
		Conditions string         `json:"conditions"`
	}
	if err := json.Unmarshal(text, &legend); err != nil || len(legend.Signals) == 0 {
		return o, errors.New("curator: signals.json cannot be read")
	}
	if legend.Conditions != "" {
		return o, errors.New("curator: means over people are not compared yet: their noise floor stands in the release's report")
	}
	o.Window, o.Step = seconds(legend.WindowS), seconds(legend.StepS)
	o.BlinkSource, o.Detector.PixelsPerDegree = feature.NoBlinks, c.PixelsPerDegree
	for _, s := range legend.Signals {
		i := featureNamed(s.Name)
		if i < 0 {
			return o, fmt.Errorf("curator: the release holds a signal %q that is not known here", s.Name)
		}
		if ofBlinks(i) {
			o.BlinkSource = feature.AutoBlinks
		}
		c.Signals = append(c.Signals, s.Name)
		c.Bounds = append(c.Bounds, [2]float64{s.Lower, s.Upper})
	}
	return o, c.sameFeatures(o.Resolved())
}

// featureNamed is a feature's index; -1 = there is none.
func featureNamed(name string) int {
	names := feature.Names()
	return slices.Index(names[:], name)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// sameFeatures compares the parameters with those that the release states; the
// source of blinks is not one that changes the others.
func (c *SeriesComparison) sameFeatures(o feature.Options) error {
	ours := FeatureParameters(o)
	for _, step := range c.Manifest.Preprocessing {
		for name, stated := range step.Parameters {
			if v, known := ours[name]; known && !strings.Contains(name, "blink") && fmt.Sprint(stated) != fmt.Sprint(v) {
				return fmt.Errorf("%w: %s is %v, not %v", ErrOtherFeatures, name, stated, v)
			}
		}
	}
	return nil
}

// pair reads one released table; its rows say by their start which window they are.
func (c *SeriesComparison) pair(name string, t *feature.Table) (*SignalPair, error) {
	broken := func() error { return fmt.Errorf("curator: %s of the release cannot be read", name) }
	packed, err := os.ReadFile(filepath.Join(c.Dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("curator: cannot read the release's signals: %w", pathless(err))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, broken()
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil || len(rows) == 0 || len(rows[0]) != len(c.Signals)+1 {
		return nil, broken()
	}
	p := &SignalPair{Participant: t.Header.Participant, Truth: make([][]float64, len(c.Signals)), Released: make([][]float64, len(c.Signals))}
	for _, row := range rows[1:] {
		start, err := strconv.ParseFloat(row[0], 64)
		window := int(math.Round(start / t.Step.Seconds()))
		if err != nil || window < 0 || window >= t.Windows() {
			return nil, fmt.Errorf("curator: %s of the release has a window at %s s that its recording has not: it was made from other recordings", name, row[0])
		}
		for k, signal := range c.Signals {
			v, err := strconv.ParseFloat(row[k+1], 64)
			if err != nil {
				return nil, broken()
			}
			truth := at(t.Columns[featureNamed(signal)], window)
			p.Truth[k] = append(p.Truth[k], c.clamp(k, truth))
			p.Released[k] = append(p.Released[k], c.clamp(k, v))
		}
	}
	return p, nil
}

// at is a column's value; NaN where the recording has none.
func at(column []float64, window int) float64 {
	if window >= len(column) {
		return math.NaN()
	}
	return column[window]
}

// clamp brings a value within the signal's public bounds, which costs nothing;
// signals without bounds stay.
func (c *SeriesComparison) clamp(k int, v float64) float64 {
	if b := c.Bounds[k]; b[0] < b[1] {
		return min(max(v, b[0]), b[1])
	}
	return v
}
