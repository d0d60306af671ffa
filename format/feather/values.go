package feather

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
)

// values are a column's cells in a record batch.
type values struct {
	null    []bool
	wholes  []int64
	numbers []float64
	texts   []string
}

// copy takes the cells of an array in the places that at says; -1 is null.
func (v *values) copy(a arrow.Array, at func(int) int, rows int) error {
	whole, number, text := cells(a)
	switch {
	case whole != nil:
		v.wholes = make([]int64, rows)
	case number != nil:
		v.numbers = make([]float64, rows)
	case text != nil:
		v.texts = make([]string, rows)
	case a.DataType().ID() != arrow.NULL:
		return errors.New("its type is not read")
	}
	for i := range rows {
		j := at(i)
		if v.null[i] = j < 0 || a.IsNull(j); v.null[i] {
			continue
		}
		switch {
		case whole != nil:
			v.wholes[i] = whole(j)
		case number != nil:
			v.numbers[i] = number(j)
		case text != nil:
			v.texts[i] = strings.Clone(text(j))
		default:
			v.null[i] = true
		}
	}
	return nil
}

func integer[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | arrow.Timestamp | arrow.Duration | arrow.Time32 | arrow.Time64 | arrow.Date32 | arrow.Date64](of func(int) T) func(int) int64 {
	return func(i int) int64 { return int64(of(i)) }
}

// cells returns how an array's cells are had.
func cells(a arrow.Array) (whole func(int) int64, number func(int) float64, text func(int) string) {
	switch a := a.(type) {
	case *array.Float64:
		number = a.Value
	case *array.Float32:
		number = func(i int) float64 { return float64(a.Value(i)) }
	case *array.Boolean:
		whole = func(i int) int64 {
			if a.Value(i) {
				return 1
			}
			return 0
		}
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		number = func(i int) float64 { return a.Value(i).ToFloat64(scale) }
	case array.StringLike:
		text = a.Value
	default:
		whole = wholes(a)
	}
	return whole, number, text
}

func wholes(a arrow.Array) func(int) int64 {
	switch a := a.(type) {
	case *array.Int8:
		return integer(a.Value)
	case *array.Int16:
		return integer(a.Value)
	case *array.Int32:
		return integer(a.Value)
	case *array.Int64:
		return integer(a.Value)
	case *array.Uint8:
		return integer(a.Value)
	case *array.Uint16:
		return integer(a.Value)
	case *array.Uint32:
		return integer(a.Value)
	case *array.Uint64:
		return integer(a.Value)
	case *array.Timestamp:
		return integer(a.Value)
	case *array.Duration:
		return integer(a.Value)
	case *array.Time32:
		return integer(a.Value)
	case *array.Time64:
		return integer(a.Value)
	case *array.Date32:
		return integer(a.Value)
	case *array.Date64:
		return integer(a.Value)
	}
	return nil
}

func (v *values) appendText(b []byte, i int) []byte {
	switch {
	case v.null[i]:
		return b
	case v.wholes != nil:
		return strconv.AppendInt(b, v.wholes[i], 10)
	case v.numbers != nil:
		return canonical.AppendNumber(b, v.numbers[i])
	}
	return append(b, v.texts[i]...)
}

// put fills one place of the row.
func (v *values) put(row *format.Row, s format.Slot, i int, texts []byte, sink canonical.Sink) []byte {
	switch s.Kind {
	case format.TimeSlot:
		row.Time, row.HasTime = v.stamp(i, sink)
	case format.NumberSlot:
		row.Numbers[s.Index] = v.value(i, sink)
	case format.TextSlot:
		from := len(texts)
		texts = v.appendText(texts, i)
		row.Texts[s.Index] = texts[from:len(texts):len(texts)]
	}
	return texts
}

func (v *values) stamp(i int, sink canonical.Sink) (format.Stamp, bool) {
	switch {
	case v.null[i]:
		return format.Stamp{}, false
	case v.wholes != nil:
		return format.Stamp{Whole: v.wholes[i]}, true
	case v.numbers != nil:
		return format.StampOf(v.numbers[i])
	}
	return sink.Time([]byte(v.texts[i]))
}

func (v *values) value(i int, sink canonical.Sink) float64 {
	switch {
	case v.null[i]:
		return math.NaN()
	case v.wholes != nil:
		return sink.Value(float64(v.wholes[i]))
	case v.numbers != nil:
		if x := v.numbers[i]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			return sink.Value(x)
		}
		return math.NaN()
	}
	return sink.Number([]byte(v.texts[i]), 0)
}
