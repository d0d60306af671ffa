package feature

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/detect"
)

// Options say how features are computed. The zero value stands for the
// defaults; [Options.Resolved] spells them out.
type Options struct {
	Window time.Duration // default 30 s, as in MPIIDPEye
	Step   time.Duration // from a window's start to the next; default 0.5 s, as in MPIIDPEye

	// Detector finds fixations and saccades; default detect.Standard(). Its
	// PixelsPerDegree is the way to give recordings without geometry an
	// explicit scale; without either they are refused with gaze.ErrNoGeometry.
	Detector detect.IVT
	// Blinks are found by losses where the recording does not state them.
	Blinks detect.Blinks
	// BlinkSource says where blinks come from; default AutoBlinks.
	BlinkSource BlinkSource

	// SmallSaccade divides saccades, deg: small below, large at or above. It is
	// not published. Default 3: the steps of reading are 1 to 2 deg, those of
	// visual search and scene viewing 3 to 4 deg (Rayner 1998, table 1).
	SmallSaccade float64
	// Alphabet of the words; default Bulling.
	Alphabet Alphabet

	// Limits are what [Options.Bounds] is made of. They do not change any value.
	Limits Limits
}

// Limits are public limits of what eyes do; values beyond them are clamped by
// private mechanisms. They are chosen before looking at the data: tighter ones
// mean less noise and more clamping. Zero fields stand for the defaults.
type Limits struct {
	Rate                float64       // fixations, saccades per s; default 8: pauses between saccades rarely fall below 125 ms
	SaccadesPerFixation float64       // default 4
	Amplitude           float64       // deg: the field gaze moves in; default 60, to be raised where the head turns along
	Fixation            time.Duration // longest fixation; default 3 s
	Spread              float64       // deg: standard deviation of x or y within a fixation; default 2
	PupilLow            float64       // pupil's unit; default 1 (mm)
	PupilHigh           float64       // pupil's unit; default 9 (mm)
	PupilSpread         float64       // pupil's unit: standard deviation within a fixation; default 0.5 (mm)
	Blink               time.Duration // longest blink; default the longest that Blinks finds
	BlinkRate           float64       // blinks per s; default 2
}

// BlinkSource says where blinks come from.
type BlinkSource uint8

const (
	// AutoBlinks takes the blinks that the recording states; where it states
	// none at all, those found by losses; where nothing is ever lost either,
	// blinks are absent: the tracker's software has filled them.
	AutoBlinks BlinkSource = iota
	StatedBlinks
	DetectedBlinks
	NoBlinks // absent, whatever the recording holds
)

var blinkSources = [...]string{"auto", "stated", "detect", "none"}

// String returns the source's name.
func (b BlinkSource) String() string {
	if int(b) < len(blinkSources) {
		return blinkSources[b]
	}
	return fmt.Sprintf("BlinkSource(%d)", uint8(b))
}

// ParseBlinkSource reads a source's name.
func ParseBlinkSource(s string) (BlinkSource, error) {
	for i, name := range blinkSources {
		if name == s {
			return BlinkSource(i), nil
		}
	}
	return 0, fmt.Errorf("feature: want blinks auto, stated, detect or none, got %q", s)
}

// Defaults of Options, and what they may be.
const (
	defaultWindow = 30 * time.Second
	defaultStep   = 500 * time.Millisecond
	minStep       = time.Millisecond
	maxWindow     = time.Hour
	// maxSamples bounds the samples of a window, so that sums fit.
	maxSamples = 1 << 22
)

func orElse[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

// Resolved returns the options with every default filled in.
func (o Options) Resolved() Options {
	orElse(&o.Window, defaultWindow)
	orElse(&o.Step, defaultStep)
	perDegree := o.Detector.PixelsPerDegree
	o.Detector.PixelsPerDegree = 0
	orElse(&o.Detector, detect.Standard())
	o.Detector.PixelsPerDegree = perDegree
	orElse(&o.Detector.MaxGap, 75*time.Millisecond)
	orElse(&o.Detector.Window, 20*time.Millisecond)
	orElse(&o.Blinks.MinDuration, 50*time.Millisecond)
	orElse(&o.Blinks.MaxDuration, 500*time.Millisecond)
	orElse(&o.SmallSaccade, 3)
	l := &o.Limits
	orElse(&l.Rate, 8)
	orElse(&l.SaccadesPerFixation, 4)
	orElse(&l.Amplitude, 60)
	orElse(&l.Fixation, 3*time.Second)
	orElse(&l.Spread, 2)
	orElse(&l.PupilLow, 1)
	orElse(&l.PupilHigh, 9)
	orElse(&l.PupilSpread, 0.5)
	orElse(&l.Blink, o.Blinks.MaxDuration)
	orElse(&l.BlinkRate, 2)
	return o
}

// Validate refuses options without meaning.
func (o Options) Validate() error {
	o = o.Resolved()
	switch {
	case o.Window <= 0 || o.Window > maxWindow:
		return fmt.Errorf("feature: window must be positive and at most %v, got %v", maxWindow, o.Window)
	case o.Step < minStep:
		return fmt.Errorf("feature: step must be at least %v, got %v", minStep, o.Step)
	case !(o.SmallSaccade > 0) || math.IsInf(o.SmallSaccade, 0):
		return fmt.Errorf("feature: the limit of small saccades must be positive, got %g deg", o.SmallSaccade)
	case o.Alphabet > Compass:
		return fmt.Errorf("feature: unknown alphabet %v", o.Alphabet)
	case o.BlinkSource > NoBlinks:
		return fmt.Errorf("feature: unknown source of blinks %v", o.BlinkSource)
	}
	if err := o.Detector.Validate(); err != nil {
		return err
	}
	if _, err := o.Blinks.Stream(nil); err != nil {
		return err
	}
	return o.Limits.validate()
}

func (l Limits) validate() error {
	for _, v := range [...]float64{l.Rate, l.SaccadesPerFixation, l.Amplitude, l.Spread, l.PupilHigh, l.PupilSpread, l.BlinkRate} {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("feature: limits must be positive, got %g", v)
		}
	}
	switch {
	case l.Fixation <= 0 || l.Blink <= 0:
		return fmt.Errorf("feature: the longest fixation and blink must be positive, got %v and %v", l.Fixation, l.Blink)
	case !(l.PupilLow >= 0 && l.PupilLow < l.PupilHigh):
		return errors.New("feature: the smallest pupil must lie from 0 to below the largest")
	}
	return nil
}

// Touches returns how many windows depend on any stretch of t of gaze at most:
// those whose span of time meets it, ⌈(t+Window)/Step⌉. No other window
// changes when the gaze of that stretch does.
func (o Options) Touches(t time.Duration) int {
	o = o.Resolved()
	t = max(0, t)
	return int((t + o.Window + o.Step - 1) / o.Step)
}
