package npy

import (
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// irf are the fields of arrays as used by Zemblys et al. (Using machine
// learning to detect events in eye-tracking data, 2018) and their successors.
var irf = []string{"t", "x", "y", "status", "evt"}

// mapping says what the fields mean.
func mapping(in *format.Input, h *header, records []byte) (*format.Mapping, error) {
	names := h.names()
	if slices.Equal(names, irf) {
		return &format.Mapping{
			Time: "t", TimeUnit: "s", X: "x", Y: "y", Unit: "deg",
			ValidWhen: format.Conditions{{Column: "status", Op: "!=", Value: "0"}},
			Label: &format.LabelMapping{Column: "evt", Values: map[string]string{
				"0": "none", "1": "fixation", "2": "saccade", "3": "oscillation", "4": "pursuit", "5": "blink",
			}},
		}, nil
	}
	g := format.GuessMapping(names, firstRows(h, records))
	if g.Sure() && g.Usable() {
		return &g.Mapping, nil
	}
	e := &format.UnknownError{File: in.Name, Because: strings.Join(g.Missing, "; ") + " not stated by the array's fields"}
	if e.Suggestion = g.Mapping.YAML(); !g.Usable() {
		e.Incomplete = true
		e.Suggestion = "# the array's fields: " + strings.Join(shown(names), ", ") +
			"\n# replace each ... by a field\ntime: ...\ntime_unit: s # s, ms, us, ns\nx: ...\ny: ...\nunit: px # px, deg, norm\n"
	}
	return nil, e
}

// firstRows are the head's records as texts.
func firstRows(h *header, records []byte) [][]string {
	if h.columns || h.size == 0 {
		return nil
	}
	var rows [][]string
	for int64(len(rows)) < min(h.rows, 200) && len(records) >= h.size {
		row := make([]string, len(h.fields))
		for i := range h.fields {
			row[i] = string(h.fields[i].appendText(nil, records))
		}
		rows, records = append(rows, row), records[h.size:]
	}
	return rows
}

// screen reads the geometry beside the array: {"geom": {"screen_width": mm,
// "screen_height": mm, "eye_distance": mm, "display_width_pix",
// "display_height_pix"}} in db_config.json. Angles count from its centre.
func screen(in *format.Input) gaze.Screen {
	if in.FS == nil {
		return gaze.Screen{}
	}
	text, err := readSmall(in.FS, path.Join(path.Dir(in.Path), "db_config.json"))
	if err != nil {
		return gaze.Screen{}
	}
	var c struct {
		Geom struct {
			ScreenWidth  float64 `json:"screen_width"`
			ScreenHeight float64 `json:"screen_height"`
			EyeDistance  float64 `json:"eye_distance"`
			WidthPix     float64 `json:"display_width_pix"`
			HeightPix    float64 `json:"display_height_pix"`
		} `json:"geom"`
	}
	if json.Unmarshal(text, &c) != nil {
		return gaze.Screen{}
	}
	g := &c.Geom
	for _, v := range [...]float64{g.ScreenWidth, g.ScreenHeight, g.EyeDistance, g.WidthPix, g.HeightPix} {
		if !(v > 0 && v < 1e5) {
			return gaze.Screen{}
		}
	}
	return gaze.Screen{
		Width: int(math.Round(g.WidthPix)), Height: int(math.Round(g.HeightPix)), Origin: gaze.Center,
		WidthCm: g.ScreenWidth / 10, HeightCm: g.ScreenHeight / 10, DistanceCm: g.EyeDistance / 10,
	}
}

func readSmall(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}
