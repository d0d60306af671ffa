package canonical

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/gaze"
)

// Version is that of the table's columns, in its sidecar.
const Version = 1

// sidecar is the JSON beside a table.
type sidecar struct {
	Version    int               `json:"gazeward_table"`
	Note       string            `json:"note"`
	Rows       string            `json:"rows"` // samples or events
	Events     string            `json:"events,omitempty"`
	Recordings int               `json:"recordings"`
	Settings   []settingJSON     `json:"settings"`
	Columns    map[string]string `json:"columns"`
}

type settingJSON struct {
	From      int         `json:"from_recording"`
	Unit      string      `json:"unit"`
	PupilUnit string      `json:"pupil_unit,omitempty"`
	Frame     string      `json:"frame"`
	Rate      float64     `json:"sampling_rate_hz,omitempty"`
	Screen    *screenJSON `json:"screen,omitempty"`
	Source    string      `json:"source_format,omitempty"`
	Columns   []string    `json:"columns,omitempty"`
}

type screenJSON struct {
	WidthPx        int     `json:"width_px,omitempty"`
	HeightPx       int     `json:"height_px,omitempty"`
	WidthCm        float64 `json:"width_cm,omitempty"`
	HeightCm       float64 `json:"height_cm,omitempty"`
	DistanceCm     float64 `json:"distance_cm,omitempty"`
	Origin         string  `json:"origin"`
	FieldWidthDeg  float64 `json:"field_width_deg,omitempty"`
	FieldHeightDeg float64 `json:"field_height_deg,omitempty"`
}

// Sidecar returns the JSON that belongs beside a table, or into its metadata.
// rows is "samples" or "events"; events is the file name of the table of
// events, empty if there is none.
func (s *Survey) Sidecar(rows, events string) ([]byte, error) {
	d := sidecar{
		Version: Version, Rows: rows, Events: events, Recordings: s.Recordings, Columns: make(map[string]string),
		Note: "Recordings of people: raw data, not protected by differential privacy.",
	}
	if s.Note != "" {
		d.Note = s.Note
	}
	columns := EventColumns()
	if rows == "samples" {
		columns = s.SampleColumns()
	}
	for _, c := range columns {
		d.Columns[c.Name] = c.About
	}
	for i := range s.Settings {
		d.Settings = append(d.Settings, s.Settings[i].json())
	}
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("canonical: sidecar: %w", err)
	}
	return append(b, '\n'), nil
}

func (s *Setting) json() settingJSON {
	j := settingJSON{
		From: s.From, Unit: s.Unit.String(), Frame: s.Frame.String(), Rate: float64(s.Rate), Source: s.Source, Columns: s.Columns,
	}
	if s.PupilUnit != gaze.PupilUnknown {
		j.PupilUnit = s.PupilUnit.String()
	}
	if s.Screen != (gaze.Screen{}) {
		c := s.Screen
		j.Screen = &screenJSON{c.Width, c.Height, c.WidthCm, c.HeightCm, c.DistanceCm, c.Origin.String(), c.FieldWidthDeg, c.FieldHeightDeg}
	}
	return j
}

func (j *settingJSON) setting() (Setting, error) {
	s := Setting{
		From: j.From, Rate: gaze.Hertz(max(j.Rate, 0)), Source: j.Source, Columns: j.Columns,
		PupilUnit: parseName(j.PupilUnit, gaze.PupilPixels), Frame: parseName(j.Frame, gaze.EyeInHead),
	}
	var err error
	s.Unit, err = gaze.ParseUnit(j.Unit)
	if c := j.Screen; c != nil {
		s.Screen = gaze.Screen{
			Width: max(c.WidthPx, 0), Height: max(c.HeightPx, 0),
			WidthCm: max(c.WidthCm, 0), HeightCm: max(c.HeightCm, 0), DistanceCm: max(c.DistanceCm, 0),
			Origin: parseName(c.Origin, gaze.Center), FieldWidthDeg: max(c.FieldWidthDeg, 0), FieldHeightDeg: max(c.FieldHeightDeg, 0),
		}
	}
	return s, err
}

var errSidecar = errors.New("canonical: the sidecar is none of a table of this kind")

// parseSidecar reads the JSON beside or inside a table.
func parseSidecar(text []byte) (events string, settings []Setting, err error) {
	var d sidecar
	if err := json.Unmarshal(text, &d); err != nil || d.Version < 1 {
		return "", nil, errSidecar
	}
	for i := range d.Settings {
		s, err := d.Settings[i].setting()
		if err != nil {
			return "", nil, err
		}
		settings = append(settings, s)
	}
	slices.SortStableFunc(settings, func(a, b Setting) int { return a.From - b.From })
	return d.Events, settings, nil
}

// settingOf finds the setting of a recording; nil if there is none.
func settingOf(settings []Setting, id int64) *Setting {
	i, found := slices.BinarySearchFunc(settings, id, func(s Setting, id int64) int {
		switch {
		case int64(s.From) < id:
			return -1
		case int64(s.From) > id:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	if i < 0 || i >= len(settings) {
		return nil
	}
	return &settings[i]
}
