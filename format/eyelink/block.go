package eyelink

import (
	"bytes"
	"math"
	"path"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// maxName is the most of a trial's or picture's name that is kept, in bytes.
const maxName = 200

// header is what lines outside of blocks state.
type header struct {
	screen    gaze.Screen
	left, top float64 // of the display's coordinates
}

// startLine opens a block; one that never ended (the recording was aborted) is
// closed first.
func startLine(r *reader, rest []byte) {
	word, rest := cut(rest)
	stamp, ok := format.ParseStamp(word, '.')
	if !ok {
		r.count.incomplete++
		return
	}
	if r.block.open {
		r.count.unended++
		r.close()
	}
	r.start(stamp)
	for _, w := range bytes.Fields(rest) {
		r.block.eye(w)
	}
}

func (r *reader) start(zero format.Stamp) {
	r.block = block{open: true, positions: "GAZE", events: "GAZE", pupil: r.block.pupil}
	r.clock.Start(zero)
	r.count.blocks++
	if r.trial != "" {
		r.block.trials = 1
	}
}

// eye adds LEFT or RIGHT to the block's eyes.
func (k *block) eye(word []byte) bool {
	e := gaze.Left
	switch string(word) {
	case "LEFT":
	case "RIGHT":
		e = gaze.Right
	default:
		return false
	}
	for _, have := range k.eyes {
		if have == e {
			return true
		}
	}
	k.eyes = append(k.eyes, e)
	return true
}

func endLine(r *reader, _ []byte) {
	if !r.block.open {
		return
	}
	r.close()
}

func (r *reader) close() {
	r.b.End()
	switch {
	case !r.block.used:
		r.count.emptyBlocks++
	case !r.block.begun && r.block.fresh:
		r.count.noTrial++
	}
	r.block = block{pupil: r.block.pupil}
	r.trial, r.stimulus = "", ""
}

// samplesLine tells what a block's sample lines hold:
// SAMPLES GAZE LEFT [RIGHT] [VEL] [RES] [HTARGET] RATE 1000.00 TRACKING CR ... [INPUT].
func samplesLine(r *reader, rest []byte) {
	k := &r.block
	if !k.open {
		return
	}
	if k.begun { // described anew: a block in the block
		r.b.End()
		k.begun = false
	}
	words := bytes.Fields(rest)
	k.eyes = k.eyes[:0]
	for i, w := range words {
		if k.eye(w) {
			continue
		}
		switch string(w) {
		case "GAZE", "HREF", "PUPIL":
			k.positions = string(w)
		case "RATE":
			k.rate = rateAt(words, i+1)
		case "VEL":
			r.o.Report.Drop("velocity")
		case "RES":
			r.o.Report.Drop("resolution")
		case "INPUT":
			r.o.Report.Drop("input port")
		case "BUTTONS", "BUTTON":
			r.o.Report.Drop("buttons")
		case "HTARGET":
			r.o.Report.Drop("head target position and distance")
		}
	}
}

func rateAt(words [][]byte, i int) gaze.Hertz {
	if i >= len(words) {
		return 0
	}
	v, ok := format.ParseNumber(words[i], '.')
	if !ok || v <= 0 || v > 1e5 {
		return 0
	}
	return gaze.Hertz(v)
}

// eventsLine tells what events are measured in; eyes and rate count where the
// file has no samples.
func eventsLine(r *reader, rest []byte) {
	k := &r.block
	words := bytes.Fields(rest)
	for i, w := range words {
		switch string(w) {
		case "GAZE", "HREF", "PUPIL":
			k.events = string(w)
		case "RATE":
			if k.rate == 0 {
				k.rate = rateAt(words, i+1)
			}
		}
	}
}

func pupilLine(r *reader, rest []byte) {
	word, _ := cut(rest)
	switch string(word) {
	case "AREA":
		r.block.pupil = gaze.PupilArea
	case "DIAMETER":
		r.block.pupil = gaze.PupilDiameter
	}
}

// message reads the few messages that describe the recording; all others are
// free text and dropped.
func message(r *reader, rest []byte) {
	stamp, text := cut(rest)
	at, timed := format.ParseStamp(stamp, '.')
	word, after := cut(text)
	if v, ok := format.ParseNumber(word, '.'); ok && v == math.Trunc(v) { // offset before the text
		text = after
		word, after = cut(text)
	}
	switch string(word) {
	case "DISPLAY_COORDS", "GAZE_COORDS":
		r.coordinates(after)
	case "TRIALID":
		r.trialID(string(bytes.TrimSpace(after)), at, timed)
	case "!V":
		r.picture(after)
	case "RECCFG":
		r.o.Report.Drop("RECCFG and tracker settings")
	case "!CAL", "VALIDATE":
		r.o.Report.DropIdentity("calibration coefficients and validation offsets (!CAL)")
	case "!CMD":
		if _, command := cut(after); !r.setting(command) { // after the tracker's answer
			r.o.Report.DropIdentity("text of messages (MSG)")
		}
	default:
		if !r.setting(text) {
			r.o.Report.DropIdentity("text of messages (MSG)")
		}
	}
}

// picture takes the name of the picture shown from !V IMGLOAD FILL dir/a.png;
// all else that Data Viewer is told is dropped.
func (r *reader) picture(rest []byte) {
	word, rest := cut(rest)
	if string(word) != "IMGLOAD" {
		r.o.Report.DropIdentity("text of messages (MSG)")
		return
	}
	_, rest = cut(rest) // FILL, CENTER, TOP_LEFT
	word, _ = cut(rest)
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(string(word), "?"), `\`, "/"))
	if len(word) == 0 || len(name) > maxName {
		return
	}
	r.stimulus = name
	if r.block.begun && !r.b.Given() && r.b.Header().Stimulus == "" {
		r.b.Header().Stimulus = name
	}
}

// coordinates reads left top right bottom, which are inclusive: 0 0 1279 1023
// is 1280 by 1024. Some experiments state 0 0 1920 1080 for a screen of that
// size, recognisable by the odd number that adding one would give.
func (r *reader) coordinates(rest []byte) {
	v, n := numbers(rest)
	w, h := extent(v[2]-v[0]), extent(v[3]-v[1])
	if n < 4 || w <= 1 || h <= 1 {
		r.count.badScreen++
		return
	}
	r.file.left, r.file.top = v[0], v[1]
	r.file.screen.Width, r.file.screen.Height = w, h
}

func extent(span float64) int {
	n := int(math.Round(span)) + 1
	if n%2 == 1 {
		n--
	}
	return n
}

// numbers reads up to four numbers that blanks, commas or = separate.
func numbers(rest []byte) (v [4]float64, n int) {
	words := bytes.FieldsFunc(rest, func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '=' })
	for _, w := range words[:min(len(words), len(v))] {
		x, ok := format.ParseNumber(w, '.')
		if !ok || math.Abs(x) > 1e5 {
			break
		}
		v[n] = x
		n++
	}
	return v, n
}

// What a screen and a distance in mm can be. Outside lie centimetres and pixels
// in place of millimetres.
const (
	minScreen, maxScreen     = 100, 10_000
	minDistance, maxDistance = 100, 20_000
)

// setting reads the screen's size and distance from tracker commands that the
// file repeats, in mm: screen_phys_coords = -260 147 260 -147 (left top right
// bottom, from the centre); screen_distance = 600 660 (of the upper and lower
// edge); simulation_screen_distance = 700. false if it is none of them.
func (r *reader) setting(command []byte) bool {
	i := bytes.IndexAny(command, " \t=")
	if i < 0 {
		return false
	}
	v, n := numbers(command[i:])
	s := &r.file.screen
	switch strings.ToLower(string(command[:i])) {
	case "screen_phys_coords", "screen_phys_coord":
		w, h := math.Abs(v[2]-v[0]), math.Abs(v[3]-v[1])
		if n < 4 || w < minScreen || w > maxScreen || h < minScreen || h > maxScreen || math.Abs(w-float64(s.Width)) <= 1 {
			r.count.badScreen++
			return true
		}
		s.WidthCm, s.HeightCm = w/10, h/10
	case "screen_distance", "simulation_screen_distance":
		mm := v[0]
		if n == 2 {
			mm = (v[0] + v[1]) / 2
		}
		if n == 0 || mm < minDistance || mm > maxDistance {
			r.count.badScreen++
			return true
		}
		s.DistanceCm = mm / 10
	default:
		return false
	}
	return true
}

// trialID names the block that is open, or the next one. A further one in a
// block begins a recording of its own.
func (r *reader) trialID(id string, at format.Stamp, timed bool) {
	if len(id) > maxName {
		id = id[:maxName]
	}
	id = strings.ToValidUTF8(id, "?")
	k := &r.block
	switch {
	case !k.open:
		r.trial = id
		return
	case id == r.trial && k.trials > 0: // said again
		return
	case k.begun && (k.trials > 0 || r.b.Given()):
		r.split(at, timed)
	case k.trials > 0:
		r.count.noTrial++
	case k.begun:
		r.b.Header().Trial = id
	}
	k.trials++
	r.trial = id
}

// split ends the recording of a trial within a block; what follows is the next
// trial's, with times from its TRIALID on.
func (r *reader) split(at format.Stamp, timed bool) {
	k := &r.block
	r.b.End()
	k.begun, k.fresh, r.stimulus = false, true, ""
	r.count.splits++
	shift, ok := r.clock.Since(at)
	if !timed || !ok {
		return
	}
	r.clock.Start(at)
	k.last -= shift
	for e := range k.until {
		k.until[e] -= shift
	}
}
