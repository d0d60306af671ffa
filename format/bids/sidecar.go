package bids

import (
	"encoding/json"
	"io"
	"io/fs"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// metadata are merged sidecars: what stands nearer to the file wins.
type metadata map[string]json.RawMessage

// maxSidecar bounds a JSON file.
const maxSidecar = 8 << 20

// load merges a file's sidecars of one suffix.
func load(fsys fs.FS, n fileName, suffix string) metadata {
	m := make(metadata)
	if fsys == nil {
		return m
	}
	for _, name := range n.sidecars(suffix) {
		f, err := fsys.Open(name)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, maxSidecar))
		f.Close()
		var one metadata
		if err == nil && json.Unmarshal(text, &one) == nil {
			for k, v := range one {
				m[k] = v
			}
		}
	}
	return m
}

// get decodes a field; what is missing or of another type stays zero.
func get[T any](m metadata, key string) (v T) {
	var got T
	if json.Unmarshal(m[key], &got) != nil {
		return v
	}
	return got
}

// column is what a sidecar says of a column.
type column struct {
	Description string
	Units       string
	Origin      string
}

// eye reads RecordedEye.
func (m metadata) eye() gaze.Eye {
	switch strings.ToLower(get[string](m, "RecordedEye")) {
	case "left":
		return gaze.Left
	case "right":
		return gaze.Right
	}
	return gaze.Cyclopean
}

func (m metadata) frame() gaze.Frame {
	for f := gaze.OnScreen; f <= gaze.EyeInHead; f++ {
		if get[string](m, "SampleCoordinateSystem") == f.String() {
			return f
		}
	}
	return gaze.OnScreen
}

// unit reads the unit of positions.
func (m metadata) unit() gaze.Unit {
	u, err := gaze.ParseUnit(get[column](m, "x_coordinate").Units)
	if err != nil {
		return gaze.UnitUnknown
	}
	return u
}

func (m metadata) pupilUnit() gaze.PupilUnit {
	c := get[column](m, "pupil_size")
	switch u := strings.ToLower(c.Units); {
	case u == "mm":
		return gaze.PupilMillimetres
	case strings.HasPrefix(u, "pix"), u == "px":
		return gaze.PupilPixels
	case u == "":
		return gaze.PupilUnknown
	case strings.Contains(strings.ToLower(c.Description), "diameter"):
		return gaze.PupilDiameter
	}
	return gaze.PupilArea
}

// presentation is StimulusPresentation of an events' sidecar, lengths in m.
// What is not known may be n/a.
type presentation struct {
	ScreenDistance   json.RawMessage
	ScreenOrigin     json.RawMessage
	ScreenResolution json.RawMessage
	ScreenSize       json.RawMessage
}

func decoded[T any](raw json.RawMessage) (v T) {
	var got T
	if json.Unmarshal(raw, &got) != nil {
		return v
	}
	return got
}

// screen reads the geometry out of an events' sidecar.
func (m metadata) screen() gaze.Screen {
	p := get[presentation](m, "StimulusPresentation")
	var s gaze.Screen
	if r := decoded[[]float64](p.ScreenResolution); len(r) == 2 && r[0] >= 1 && r[1] >= 1 && r[0] < 1e6 && r[1] < 1e6 {
		s.Width, s.Height = int(r[0]), int(r[1])
	}
	if z := decoded[[]float64](p.ScreenSize); len(z) == 2 && z[0] > 0 && z[1] > 0 {
		s.WidthCm, s.HeightCm = round(z[0]*100), round(z[1]*100)
	}
	if d := decoded[float64](p.ScreenDistance); d > 0 {
		s.DistanceCm = round(d * 100)
	}
	switch strings.Join(decoded[[]string](p.ScreenOrigin), " ") {
	case "bottom left", "left bottom":
		s.Origin = gaze.BottomLeft
	case "center center", "center":
		s.Origin = gaze.Center
	}
	return s
}

// round takes the last digits off that metres as centimetres bring in.
func round(v float64) float64 {
	r, _ := format.ParseNumber([]byte(short(v)), '.')
	return r
}
