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

// Where no name is known, values and likeness say enough for a mapping that
// reads the file; what is guessed is said.
func TestSuggestionFromValues(t *testing.T) {
	plain := func(header, delimiter string) string {
		var b strings.Builder
		b.WriteString(header)
		for i := range 40 {
			fmt.Fprintf(&b, "%d%s%g%s%g\n", 5000+4*i, delimiter, 700.25+float64(i%7), delimiter, 300.5-float64(i%5))
		}
		return b.String()
	}
	gazepoint := "CNT,TIME(2024/03/11 10:21:33.123),FPOGX,FPOGY,FPOGV,BPOGX,BPOGY,BPOGV\n"
	for i := range 40 {
		gazepoint += fmt.Sprintf("%d,%.5f,0.5,0.5,1,%.3f,0.25,%d\n", i, float64(i)/60, 0.5+float64(i%3)/100, min(i%10, 1))
	}
	for name, c := range map[string]struct {
		text, because, unit string
		lost                int
	}{
		"headless":         {plain("", ","), "without a header line", "px", 0},
		"headless, blanks": {plain("", " "), "without a header line", "px", 0},
		"other words":      {plain("laufzeit (ms);Ort X;Ort Y\n", ";"), "which columns are the positions", "px", 0},
		"nameless time":    {plain("foo;x;y\n", ";"), "which column is the time", "px", 0},
		"people in a row":  {plain("t_ms;P01_x;P01_y;P02_x;P02_y\n", ";"), "", "px", 0},
		"Gazepoint":        {gazepoint, "unit of the time", "norm", 4},
		"no time":          {"x,y\n" + strings.Repeat("700,300\n710,310\n", 10), "sampling_rate", "px", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "people") {
				c.text = strings.ReplaceAll(strings.ReplaceAll(c.text, ".5\n", ".5;1;2\n"), "P02_y;1;2", "P02_y")
				c.because = "side by side (P01, P02)"
			}
			r := read(t, c.text, "")
			var u *format.UnknownError
			if !errors.As(r.Err, &u) || u.Incomplete || !strings.Contains(u.Because, c.because) {
				t.Fatalf("error %v, want a whole mapping and %q", r.Err, c.because)
			}
			if strings.Contains(r.Err.Error(), "2024") || strings.Contains(r.Err.Error(), "not eyelink") {
				t.Errorf("quotes a date, or lists what does not matter:\n%v", r.Err)
			}
			rec := good(t, c.text, u.Suggestion).Recordings[0]
			track := &rec.Samples.Tracks[gaze.Cyclopean]
			lost := 0
			for i := range track.X {
				if gaze.Lost(track.X[i], track.Y[i]) {
					lost++
				}
			}
			if got := rec.Unit.String(); got != c.unit || lost != c.lost {
				t.Errorf("unit %s, %d lost; want %s, %d", got, lost, c.unit, c.lost)
			}
		})
	}
}

// What is no place on a screen is not taken for one.
func TestNoSuggestionFromOtherThings(t *testing.T) {
	for name, c := range map[string]struct{ text, because string }{
		"direction": {rows("time_ms,dir.x,dir.y,dir.z", ",", 4, "0.1", "0.2", "0.9"), "a place in space"},
		"head":      {rows("time_ms,head_x,head_y", ",", 4, "700", "300"), "positions"},
		"list":      {rows("time_ms,gaze", ",", 4, "\"(700, 300)\""), "several values"},
	} {
		r := read(t, c.text, "")
		var u *format.UnknownError
		if !errors.As(r.Err, &u) || !u.Incomplete || !strings.Contains(u.Because, c.because) {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
}

func TestNotesAboveTheTable(t *testing.T) {
	r := good(t, "Subject:\tsecret\nRate:\t250\n"+rows("time_ms\tx_px\ty_px", "\t", 4, "700", "300"), "")
	if n := r.Recordings[0].Samples.Len(); n != 30 {
		t.Errorf("%d samples, want 30", n)
	}
}

// Marks for lost data that no reader knows are at least told of.
func TestMarksAreTold(t *testing.T) {
	text := rows("time_ms,x_px,y_px", ",", 4, "700", "300") + strings.Repeat("2000,-32768,-32768\n", 6) + "2100,-5,-5\n"
	r := good(t, text, "")
	all := fmt.Sprint(r.Report.Quirks())
	if !strings.Contains(all, "6 × position exactly (-32768, -32768)") || strings.Contains(all, "(-5, -5)") {
		t.Error(all)
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
