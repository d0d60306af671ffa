package delimited_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/delimited"
	"github.com/gazeward/gazeward/gaze"
)

// rows writes a header and rows of time, then values.
func rows(header, delimiter string, step float64, values ...string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%v", 1000+float64(i)*step)
		for _, v := range values {
			b.WriteString(delimiter + v)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRecognised(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		unit gaze.Unit
		eyes string
	}{
		"suffixes":      {rows("timestamp_ms,gaze_x_px,gaze_y_px", ",", 4, "700.5", "300.5"), gaze.Pixels, "[cyclopean]"},
		"brackets":      {rows("timestamp [ns],gaze x [px],gaze y [px]", ",", 4e6, "100.5", "300.5"), gaze.Pixels, "[cyclopean]"},
		"round":         {rows("Time (ms)\tX (deg)\tY (deg)", "\t", 4, "1.5", "-3.5"), gaze.Degrees, "[cyclopean]"},
		"norm":          {rows("time_s;norm_pos_x;norm_pos_y;confidence", ";", 0.005, "0.5", "0.5", "0.9"), gaze.Normalized, "[cyclopean]"},
		"large values":  {rows("time_us|x|y", "|", 4000, "1200", "800"), gaze.Pixels, "[cyclopean]"},
		"both eyes":     {rows("time_ms,left_x_px,left_y_px,right_x_px,right_y_px", ",", 4, "1", "2", "3", "4"), gaze.Pixels, "[left right]"},
		"capital":       {rows("TIME_MS,X_PX,Y_PX", ",", 4, "1", "2"), gaze.Pixels, "[cyclopean]"},
		"date and time": {"Timestamp,x_px,y_px\n2023-05-06 12:00:00.000,1,2\n2023-05-06 12:00:00.010,1,2\n", gaze.Pixels, "[cyclopean]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good(t, c.text, "")
			rec := r.Recordings[0]
			if got := fmt.Sprint(rec.Eyes()); rec.Unit != c.unit || got != c.eyes {
				t.Errorf("%v %s, want %v %s", rec.Unit, got, c.unit, c.eyes)
			}
		})
	}
}

// What the names do not say is not guessed in silence: the error carries a
// mapping that reads the file as it stands.
func TestSuggestionWorks(t *testing.T) {
	for name, c := range map[string]struct{ text, missing, unit string }{
		"s":           {rows("time,x,y", ",", 0.0125, "700", "300"), "unit of the time", "time_unit: s"},
		"ms":          {rows("t,gaze_x,gaze_y,subject,trial", ",", 16.67, "700", "300", "s1", "4"), "unit of the time", "time_unit: ms"},
		"us":          {rows("timestamp\tx\ty", "\t", 3333, "700", "300"), "unit of the time", "time_unit: us"},
		"ns":          {rows("timestamp;x;y", ";", 5e6, "700", "300"), "unit of the time", "time_unit: ns"},
		"norm":        {rows("time_ms,x,y", ",", 4, "0.5", "0.25"), "unit of the positions", "unit: norm"},
		"deg":         {rows("time_ms,x,y", ",", 4, "10.5", "-4"), "unit of the positions", "unit: deg"},
		"fixations":   {"image,duration,x,y\na.jpg,210,700,300\na.jpg,180,750,300\n", "unit of the duration", "duration_unit: ms"},
		"comma":       {strings.ReplaceAll(rows("time;x;y", ";", 0.0125, "700.5", "300.5"), ".", ","), "unit of the time", "decimal: ','"},
		"lines above": {"my lab\nmy study\n" + rows("time,x,y", ",", 4, "700", "300"), "unit of the time", "skip_lines: 2"},
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, c.text, "")
			var u *format.UnknownError
			if !errors.As(r.Err, &u) || !strings.Contains(u.Because, c.missing) {
				t.Fatalf("error %v, want one about %q", r.Err, c.missing)
			}
			if !strings.Contains(u.Suggestion, c.unit) {
				t.Errorf("suggestion lacks %q:\n%s", c.unit, u.Suggestion)
			}
			again := good(t, c.text, u.Suggestion)
			if n := len(again.Recordings); n != 1 {
				t.Errorf("%d recordings by the suggestion", n)
			}
		})
	}
}

func TestUnknownColumnsGiveATemplate(t *testing.T) {
	r := read(t, "foo,bar,baz\n1,2,3\n4,5,6\n", "")
	var u *format.UnknownError
	if !errors.As(r.Err, &u) || !u.Incomplete || !strings.Contains(u.Suggestion, "foo, bar, baz") {
		t.Errorf("%v", r.Err)
	}
	r = read(t, "517.25,384.5,3\n518.25,385.5,4\n", "")
	if !errors.As(r.Err, &u) || !u.Incomplete || strings.Contains(r.Err.Error(), "517") {
		t.Errorf("%v", r.Err)
	}
}

func TestDetectIsTheFallback(t *testing.T) {
	f := delimited.Format()
	if m := f.Detect(format.Head{Text: []byte(samples)}); m.Score != format.Maybe || !strings.Contains(strings.Join(m.Why, " "), "time_ms") {
		t.Errorf("%+v", m)
	}
	for name, text := range map[string]string{
		"prose": strings.Repeat("Call me Ishmael. Some years ago, never mind how long.\nI thought\n", 20),
		"JSON":  "{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": 2}\n",
		"ARFF":  "@RELATION gaze\n@ATTRIBUTE time NUMERIC\n@DATA\n1,2\n",
	} {
		if m := f.Detect(format.Head{Text: []byte(text)}); m.Score != format.No {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
