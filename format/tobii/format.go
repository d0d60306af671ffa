package tobii

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// ProLab returns the format of Tobii Pro Lab's data exports (.tsv).
func ProLab() format.Format {
	return format.Format{
		Name: proLab.name, Title: "Tobii Pro Lab", Extensions: []string{".tsv", ".txt", ".csv"},
		Detect: detectProLab,
		Read:   reading(func(*table) *dialect { return &proLab }),
	}
}

// Studio returns the format of Tobii Studio's data exports.
func Studio() format.Format {
	return format.Format{
		Name: studio.name, Title: "Tobii Studio", Extensions: []string{".tsv", ".csv"},
		Detect: detectStudio,
		Read:   reading(func(*table) *dialect { return &studio }),
	}
}

// SDK returns the format of tables of the Tobii Pro SDK (Titta and the like)
// and of its predecessor, the Tobii Analytics SDK.
func SDK() format.Format {
	return format.Format{
		Name: sdk.name, Title: "Tobii SDK, Titta", Extensions: []string{".tsv", ".csv", ".txt"},
		Detect: detectSDK,
		Read: reading(func(t *table) *dialect {
			if t.at(analytics.places[gaze.Left]+"x", analytics.places[gaze.Right]+"x") >= 0 {
				return &analytics
			}
			return &sdk
		}),
	}
}

func reading(choose func(*table) *dialect) func(*format.Input, format.Options) gaze.Seq {
	return func(in *format.Input, o format.Options) gaze.Seq {
		return func(yield func(*gaze.Recording, error) bool) { read(in, &o, choose, yield) }
	}
}

// header takes the first line of a file's beginning apart.
func header(text []byte) table {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\r"))
	return look(line)
}

// marks are columns of gaze one of which a table must have.
var marks = []string{"gazepointx", "gazepointleftx", "gazepointrightx", "eyemovementtype", "gazeeventtype", "fixationpointx", "pupildiameterleft", "pupilleft"}

func detectProLab(h format.Head) format.Match {
	t := header(h.Text)
	return judge(t.has("Recording timestamp"), "Recording timestamp", &t, marks)
}

func detectStudio(h format.Head) format.Match {
	t := header(h.Text)
	return judge(t.has("RecordingTimestamp"), "RecordingTimestamp", &t, marks)
}

func detectSDK(h format.Head) format.Match {
	t := header(h.Text)
	if t.at("lvalidity", "rvalidity") >= 0 {
		if m := judge(t.at("time") >= 0, "Time", &t, []string{"lgazepos2dx", "rgazepos2dx"}); m.Score > format.No {
			return m
		}
	}
	return judge(t.has("device_time_stamp") || t.has("system_time_stamp"), "device_time_stamp (or system_time_stamp)", &t,
		[]string{"leftgazepointondisplayareax", "rightgazepointondisplayareax", "leftpupildiameter", "rightpupildiameter"})
}

// judge wants a column of time, as it is written, and one of the marks.
func judge(timed bool, time string, t *table, marks []string) format.Match {
	at := t.at(marks...)
	switch {
	case !timed:
		return format.Match{Why: []string{"no header line with " + time}}
	case at < 0:
		return format.Match{Why: []string{"a column " + time + ", but none of gaze, pupils or eye movements"}}
	}
	return format.Match{Score: 95, Why: []string{"columns " + time + " and " + format.DisplayName(t.columns[at].name)}}
}
