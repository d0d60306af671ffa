package all

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Open reads all recordings of a file into memory. Use [Stream] for what may
// be long.
func Open(file string) ([]*gaze.Recording, error) {
	return gaze.Collect(Stream(file, format.Options{}))
}

// Stream yields the recordings of a file in pieces. The file is opened when
// iteration begins and closed when it ends.
func Stream(file string, o format.Options) gaze.Seq {
	return StreamFS(os.DirFS(filepath.Dir(file)), filepath.Base(file), o)
}

// StreamFS is [Stream] for a file of a file system; it is a [format.Opener].
func StreamFS(fsys fs.FS, name string, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		f, err := fsys.Open(name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		read, in, err := prepare(f, name, &o)
		if err != nil {
			yield(nil, err)
			return
		}
		in.FS = fsys
		read(in, o)(yield)
	}
}

func prepare(f fs.File, name string, o *format.Options) (func(*format.Input, format.Options) gaze.Seq, *format.Input, error) {
	in, err := format.NewInput(name, f)
	if err != nil {
		return nil, nil, err
	}
	chosen, why, err := choose(in.Head(), o)
	if err != nil {
		return nil, nil, err
	}
	if chosen.Read == nil {
		return nil, nil, &format.RefusedError{File: path.Base(name), Format: chosen.Title, Hint: chosen.Hint}
	}
	o.Report.Detected(chosen.Name, why)
	return chosen.Read, in, nil
}

func choose(h format.Head, o *format.Options) (format.Format, []string, error) {
	if o.Format != "" {
		f, err := ByName(o.Format)
		return f, []string{"named by the caller"}, err
	}
	f, m, err := Sniff(h)
	return f, m.Why, err
}
