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
	if !r.block.begun {
		r.count.emptyBlocks++
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
	_, rest = cut(rest) // time
	word, after := cut(rest)
	if v, ok := format.ParseNumber(word, '.'); ok && v == math.Trunc(v) { // offset before the text
		word, after = cut(after)
	}
	switch string(word) {
	case "DISPLAY_COORDS", "GAZE_COORDS":
		r.coordinates(after)
	case "TRIALID":
		r.trialID(string(bytes.TrimSpace(after)))
	case "!V":
		r.picture(after)
	case "RECCFG":
		r.o.Report.Drop("RECCFG and tracker settings")
	case "!CAL", "VALIDATE":
		r.o.Report.DropIdentity("calibration coefficients and validation offsets (!CAL)")
	default:
		r.o.Report.DropIdentity("text of messages (MSG)")
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
	var v [4]float64
	var word []byte
	for i := range v {
		var ok bool
		word, rest = cut(rest)
		if v[i], ok = format.ParseNumber(word, '.'); !ok || math.Abs(v[i]) > 1e5 {
			r.count.badScreen++
			return
		}
	}
	w, h := extent(v[2]-v[0]), extent(v[3]-v[1])
	if w <= 1 || h <= 1 {
		r.count.badScreen++
		return
	}
	r.file = header{screen: gaze.Screen{Width: w, Height: h}, left: v[0], top: v[1]}
}

func extent(span float64) int {
	n := int(math.Round(span)) + 1
	if n%2 == 1 {
		n--
	}
	return n
}

// trialID names the block that is open, or the next one. In a block with
// several the first stays: it is one recording.
func (r *reader) trialID(id string) {
	if len(id) > maxName {
		id = id[:maxName]
	}
	id = strings.ToValidUTF8(id, "?")
	if !r.block.open {
		r.trial = id
		return
	}
	r.block.trials++
	if r.block.trials > 1 {
		r.count.moreTrials++
		return
	}
	r.trial = id
	if r.block.begun && !r.b.Given() {
		r.b.Header().Trial = id
	}
}
