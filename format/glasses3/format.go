package glasses3

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

const name = "tobii-glasses3"

// Format returns the format of Glasses 3 gaze streams. The streams of the other
// sensors (imudata, eventdata) are recognised as their companions.
func Format() format.Format {
	return format.Format{
		Name: name, Title: "Tobii Pro Glasses 3", Extensions: []string{".gz", ""},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, &o, yield) }
		},
	}
}

var notOurs = []string{`does not begin with a JSON object of "type", "timestamp" and "data"`}

func detect(h format.Head) format.Match {
	line, _, _ := bytes.Cut(bytes.TrimLeft(h.Text, " \t\r\n"), []byte("\n"))
	if len(line) == 0 || line[0] != '{' || value(line, "timestamp") == nil || value(line, "data") == nil {
		return format.Match{Why: notOurs}
	}
	kind, _, ok := bytes.Cut(bytes.TrimPrefix(value(line, "type"), []byte{'"'}), []byte{'"'})
	if !ok {
		return format.Match{Why: notOurs}
	}
	switch string(kind) {
	case "gaze":
		return format.Match{Score: 100, Why: []string{`JSON lines of "type":"gaze" with "timestamp" and "data"`}}
	case "imu", "syncport", "event":
		return format.Match{Score: 95, Why: []string{"JSON lines of another sensor, with \"timestamp\" and \"data\""}, Companion: "gazedata.gz"}
	}
	return format.Match{Why: []string{`JSON lines with "timestamp" and "data", but of no known "type"`}}
}
