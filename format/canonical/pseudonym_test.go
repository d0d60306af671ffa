package canonical_test

import (
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// names is no secret hash: it shows what was replaced.
var names = canonical.Names{Pseudonym: func(parts ...string) string { return "hash-of-" + strings.ToUpper(parts[0]) }}

func TestNames(t *testing.T) {
	for _, c := range []struct{ given, want gaze.Header }{
		{
			gaze.Header{Participant: "Jane", Session: "2", Task: "reading", Trial: "17", Stimulus: "dog.png"},
			gaze.Header{Participant: "hash-of-PARTICIP", Session: "2", Task: "reading", Trial: "17", Stimulus: "dog.png"},
		},
		{
			gaze.Header{Participant: "P01", Session: "2023-03-08", Trial: "picture of Jane", Stimulus: `C:\people\P01\stimuli\dog.png`},
			gaze.Header{Participant: "hash-of-PARTICIP", Session: "hash-of-SESSION", Trial: "hash-of-TRIAL", Stimulus: "dog.png"},
		},
		{
			gaze.Header{Participant: "Jane", Session: "autumn", Task: "autumn_task", Stimulus: "rec_JANE_3"},
			gaze.Header{Participant: "hash-of-PARTICIP", Session: "hash-of-SESSION", Task: "hash-of-TASK", Stimulus: "hash-of-STIMULUS"},
		},
		{
			gaze.Header{Session: "ses-02", Trial: "trial_005", Task: "20230308", Stimulus: "img_2023.11.5"},
			gaze.Header{Session: "ses-02", Trial: "trial_005", Task: "hash-of-TASK", Stimulus: "hash-of-STIMULUS"},
		},
		{
			gaze.Header{Session: "1-2", Trial: "12-03", Stimulus: "08.03.2023 dog", Task: "2011_dogs", Participant: "1"},
			gaze.Header{Session: "1-2", Trial: "hash-of-TRIAL", Stimulus: "hash-of-STIMULUS", Task: "2011_dogs", Participant: "hash-of-PARTICIP"},
		},
		{gaze.Header{Task: "people/"}, gaze.Header{Task: "hash-of-TASK"}},
	} {
		got := c.given
		if names.Replace(&got); got != c.want {
			t.Errorf("%+v\nbecomes %+v\nwant    %+v", c.given, got, c.want)
		}
	}
}

// The stream's own recordings keep their names.
func TestAnonymous(t *testing.T) {
	recs := gazetest.People(2)
	before := recs[1].Participant
	n := 0
	for r, err := range names.Anonymous(gazetest.Pieces(100, recs...)) {
		if err != nil || strings.Contains(r.Participant, before) {
			t.Errorf("%v %q", err, r.Participant)
		}
		n++
	}
	if n < 2 || recs[1].Participant != before {
		t.Errorf("%d pieces, %q", n, recs[1].Participant)
	}
}
