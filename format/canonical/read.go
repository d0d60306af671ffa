package canonical

import (
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// assembler puts recordings together from rows of samples and of events.
type assembler struct {
	o        *format.Options
	b        *format.Builder
	settings []Setting
	cur      int64
	open     bool
	parts    int

	next func() (*happening, error, bool) // rows of the table of events; nil = none
	stop func()
	held *happening
	err  error
}

// is reports whether a recording is the open one.
func (a *assembler) is(id int64) bool { return a.open && a.cur == id }

func (a *assembler) setting(id int64) *Setting { return settingOf(a.settings, id) }

// begin opens a recording with its events. Events of recordings before it that
// have no samples come first.
func (a *assembler) begin(id int64, h gaze.Header, l format.Layout) error {
	if a.open && id < a.cur {
		a.parts++
	}
	if err := a.eventsBefore(id); err != nil {
		return err
	}
	a.start(id, h, l)
	for a.peek() && a.held.id == id {
		a.held.add(a.b)
		a.held = nil
	}
	return a.err
}

func (a *assembler) start(id int64, h gaze.Header, l format.Layout) {
	if s := a.setting(id); s != nil {
		h.Frame, h.Rate, h.Screen = s.Frame, s.Rate, s.Screen
		if h.Unit == gaze.UnitUnknown {
			h.Unit = s.Unit
		}
		if h.PupilUnit == gaze.PupilUnknown {
			h.PupilUnit = s.PupilUnit
		}
	}
	a.b.Begin(h, l)
	a.cur, a.open = id, true
}

// eventsBefore gives out recordings of events only, up to a number.
func (a *assembler) eventsBefore(id int64) error {
	for a.peek() && a.held.id < id {
		if !a.is(a.held.id) {
			a.start(a.held.id, a.held.header, format.Layout{})
		}
		a.held.add(a.b)
		a.held = nil
	}
	return a.err
}

// peek makes the next event available.
func (a *assembler) peek() bool {
	if a.held != nil {
		return true
	}
	if a.next == nil || a.err != nil {
		return false
	}
	h, err, ok := a.next()
	if !ok {
		return false
	}
	a.held, a.err = h, err
	return err == nil
}

// close gives out the rest.
func (a *assembler) close() error {
	err := a.eventsBefore(1 << 62)
	a.b.End()
	a.o.Report.CountSome("recording in parts, because its rows are mixed with those of others", a.parts)
	return err
}

// release closes the table of events.
func (a *assembler) release() {
	if a.stop != nil {
		a.stop()
	}
}

// Read streams the recordings of a table of this package's columns, with its
// sidecar and its table of events where they lie beside it. Columns that are
// none of this package's are given to other, which may be nil.
func Read(in *format.Input, o format.Options, pour Pour, other Bind, yield func(*gaze.Recording, error) bool) error {
	a := &assembler{o: &o, b: format.NewBuilder(&o, yield)}
	defer a.release()
	return pour(in, func(columns []string, meta []byte) (Sink, error) {
		switch {
		case o.Mapping == nil && IsEvents(columns):
			return a.readEvents(in, columns, meta)
		case o.Mapping == nil && IsSamples(columns):
			return a.readSamples(in, columns, meta, pour)
		case other != nil:
			return other(columns, meta)
		}
		return nil, &format.SyntaxError{File: in.Name, Msg: "not a canonical table: no columns recording, participant and t_ns"}
	})
}

func (a *assembler) readSamples(in *format.Input, columns []string, meta []byte, pour Pour) (Sink, error) {
	var name string
	name, a.settings = describe(in, meta, a.o.Report)
	events, file := open(in, name)
	if events == nil && name != "/" && name != "" {
		a.o.Report.Count("the table of events is not beside the table", 0)
	}
	if events != nil {
		next, stop := iter.Pull2(pourEvents(events, a.o.Report, pour))
		a.next = next
		a.stop = func() { stop(); file.Close() }
	}
	return newSampleDecoder(columns, in, a)
}

// readEvents reads a table of events by itself.
func (a *assembler) readEvents(in *format.Input, columns []string, meta []byte) (Sink, error) {
	events, settings := describe(in, meta, a.o.Report)
	if a.settings = settings; events == in.Name {
		return nil, &format.SyntaxError{File: in.Name, Msg: "these are the events of the table beside it: open that", Err: format.ErrEmpty}
	}
	d := newEventDecoder(columns, in, a.o.Report)
	d.emit = func(h *happening) bool {
		if !a.is(h.id) {
			if a.open && h.id < a.cur {
				a.parts++
			}
			a.start(h.id, h.header, format.Layout{})
		}
		if a.b.Decide() {
			h.add(a.b)
		}
		return !a.b.Stopped()
	}
	return &eventSink{d, a}, nil
}

// eventSink closes both.
type eventSink struct {
	*eventDecoder
	a *assembler
}

// Close gives out the last recording.
func (s *eventSink) Close() error {
	_ = s.a.close() // reads no second table, cannot fail
	err := s.eventDecoder.Close()
	if s.a.b.Stopped() {
		return nil
	}
	return err
}

// pourEvents streams a table of events.
func pourEvents(in *format.Input, r *format.Report, pour Pour) iter.Seq2[*happening, error] {
	return func(yield func(*happening, error) bool) {
		stopped := false
		err := pour(in, func(columns []string, _ []byte) (Sink, error) {
			if !IsEvents(columns) {
				return nil, &format.SyntaxError{File: in.Name, Msg: "not a table of events"}
			}
			d := newEventDecoder(columns, in, r)
			d.emit = func(h *happening) bool {
				copied := *h
				stopped = !yield(&copied, nil)
				return !stopped
			}
			return d, nil
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// describe finds a table's sidecar, inside or beside it.
func describe(in *format.Input, meta []byte, r *format.Report) (events string, settings []Setting) {
	if meta == nil {
		meta = beside(in)
	}
	if meta == nil {
		r.Count("no sidecar beside the table: rate, frame and screen are not stated", 0)
		return "", nil
	}
	events, settings, err := parseSidecar(meta)
	if err != nil {
		r.Count("the sidecar cannot be read: rate, frame and screen are not stated", 0)
	}
	return path.Base("/" + events), settings
}

// maxSidecar bounds the JSON that is read beside a table.
const maxSidecar = 64 << 20

func beside(in *format.Input) []byte {
	if in.FS == nil {
		return nil
	}
	stem := Stem(in.Path)
	for _, name := range [...]string{stem + ".json", strings.TrimSuffix(stem, "_events") + ".json"} {
		if f, err := in.FS.Open(name); err == nil {
			text, err := io.ReadAll(io.LimitReader(f, maxSidecar))
			f.Close()
			if err == nil {
				return text
			}
		}
	}
	return nil
}

// Stem is a file's path without the endings that say how it is stored.
func Stem(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, path.Ext(name))
}

// open opens the table of events beside a table, under the name its sidecar
// says or, where both were renamed, under the table's; nil if there is none.
func open(in *format.Input, name string) (*format.Input, fs.File) {
	if in.FS == nil || name == "/" { // the sidecar says that there is none
		return nil, nil
	}
	stem := Stem(in.Name)
	for _, name := range [...]string{name, stem + "_events" + strings.TrimPrefix(in.Name, stem)} {
		if name == "" || name == in.Name {
			continue
		}
		full := path.Join(path.Dir(in.Path), name)
		f, err := in.FS.Open(full)
		if err != nil {
			continue
		}
		events, err := format.NewInput(full, f)
		if err != nil {
			f.Close()
			return nil, nil
		}
		events.Format, events.FS = in.Format, in.FS
		return events, f
	}
	return nil, nil
}
