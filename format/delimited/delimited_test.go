package delimited_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/delimited"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

const samples = `time_ms,gaze_x_px,gaze_y_px,name,recording_date,pupil
1000,512.5,384.25,Jane Roe,2023-05-06,3.1
1004,513.5,385.25,Jane Roe,2023-05-06,3.2
1008,,,Jane Roe,2023-05-06,
1012,515.5,387.25,Jane Roe,2023-05-06,3.4
`

const fixations = `subject;image;onset_ms;duration_ms;fix_x_px;fix_y_px
s1;a.jpg;100;200;10.5;20.5
s1;a.jpg;350;150;30.5;40.5
s1;b.jpg;90;210;50.5;60.5
s2;a.jpg;120;180;70.5;80.5
`

const binocular = `t	xl	yl	xr	yr	cl	cr	ok
0.000	0.1	0.2	0.3	0.4	0.9	0.9	1
0.008	0.5	0.6	0.7	0.8	0.9	0.2	1
0.016	0.5	0.6	0.7	0.8	0.9	0.9	0
`

func mapping(tb testing.TB, text string) *format.Mapping {
	tb.Helper()
	m, err := format.ParseMapping([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func comma(s string) []byte { return []byte(strings.NewReplacer(",", ";", ".", ",").Replace(s)) }

func fixtures(tb testing.TB) []formattest.Fixture {
	return []formattest.Fixture{
		{
			Name: "samples.csv", Data: []byte(samples), Recordings: 1, Samples: 4, Header: 1, Position: "513.5",
			Comma: comma(samples), Secrets: []string{"Jane", "2023", "387.25"},
		},
		{
			Name: "fixations.csv", Data: []byte(fixations), Recordings: 3, Fixations: 4, Header: 1, Position: "30.5",
			Comma: []byte(strings.ReplaceAll(strings.ReplaceAll(fixations, ".5", ",5"), ".jpg", ".jpg")),
		},
		{
			Name: "binocular.tsv", Data: []byte(binocular), Recordings: 1, Samples: 3, Header: 1,
			Options: format.Options{Mapping: mapping(tb, `
time: t
time_unit: s
x_left: xl
y_left: yl
x_right: xr
y_right: yr
unit: norm
confidence_left: cl
confidence_right: cr
min_confidence: 0.6
valid_when: ok == 1`)},
		},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, delimited.Format(), fixtures(t)...) }

func FuzzRead(f *testing.F) {
	all := fixtures(f)
	formattest.Fuzz(f, delimited.Format(), all[:2]...) // recognised by name
}

func FuzzReadMapped(f *testing.F) { formattest.Fuzz(f, delimited.Format(), fixtures(f)...) }

func read(t *testing.T, text, yaml string) formattest.Result {
	t.Helper()
	var o format.Options
	if yaml != "" {
		o.Mapping = mapping(t, yaml)
	}
	return formattest.Read(t, delimited.Format(), "S_1042_S2_TEX.csv", []byte(text), o)
}

func good(t *testing.T, text, yaml string) formattest.Result {
	t.Helper()
	r := read(t, text, yaml)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

const xy = "{time: t, time_unit: ms, x: x, y: y, unit: px"

func TestBinocular(t *testing.T) {
	r := good(t, binocular, fixtures(t)[2].Options.Mapping.YAML()).Recordings[0]
	l, rt := r.Samples.Tracks[gaze.Left], r.Samples.Tracks[gaze.Right]
	if l.X[1] != 0.5 || !math.IsNaN(rt.X[1]) || rt.Confidence[1] != 0.2 {
		t.Errorf("the right eye's low confidence must lose its position only: %+v", r.Samples.Tracks)
	}
	if !math.IsNaN(l.X[2]) || !math.IsNaN(rt.Y[2]) {
		t.Errorf("valid_when must lose both eyes: %+v", r.Samples.Tracks)
	}
	if r.Samples.T[2] != 16*time.Millisecond || r.Unit != gaze.Normalized {
		t.Errorf("%v %v", r.Samples.T, r.Unit)
	}
}

func TestFixationsOfManyPeople(t *testing.T) {
	r := good(t, fixations, "")
	second := r.Recordings[0].Fixations[1]
	want := gaze.Fixation{Start: 250 * time.Millisecond, Duration: 150 * time.Millisecond, X: 30.5, Y: 40.5}
	if !math.IsNaN(second.Pupil) {
		t.Errorf("pupil %v of a file without pupils", second.Pupil)
	}
	second.Pupil = 0
	if second != want {
		t.Errorf("fixation %+v, want %+v", second, want)
	}
	if h := r.Recordings[2].Header; h.Participant != "s2" || h.Stimulus != "a.jpg" {
		t.Errorf("header %+v", h)
	}
}

func TestFixationsWithoutOnsetFollowEachOther(t *testing.T) {
	r := good(t, "d,x,y\n100,1,1\n50,2,2\n30,3,3\n", "{duration: d, duration_unit: ms, x: x, y: y, unit: px}")
	if got := r.Recordings[0].Fixations[2].Start; got != 150*time.Millisecond {
		t.Errorf("third begins at %v, want 150ms", got)
	}
	if q := r.Report.Quirks(); len(q) == 0 || !strings.Contains(q[0].Text, "cumulated") {
		t.Errorf("quirks %v", q)
	}
}

func TestTimeBeginsAtZero(t *testing.T) {
	for unit, times := range map[string][2]string{
		"ns": {"1700000000000000000", "1700000000004000000"}, "100ns": {"638000000000000000", "638000000000040000"},
		"s": {"1.000", "1.004"}, "us": {"-4000", "0"}, "datetime": {"2023-05-06 12:00:00.000", "2023-05-06 12:00:00.004"},
	} {
		r := good(t, fmt.Sprintf("t;x;y\n%s;1;2\n%s;3;4\n", times[0], times[1]), strings.Replace(xy, "ms", unit, 1)+"}")
		if got := r.Recordings[0].Samples.T; got[0] != 0 || got[1] != 4*time.Millisecond {
			t.Errorf("%s: times %v, want 0 and 4ms", unit, got)
		}
	}
}

func TestTimeOriginZeroRefusesAbsoluteTimes(t *testing.T) {
	r := good(t, "t,x,y\n120,1,2\n124,3,4\n", xy+", time_origin: zero}")
	if r.Recordings[0].Samples.T[0] != 120*time.Millisecond {
		t.Errorf("times %v", r.Recordings[0].Samples.T)
	}
	if r := read(t, "t,x,y\n1700000000000,1,2\n1700000000004,3,4\n", xy+", time_origin: zero}"); r.Err == nil {
		t.Error("a Unix time passes as a time since the recording's start")
	}
}

func TestRowsWithoutTimeUseTheRate(t *testing.T) {
	r := good(t, "x,y\n1,2\n3,4\n5,6\n", "{x: x, y: y, unit: px, sampling_rate: 50}")
	if got := r.Recordings[0]; got.Samples.T[2] != 40*time.Millisecond || got.Rate != 50 {
		t.Errorf("%v %v", got.Samples.T, got.Rate)
	}
	r = good(t, "frame,x,y\n10,1,2\n12,3,4\n", "{time: frame, time_unit: samples, x: x, y: y, unit: px, sampling_rate: 50}")
	if got := r.Recordings[0].Samples.T; got[1] != 40*time.Millisecond {
		t.Errorf("%v", got)
	}
}

// rowsOf writes rows of the given people with x counting up per person.
func rowsOf(order string) string {
	var b strings.Builder
	b.WriteString("t,x,y,who\n")
	n := make(map[rune]int)
	for _, who := range order {
		n[who]++
		fmt.Fprintf(&b, "%d,%d,0,%c\n", 10*n[who], n[who], who)
	}
	return b.String()
}

func TestMixedRowsAreSortedIntoRecordings(t *testing.T) {
	r := good(t, rowsOf(strings.Repeat("abcb", 500)), xy+", participant: who}")
	if len(r.Recordings) != 3 {
		t.Fatalf("%d recordings, want 3", len(r.Recordings))
	}
	for _, rec := range r.Recordings {
		for i, x := range rec.Samples.Tracks[gaze.Cyclopean].X {
			if x != float64(i+1) {
				t.Fatalf("%s: x[%d] = %v", rec.Participant, i, x)
			}
		}
	}
}

func TestLongRecordingsComeInPieces(t *testing.T) {
	order := strings.Repeat("a", 150_000) + strings.Repeat("b", 70_000) + strings.Repeat("a", 10)
	r := good(t, rowsOf(order), xy+", participant: who}")
	for i, want := range []struct {
		who     string
		samples int
		first   time.Duration
	}{
		{"a", 150_000, 0}, {"b", 70_000, 0},
		{"a", 10, 150_000 * 10 * time.Millisecond}, // b's pieces closed a; its time axis goes on
	} {
		got := r.Recordings[i]
		if got.Participant != want.who || got.Samples.Len() != want.samples || got.Samples.T[0] != want.first {
			t.Errorf("recording %d: %s, %d samples from %v; want %+v", i, got.Participant, got.Samples.Len(), got.Samples.T[0], want)
		}
	}
	if len(r.Recordings) != 3 {
		t.Errorf("%d recordings", len(r.Recordings))
	}
}

func TestMixingIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("t,x,y,who\n")
	for round := range 3 {
		for who := range 3000 {
			fmt.Fprintf(&b, "%d,%d,0,p%d\n", 10*round, round, who)
		}
	}
	r := good(t, b.String(), xy+", participant: who}")
	total, late := 0, false
	for _, rec := range r.Recordings {
		total += rec.Samples.Len()
		late = late || rec.Samples.T[0] > 0
	}
	if total != 9000 || len(r.Recordings) <= 3000 || !late {
		t.Errorf("%d samples in %d recordings, later parts go on in time: %v", total, len(r.Recordings), late)
	}
	found := false
	for _, q := range r.Report.Quirks() {
		found = found || strings.Contains(q.Text, "in parts")
	}
	if !found {
		t.Errorf("quirks %v do not say so", r.Report.Quirks())
	}
}

func TestEyeColumn(t *testing.T) {
	r := good(t, "t,eye,x,y\n0,L,1,2\n0,R,3,4\n5,R,7,8\n5,L,5,6\n10,L,9,9\n15,?,1,1\n", xy+", eye: eye}")
	s := r.Recordings[0].Samples
	l, rt := s.Tracks[gaze.Left], s.Tracks[gaze.Right]
	if s.Len() != 3 || l.X[0] != 1 || rt.X[0] != 3 || l.X[1] != 5 || rt.X[1] != 7 || !math.IsNaN(rt.X[2]) {
		t.Errorf("left %v right %v", l.X, rt.X)
	}
}

func TestLabelsAndSignals(t *testing.T) {
	r := good(t, "t,x,y,lab,o\n0,1,2,1,0.5\n1,1,2,2.0,\n2,1,2,,1\n3,1,2,blink,NaN\n",
		xy+", label: {column: lab, values: {1: fixation, 2: saccade, '*': noise}}, signals: [{name: openness, column: o}]}")
	s := r.Recordings[0].Samples
	want := []gaze.Label{gaze.InFixation, gaze.InSaccade, gaze.Unlabelled, gaze.InNoise}
	for i, l := range want {
		if s.Labels[i] != l {
			t.Errorf("label %d is %v, want %v", i, s.Labels[i], l)
		}
	}
	if s.Signals[0].Name != "openness" || s.Signals[0].Values[0] != 0.5 || !math.IsNaN(s.Signals[0].Values[1]) {
		t.Errorf("%+v", s.Signals)
	}
}

func TestDirtyTables(t *testing.T) {
	for name, c := range map[string]struct {
		text, yaml string
		rows       int
		x          float64 // of the last row
		quirk      string
	}{
		"trailing delimiter":    {"t;x;y;\n0;1;2;\n1;3;4;\n", xy + "}", 2, 3, ""},
		"equal names":           {"x,t,x,y\n7,0,1,2\n7,1,3,4\n", "{time: t, time_unit: ms, x: 'x#2', y: y}", 2, 3, "occurs again"},
		"quotes":                {"t,n,x,y\n0,\"a,\"\"b\"\"\",1,2\n1,\"c\nd\",3,4\n2,e,\"5\",6\n", xy + "}", 3, 5, ""},
		"blanks":                {"  t   x  y\n 0   1  2\n 10  3  4\n", xy + "}", 2, 3, ""},
		"short row":             {"t,x,y\n0,1,2\n1\n2,3,4\n", xy + "}", 2, 3, "too few"},
		"comments":              {"# made by\n# a script\nt,x,y\n0,1,2\n1,3,4\n", xy + "}", 2, 3, "before the header"},
		"text before the table": {"Exported 2020\nby lab\n\nt\tx\ty\n0\t1\t2\n1\t3\t4\n", xy + "}", 2, 3, "before the header"},
		"rows of other kinds":   {"kind,t,x,y\ng,0,1,2\nm,1,,\ng,2,3,4\n", xy + ", rows_where: kind == g}", 2, 3, "rows_where"},
		"no time in a row":      {"t,x,y\n0,1,2\n,9,9\n2,3,4\n", xy + "}", 2, 3, "time stamp"},
		"null values":           {"t,x,y\n0,1,2\n1,-1,5\n2,3,4\n", xy + ", null_values: [-1, -32768.00]}", 3, 3, ""},
		"no header":             {"0,1,2\n1,3,4\n", "{columns: [t, x, y], time: t, time_unit: ms, x: x, y: y, unit: px}", 2, 3, ""},
		"no header, by number":  {"0 1 2\n1 3 4\n", "{time: '#1', time_unit: ms, x: '#2', y: '#3', unit: px}", 2, 3, ""},
		"other case":            {"T, X, Y\n0,1,2\n1,3,4\n", xy + "}", 2, 3, ""},
		"backwards":             {"t,x,y\n5,1,2\n1,3,4\n", xy + "}", 2, 3, "backwards"},
		"offset":                {"t,x,y\n0,1,2\n1,2,4\n", xy + ", x_offset: 1}", 2, 3, ""},
		"NaN time":              {"t,x,y\n0,1,2\nNaN,1,1\n1,3,3\n", xy + "}", 2, 3, "time stamp"},
		"time beyond reach":     {"t,x,y\n0,1,2\n9e17,1,1\n1,3,3\n", xy + "}", 2, 3, "out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good(t, c.text, c.yaml)
			s := r.Recordings[0].Samples
			if x := s.Tracks[gaze.Cyclopean].X; s.Len() != c.rows || x[s.Len()-1] != c.x {
				t.Errorf("x = %v, want %d rows, the last %v", x, c.rows, c.x)
			}
			if c.quirk != "" {
				found := false
				for _, q := range r.Report.Quirks() {
					found = found || strings.Contains(q.Text, c.quirk)
				}
				if !found {
					t.Errorf("quirks %v, want one about %q", r.Report.Quirks(), c.quirk)
				}
			}
		})
	}
}

func TestNamesFromTheFileName(t *testing.T) {
	const pattern = ", filename_pattern: 'S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv'"
	h := good(t, "t,x,y\n0,1,2\n1,3,4\n", xy+pattern+"}").Recordings[0].Header
	if h.Participant != "042" || h.Session != "2" || h.Task != "TEX" {
		t.Errorf("%+v", h)
	}
	h = good(t, "t,x,y\n0,1,2\n1,3,4\n", xy+pattern+", session: '{round_id}-{session_id}', participant: 'p{subject_id}'}").Recordings[0].Header
	if h.Participant != "p042" || h.Session != "1-2" {
		t.Errorf("%+v", h)
	}
	if r := read(t, "t,x,y\n0,1,2\n", xy+pattern+", participant: '{name}'}"); r.Err == nil {
		t.Error("a field that the pattern does not have")
	}
}

func TestSpellings(t *testing.T) {
	r := good(t, "t,x,y,who\n0,1,2,S1\n1,1,2,s 1\n2,1,2,S2\n", xy+", participant: who}")
	if len(r.Recordings) != 3 {
		t.Errorf("%d recordings: names that differ are kept apart", len(r.Recordings))
	}
	for _, q := range r.Report.Quirks() {
		if strings.Contains(q.Text, "case or blanks") && q.Count == 1 {
			return
		}
	}
	t.Errorf("quirks %v", r.Report.Quirks())
}

func TestErrorsAreLocatedAndSilentAboutValues(t *testing.T) {
	for name, c := range map[string]struct{ text, yaml, want string }{
		"no such column":    {"t,a,y\n0,1,2\n", xy + "}", `no column "x"; the file has: t, a, y`},
		"header of numbers": {"517.25,384.5,3\n518.25,385.5,4\n", xy + "}", "the file has: #1, #2, #3"},
		"no numbers":        {"t,x,y\n0,left,top\n1,right,low\n", xy + "}", ":2: the cells of x and y are no numbers"},
		"no times":          {"t,x,y\nnow,1,2\nthen,3,4\n", xy + "}", "no row has a readable time stamp"},
		"open quote":        {"t,x,y,n\n0,1,2,\"a\n" + strings.Repeat("1,2,3,b\n", 100), xy + "}", ":2: a quoted field is not closed"},
		"no rows":           {"k,t,x,y\na,0,1,2\n", xy + ", rows_where: k == b}", "rows_where"},
	} {
		r := read(t, c.text, c.yaml)
		var s *format.SyntaxError
		if !errors.As(r.Err, &s) || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: error %v, want a SyntaxError with %q", name, r.Err, c.want)
		}
		if r.Err != nil && strings.Contains(r.Err.Error(), "517.25") {
			t.Errorf("%s: the error quotes data: %v", name, r.Err)
		}
	}
}

// The header line may be a comment, as numpy writes it.
func TestHeaderInAComment(t *testing.T) {
	for name, c := range map[string]struct{ text, yaml string }{
		"recognised":       {"# time_ms,x_px,y_px\n0,1,2\n4,3,4\n", ""},
		"after others":     {"# made by a program\n# time_ms,x_px,y_px\n0,1,2\n4,3,4\n", ""},
		"other delimiter":  {"% time_ms x_px y_px\n0,1,2\n4,3,4\n", ""},
		"blanks":           {"# time_ms x_px y_px\n0 1 2\n4 3 4\n", ""},
		"tab":              {"#\ttime_ms\tx_px\ty_px\n1\t0\t1\t2\n2\t4\t3\t4\n", ""},
		"number column":    {"#,time_ms,x_px,y_px\n1,0,1,2\n2,4,3,4\n", ""},
		"by a mapping":     {"//a;b;c\n0;1;2\n4;3;4\n", "{time: a, time_unit: ms, x: b, y: c, unit: px}"},
		"its own mark":     {"!a;b;c\n0;1;2\n4;3;4\n", "{comment: '!', time: a, time_unit: ms, x: b, y: c, unit: px}"},
		"comments between": {"# time_ms,x_px,y_px\n0,1,2\n# a pause\n4,3,4\n", ""},
	} {
		r := good(t, c.text, c.yaml)
		s := r.Recordings[0].Samples
		if s.Len() != 2 || s.Tracks[gaze.Cyclopean].X[1] != 3 || s.T[1] != 4*time.Millisecond {
			t.Errorf("%s: %+v", name, s)
		}
	}
	r := read(t, "# Jane Roe, room 7\n0,700\n4,701\n", "")
	if r.Err == nil || strings.Contains(r.Err.Error(), "Jane") {
		t.Errorf("a comment is taken for names of columns: %v", r.Err)
	}
}
