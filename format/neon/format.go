package neon

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

const name = "neon-native"

// Format returns the format of Neon's native recordings.
func Format() format.Format {
	return format.Format{
		Name: name, Title: "Pupil Labs Neon (native)", Extensions: []string{".raw"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, &o, yield) }
		},
	}
}

// part names the files of one part of a recording: of the part with a number,
// or of the gaze that was computed again at 200 Hz (number 0).
type part int

func (p part) file(sensor, ending string) string {
	if p == 0 {
		return sensor + "_200hz" + ending
	}
	return sensor + " ps" + strconv.Itoa(int(p)) + ending
}

// partOf recognises the name of a sensor's file.
func partOf(file string) (sensor string, p part, ending string, ok bool) {
	file = strings.TrimSuffix(file, ".gz")
	dot := strings.LastIndexByte(file, '.')
	if dot < 0 {
		return "", 0, "", false
	}
	stem, ending := file[:dot], file[dot:]
	if sensor, ok = strings.CutSuffix(stem, "_200hz"); ok {
		return sensor, 0, ending, true
	}
	sensor, number, found := strings.Cut(stem, " ps")
	n, err := strconv.Atoi(number)
	return sensor, part(n), ending, found && err == nil && n > 0 && n < 10000
}

// sensors whose files belong to a recording.
var sensors = []string{"gaze", "worn", "eye_state", "fixations", "blinks", "imu", "event", "eyelid"}

func detect(h format.Head) format.Match {
	sensor, p, ending, ok := partOf(h.Name)
	if !ok {
		return detectLayout(h)
	}
	if sensor == "gaze" && ending == ".raw" {
		if p > 1 {
			return format.Match{Score: 90, Why: []string{"named as a further part of a recording"}, Companion: part(1).file("gaze", ".raw")}
		}
		if plausible(h.Raw) {
			return format.Match{Score: 90, Why: []string{"named " + p.file("gaze", ".raw") + " and holds pairs of float32 that can be pixels"}}
		}
		return format.Match{Why: []string{"named " + p.file("gaze", ".raw") + ", but does not hold pairs of float32"}}
	}
	for _, s := range sensors {
		if sensor == s && (ending == ".raw" || ending == ".time") {
			return format.Match{Score: 90, Why: []string{"named like a file of a Neon recording"}, Companion: part(1).file("gaze", ".raw")}
		}
	}
	return notOurs
}

var notOurs = format.Match{Why: []string{`not named "gaze ps1.raw" or like the files beside that`}}

// detectLayout recognises .dtype files.
func detectLayout(h format.Head) format.Match {
	if strings.HasSuffix(h.Name, ".dtype") && len(parseLayout(string(h.Text)).fields) > 0 {
		return format.Match{Score: 90, Why: []string{"named .dtype and lists fields of a record"}, Companion: part(1).file("gaze", ".raw")}
	}
	return notOurs
}

// plausible reports whether bytes can be pairs of coordinates in px: nearly all
// numbers are of their size, where those of anything else are seldom.
func plausible(raw []byte) bool {
	n, fit, zeros := 0, 0, 0
	for raw = raw[:min(len(raw), 800)&^7]; len(raw) > 0; raw = raw[4:] {
		v := math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
		switch {
		case v == 0:
			zeros++
			fit++
		case math.IsNaN(v), v > 1e-5 && v < 1e5:
			fit++
		}
		n++
	}
	return n > 0 && zeros < n && 5*fit >= 4*n
}
