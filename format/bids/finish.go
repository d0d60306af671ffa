package bids

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// object is JSON.
type object map[string]any

// events writes a piece's events, each to its eye's file, those of an eye
// without samples to the first one's.
func (w *Writer) events(r *gaze.Recording) error {
	n := math.NaN()
	for _, f := range r.Fixations {
		if err := w.event(f.Eye, "fixation", "0", int64(f.Start), int64(f.Duration), [7]float64{f.X, f.Y, n, n, f.Pupil, n, n}); err != nil {
			return err
		}
	}
	for _, s := range r.Saccades {
		if err := w.event(s.Eye, "saccade", "0", int64(s.Start), int64(s.Duration), [7]float64{s.X0, s.Y0, s.X1, s.Y1, n, s.Amplitude, s.PeakVelocity}); err != nil {
			return err
		}
	}
	for _, b := range r.Blinks {
		if err := w.event(b.Eye, "n/a", "1", int64(b.Start), int64(b.Duration), [7]float64{n, n, n, n, n, n, n}); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) event(eye gaze.Eye, kind, blink string, start, span int64, v [7]float64) error {
	out := w.open.eyes[0]
	for _, e := range w.open.eyes {
		if e.eye == eye {
			out = e
		}
	}
	if out.events == nil {
		var err error
		if out.events, err = w.zipped(w.open.base + "_recording-" + out.name + "_physioevents.tsv.gz"); err != nil {
			return err
		}
	}
	z := out.events
	z.line = appendSeconds(z.line[:0], time.Duration(start))
	z.line = appendSeconds(append(z.line, '\t'), time.Duration(span))
	z.line = append(append(append(z.line, '\t'), kind...), '\t')
	z.line = append(z.line, blink...)
	for _, x := range v {
		z.line = append(z.line, '\t')
		z.cell(x)
	}
	z.line = append(append(append(z.line, '\t'), eye.String()...), '\n')
	_, err := z.Write(z.line)
	return err
}

// finish writes the open recording's sidecars.
func (w *Writer) finish() error {
	o := w.open
	if o == nil {
		return nil
	}
	w.open = nil
	for _, e := range o.eyes {
		base := o.base + "_recording-" + e.name
		if err := e.samples.close(); err != nil {
			return err
		}
		if err := w.json(base+"_physio.json", o.physio(e)); err != nil {
			return err
		}
		if e.events == nil {
			continue
		}
		if err := e.events.close(); err != nil {
			return err
		}
		if err := w.json(base+"_physioevents.json", physioevents(o.header)); err != nil {
			return err
		}
	}
	if err := w.file(o.base+"_events.tsv", o.events()); err != nil {
		return err
	}
	return w.json(o.base+"_events.json", o.presentation())
}

// rate is the stated sampling frequency, or the mean one.
func (o *run) rate() float64 {
	if o.header.Rate > 0 {
		return float64(o.header.Rate)
	}
	if span := (o.last - o.first).Seconds(); span > 0 && o.n > 1 {
		return float64(o.n-1) / span
	}
	return 0
}

var unitWords = map[gaze.Unit]string{
	gaze.Pixels: "pixel", gaze.Degrees: "degree", gaze.Normalized: "normalized", gaze.Radians: "rad", gaze.Millimetres: "mm",
}

func units(u gaze.Unit) string {
	if word, ok := unitWords[u]; ok {
		return word
	}
	return "n/a"
}

// physio is an eye's sidecar.
func (o *run) physio(e *eyeOut) object {
	j := object{
		"PhysioType": "eyetrack", "Columns": e.columns, "SamplingFrequency": o.rate(), "StartTime": o.first.Seconds(),
		"RecordedEye": e.eye.String(), "SampleCoordinateSystem": o.header.Frame.String(),
		"timestamp": object{"Description": "time since the recording's start", "Units": "s", "Origin": ownOrigin},
		"x_coordinate": object{
			"LongName": "Gaze position (x)", "Description": "Horizontal gaze position of the recorded eye; n/a where it is lost.", "Units": units(o.header.Unit),
		},
		"y_coordinate": object{
			"LongName": "Gaze position (y)", "Description": "Vertical gaze position of the recorded eye; n/a where it is lost.", "Units": units(o.header.Unit),
		},
	}
	if o.header.Rate == 0 {
		j["SamplingFrequencyMeasured"] = true
	}
	about := pupils[o.header.PupilUnit]
	for _, c := range e.columns {
		switch c {
		case "pupil_size":
			j[c] = object{"Description": about[0], "Units": about[1]}
		case "confidence":
			j[c] = object{"Description": "The tracker's confidence, 0 to 1.", "Units": "n/a"}
		case "label":
			j[c] = object{"Description": "What the source says of the sample.", "Levels": object{
				"none": "not labelled", "fixation": "fixation", "saccade": "saccade", "pursuit": "smooth pursuit", "blink": "blink",
				"noise": "noise or loss", "oscillation": "post-saccadic oscillation",
			}}
		}
	}
	if e == o.eyes[0] {
		for _, s := range o.signals {
			j[ownSignal+canonical.Plain(s.Name)] = object{"Description": "Signal of the source.", "Units": s.Unit}
		}
	}
	return j
}

var pupils = map[gaze.PupilUnit][2]string{
	gaze.PupilUnknown: {"Pupil size.", ""}, gaze.PupilMillimetres: {"Pupil diameter.", "mm"}, gaze.PupilPixels: {"Pupil diameter.", "px"},
	gaze.PupilArea: {"Pupil area in arbitrary units.", "a.u."}, gaze.PupilDiameter: {"Pupil diameter in arbitrary units.", "a.u."},
}

// physioevents is the sidecar of what the tracker detected.
func physioevents(h gaze.Header) object {
	place := func(what string) object { return object{"Description": what, "Units": units(h.Unit)} }
	pupil := pupils[h.PupilUnit]
	return object{
		"Columns": append([]string{"onset", "duration", "trial_type", "blink"}, ownColumns[:]...), "OnsetSource": "timestamp",
		"Description": "Events stated by the source.",
		"onset":       object{"Description": "Beginning, as the samples' time stamps.", "Units": "s"},
		"duration":    object{"Description": "Duration.", "Units": "s"},
		"trial_type":  object{"Levels": object{"fixation": "Indicates a fixation.", "saccade": "Indicates a saccade."}},
		"blink":       object{"Levels": object{"0": "Indicates if the eye was open.", "1": "Indicates if the eye was closed."}},
		"x":           place("Place of a fixation, or where a saccade begins (x)."), "y": place("Place of a fixation, or where a saccade begins (y)."),
		"x_end": place("Where a saccade ends (x)."), "y_end": place("Where a saccade ends (y)."),
		"pupil_size":    object{"Description": "Mean during a fixation. " + pupil[0], "Units": pupil[1]},
		"amplitude":     object{"Description": "Amplitude of a saccade.", "Units": "degree"},
		"peak_velocity": object{"Description": "Peak velocity of a saccade.", "Units": "degree/s"},
		"eye":           object{"Levels": object{"left": "left eye", "right": "right eye", "cyclopean": "both, or not stated"}},
	}
}

// events is the run as one event: trial and stimulus.
func (o *run) events() []byte {
	cell := func(b []byte, s string) []byte {
		if s = canonical.Plain(s); s == "" {
			s = "n/a"
		}
		return append(append(b, '\t'), s...)
	}
	b := []byte("onset\tduration\ttrial_type\tstim_file\n")
	b = appendSeconds(b, o.first)
	b = appendSeconds(append(b, '\t'), max(o.last-o.first, 0))
	return append(cell(cell(b, o.header.Trial), o.header.Stimulus), '\n')
}

// presentation is the events' sidecar with the screen; lengths in m.
func (o *run) presentation() object {
	s := o.header.Screen
	p := object{"ScreenDistance": "n/a", "ScreenSize": "n/a", "ScreenResolution": "n/a", "ScreenOrigin": origins[s.Origin]}
	if s.Known() {
		p["ScreenResolution"] = [2]int{s.Width, s.Height}
	}
	if s.WidthCm > 0 && s.HeightCm > 0 {
		p["ScreenSize"] = [2]float64{s.WidthCm / 100, s.HeightCm / 100}
	}
	if s.DistanceCm > 0 {
		p["ScreenDistance"] = s.DistanceCm / 100
	}
	return object{
		"StimulusPresentation": p,
		"onset":                object{"Description": "The recording's first sample, since its start.", "Units": "s"},
		"duration":             object{"Description": "Until the recording's last sample.", "Units": "s"},
		"trial_type":           object{"Description": "Trial."},
		"stim_file":            object{"Description": "What was looked at."},
	}
}

var origins = map[gaze.Origin][2]string{
	gaze.TopLeft: {"top", "left"}, gaze.BottomLeft: {"bottom", "left"}, gaze.Center: {"center", "center"},
}
