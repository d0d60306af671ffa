package eyelink_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/eyelink"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

const header = `** CONVERTED FROM C:\people\Jane_Roe\jr01.edf using edfapi 4.2 on Fri Mar 10 18:07:57 2023
** DATE: Wed Mar  8 09:25:20 2023
** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED
** VERSION: EYELINK II 1
** SERIAL NUMBER: CLU-QXZ50
** CAMERA_CONFIG: QXZ50200.SCD
** RECORDED BY Dr_Smith
**

MSG	1000 DISPLAY_COORDS 0 0 1279 1023
MSG	1001 !CAL
>>>>>>> CALIBRATION (HV9,P-CR) FOR LEFT: <<<<<<<<<
MSG	1001 !CAL eye check box: (L,R,T,B)
	  -63     7   -44     4
   132.75 -13.023  242.52 -0.051945  1.6939
MSG	1001 !CAL VALIDATION HV9 L LEFT  GOOD ERROR 0.27 avg. 0.83 max  OFFSET 0.11 deg. 3.7,2.4 pix.
MSG	1002 !V TRIAL_VAR subject_name Jane Roe
`

var secrets = []string{"Jane", "jr01", "2023", "QXZ50", "Dr_Smith", "132.75", "0.27"}

const mono = header + `MSG	1900 TRIALID picture 7
MSG	1901 -3 !V IMGLOAD FILL C:\people\Jane_Roe\beach.png
START	2000 	LEFT	SAMPLES	EVENTS
PRESCALER	1
VPRESCALER	1
PUPIL	AREA
EVENTS	GAZE	LEFT	RATE	1000.00	TRACKING	CR	FILTER	2
SAMPLES	GAZE	LEFT	RATE	1000.00	TRACKING	CR	FILTER	2	INPUT
INPUT	2000	0
MSG	2000 !MODE RECORD CR 1000 2 1 L
SFIX L   2000
2000	  138.1	  132.8	  778.0	    0.0	...
2001	  138.2	  132.7	  779.0	    0.0	...
2002	  138.3	  132.6	  780.0	    0.0	...
EFIX L   2000	2002	3	  138.2	  132.7	    779
SSACC L  2003
SBLINK L 2003
2003	   99.0	   98.0	  100.0	    0.0	...
2004	   .	   .	    0.0	    0.0	...
EBLINK L 2003	2004	2
2005	  301.5	  302.5	  790.0	    0.0	...
ESACC L  2003	2005	3	  138.2	  132.7	  301.5	  302.5	   4.21	    203
END	2006 	SAMPLES	EVENTS	RES	  37.17	  37.75
`

// bino changes eye and rate from block to block; the last block never ends.
const bino = `** DATE:
** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED
MSG	5 DISPLAY_COORDS 0 0 1023 767
START	100 	LEFT	RIGHT	SAMPLES	EVENTS
PUPIL	DIAMETER
SAMPLES	GAZE	LEFT	RIGHT	RATE	 500.00	TRACKING	CR	FILTER	2
100	  513.2	  402.0	  228.0	  515.5	  403.0	  229.0	.....
102	  513.3	  402.1	  228.0	   .	   .	    0.0	....R
EFIX R   100	102	4	  515.5	  403.0	    229
END	104 	SAMPLES	EVENTS	RES	  35.18	  35.14
START	200 	RIGHT	SAMPLES	EVENTS
PUPIL	DIAMETER
SAMPLES	GAZE	RIGHT	HTARGET	RATE	 250.00	TRACKING	CR	FILTER	2
200	  613.2	  402.0	  228.0	... 	 4717.0	 2908.0	  611.2 .............
204	  614.2	  402.3	  227.0	... 	 4718.0	 2909.0	  611.2 .............
START	300 	LEFT	SAMPLES	EVENTS
SAMPLES	GAZE	LEFT	RATE	2000.00	TRACKING	CR	FILTER	2
300	  713.1	  400.0	  228.0	...
300	  713.2	  400.0	  228.0	...
301	  713.3	  400.0	  228.0	...
301	  713.4	  400.0	  228.0	...
`

func fixtures() []formattest.Fixture {
	return []formattest.Fixture{
		{
			Name: "mono.asc", Data: []byte(mono), Recordings: 1, Samples: 6, Fixations: 1, Saccades: 1, Blinks: 1,
			Header: 19, Position: "  138.3", Secrets: secrets,
		},
		{
			Name: "bino.asc", Data: []byte(bino), Recordings: 3, Samples: 8, Fixations: 1,
			Header: 3, Position: "  513.3",
		},
		{
			Name: "continuous.asc", Data: []byte(continuous), Recordings: 4, Samples: 8, Fixations: 1,
			Header: 2, Position: "  3.0",
		},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, eyelink.ASC(), fixtures()...) }

func FuzzRead(f *testing.F) { formattest.Fuzz(f, eyelink.ASC(), fixtures()...) }

func read(t *testing.T, text string) formattest.Result {
	t.Helper()
	r := formattest.Read(t, eyelink.ASC(), "x.asc", []byte(text), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestMono(t *testing.T) {
	r := read(t, mono).Recordings[0]
	want := gaze.Header{
		Trial: "picture 7", Stimulus: "beach.png", Rate: 1000, Unit: gaze.Pixels, PupilUnit: gaze.PupilArea,
		Screen: gaze.Screen{Width: 1280, Height: 1024}, Format: "eyelink-asc",
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	left := r.Samples.Tracks[gaze.Left]
	if got := r.Samples.T[5]; got != 5*time.Millisecond {
		t.Errorf("last sample at %v, want 5ms after START", got)
	}
	if left.X[5] != 301.5 || left.Y[5] != 302.5 || left.Pupil[5] != 790 {
		t.Errorf("last sample %v %v %v", left.X[5], left.Y[5], left.Pupil[5])
	}
	for i := 3; i <= 4; i++ {
		if !math.IsNaN(left.X[i]) || !math.IsNaN(left.Y[i]) || !math.IsNaN(left.Pupil[i]) {
			t.Errorf("sample %d lies in the blink and is not lost", i)
		}
	}
	fix := gaze.Fixation{Eye: gaze.Left, Duration: 3 * time.Millisecond, X: 138.2, Y: 132.7, Pupil: 779}
	if r.Fixations[0] != fix {
		t.Errorf("fixation %+v, want %+v", r.Fixations[0], fix)
	}
	sac := gaze.Saccade{
		Eye: gaze.Left, Start: 3 * time.Millisecond, Duration: 3 * time.Millisecond,
		X0: 138.2, Y0: 132.7, X1: 301.5, Y1: 302.5, PeakVelocity: 203, Amplitude: 4.21,
	}
	if r.Saccades[0] != sac {
		t.Errorf("saccade %+v, want %+v", r.Saccades[0], sac)
	}
	blink := gaze.Blink{Eye: gaze.Left, Start: 3 * time.Millisecond, Duration: 2 * time.Millisecond}
	if r.Blinks[0] != blink {
		t.Errorf("blink %+v, want %+v", r.Blinks[0], blink)
	}
}

func TestBlocksDiffer(t *testing.T) {
	r := read(t, bino)
	both, remote, fast := r.Recordings[0], r.Recordings[1], r.Recordings[2]
	for i, want := range []struct {
		rate gaze.Hertz
		eyes string
	}{{500, "[left right]"}, {250, "[right]"}, {2000, "[left]"}} {
		got := r.Recordings[i]
		if eyes := strings.Join(strings.Fields(fmtEyes(got.Eyes())), " "); got.Rate != want.rate || eyes != want.eyes {
			t.Errorf("block %d: %v Hz, %s; want %v Hz, %s", i+1, got.Rate, eyes, want.rate, want.eyes)
		}
	}
	if tr := both.Samples.Tracks[gaze.Right]; tr.X[0] != 515.5 || !math.IsNaN(tr.X[1]) || both.Samples.Tracks[gaze.Left].X[1] != 513.3 {
		t.Errorf("binocular samples are mixed up: %+v", both.Samples.Tracks)
	}
	if tr := remote.Samples.Tracks[gaze.Right]; tr.X[1] != 614.2 || tr.Pupil[1] != 227 {
		t.Errorf("remote sample %v %v", tr.X[1], tr.Pupil[1])
	}
	if both.PupilUnit != gaze.PupilDiameter {
		t.Errorf("pupil unit %v, want a diameter", both.PupilUnit)
	}
	// 2000 Hz in whole milliseconds: the rate tells the time.
	for i, want := range []time.Duration{0, 500, 1000, 1500} {
		if got := fast.Samples.T[i]; got != want*time.Microsecond {
			t.Errorf("sample %d at %v, want %v", i, got, want*time.Microsecond)
		}
	}
}

func fmtEyes(eyes []gaze.Eye) string {
	var names []string
	for _, e := range eyes {
		names = append(names, e.String())
	}
	return "[" + strings.Join(names, " ") + "]"
}

func TestReportListsWhatWasDropped(t *testing.T) {
	r := read(t, mono)
	dropped := strings.Join(r.Report.Dropped(), "\n")
	for _, want := range []string{"CONVERTED FROM", "DATE", "SERIAL NUMBER", "CAMERA_CONFIG", "RECORDED BY", "!CAL", "MSG", "input port"} {
		if !strings.Contains(dropped, want) {
			t.Errorf("%s is not listed as dropped:\n%s", want, dropped)
		}
	}
	if len(r.Report.Identity()) < 6 {
		t.Errorf("identity carriers %q", r.Report.Identity())
	}
}

func TestBlinkWithoutStart(t *testing.T) {
	r := read(t, strings.Replace(mono, "SBLINK L 2003\n", "", 1)).Recordings[0]
	left := r.Samples.Tracks[gaze.Left]
	if !math.IsNaN(left.X[3]) || math.IsNaN(left.X[2]) || math.IsNaN(left.X[5]) {
		t.Errorf("x = %v, want samples 3 and 4 lost", left.X)
	}
}

// edf2asc of some versions writes memory garbage as duration, and events in
// HREF coordinates with gaze after them.
func TestHREFEvents(t *testing.T) {
	text := strings.Replace(mono, "EVENTS	GAZE", "EVENTS	HREF", 1)
	text = strings.Replace(text, "EFIX L   2000	2002	3	  138.2	  132.7	    779",
		"EFIX L   2000	2002	140664473911630	 5328.0	 2997.0	   1395	  138.2	  132.7	    779", 1)
	r := read(t, text)
	fix := r.Recordings[0].Fixations[0]
	if fix.X != 138.2 || fix.Y != 132.7 || fix.Duration != 3*time.Millisecond {
		t.Errorf("fixation %+v, want gaze coordinates and the duration from start and end", fix)
	}
	if sac := r.Recordings[0].Saccades[0]; !math.IsNaN(sac.X0) || sac.Amplitude != 4.21 {
		t.Errorf("saccade %+v, want no position", sac)
	}
}

func TestScreens(t *testing.T) {
	for text, want := range map[string]gaze.Screen{
		"0 0 1279 1023":             {Width: 1280, Height: 1024},
		"0.00 0.00 1919.00 1079.00": {Width: 1920, Height: 1080},
		"0.00 0.00 1920.00 1080.00": {Width: 1920, Height: 1080},
		"-512 -384 511 383":         {Width: 1024, Height: 768},
		"0 0 rubbish":               {},
		"0 0 0 0":                   {},
	} {
		r := read(t, strings.Replace(mono, "0 0 1279 1023", text, 1))
		if got := r.Recordings[0].Screen; got != want {
			t.Errorf("%s: screen %+v, want %+v", text, got, want)
		}
	}
	r := read(t, strings.Replace(mono, "0 0 1279 1023", "-512 -384 511 383", 1))
	if x := r.Recordings[0].Samples.Tracks[gaze.Left].X[0]; x != 138.1+512 {
		t.Errorf("x = %v, want it counted from the left edge", x)
	}
}

func TestUnusualBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		check func(t *testing.T, r formattest.Result)
	}{
		"samples only": {"7 1.5 2.5 900 ...\n8 1.6 2.6 901 ...\n", func(t *testing.T, r formattest.Result) {
			if rec := r.Recordings[0]; rec.Samples.Tracks[gaze.Cyclopean].X[1] != 1.6 || rec.Samples.Len() != 2 {
				t.Errorf("%+v", rec.Samples)
			}
		}},
		"events only": {"START\t10 \tRIGHT\tEVENTS\nEVENTS\tGAZE\tRIGHT\tRATE\t 500.00\nEFIX R   12\t20\t10\t  5.0\t  6.0\t    7\nEND\t30\n",
			func(t *testing.T, r formattest.Result) {
				rec := r.Recordings[0]
				if rec.Samples.Len() != 0 || rec.Fixations[0].Start != 2*time.Millisecond || rec.Rate != 500 {
					t.Errorf("%+v", rec)
				}
			}},
		"raw pupil": {strings.Replace(mono, "SAMPLES\tGAZE", "SAMPLES\tPUPIL", 1), func(t *testing.T, r formattest.Result) {
			if rec := r.Recordings[0]; rec.Unit != gaze.UnitUnknown || rec.Screen.Known() {
				t.Errorf("raw coordinates pass as %v", rec.Unit)
			}
		}},
		"velocity and resolution": {strings.Replace(strings.Replace(mono, "SAMPLES\tGAZE\tLEFT", "SAMPLES\tGAZE\tLEFT\tVEL\tRES", 1),
			"778.0\t", "778.0\t 1.1\t 2.2\t 26.1\t 26.2\t", 1), func(t *testing.T, r formattest.Result) {
			if tr := r.Recordings[0].Samples.Tracks[gaze.Left]; tr.X[0] != 138.1 || tr.Pupil[0] != 778 {
				t.Errorf("%+v", tr)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, read(t, c.text)) })
	}
}

func TestTruncatedLastLineIsLeftOut(t *testing.T) {
	whole := strings.TrimSuffix(mono[:strings.Index(mono, "EFIX")], "0.0\t...\n")
	cut := strings.TrimRight(whole, " \t") // ends in the pupil's digits
	r := read(t, cut)
	if n := r.Recordings[0].Samples.Len(); n != 2 {
		t.Errorf("%d samples, want 2: the third may be cut short", n)
	}
}

func TestEDFIsRefused(t *testing.T) {
	f := eyelink.EDF()
	if f.Read != nil || !strings.Contains(f.Hint, "edf2asc") {
		t.Errorf("hint %q", f.Hint)
	}
	if m := f.Detect(format.Head{Raw: []byte("SR_RESEARCH_1000FILE\nDATE: x")}); m.Score != 100 {
		t.Errorf("score %d", m.Score)
	}
}
