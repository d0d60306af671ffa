package all

import (
	"errors"
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
	fsys, name, err := locate(file)
	if err != nil {
		return func(yield func(*gaze.Recording, error) bool) { yield(nil, err) }
	}
	return StreamFS(fsys, name, o)
}

// locate opens a file's surroundings: four folders up, so that patterns with
// slashes see the path and formats with sidecar files find them.
func locate(file string) (fs.FS, string, error) {
	full, err := filepath.Abs(file)
	if err != nil {
		return nil, "", err
	}
	root := full
	for range 4 {
		root = filepath.Dir(root)
	}
	name, err := filepath.Rel(root, full)
	return os.DirFS(root), filepath.ToSlash(name), err
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
		in, err := format.NewInput(name, f)
		if err != nil {
			yield(nil, err)
			return
		}
		in.FS = fsys
		stream(in, o, yield)
	}
}

// stream chooses the reader and passes on what it yields.
func stream(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	chosen, tried, err := choose(in, &o)
	if err != nil {
		yield(nil, err)
		return
	}
	for piece, err := range chosen.Read(in, o) {
		var unknown *format.UnknownError
		if errors.As(err, &unknown) && unknown.Tried == nil {
			unknown.Tried = without(tried, chosen.Name)
		}
		if !yield(piece, err) {
			return
		}
	}
}

func without(tried []format.Candidate, name string) []format.Candidate {
	var rest []format.Candidate
	for _, c := range tried {
		if c.Name != name {
			rest = append(rest, c)
		}
	}
	return rest
}

// choose returns the format that reads the input. A mapping is for a table: it
// makes any text one.
func choose(in *format.Input, o *format.Options) (format.Format, []format.Candidate, error) {
	h := in.Head()
	name, why := o.Format, []string{"named by the caller or the data set's definition"}
	if name == "" && o.Mapping != nil && h.Text != nil {
		name, why = "delimited", []string{"a mapping is given and the file is text"}
	}
	var tried []format.Candidate
	var f format.Format
	var err error
	if name != "" {
		if f, err = ByName(name); err == nil {
			if m := f.Detect(h); m.Score > format.No {
				why = append(why, m.Why...)
			}
		}
	} else {
		if len(h.Raw) == 0 {
			return f, nil, &format.SyntaxError{File: in.Name, Msg: "nothing to read: the file is empty", Err: format.ErrEmpty}
		}
		var m format.Match
		f, m, err = Sniff(h)
		tried, why = Judge(h), m.Why
		if m.Companion != "" {
			err = &format.RefusedError{File: in.Name, Format: f.Title, Hint: "it belongs to " + m.Companion + ", open that", Beside: true}
		}
	}
	if err == nil && f.Read == nil {
		err = &format.RefusedError{File: path.Base(in.Name), Format: f.Title, Hint: f.Hint, Foreign: f.Foreign}
	}
	if err != nil {
		return f, tried, err
	}
	in.Format = f.Name
	if o.BlinkPad > 0 && f.Name != "eyelink-asc" {
		o.Report.Count("samples beside blinks are left as they are: this reader cannot pad blinks", 0)
	}
	o.Report.Detected(f.Name, why)
	return f, tried, nil
}
