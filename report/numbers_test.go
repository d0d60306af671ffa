package report

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// grids draws grids with zeros and odd numbers among their values.
func grids(t *rapid.T) Grid {
	g := Grid{Cols: rapid.IntRange(1, 6).Draw(t, "cols"), Rows: rapid.IntRange(1, 6).Draw(t, "rows"), Cell: rapid.SampledFrom([]float64{0.5, 8, 12.34}).Draw(t, "cell"), Unit: "s"}
	value := rapid.OneOf(rapid.SampledFrom([]float64{0, -0.1, 5e-324, 1e300, 1.0 / 3}), rapid.Float64Range(-1, 1))
	for range rapid.IntRange(1, 3).Draw(t, "frames") {
		g.Frames = append(g.Frames, rapid.SliceOfN(value, g.Cols*g.Rows, g.Cols*g.Rows).Draw(t, "values"))
	}
	return g
}

// each calls see with every value and its place, in the order of the files.
func (g Grid) each(see func(k, frame int, x, y, v float64)) {
	k := 0
	for f, values := range g.Frames {
		for i, v := range values {
			see(k, f, (float64(i%g.Cols)+0.5)*g.Cell, (float64(i/g.Cols)+0.5)*g.Cell, v)
			k++
		}
	}
}

func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grids(t)
		var file bytes.Buffer
		if err := g.WriteCSV(&file); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&file).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		header := "x_px,y_px,value"
		if len(g.Frames) > 1 {
			header = "frame," + header
		}
		if strings.Join(records[0], ",") != header || len(records) != 1+len(g.Frames)*g.Cols*g.Rows {
			t.Fatalf("header %v, %d lines", records[0], len(records))
		}
		g.each(func(k, frame int, x, y, v float64) {
			want := []float64{x, y, v}
			if len(g.Frames) > 1 {
				want = append([]float64{float64(frame)}, want...)
			}
			for c, w := range want {
				if got, err := strconv.ParseFloat(records[k+1][c], 64); err != nil || got != w {
					t.Fatalf("line %d, column %d: %q, want %v", k+1, c, records[k+1][c], w)
				}
			}
		})
	})
}

func TestMatrixCSV(t *testing.T) {
	g := Grid{Cols: 3, Rows: 2, Cell: 1, Frames: [][]float64{{1, 2, 3, 4, 5, 1e-7}}}
	var file bytes.Buffer
	if err := g.WriteMatrixCSV(&file); err != nil {
		t.Fatal(err)
	}
	if want := "1,2,3\n4,5,1e-07\n"; file.String() != want {
		t.Errorf("got %q, want %q", file.String(), want)
	}
	g.Frames = append(g.Frames, g.Frames[0])
	if err := g.WriteMatrixCSV(io.Discard); err == nil {
		t.Error("a matrix of two frames: want an error")
	}
}

// readNPY reads version 1.0 of NumPy's format by its own description.
func readNPY(data []byte) (shape []int, values []float64, err error) {
	if len(data) < 10 || string(data[:6]) != "\x93NUMPY" || data[6] != 1 || data[7] != 0 {
		return nil, nil, errors.New("no NPY 1.0")
	}
	n := int(binary.LittleEndian.Uint16(data[8:]))
	head := string(data[10 : 10+n])
	if (10+n)%64 != 0 || !strings.HasSuffix(head, "\n") {
		return nil, nil, fmt.Errorf("header of %d bytes is not aligned", n)
	}
	m := regexp.MustCompile(`^\{'descr': '<f8', 'fortran_order': False, 'shape': \(([\d, ]+)\), \} *\n$`).FindStringSubmatch(head)
	if m == nil {
		return nil, nil, fmt.Errorf("header %q", head)
	}
	for _, s := range strings.Split(m[1], ",") {
		k, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, nil, err
		}
		shape = append(shape, k)
	}
	for body := data[10+n:]; len(body) >= 8; body = body[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(body)))
	}
	return shape, values, nil
}

func TestNPYRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grids(t)
		var file bytes.Buffer
		if err := g.WriteNPY(&file); err != nil {
			t.Fatal(err)
		}
		shape, values, err := readNPY(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		want := []int{g.Rows, g.Cols}
		if len(g.Frames) > 1 {
			want = append([]int{len(g.Frames)}, want...)
		}
		if fmt.Sprint(shape) != fmt.Sprint(want) || len(values) != len(g.Frames)*g.Cols*g.Rows {
			t.Fatalf("shape %v with %d values, want %v", shape, len(values), want)
		}
		g.each(func(k, _ int, _, _, v float64) {
			if values[k] != v {
				t.Fatalf("value %d is %v, want %v", k, values[k], v)
			}
		})
	})
}

// TestParquetRoundTrip: in particular, zeros are zeros and not nulls.
func TestParquetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grids(t)
		var file bytes.Buffer
		if err := g.WriteParquet(&file); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := f.Lookup("schema"); text != g.Schema() {
			t.Fatalf("schema %q", text)
		}
		for _, field := range f.Schema().Fields() {
			if field.Optional() {
				t.Fatalf("column %s is optional", field.Name())
			}
		}
		rows := make([]cell, f.NumRows())
		if n, err := parquet.NewGenericReader[cell](f).Read(rows); n != len(rows) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("read %d of %d rows: %v", n, len(rows), err)
		}
		if len(rows) != len(g.Frames)*g.Cols*g.Rows {
			t.Fatalf("%d rows", len(rows))
		}
		g.each(func(k, frame int, x, y, v float64) {
			if rows[k] != (cell{int32(frame), x, y, v}) {
				t.Fatalf("row %d is %+v, want frame %d at (%v, %v): %v", k, rows[k], frame, x, y, v)
			}
		})
	})
}

// TestParquetOfManyCells writes more than one block.
func TestParquetOfManyCells(t *testing.T) {
	g := Grid{Cols: 4096, Rows: 3, Cell: 1, Frames: [][]float64{make([]float64, 3*4096), make([]float64, 3*4096)}}
	g.Frames[1][3*4096-1] = 7
	var file bytes.Buffer
	if err := g.WriteParquet(&file); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[cell](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(rows) != 6*4096 || rows[len(rows)-1].Value != 7 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// broken fails after a few bytes.
type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if len(p) > b.left {
		return 0, errors.New("disk full")
	}
	b.left -= len(p)
	return len(p), nil
}

func TestGridErrors(t *testing.T) {
	good := Grid{Cols: 20, Rows: 20, Cell: 1, Frames: [][]float64{make([]float64, 400)}}
	writers := func(g Grid) map[string]func(io.Writer) error {
		return map[string]func(io.Writer) error{"CSV": g.WriteCSV, "matrix": g.WriteMatrixCSV, "NPY": g.WriteNPY, "Parquet": g.WriteParquet}
	}
	for name, write := range writers(good) {
		if err := write(&broken{100}); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s to a full disk: %v", name, err)
		}
	}
	for _, bad := range []Grid{{}, {Cols: 2, Rows: 2, Cell: 1}, {Cols: 2, Rows: 2, Cell: 1, Frames: [][]float64{{1}}}, {Cols: 1, Rows: 1, Cell: math.NaN(), Frames: [][]float64{{1}}}} {
		for name, write := range writers(bad) {
			if err := write(io.Discard); err == nil {
				t.Errorf("%s of %+v: want an error", name, bad)
			}
		}
	}
}

func BenchmarkCSV(b *testing.B) {
	g := Grid{Cols: 1680, Rows: 1050, Cell: 1, Frames: [][]float64{make([]float64, 1680*1050)}}
	for i := range g.Frames[0] {
		g.Frames[0][i] = 1 / float64(i+3)
	}
	for b.Loop() {
		if err := g.WriteCSV(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/file")
}
