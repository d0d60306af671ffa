package bids

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// Create makes a file of the data set, by its path below the data set's folder.
type Create func(name string) (io.WriteCloser, error)

// Version is that of the BIDS specification which is written.
const Version = "1.11.0"

// Writer writes recordings as a BIDS derivative: one file per eye, what the
// source states as physioevents, the screen in the events' sidecar. Names
// become labels of letters and digits. Recordings without samples of positions
// have no place in BIDS and are counted in Skipped.
type Writer struct {
	create  Create
	program string
	labels  map[string]labeller
	runs    map[string]int
	people  []string
	open    *run

	Written, Skipped int
}

// NewWriter begins a data set. program is the name and version of who makes
// it, for GeneratedBy.
func NewWriter(create Create, program string) *Writer {
	return &Writer{create: create, program: program, labels: make(map[string]labeller), runs: make(map[string]int)}
}

// labeller gives each name of a kind a label of its own.
type labeller map[string]string

// label turns a name into letters and digits; names that become equal get a
// number, where BIDS does not tell upper from lower case.
func (w *Writer) label(kind, name, empty string) string {
	known := w.labels[kind]
	if known == nil {
		known = make(labeller)
		w.labels[kind] = known
	}
	if l, ok := known[name]; ok {
		return l
	}
	plain := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, name)
	if plain = plain[:min(len(plain), 60)]; plain == "" {
		plain = empty
	}
	taken := make(map[string]bool)
	for _, l := range known {
		taken[strings.ToLower(l)] = true
	}
	l := plain
	for n := 2; taken[strings.ToLower(l)]; n++ {
		l = plain + "x" + strconv.Itoa(n)
	}
	known[name] = l
	return l
}

// run is the recording in the making.
type run struct {
	base    string // path without recording and suffix
	header  gaze.Header
	eyes    []*eyeOut
	signals []gaze.Signal
	labels  bool
	first   time.Duration
	last    time.Duration
	n       int
}

type eyeOut struct {
	eye     gaze.Eye
	name    string // eye1
	columns []string
	samples *zipped
	events  *zipped
}

// zipped is a compressed file.
type zipped struct {
	file io.WriteCloser
	zip  *gzip.Writer
	*bufio.Writer
	line []byte
}

func (w *Writer) zipped(name string) (*zipped, error) {
	f, err := w.create(name)
	if err != nil {
		return nil, err
	}
	z := gzip.NewWriter(f)
	z.ModTime = time.Unix(0, 0) // else a fixed number that validators take for a date
	return &zipped{file: f, zip: z, Writer: bufio.NewWriterSize(z, 1<<15)}, nil
}

func (z *zipped) close() error {
	return errors.Join(z.Flush(), z.zip.Close(), z.file.Close())
}

// Add writes a piece.
func (w *Writer) Add(r *gaze.Recording) error {
	if !r.Continues {
		if err := w.finish(); err != nil {
			return err
		}
		if err := w.begin(r); err != nil {
			return err
		}
	}
	if w.open == nil {
		return nil
	}
	for _, e := range w.open.eyes {
		if err := w.samples(e, r); err != nil {
			return err
		}
	}
	return w.events(r)
}

func (w *Writer) begin(r *gaze.Recording) error {
	if len(r.Eyes()) == 0 {
		w.Skipped++
		return nil
	}
	w.Written++
	before := len(w.labels["sub"])
	sub := w.label("sub", r.Participant, "unknown")
	if len(w.labels["sub"]) > before {
		w.people = append(w.people, sub)
	}
	dir, name := "sub-"+sub, "sub-"+sub
	if r.Session != "" {
		ses := w.label("ses", r.Session, "unknown")
		dir, name = dir+"/ses-"+ses, name+"_ses-"+ses
	}
	name += "_task-" + w.label("task", r.Task, "gaze")
	w.runs[name]++
	name += fmt.Sprintf("_run-%02d", w.runs[name])
	o := &run{base: dir + "/beh/" + name, header: r.Header, labels: r.Samples.Labels != nil}
	for _, s := range r.Samples.Signals {
		o.signals = append(o.signals, gaze.Signal{Name: s.Name, Unit: s.Unit})
	}
	w.open = o
	for _, e := range [...]gaze.Eye{gaze.Left, gaze.Right, gaze.Cyclopean} {
		if t := &r.Samples.Tracks[e]; t.Present() {
			if err := w.eye(o, e, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// eye opens an eye's file. Labels and signals stand in the first one's.
func (w *Writer) eye(o *run, eye gaze.Eye, t *gaze.Track) error {
	e := &eyeOut{eye: eye, name: "eye" + strconv.Itoa(len(o.eyes)+1), columns: []string{"timestamp", "x_coordinate", "y_coordinate"}}
	if t.Pupil != nil {
		e.columns = append(e.columns, "pupil_size")
	}
	if t.Confidence != nil {
		e.columns = append(e.columns, "confidence")
	}
	if len(o.eyes) == 0 {
		if o.labels {
			e.columns = append(e.columns, "label")
		}
		for _, s := range o.signals {
			e.columns = append(e.columns, ownSignal+canonical.Plain(s.Name))
		}
	}
	o.eyes = append(o.eyes, e)
	var err error
	e.samples, err = w.zipped(o.base + "_recording-" + e.name + "_physio.tsv.gz")
	return err
}

func (w *Writer) samples(e *eyeOut, r *gaze.Recording) error {
	t := &r.Samples.Tracks[e.eye]
	first := e == w.open.eyes[0]
	z := e.samples
	for i, at := range r.Samples.T {
		if first {
			w.open.see(at)
		}
		z.line = appendSeconds(z.line[:0], at)
		z.number(t.X, i)
		z.number(t.Y, i)
		if t.Pupil != nil {
			z.number(t.Pupil, i)
		}
		if t.Confidence != nil {
			z.number(t.Confidence, i)
		}
		if first {
			if r.Samples.Labels != nil {
				z.line = append(append(z.line, '\t'), canonical.LabelName(r.Samples.Labels[i])...)
			}
			for k := range r.Samples.Signals {
				z.number(r.Samples.Signals[k].Values, i)
			}
		}
		z.line = append(z.line, '\n')
		if _, err := z.Write(z.line); err != nil {
			return err
		}
	}
	return nil
}

func (o *run) see(at time.Duration) {
	if o.n == 0 {
		o.first = at
	}
	o.last = at
	o.n++
}

// number appends a cell; n/a where the number is lost.
func (z *zipped) number(c []float64, i int) {
	z.line = append(z.line, '\t')
	if c == nil {
		z.line = append(z.line, "n/a"...)
		return
	}
	z.cell(c[i])
}

func (z *zipped) cell(v float64) {
	before := len(z.line)
	if z.line = canonical.AppendNumber(z.line, v); len(z.line) == before {
		z.line = append(z.line, "n/a"...)
	}
}

// appendSeconds writes nanoseconds as seconds without losing one.
func appendSeconds(b []byte, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t/time.Second), 10)
	rest := strconv.Itoa(int(t % time.Second))
	fraction := strings.TrimRight(strings.Repeat("0", 9-len(rest))+rest, "0")
	if fraction == "" {
		return b
	}
	return append(append(b, '.'), fraction...)
}

// Close writes the last recording's sidecars and the data set's own files.
func (w *Writer) Close() error {
	if err := w.finish(); err != nil {
		return err
	}
	if w.Written == 0 {
		return errors.New("bids: no recording with samples of positions: BIDS has no place for the others, write csv, parquet or feather")
	}
	var list strings.Builder
	list.WriteString("participant_id\n")
	for _, p := range w.people {
		list.WriteString("sub-" + p + "\n")
	}
	return errors.Join(
		w.file("participants.tsv", []byte(list.String())),
		w.json("dataset_description.json", map[string]any{
			"Name": "Eye tracking, converted", "BIDSVersion": Version, "DatasetType": "derivative",
			"GeneratedBy": []map[string]string{{
				"Name": w.program, "Description": "Converted under pseudonyms. Raw data of people, not protected by differential privacy.",
			}},
		}),
		w.file("README", []byte("Eye-tracking recordings of people under pseudonyms, converted by "+w.program+".\n"+
			"Raw data: nothing in this folder is protected by differential privacy.\n")),
	)
}

func (w *Writer) file(name string, text []byte) error {
	f, err := w.create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func (w *Writer) json(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("bids: %w", err)
	}
	return w.file(name, append(text, '\n'))
}
