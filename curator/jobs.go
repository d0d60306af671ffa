package curator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/simulate"
)

// Order is a release as it is asked for by name: by flags of the command line
// or by a form of the studio. Fields that a product does not know are ignored.
type Order struct {
	Product   string            // required: one of [Products]
	Mechanism string            // without the product; empty = the product's default
	Values    map[string]string // parameters as typed, without those of [FromData]
	Looks     string            // as [ParseLooks] reads it; empty = auto
	Stimuli   []string          // as typed; products of one stimulus take the first
	Enrolled  int               // n, where more people were enrolled than have data
	Counts    bool              // heatmaps: fixation counts instead of dwell
	CapRange  heatmap.Caps      // heatmaps: what a chosen cap is chosen from
	Areas     grid.AOIs         // aoi: required
	Pupils    bool              // series: release the pupil's features too
	Blinks    string            // series: where blinks come from, as [feature.ParseBlinkSource] reads it; empty = the job's default
}

// Work is the job of an order, whatever its product.
type Work struct {
	Spec mechanism.Spec
	job  walker
}

// walker is a product that can be run.
type walker interface {
	product
	Run(ctx context.Context) (*Release, error)
	common() *Job
}

// common is what a job of any product embeds.
func (j *Job) common() *Job { return j }

// recipe says how an order of a product becomes a job, and which parameters
// the job reads off the data.
type recipe struct {
	product  string
	fromData []string
	job      func(o Order, j Job, s mechanism.Spec, l Looks) walker
}

// recipes lists the products, in the order in which people are shown them.
var recipes = []recipe{
	{"heatmap", []string{"subjects", "width", "height", "stimuli"}, func(o Order, j Job, s mechanism.Spec, l Looks) walker {
		return &HeatmapJob{Job: j, Spec: s, Values: o.Values, Stimuli: o.Stimuli, Looks: l, Counts: o.Counts, Enrolled: o.Enrolled, CapRange: o.CapRange}
	}},
	{"aoi", []string{"subjects", "areas"}, func(o Order, j Job, s mechanism.Spec, l Looks) walker {
		return &AOIJob{Job: j, Spec: s, Values: o.Values, Areas: o.Areas, Stimulus: strings.Join(o.Stimuli[:min(1, len(o.Stimuli))], ""), Looks: l, Enrolled: o.Enrolled}
	}},
	{"series", seriesFromData, func(o Order, j Job, s mechanism.Spec, _ Looks) walker {
		return &SeriesJob{Job: j, Spec: s, Values: o.Values, Stimuli: o.Stimuli, Enrolled: o.Enrolled, Pupils: o.Pupils, Options: feature.Options{BlinkSource: o.blinks()}}
	}},
	{"gaze", []string{"width", "height", "rate", "surface"}, gazeJob},
	{"synthesis", []string{"subjects", "width", "height"}, gazeJob},
}

func gazeJob(o Order, j Job, s mechanism.Spec, _ Looks) walker {
	return &GazeJob{Job: j, Spec: s, Values: o.Values, Stimuli: o.Stimuli, Enrolled: o.Enrolled}
}

// blinks is the typed source; of none, or of one that Work refuses, the default.
func (o Order) blinks() feature.BlinkSource {
	b, _ := feature.ParseBlinkSource(o.Blinks)
	return b
}

// Products lists what can be ordered, the usual first.
func Products() []string {
	var names []string
	for _, r := range recipes {
		names = append(names, r.product)
	}
	return names
}

// FromData lists the parameters of a product that its job reads off the data,
// so that nobody has to type them.
func FromData(product string) []string {
	for _, r := range recipes {
		if r.product == product {
			return slices.Clone(r.fromData)
		}
	}
	return nil
}

// Work makes the job of the order. What it refuses is a [*RefusedError].
func (o Order) Work(j Job) (*Work, error) {
	s, err := all.ByName(o.Product, o.Mechanism)
	if err != nil {
		return nil, &RefusedError{err}
	}
	looks := AutoLooks
	if o.Looks != "" {
		if looks, err = ParseLooks(o.Looks); err != nil {
			return nil, &RefusedError{err}
		}
	}
	if _, err := feature.ParseBlinkSource(o.Blinks); o.Blinks != "" && err != nil {
		return nil, &RefusedError{err}
	}
	if j.Tell == nil {
		j.Tell = func(string, ...any) {}
	}
	for _, r := range recipes {
		if r.product == o.Product {
			return &Work{Spec: s, job: r.job(o, j, s, looks)}, nil
		}
	}
	return nil, &RefusedError{fmt.Errorf("curator: %s is not made here", o.Product)}
}

// Precheck refuses, before any file is opened, what no data can make right.
func (w *Work) Precheck() error { return w.job.Precheck() }

// Plan is what the release would promise on these data, from public facts
// alone. Nothing is opened in the ledger or charged. A Work that was planned is
// not run: make another for that.
func (w *Work) Plan(ctx context.Context) (mechanism.Plan, error) {
	if err := w.job.Precheck(); err != nil {
		return mechanism.Plan{}, err
	}
	m, err := w.job.promise(ctx)
	if err != nil {
		return mechanism.Plan{}, err
	}
	return m.Plan(), nil
}

// Standing is the account that would pay for the guarantee of a Work that was
// planned. It is open when there is one; otherwise only its key is filled in,
// and the job opens it with [DefaultCap].
func (w *Work) Standing(ctx context.Context, g dp.Guarantee) (a account.Account, open bool, err error) {
	j := w.job.common()
	return j.Home.Standing(ctx, j.Data, g)
}

// Open opens that account with a cap that never changes.
func (w *Work) Open(ctx context.Context, g dp.Guarantee, limit account.Budget) error {
	j := w.job.common()
	return j.Home.OpenFor(ctx, j.Data, g, limit)
}

// DefaultCap is that of an account that a job opens by itself.
func DefaultCap(g dp.Guarantee) (account.Budget, error) { return (*Cap)(nil).forAccount(g) }

// Run walks the job through: promise, read, charge, draw, tell.
func (w *Work) Run(ctx context.Context) (*Release, error) { return w.job.Run(ctx) }

// Request is the order as the manifest tells it, without paths and notes.
func (o Order) Request(program string) string {
	words, public := strings.Fields(program), strings.Fields(program)
	words, public = append(words, o.Product), append(public, o.Product)
	flag := func(name, value string) {
		if value != "" {
			words, public = append(words, "--"+name+"="+value), append(public, "--"+name+"=")
		}
	}
	flag("mechanism", o.Mechanism)
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		flag(name, o.Values[name])
	}
	flag("looks", o.Looks)
	flag("blinks", o.Blinks)
	if o.Counts {
		flag("weight", "count")
	}
	if o.Pupils {
		flag("pupils", "true")
	}
	return string(manifest.CommandLine(append(words, "DATA"), public))
}

// Standing is the account under a data set's own name that would pay for the
// guarantee; [Work.Standing] knows the names of products besides.
func (h Home) Standing(ctx context.Context, d *Data, g dp.Guarantee) (a account.Account, open bool, err error) {
	key, err := h.keyFor(ctx, d, g)
	a.Key = key
	if err != nil {
		return a, false, err
	}
	ledger, err := h.ReadLedger(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	defer ledger.Close()
	found, err := ledger.Account(ctx, key)
	if errors.Is(err, account.ErrNoAccount) {
		return a, false, nil
	}
	return found, err == nil, err
}

// OpenFor opens that account with a cap that never changes.
func (h Home) OpenFor(ctx context.Context, d *Data, g dp.Guarantee, limit account.Budget) error {
	key, err := h.keyFor(ctx, d, g)
	if err != nil {
		return err
	}
	ledger, err := h.Ledger(ctx)
	if err != nil {
		return err
	}
	_, err = ledger.Open(ctx, key, limit)
	return errors.Join(err, ledger.Close())
}

func (h Home) keyFor(ctx context.Context, d *Data, g dp.Guarantee) (account.Key, error) {
	people, err := d.Units(ctx, false)
	if err != nil {
		return account.Key{}, err
	}
	hash, err := h.Participants(people)
	return account.KeyFor(d.Name, hash, g), err
}

// Recordings makes the demo's people up and keeps their recordings in dir as a
// lab would, with the areas of interest in areas.csv. It returns how to open
// them. Nothing is released.
func (d Demo) Recordings(dir string) (DataOptions, error) {
	if err := d.record(simulate.ShopWindow(), dir); err != nil {
		return DataOptions{}, fmt.Errorf("curator: the demo's recordings cannot be written: %w", pathless(err))
	}
	return DataOptions{Dataset: filepath.Join(dir, "dataset.yaml")}, os.Chmod(dir, 0o700)
}

// Paint writes a simulated scene as a PNG.
func Paint(w io.Writer, scene simulate.Scene) error { return paint(w, scene) }
