package feather

import (
	"bytes"
	"errors"
	"io"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of Arrow IPC files.
func Format() format.Format {
	return format.Format{
		Name: "feather", Title: "Arrow IPC (feather)", Extensions: []string{".feather", ".arrow", ".ipc"},
		Detect: detect, Read: Read,
	}
}

// Old returns the format of feather files of version 1, which are refused.
func Old() format.Format {
	return format.Format{
		Name: "feather-1", Title: "feather version 1", Extensions: []string{".feather"},
		Detect: func(h format.Head) format.Match { return begins(h, "FEA1") },
		Hint:   "save it as feather version 2 (Arrow IPC) or Parquet",
	}
}

func detect(h format.Head) format.Match { return begins(h, "ARROW1") }

func begins(h format.Head, magic string) format.Match {
	if bytes.HasPrefix(h.Raw, []byte(magic)) {
		return format.Match{Score: 100, Why: []string{"begins with " + magic}}
	}
	return format.Match{Why: []string{"does not begin with " + magic}}
}

// Read streams the recordings of a table: of the canonical columns, of
// pymovements, by a mapping, or by the columns' usual names.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if err := read(in, o, yield); err != nil {
			yield(nil, located(in, err))
		}
	}
}

func located(in *format.Input, err error) error {
	var syntax *format.SyntaxError
	var unknown *format.UnknownError
	if errors.As(err, &syntax) || errors.As(err, &unknown) {
		return err
	}
	return &format.SyntaxError{File: in.Name, Msg: err.Error(), Err: err}
}

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	if len(in.Head().Raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	if detect(in.Head()).Score == 0 {
		return errors.New("no Arrow IPC file: does not begin with ARROW1")
	}
	var t *table
	pour := func(in *format.Input, bind canonical.Bind) error {
		one, err := open(in)
		if err != nil {
			return located(in, err)
		}
		if t == nil {
			t = one
		}
		return one.pour(in, bind)
	}
	return canonical.Read(in, o, pour, func(columns []string, _ []byte) (canonical.Sink, error) {
		m := o.Mapping
		if m == nil {
			rows, err := t.first(100)
			if err == nil {
				m, err = canonical.Guess(in, columns, rows)
			}
			if err != nil {
				return nil, err
			}
		}
		s, err := format.NewTable(m, columns, in, o)
		if err != nil {
			return nil, err
		}
		s.Start(yield)
		return s, nil
	}, yield)
}

// maxInMemory bounds what is read into memory where a file gives no random
// access (inside gzip).
const maxInMemory = 2 << 30

// random gives random access to an input.
func random(in *format.Input) (*io.SectionReader, int64, error) {
	if r, size, ok := in.ReaderAt(); ok {
		return io.NewSectionReader(r, 0, size), size, nil
	}
	all, err := io.ReadAll(io.LimitReader(in.Bytes(), maxInMemory+1))
	switch {
	case err != nil:
		return nil, 0, err
	case len(all) > maxInMemory:
		return nil, 0, errors.New("larger than 2 GiB without random access: store it uncompressed")
	}
	return io.NewSectionReader(bytes.NewReader(all), 0, int64(len(all))), int64(len(all)), nil
}
