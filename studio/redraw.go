package studio

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/report"
)

// redrawView says in which other ways a released heatmap can be shown. None of
// them costs anything: they are made of the released numbers alone.
type redrawView struct {
	Link    string       `json:"link"`
	Colors  []optionView `json:"colors"`
	Methods []optionView `json:"methods"`
	Alpha   string       `json:"alpha"`
	Frames  []optionView `json:"frames"`
	Frame   int          `json:"frame"`
}

// drawn is what release.json says of release.npy.
type drawn struct {
	heatmap.Shape
	Method  string
	Stimuli []string
}

func redrawOf(id string, root *os.Root, m *manifest.Manifest, q url.Values) *redrawView {
	d, raws, err := readDrawn(root, m)
	if err != nil {
		return nil
	}
	v := &redrawView{Alpha: or(q.Get("alpha"), "0.5")}
	for _, c := range report.ColorMaps() {
		v.Colors = append(v.Colors, optionView{c, c == or(q.Get("colors"), report.Viridis)})
	}
	methods := []string{heatmap.PicturePlain, heatmap.PictureThreshold, heatmap.PictureSpectral}
	if d.Query > 0 {
		methods = append([]string{heatmap.PictureLogGaussian}, methods...)
	}
	for _, name := range methods {
		v.Methods = append(v.Methods, optionView{name, name == or(q.Get("method"), d.Method)})
	}
	v.Frame, _ = strconv.Atoi(q.Get("frame"))
	steps := max(d.Canvas.Steps, 1)
	for i := range len(raws) * steps {
		name := "picture " + strconv.Itoa(i+1)
		if i/steps < len(d.Stimuli) && d.Stimuli[i/steps] != "" {
			name = d.Stimuli[i/steps]
			if steps > 1 {
				name += ", step " + strconv.Itoa(i%steps+1)
			}
		}
		v.Frames = append(v.Frames, optionView{name, i == v.Frame})
	}
	keep := url.Values{}
	for _, name := range []string{"colors", "method", "alpha", "frame"} {
		if q.Get(name) != "" {
			keep.Set(name, q.Get(name))
		}
	}
	v.Link = "/releases/" + id + "/redraw.png?" + keep.Encode()
	return v
}

// readDrawn finds the released numbers; an error where there are none.
func readDrawn(root *os.Root, m *manifest.Manifest) (d drawn, raws []string, err error) {
	text, err := fs.ReadFile(root.FS(), "release.json")
	if err != nil {
		return d, nil, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, nil, err
	}
	for _, o := range m.Outputs {
		if o.Path == "release.npy" || strings.HasSuffix(o.Path, "/release.npy") {
			raws = append(raws, o.Path)
		}
	}
	slices.Sort(raws) // stimuli are numbered
	if len(raws) == 0 || d.Canvas.Cell <= 0 {
		return d, nil, errors.New("studio: this release holds no map")
	}
	return d, raws, nil
}

// redraw draws a released heatmap anew.
func (s *Server) redraw(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	root, m, err := s.shelf().open(id)
	if err != nil {
		return err
	}
	defer root.Close()
	d, raws, err := readDrawn(root, m)
	if err != nil {
		return missing("This release holds no map.")
	}
	steps := max(d.Canvas.Steps, 1)
	i, err := strconv.Atoi(or(r.FormValue("frame"), "0"))
	if err != nil || i < 0 || i >= len(raws)*steps {
		return missing("This release holds no such picture.")
	}
	rel, err := again(root, raws[i/steps], d, or(r.FormValue("method"), d.Method))
	if err != nil {
		return err
	}
	name := ""
	if i/steps < len(d.Stimuli) {
		name = d.Stimuli[i/steps]
	}
	alpha, err := strconv.ParseFloat(or(r.FormValue("alpha"), "0.5"), 64)
	if err != nil {
		return refuse("The opacity must be a number from 0 to 1.", "")
	}
	c := d.Canvas
	h := report.Heatmap{
		Title: strings.TrimSuffix("Where people looked: "+name, ": "), Cols: c.Cols(), Rows: c.Rows(), Cell: c.Cell, Width: c.Width, Height: c.Height, Values: rel.Maps[i%steps],
		Unit: map[bool]string{true: "share of dwell per cell", false: "per cell and person"}[d.Mass > 0], NoiseFloor: floors * rel.NoiseFloor,
		Guarantee: m.Guarantee, Void: !m.Private, Stimulus: s.shelf().stimulus(id, name), Alpha: alpha, Colors: r.FormValue("colors"),
	}
	return s.picture(w, picture{draw: h.WritePNG})
}

// again makes the pictures of one stimulus from what was drawn.
func again(root *os.Root, file string, d drawn, method string) (*heatmap.Release, error) {
	data, err := fs.ReadFile(root.FS(), file)
	if err != nil {
		return nil, withoutPath(err)
	}
	raw, err := float64s(data)
	if err != nil {
		return nil, err
	}
	shape := d.Shape
	shape.Canvas.Stimuli = 1
	rel, err := heatmap.Render(raw, shape, heatmap.Picture{Method: method})
	if err != nil {
		return nil, err
	}
	return rel, rel.EstimateError()
}

var npyHeader = regexp.MustCompile(`^\{'descr': '<f8', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \}\s*$`)

// float64s reads the array of a .npy file as releases have them: version 1,
// little-endian float64, row by row.
func float64s(data []byte) ([]float64, error) {
	broken := errors.New("studio: release.npy is not as it was written")
	if len(data) < 10 || !bytes.Equal(data[:8], []byte("\x93NUMPY\x01\x00")) {
		return nil, broken
	}
	begin := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	if begin > len(data) {
		return nil, broken
	}
	shape := npyHeader.FindSubmatch(data[10:begin])
	if shape == nil {
		return nil, broken
	}
	n := 1
	for part := range strings.SplitSeq(string(shape[1]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		k, err := strconv.Atoi(part)
		if err != nil || k < 1 || n > len(data)/k {
			return nil, broken
		}
		n *= k
	}
	if len(data) != begin+8*n {
		return nil, fmt.Errorf("%w: its length is wrong", broken)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[begin+8*i:]))
	}
	return out, nil
}
