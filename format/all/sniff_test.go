package all

import (
	"errors"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format"
)

// always makes a format that gives every file the same score.
func always(name string, score int) format.Format {
	return format.Format{Name: name, Detect: func(format.Head) format.Match {
		return format.Match{Score: score, Why: []string{name + " says so"}}
	}}
}

func TestTheBestScoreWins(t *testing.T) {
	f, m, err := sniff([]format.Format{always("a", format.Maybe), always("b", format.Certain), always("c", format.Likely)}, format.Head{})
	if f.Name != "b" || m.Score != format.Certain || err != nil {
		t.Errorf("%s %+v %v", f.Name, m, err)
	}
}

func TestATieIsAmbiguous(t *testing.T) {
	_, _, err := sniff([]format.Format{always("a", format.Likely), always("b", format.Maybe), always("c", format.Likely)}, format.Head{Name: "x"})
	var tie *format.AmbiguousError
	if !errors.As(err, &tie) || len(tie.Candidates) != 2 {
		t.Fatalf("error %v, want one about a and c", err)
	}
	for _, want := range []string{"a: a says so", "c: c says so"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// Files of other programs, often renamed, are refused with what to do about it.
func TestUnread(t *testing.T) {
	for name, raw := range map[string]string{
		"excel": "PK\x03\x04\x14\x00\x06\x00[Content_Types].xml", "excel-97": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "zip": "PK\x03\x04\x14\x00data.csv",
		"pdf": "%PDF-1.7\n", "picture": "\x89PNG\r\n\x1a\n", "sqlite": "SQLite format 3\x00", "spss": "$FL2@(#)", "r-data": "RDX3\nX\n", "pickle": "\x80\x04\x95\x00",
		"json": "\xef\xbb\xbf {\"t\": 1, \"x\": 2}\n", "markup": "<?xml version=\"1.0\"?>\n",
	} {
		text := []byte(strings.TrimPrefix(raw, "\xef\xbb\xbf")) // as an Input gives it
		if strings.Contains(raw, "\x00") || strings.Contains(raw, "\xff") {
			text = nil
		}
		f, _, err := Sniff(format.Head{Name: "a.csv", Raw: []byte(raw), Text: text})
		if err != nil || f.Name != name || f.Read != nil || f.Hint == "" {
			t.Errorf("%s: %q %v", name, f.Name, err)
		}
	}
}
