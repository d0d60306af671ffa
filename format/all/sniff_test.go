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
