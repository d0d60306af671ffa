package parquet

import (
	"bytes"
	"errors"
	"io"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of Parquet files.
func Format() format.Format {
	return format.Format{
		Name: "parquet", Title: "Apache Parquet", Extensions: []string{".parquet", ".pq"},
		Detect: detect, Read: Read,
	}
}

func detect(h format.Head) format.Match {
	if bytes.HasPrefix(h.Raw, []byte("PAR1")) {
		return format.Match{Score: 100, Why: []string{"begins with PAR1"}}
	}
	return format.Match{Why: []string{"does not begin with PAR1"}}
}

// Read streams the recordings of a table: of the canonical columns, by a
// mapping, or by the columns' usual names.
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
		return errors.New("no Parquet file: does not begin with PAR1")
	}
	var t *table
	pour := func(in *format.Input, bind canonical.Bind) (err error) {
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

func open(in *format.Input) (*table, error) {
	r, size, ok := in.ReaderAt()
	if !ok {
		all, err := io.ReadAll(io.LimitReader(in.Bytes(), maxInMemory+1))
		switch {
		case err != nil:
			return nil, err
		case len(all) > maxInMemory:
			return nil, errors.New("larger than 2 GiB without random access: store it uncompressed")
		}
		r, size = bytes.NewReader(all), int64(len(all))
	}
	f, err := openFile(r, size)
	if err != nil {
		return nil, err
	}
	return flatten(f)
}
