package neon

import (
	"encoding/binary"
	"math"
	"strings"
)

// layout is how a record lies in memory, little-endian and without gaps.
type layout struct {
	fields map[string]fieldAt
	size   int
}

type fieldAt struct {
	kind   string
	offset int
}

// sizes of the types that occur, in bytes.
var sizes = map[string]int{
	"float32": 4, "float64": 8, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8,
}

// parseLayout reads a .dtype file, a list of ("name", "type") as NumPy takes
// it. What is none has no fields.
func parseLayout(text string) layout {
	l := layout{fields: make(map[string]fieldAt)}
	words := strings.Split(text, `"`)
	for i := 1; i+2 < len(words); i += 4 {
		size, ok := sizes[words[i+2]]
		if !ok || l.size > 1<<12 {
			return layout{}
		}
		l.fields[words[i]] = fieldAt{words[i+2], l.size}
		l.size += size
	}
	if l.size == 0 {
		return layout{}
	}
	return l
}

func (l *layout) has(names ...string) bool {
	for _, n := range names {
		if _, ok := l.fields[n]; !ok {
			return false
		}
	}
	return true
}

// number returns a field of a record; NaN if there is none.
func (l *layout) number(record []byte, name string) float64 {
	f, ok := l.fields[name]
	if !ok {
		return math.NaN()
	}
	b := record[f.offset:]
	switch f.kind {
	case "float32":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "float64":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return float64(l.integer(record, name))
}

// integer returns a field of a record that holds integers; 0 if there is none.
func (l *layout) integer(record []byte, name string) int64 {
	f := l.fields[name]
	b := record[f.offset:]
	switch f.kind {
	case "int8":
		return int64(int8(b[0]))
	case "uint8":
		return int64(b[0])
	case "int16":
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case "uint16":
		return int64(binary.LittleEndian.Uint16(b))
	case "int32":
		return int64(int32(binary.LittleEndian.Uint32(b)))
	case "uint32":
		return int64(binary.LittleEndian.Uint32(b))
	case "int64", "uint64":
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// The layouts of recordings whose .dtype files are missing.
const (
	gazeLayout      = `("x", "float32"), ("y", "float32")`
	wornLayout      = `("worn", "uint8")`
	timeLayout      = `("t", "int64")`
	blinksLayout    = `("start_timestamp_ns", "int64"), ("end_timestamp_ns", "int64")`
	fixationsLayout = `("event_type", "int32"), ("start_timestamp_ns", "int64"), ("end_timestamp_ns", "int64"), ` +
		`("start_gaze_x", "float32"), ("start_gaze_y", "float32"), ("end_gaze_x", "float32"), ("end_gaze_y", "float32"), ` +
		`("mean_gaze_x", "float32"), ("mean_gaze_y", "float32"), ("amplitude_pixels", "float32"), ("amplitude_angle_deg", "float32"), ` +
		`("mean_velocity", "float32"), ("max_velocity", "float32")`
)
