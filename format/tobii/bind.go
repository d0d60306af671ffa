package tobii

import (
	"bytes"
	"math"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// binding is where in a row everything lies; -1 = nowhere.
type binding struct {
	table
	d        *dialect
	class    class
	timeUnit string

	time, sensor                                 int
	participant, recording, task                 int
	stimulus, media                              int
	eyes                                         [3]eyeCells
	label, index, duration, fixationX, fixationY int
	width, height, resolution, mediaW, mediaH    int
	used                                         []bool
}

type eyeCells struct{ x, y, validity, pupil, pupilValidity int }

// bind finds the roles of a table's columns.
func bind(t table, d *dialect) *binding {
	b := &binding{table: t, d: d, used: make([]bool, len(t.columns))}
	b.bindTime()
	b.sensor = b.take("sensor")
	b.participant, b.recording = b.take("participantname"), b.at("recordingname")
	b.task = b.take("timelinename", "studiotestname")
	b.stimulus, b.media = b.take("presentedstimulusname", "medianame"), b.take("presentedmedianame")
	b.choose()
	for e := range b.eyes {
		c := &b.eyes[e]
		*c = eyeCells{-1, -1, -1, -1, -1}
		if base := d.places[e]; base != "" {
			c.x, c.y = b.pair(base, b.class)
		}
		if d.pupils[e] != "" {
			c.pupil = b.take(d.pupils[e])
		}
		c.validity, c.pupilValidity = b.take(d.validities[e]...), b.take(d.pupilValid[e]...)
		b.use(c.x, c.y)
	}
	b.label, b.index = b.take("eyemovementtype", "gazeeventtype"), b.take("eyemovementtypeindex", "fixationindex")
	b.duration = b.take("gazeeventduration", "eyemovementeventduration")
	b.fixationX, b.fixationY = b.pair("fixationpoint", b.class)
	b.use(b.fixationX, b.fixationY)
	b.width, b.height = b.take("recordingresolutionwidth"), b.take("recordingresolutionheight")
	b.resolution = b.take("recordingresolution")
	b.mediaW, b.mediaH = b.take("presentedmediawidth", "mediawidth", "recordingmediawidth"), b.take("presentedmediaheight", "mediaheight", "recordingmediaheight")
	return b
}

func (b *binding) use(columns ...int) {
	for _, c := range columns {
		if c >= 0 {
			b.used[c] = true
		}
	}
}

func (b *binding) take(bases ...string) int {
	c := b.at(bases...)
	b.use(c)
	return c
}

// bindTime takes the finest time column.
func (b *binding) bindTime() {
	b.time = -1
	for _, base := range b.d.time {
		for _, unit := range [...]string{"us", "", "ms"} {
			for i, c := range b.columns {
				stated := strings.NewReplacer("μ", "u", "µ", "u").Replace(c.unit)
				if b.time < 0 && c.base == base && stated == unit {
					b.time, b.timeUnit = i, stated
				}
			}
		}
	}
	b.use(b.time)
}

// choose takes the first system of coordinates in which any eye has positions,
// else that of the fixations.
func (b *binding) choose() {
	for _, places := range [...][]string{b.d.places[:], {"fixationpoint"}} {
		for _, c := range classes {
			for _, base := range places {
				if base == "" {
					continue
				}
				if x, _ := b.pair(base, c); x >= 0 {
					b.class = c
					return
				}
			}
		}
	}
	b.class = classes[0]
}

// sees reports whether there is anything to read but time.
func (b *binding) sees() bool {
	for _, e := range b.eyes {
		if e.x >= 0 || e.pupil >= 0 {
			return true
		}
	}
	return b.label >= 0 || b.fixationX >= 0
}

// worn reports whether the recording was made with glasses: only they have
// sensors of motion and gaze in three dimensions.
func (b *binding) worn() bool {
	for _, c := range b.columns {
		if strings.HasPrefix(c.base, "gyro") || strings.HasPrefix(c.base, "accelerometer") || strings.HasPrefix(c.base, "gazepoint3d") ||
			strings.HasPrefix(c.base, "gaze3dposition") || c.system == "hucs" {
			return true
		}
	}
	return false
}

func (b *binding) layout() format.Layout {
	var l format.Layout
	for e, c := range b.eyes {
		l.Eyes[e], l.Pupil[e] = c.x >= 0, c.pupil >= 0
	}
	l.Labels = b.label >= 0
	return l
}

// header is what a recording's first row says of it.
func (b *binding) header(cells [][]byte) gaze.Header {
	h := gaze.Header{Format: b.d.name, Unit: b.class.gazeUnit(b.d.unit)}
	l := b.layout()
	if l.Pupil != ([3]bool{}) {
		h.PupilUnit = gaze.PupilMillimetres
	}
	if b.worn() && (b.class.unit == "px" || b.class.onMedia()) {
		h.Frame = gaze.InWorld
	}
	h.Participant = text(cellAt(cells, b.participant))
	h.Task = text(cellAt(cells, b.task))
	if h.Stimulus = text(cellAt(cells, b.stimulus)); h.Stimulus == "" {
		h.Stimulus = text(cellAt(cells, b.media))
	}
	h.Screen = b.screen(cells)
	return h
}

func (b *binding) screen(cells [][]byte) gaze.Screen {
	s := gaze.Screen{Width: pixels(cellAt(cells, b.width)), Height: pixels(cellAt(cells, b.height))}
	if w, h, ok := bytes.Cut(cellAt(cells, b.resolution), []byte("x")); ok && !s.Known() {
		s.Width, s.Height = pixels(w), pixels(h)
	}
	if b.class.onMedia() {
		s = gaze.Screen{Width: pixels(cellAt(cells, b.mediaW)), Height: pixels(cellAt(cells, b.mediaH))}
	}
	if !s.Known() {
		return gaze.Screen{}
	}
	return s
}

func pixels(cell []byte) int {
	v, ok := format.ParseNumber(cell, '.')
	if !ok {
		v, ok = format.ParseNumber(cell, ',')
	}
	if !ok || v < 1 || v > 1e5 {
		return 0
	}
	return int(math.Round(v))
}

func cellAt(cells [][]byte, column int) []byte {
	if column < 0 || column >= len(cells) {
		return nil
	}
	return bytes.TrimSpace(cells[column])
}

func text(cell []byte) string { return strings.ToValidUTF8(string(cell), "?") }
