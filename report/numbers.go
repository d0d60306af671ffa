package report

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Grid is a released map, or a film of maps, as numbers.
type Grid struct {
	Cols, Rows int
	Cell       float64     // px per cell side
	Frames     [][]float64 // each Rows × Cols, row by row from the top left
	Unit       string      // of the values, for Schema
}

func (g Grid) check() error {
	if g.Cols < 1 || g.Rows < 1 || len(g.Frames) < 1 || !(g.Cell > 0) {
		return fmt.Errorf("report: a grid needs cells of a positive size and a frame, got %d × %d cells of %v px in %d frames", g.Cols, g.Rows, g.Cell, len(g.Frames))
	}
	for _, f := range g.Frames {
		if len(f) != g.Cols*g.Rows {
			return fmt.Errorf("report: a frame of %d × %d cells has %d values, got %d", g.Cols, g.Rows, g.Cols*g.Rows, len(f))
		}
	}
	return nil
}

// Schema says in one line what the columns of CSV and Parquet are.
func (g Grid) Schema() string {
	s := "x_px, y_px: centre of a cell in px from the top left corner; value: " + g.Unit
	if g.Unit == "" {
		s += "no unit"
	}
	if len(g.Frames) > 1 {
		s = "frame: number of the map, from 0; " + s
	}
	return s
}

// centre of the i-th cell of a row or column, in px.
func (g Grid) centre(i int) float64 { return (float64(i) + 0.5) * g.Cell }

// WriteCSV writes one line per cell under the header x_px,y_px,value (with
// frame before it where there is more than one), in full precision:
//
//	pandas.read_csv("heatmap.csv").pivot(index="y_px", columns="x_px", values="value")
func (g Grid) WriteCSV(w io.Writer) error {
	if err := g.check(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	film := len(g.Frames) > 1
	if film {
		_, _ = out.WriteString("frame,") // Flush reports what failed
	}
	_, _ = out.WriteString("x_px,y_px,value\n")
	line := make([]byte, 0, 96)
	for f, values := range g.Frames {
		for i, v := range values {
			line = line[:0]
			if film {
				line = append(strconv.AppendInt(line, int64(f), 10), ',')
			}
			line = append(strconv.AppendFloat(line, g.centre(i%g.Cols), 'g', -1, 64), ',')
			line = append(strconv.AppendFloat(line, g.centre(i/g.Cols), 'g', -1, 64), ',')
			line = append(strconv.AppendFloat(line, v, 'g', -1, 64), '\n')
			_, _ = out.Write(line)
		}
	}
	return flush(out)
}

// WriteMatrixCSV writes a single map as it lies on the screen: one line per
// row of cells, no header:
//
//	numpy.loadtxt("heatmap_matrix.csv", delimiter=",")
func (g Grid) WriteMatrixCSV(w io.Writer) error {
	if err := g.check(); err != nil {
		return err
	}
	if len(g.Frames) > 1 {
		return fmt.Errorf("report: a matrix holds one frame, got %d", len(g.Frames))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	var number []byte
	for i, v := range g.Frames[0] {
		number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
		if (i+1)%g.Cols == 0 {
			number = append(number, '\n')
		} else {
			number = append(number, ',')
		}
		_, _ = out.Write(number)
	}
	return flush(out)
}

// WriteNPY writes NumPy's format, version 1.0: float64, C order, of shape
// (rows, cols), or (frames, rows, cols) where there is more than one frame.
func (g Grid) WriteNPY(w io.Writer) error {
	if err := g.check(); err != nil {
		return err
	}
	shape := fmt.Sprintf("(%d, %d)", g.Rows, g.Cols)
	if len(g.Frames) > 1 {
		shape = fmt.Sprintf("(%d, %d, %d)", len(g.Frames), g.Rows, g.Cols)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = out.Write(npyHeader(shape))
	var word [8]byte
	for _, values := range g.Frames {
		for _, v := range values {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			_, _ = out.Write(word[:])
		}
	}
	return flush(out)
}

// npyHeader is padded so that the numbers start at a multiple of 64 bytes.
func npyHeader(shape string) []byte {
	const prefix = 10 // magic, version, length
	dict := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"
	length := (prefix+len(dict)+1+63)/64*64 - prefix
	dict += strings.Repeat(" ", length-len(dict)-1) + "\n"
	head := append([]byte("\x93NUMPY"), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(length))
	return append(head, dict...)
}

// cell is a row of the Parquet file. Its numbers are required: as optional
// columns they would turn zeros into nulls.
type cell struct {
	Frame int32   `parquet:"frame"`
	X     float64 `parquet:"x_px"`
	Y     float64 `parquet:"y_px"`
	Value float64 `parquet:"value"`
}

// WriteParquet writes one row per cell with the columns frame, x_px, y_px and
// value.
func (g Grid) WriteParquet(w io.Writer) error {
	if err := g.check(); err != nil {
		return err
	}
	out := parquet.NewGenericWriter[cell](w, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", g.Schema()), parquet.CreatedBy("gazeward", "", ""))
	block := make([]cell, 0, 4096)
	for f, values := range g.Frames {
		for i, v := range values {
			block = append(block, cell{int32(f), g.centre(i % g.Cols), g.centre(i / g.Cols), v})
			if len(block) == cap(block) || i == len(values)-1 {
				if _, err := out.Write(block); err != nil {
					return fmt.Errorf("report: the numbers cannot be written: %w", err)
				}
				block = block[:0]
			}
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("report: the numbers cannot be written: %w", err)
	}
	return nil
}

func flush(out *bufio.Writer) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("report: the numbers cannot be written: %w", err)
	}
	return nil
}
