package matlab_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/matlab"
	"github.com/gazeward/gazeward/gaze"
)

// pictures is a file of the kind of OSIE: per picture a cell, in it per person
// a cell, in it rows of fixations in whatever type fits.
func pictures(order binary.AppendByteOrder, compressed bool) []byte {
	f := newMat(order)
	person := func(x ...int64) []byte {
		y := make([]int64, len(x))
		d := make([]int64, len(x))
		for i := range x {
			y[i], d[i] = x[i]+1, 100*x[i]
		}
		return f.structs("", []string{"fix_x", "fix_y", "fix_duration"},
			f.stored("", 6, 2, x...), f.stored("", 6, 4, y...), f.stored("", 6, 3, d...))
	}
	picture := func(img string, people ...[]byte) []byte {
		return f.structs("", []string{"img", "subjects"}, f.text("", img), f.cells("", people...))
	}
	f.put(f.cells("fixations",
		picture("1.jpg", person(1, 2, 3), person(4)),
		picture("2.jpg", person(5, 6, 7, 8, 9), person(10, 11)),
	), compressed)
	f.put(f.text("subject_name", "Jane Roe"), compressed)
	return f.Bytes()
}

const picturesMapping = `
duration: fixations{}.subjects{}.fix_duration
duration_unit: ms
x: fixations{}.subjects{}.fix_x
y: fixations{}.subjects{}.fix_y
unit: px
stimulus: fixations{}.img
participant: fixations{}.subjects{#}
`

func mapping(tb testing.TB, text string) *format.Mapping {
	tb.Helper()
	m, err := format.ParseMapping([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// matrix is a file of one matrix per trial: time, x, y down the columns.
func matrix() []byte {
	f := newMat(binary.LittleEndian)
	trial := func(x float64) []byte {
		return f.doubles("", 3, 0, 0.01, 0.02, x, x+1, math.NaN(), 7, 8, 9)
	}
	f.put(f.structs("data", []string{"gaze", "id"}, trial(1), f.text("", "s1"), trial(11), f.text("", "s2")), true)
	return f.Bytes()
}

const matrixMapping = `
time: data{}.gaze(:,1)
time_unit: s
x: data{}.gaze(:,2)
y: data{}.gaze(:,3)
unit: px
participant: data{}.id
`

func fixtures(tb testing.TB) []formattest.Fixture {
	o := format.Options{Mapping: mapping(tb, picturesMapping)}
	return []formattest.Fixture{
		{Name: "little.mat", Data: pictures(binary.LittleEndian, false), Binary: true, Options: o, Recordings: 4, Fixations: 11, Secrets: []string{"TEST"}},
		{Name: "big.mat", Data: pictures(binary.BigEndian, false), Binary: true, Options: o, Recordings: 4, Fixations: 11},
		{Name: "packed.mat", Data: pictures(binary.LittleEndian, true), Binary: true, Options: o, Recordings: 4, Fixations: 11},
		{Name: "matrix.mat", Data: matrix(), Binary: true, Options: format.Options{Mapping: mapping(tb, matrixMapping)}, Recordings: 2, Samples: 6},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, matlab.Format(), fixtures(t)...) }

func FuzzRead(f *testing.F) { formattest.Fuzz(f, matlab.Format(), fixtures(f)[:3]...) }

func FuzzLoad(f *testing.F) {
	for _, x := range fixtures(f) {
		f.Add(x.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = matlab.Load(bytes.NewReader(data), nil, func(v *matlab.Value) bool {
			for i := range min(v.Len(), 100) {
				v.At(i)
			}
			v.Field("x")
			v.Column(2)
			return true
		})
	})
}

func TestPictures(t *testing.T) {
	var first []*gaze.Recording
	for name, data := range map[string][]byte{
		"little": pictures(binary.LittleEndian, false), "big": pictures(binary.BigEndian, false), "packed": pictures(binary.BigEndian, true),
	} {
		r := formattest.Read(t, matlab.Format(), "x.mat", data, format.Options{Mapping: mapping(t, picturesMapping)})
		if r.Err != nil {
			t.Fatal(name, r.Err)
		}
		if first == nil {
			first = r.Recordings
		}
		third := r.Recordings[2]
		if third.Stimulus != "2.jpg" || third.Participant != "1" || len(third.Fixations) != 5 {
			t.Errorf("%s: %+v", name, third.Header)
		}
		f := third.Fixations[1]
		if f.X != 6 || f.Y != 7 || f.Start != 500*time.Millisecond || f.Duration != 600*time.Millisecond {
			t.Errorf("%s: %+v", name, f)
		}
		if d := r.Report.Dropped(); !cmp.Equal(d, []string{"subject_name"}) {
			t.Errorf("%s: dropped %q", name, d)
		}
	}
}

func TestMatrixColumns(t *testing.T) {
	r := formattest.Read(t, matlab.Format(), "x.mat", matrix(), format.Options{Mapping: mapping(t, matrixMapping)})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	second := r.Recordings[1]
	x := second.Samples.Tracks[gaze.Cyclopean].X
	if second.Participant != "s2" || x[0] != 11 || x[1] != 12 || !math.IsNaN(x[2]) || second.Samples.T[2] != 20*time.Millisecond {
		t.Errorf("%s %v %v", second.Participant, x, second.Samples.T)
	}
}

// Every class, stored in every type.
func TestClasses(t *testing.T) {
	f := newMat(binary.BigEndian)
	types := map[string]struct{ class, kind uint32 }{
		"int8": {8, 1}, "uint8": {9, 2}, "int16": {10, 3}, "uint16": {11, 4}, "int32": {12, 5}, "uint32": {13, 6},
		"single": {7, 7}, "int64": {14, 12}, "uint64": {15, 13}, "double_as_int16": {6, 3}, "double_as_uint8": {6, 2},
	}
	for name, c := range types {
		f.put(f.stored(name, c.class, c.kind, 1, 2, 100), len(name)%2 == 0)
	}
	f.put(f.doubles("empty", 0), false)
	f.put(f.element(14, nil), false)
	f.put(f.text("text", "Grüße"), true)
	got := make(map[string]*matlab.Value)
	err := matlab.Load(bytes.NewReader(f.Bytes()), nil, func(v *matlab.Value) bool { got[v.Name] = v; return true })
	if err != nil {
		t.Fatal(err)
	}
	for name := range types {
		if v := got[name]; v == nil || !cmp.Equal(v.Numbers, []float64{1, 2, 100}) {
			t.Errorf("%s: %+v", name, v)
		}
	}
	if got["text"].Text != "Grüße" || got["empty"].Len() != 0 {
		t.Errorf("text %+v, empty %+v", got["text"], got["empty"])
	}
	negative := newMat(binary.LittleEndian)
	negative.put(negative.stored("n", 8, 1, -5, 7, -128, 3, 4), false)
	_ = matlab.Load(bytes.NewReader(negative.Bytes()), nil, func(v *matlab.Value) bool {
		if v.Numbers[0] != -5 || v.Numbers[2] != -128 {
			t.Errorf("%v", v.Numbers)
		}
		return true
	})
}

func TestWithoutMapping(t *testing.T) {
	r := formattest.Read(t, matlab.Format(), "x.mat", pictures(binary.LittleEndian, true), format.Options{})
	var u *format.UnknownError
	if !errors.As(r.Err, &u) || strings.Contains(r.Err.Error(), "Jane") {
		t.Fatal(r.Err)
	}
	if !strings.Contains(u.Suggestion, "fixations{}.subjects{}.fix_x") {
		t.Errorf("suggestion:\n%s", u.Suggestion)
	}
	if u.Incomplete {
		t.Error("usual names, and no mapping that stands as it is")
	} else if again := formattest.Read(t, matlab.Format(), "x.mat", pictures(binary.LittleEndian, true), format.Options{Mapping: mapping(t, u.Suggestion)}); again.Err != nil {
		t.Error(again.Err)
	}
}

func TestBadPaths(t *testing.T) {
	for path, want := range map[string]string{
		"nothing":                       "no variable",
		"fixations{":                    "path",
		"fixations{}.subjects{}.fix_x.": "path",
		"fixations{}.no{}.such":         "different arrays",
		"{}":                            "path",
		"a(:,0)":                        "path",
	} {
		m := mapping(t, strings.Replace(picturesMapping, "y: fixations{}.subjects{}.fix_y", "y: '"+path+"'", 1))
		r := formattest.Read(t, matlab.Format(), "x.mat", pictures(binary.LittleEndian, false), format.Options{Mapping: m})
		if r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", path, r.Err, want)
		}
	}
}

func TestUnevenEntriesAreLeftOut(t *testing.T) {
	f := newMat(binary.LittleEndian)
	f.put(f.structs("d", []string{"x", "y"},
		f.stored("", 6, 2, 1, 2, 3), f.stored("", 6, 2, 1, 2),
		f.stored("", 6, 2, 4, 5), f.stored("", 6, 2, 6, 7)), false)
	r := formattest.Read(t, matlab.Format(), "x.mat", f.Bytes(), format.Options{Mapping: mapping(t, "{x: 'd{}.x', y: 'd{}.y', unit: px, sampling_rate: 10}")})
	if r.Err != nil || len(r.Recordings) != 1 || r.Recordings[0].Samples.Len() != 2 {
		t.Fatalf("%v %v", r.Recordings, r.Err)
	}
	if q := r.Report.Quirks(); len(q) == 0 || !strings.Contains(q[0].Text, "differ in length") {
		t.Errorf("quirks %v", q)
	}
}

// A few bytes that claim much must cost little.
func TestClaimsReserveNothing(t *testing.T) {
	f := newMat(binary.LittleEndian)
	f.put(f.matrix(1, []int{1 << 30, 1 << 30}, "c"), false)
	huge := f.Bytes()
	deep := newMat(binary.LittleEndian)
	inner := deep.doubles("", 1, 1)
	for range 200 {
		inner = deep.cells("", inner)
	}
	deep.put(deep.cells("deep", inner), true)
	bomb := newMat(binary.LittleEndian)
	bomb.put(bomb.matrix(9, []int{1 << 26, 1}, "zeros", bomb.element(2, make([]byte, 1<<26))), true)
	for name, data := range map[string][]byte{"dimensions": huge, "depth": deep.Bytes(), "bomb": bomb.Bytes()} {
		start := time.Now()
		err := matlab.Load(bytes.NewReader(data), nil, func(*matlab.Value) bool { return true })
		if err == nil {
			t.Errorf("%s: read without an error", name)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

func TestHDF5IsRefused(t *testing.T) {
	f := matlab.HDF5()
	if f.Read != nil || !strings.Contains(f.Hint, "-v7") {
		t.Errorf("hint %q", f.Hint)
	}
	signature := "\x89HDF\r\n\x1a\n"
	for name, raw := range map[string]string{
		"plain": signature + "rest", "with user block": strings.Repeat("\x00", 512) + signature,
		"MATLAB": "MATLAB 7.3 MAT-file, Platform: GLNXA64" + strings.Repeat(" ", 474) + signature,
	} {
		if m := f.Detect(format.Head{Raw: []byte(raw)}); m.Score != 100 {
			t.Errorf("%s: %+v", name, m)
		}
		if m := matlab.Format().Detect(format.Head{Raw: []byte(raw)}); m.Score != format.No {
			t.Errorf("%s passes as version 5: %+v", name, m)
		}
	}
}
