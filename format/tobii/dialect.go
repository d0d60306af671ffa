package tobii

import (
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// dialect is how one program names its columns, by their bases.
type dialect struct {
	name     string
	time     []string
	timeUnit string // of a time column that states none
	unit     gaze.Unit

	places, pupils         [3]string // by eye; x or y follows a place
	validities, pupilValid [3][]string
	valid                  func(cell []byte) bool
	minusOne               bool // -1, -1 is a lost position
}

var proLab = dialect{
	name: "tobii-pro-lab", time: []string{"recordingtimestamp"}, timeUnit: "us", unit: gaze.Pixels,
	places:     [3]string{"gazepoint", "gazepointleft", "gazepointright"},
	pupils:     [3]string{"pupildiameterfiltered", "pupildiameterleft", "pupildiameterright"},
	validities: [3][]string{gaze.Left: {"validityleft"}, gaze.Right: {"validityright"}},
	valid:      func(cell []byte) bool { return strings.EqualFold(string(cell), "Valid") || upToOne(cell) },
}

var studio = dialect{
	name: "tobii-studio", time: []string{"recordingtimestamp"}, timeUnit: "ms", unit: gaze.Pixels,
	places:     [3]string{"gazepoint", "gazepointleft", "gazepointright"},
	pupils:     [3]string{"", "pupilleft", "pupilright"},
	validities: [3][]string{gaze.Left: {"validityleft"}, gaze.Right: {"validityright"}},
	valid:      upToOne,
}

var sdk = dialect{
	name: "tobii-sdk", time: []string{"devicetimestamp", "systemtimestamp"}, timeUnit: "us", unit: gaze.Normalized,
	places: [3]string{"", "leftgazepointondisplayarea", "rightgazepointondisplayarea"},
	pupils: [3]string{"", "leftpupildiameter", "rightpupildiameter"},
	validities: [3][]string{
		gaze.Left: {"leftgazepointvalidity", "leftgazepointvalid"}, gaze.Right: {"rightgazepointvalidity", "rightgazepointvalid"},
	},
	pupilValid: [3][]string{
		gaze.Left: {"leftpupilvalidity", "leftpupilvalid"}, gaze.Right: {"rightpupilvalidity", "rightpupilvalid"},
	},
	valid: func(cell []byte) bool {
		v, ok := format.ParseNumber(cell, '.')
		return ok && v == 1 || strings.EqualFold(string(cell), "true") || strings.EqualFold(string(cell), "valid")
	},
}

// analytics is the older SDK's naming (Tobii Analytics SDK, TX300).
var analytics = dialect{
	name: "tobii-sdk", time: []string{"time"}, timeUnit: "us", unit: gaze.Normalized,
	places:     [3]string{"", "lgazepos2d", "rgazepos2d"},
	pupils:     [3]string{"", "lpupildm", "rpupildm"},
	validities: [3][]string{gaze.Left: {"lvalidity"}, gaze.Right: {"rvalidity"}},
	valid:      upToOne, minusOne: true,
}

// upToOne is Tobii's older validity code: 0 and 1 say that the eye was found,
// 2 that it is not known which one was, 3 and 4 that it was not.
func upToOne(cell []byte) bool {
	v, ok := format.ParseNumber(cell, '.')
	return ok && v >= 0 && v <= 1
}

// class is a system of coordinates with its unit, as columns state it.
type class struct {
	systems []string
	unit    string // as in the columns' names; empty also stands for none stated
}

func (c class) holds(col column) bool {
	for _, s := range c.systems {
		if col.system == s && (col.unit == c.unit || c.unit == "px" && col.unit == "" && s == "") {
			return true
		}
	}
	return false
}

// classes in the order in which they are taken: the display in px, the
// recording (scene video), the media, and mm last, because the corner they are
// measured from is not stated.
var classes = [...]class{
	{[]string{"", "dacs", "adcs"}, "px"}, {[]string{"rcs"}, "px"}, {[]string{"mcs"}, "px"}, {[]string{"mcs"}, "norm"},
	{[]string{"dacs", "adcs", "rcs"}, "norm"}, {[]string{"dacs", "adcs", "rcs"}, "mm"},
}

func (c class) gazeUnit(stated gaze.Unit) gaze.Unit {
	switch c.unit {
	case "px":
		return stated
	case "norm":
		return gaze.Normalized
	}
	return gaze.Millimetres
}

// onMedia reports whether positions are measured on the presented media or in
// the scene video.
func (c class) onMedia() bool { return c.systems[0] == "mcs" }
