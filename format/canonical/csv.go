package canonical

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// CSV returns the format of canonical tables as CSV.
func CSV() format.Format {
	return format.Format{
		Name: "canonical-csv", Title: "gazeward's table, CSV", Extensions: []string{".csv"},
		Detect: detectCSV,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) {
				o.Mapping = nil // a mapping is for other tables
				if err := Read(in, o, pourCSV, nil, yield); err != nil {
					yield(nil, err)
				}
			}
		},
	}
}

func detectCSV(h format.Head) format.Match {
	if bytes.HasPrefix(h.Text, []byte("{")) && bytes.Contains(h.Text, []byte(`"gazeward_table"`)) {
		return format.Match{Score: 100, Why: []string{"the sidecar of a canonical table"}, Companion: "the table beside it"}
	}
	columns := headerOf(h.Text)
	switch {
	case IsEvents(columns):
		return format.Match{Score: 100, Why: []string{"columns recording, participant, event, onset_ns, duration_ns"}}
	case IsSamples(columns):
		return format.Match{Score: 98, Why: []string{"columns recording, participant and " + timeColumn(columns)}}
	}
	return format.Match{Why: []string{"no columns recording, participant and t_ns"}}
}

func headerOf(text []byte) []string {
	line := text
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		line = text[:i]
	}
	var names []string
	for _, f := range format.SplitFields(nil, line, ',') {
		names = append(names, string(f))
	}
	return names
}

func pourCSV(in *format.Input, bind Bind) error {
	if len(bytes.TrimSpace(in.Head().Text)) == 0 {
		return format.Empty(in.Name, 1)
	}
	lines := format.NewLines(in)
	first, ok := lines.Next()
	if !ok {
		return format.Empty(in.Name, 1)
	}
	columns := headerOf(first)
	sink, err := bind(columns, nil)
	if err != nil {
		return err
	}
	if e := in.Encoding(); e != "" {
		noteEncoding(sink, e)
	}
	p := csvRows{lines: lines, sink: sink, slots: sink.Slots(), width: len(columns)}
	p.run()
	err = sink.Close()
	if e := lines.Err(); e != nil {
		return e
	}
	return err
}

// noteEncoding tells an encoding that is not plain UTF-8.
func noteEncoding(s Sink, name string) {
	if d, ok := s.(*sampleDecoder); ok {
		d.report.Count("text is "+name, 0)
	}
}

type csvRows struct {
	lines  *format.Lines
	sink   Sink
	slots  []format.Slot
	width  int
	fields [][]byte
}

func (p *csvRows) run() {
	row := p.sink.Row()
	for {
		line, ok := p.lines.Next()
		if !ok {
			return
		}
		row.Line = p.lines.Number()
		if len(line) == 0 {
			continue
		}
		if p.fields = format.SplitFields(p.fields[:0], line, ','); len(p.fields) < p.width {
			p.sink.Short()
			continue
		}
		p.fill(row)
		if !p.sink.Add(row) {
			return
		}
	}
}

func (p *csvRows) fill(row *format.Row) {
	for _, s := range p.slots {
		field := p.fields[s.Column]
		switch s.Kind {
		case format.TimeSlot:
			row.Time, row.HasTime = p.sink.Time(field)
		case format.NumberSlot:
			row.Numbers[s.Index] = p.sink.Number(field, row.Line)
		case format.TextSlot:
			row.Texts[s.Index] = field
		}
	}
}

// AppendNumber appends a number so that reading it gives the same number
// again; nothing where it is not finite.
func AppendNumber(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b
	}
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendText appends a text as a cell, quoted where it must be.
func appendText(b []byte, s string) []byte {
	s = Plain(s)
	if !strings.ContainsAny(s, `,"`) {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
