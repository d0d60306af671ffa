package curator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
)

// orders are one of each product, as a form would place them.
func orders(t *testing.T) map[string]Order {
	t.Helper()
	areas, err := grid.ParseAOIs(strings.NewReader("name,x,y,width,height\nleft,0,0,160,240\nright,160,0,160,240\n"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Order{
		"heatmap": {Product: "heatmap", Values: map[string]string{"epsilon": "1", "delta": "1e-3", "blur": "20px", "picture": "plain"}},
		"aoi":     {Product: "aoi", Values: map[string]string{"epsilon": "1", "delta": "1e-3"}, Looks: "detect", Areas: areas},
		"series":  {Product: "series", Values: map[string]string{"epsilon": "1", "delta": "1e-3", "window": "200ms", "step": "50ms"}},
		"gaze":    {Product: "gaze", Values: map[string]string{"epsilon": "1", "radius": "20px"}},
		"synthesis": {Product: "synthesis", Values: map[string]string{
			"epsilon": "1", "delta": "1e-3", "pixels-per-degree": "21", "recordings": "2", "duration": "1s", "columns": "8", "rows": "8",
		}},
	}
}

// TestOrders: every product is planned without a trace in the ledger, charged
// what was planned, and what is written verifies.
func TestOrders(t *testing.T) {
	for product, o := range orders(t) {
		t.Run(product, func(t *testing.T) {
			l := newLab(t)
			l.table(t, "recordings.csv", 8)
			planned, err := o.Work(l.job(t))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := planned.Plan(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(l.home.LedgerPath()); !errors.Is(err, fs.ErrNotExist) {
				t.Error("planning left a ledger behind")
			}
			w, err := o.Work(l.job(t))
			if err != nil {
				t.Fatal(err)
			}
			r, err := w.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := r.Plan.Guarantee.String(), plan.Guarantee.String(); got != want {
				t.Errorf("released under %s, planned %s", got, want)
			}
			a, open, err := planned.Standing(t.Context(), plan.Guarantee)
			if err != nil || !open || a.Entries != 1 || a.Spent.Epsilon.String() != "1" && plan.Guarantee.Measure != dp.Geo {
				t.Errorf("standing %+v, open %v, %v; want one spend of 1", a, open, err)
			}
			v, err := manifest.VerifyDir(r.Dir, "")
			if err != nil || !v.OK() {
				t.Errorf("the release does not verify: %v, %v", err, v)
			}
		})
	}
}

// TestOrdersSayWhatIsMeasured: pupils and blinks reach the job, and the words
// with which the manifest tells the order.
func TestOrdersSayWhatIsMeasured(t *testing.T) {
	o := Order{Product: "series", Pupils: true, Blinks: "detect", Values: map[string]string{"epsilon": "1"}}
	w, err := o.Work(Job{})
	if err != nil {
		t.Fatal(err)
	}
	if j := w.job.(*SeriesJob); !j.Pupils || j.Options.BlinkSource != feature.DetectedBlinks {
		t.Errorf("the job has pupils %v, blinks %v", j.Pupils, j.Options.BlinkSource)
	}
	if words := o.Request("gazeward studio"); !strings.Contains(words, "--blinks=detect") || !strings.Contains(words, "--pupils=true") {
		t.Errorf("the request says %s", words)
	}
	if w, err = (Order{Product: "series"}).Work(Job{}); err != nil || w.job.(*SeriesJob).Options.BlinkSource != feature.AutoBlinks {
		t.Errorf("without a word on blinks: %v", err)
	}
}

// TestEveryProductCanBeOrdered keeps the list of recipes true.
func TestEveryProductCanBeOrdered(t *testing.T) {
	for _, s := range all.Specs() {
		if !slices.Contains(Products(), s.Product()) {
			t.Errorf("product %s has no job", s.Product())
		}
		for _, name := range FromData(s.Product()) {
			if !slices.ContainsFunc(all.Of(s.Product()), func(m mechanism.Spec) bool { _, ok := m.Field(name); return ok }) {
				t.Errorf("%s reads %q off the data, but none of its mechanisms takes it", s.Product(), name)
			}
		}
	}
	for _, p := range Products() {
		if len(all.Of(p)) == 0 {
			t.Errorf("product %s has a job but no mechanism", p)
		}
	}
}

func TestOrdersThatAreRefused(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 8)
	for name, o := range map[string]Order{
		"product":   {Product: "horoscope"},
		"mechanism": {Product: "heatmap", Mechanism: "magic"},
		"looks":     {Product: "heatmap", Looks: "sometimes"},
		"blinks":    {Product: "series", Blinks: "sometimes"},
	} {
		var refused *RefusedError
		if _, err := o.Work(l.job(t)); !errors.As(err, &refused) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}

// TestOpenFor opens an account with a cap that then stands, also against
// another one.
func TestOpenFor(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 8)
	w, err := orders(t)["heatmap"].Work(l.job(t))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := w.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, open, err := w.Standing(t.Context(), plan.Guarantee); open || err != nil {
		t.Fatalf("an account is open before anything was done: %v, %v", open, err)
	}
	limit, err := account.Cap(2, 1e-2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Open(t.Context(), plan.Guarantee, limit); err != nil {
		t.Fatal(err)
	}
	if a, open, err := w.Standing(t.Context(), plan.Guarantee); err != nil || !open || a.Cap != limit {
		t.Errorf("standing %+v, %v, %v; want the cap %v", a, open, err, limit)
	}
	other, _ := account.Cap(3, 1e-2)
	if err := w.Open(t.Context(), plan.Guarantee, other); !errors.Is(err, account.ErrCapFixed) {
		t.Errorf("another cap: %v", err)
	}
}

// TestRequest: what the manifest says of an order holds no path.
func TestRequest(t *testing.T) {
	o := Order{Product: "heatmap", Mechanism: "halfblur", Values: map[string]string{"epsilon": "1", "blur": "/home/me"}, Counts: true, Stimuli: []string{"/home/me/hill.png"}}
	got := o.Request("gazeward studio")
	if want := "gazeward studio heatmap --mechanism=halfblur --blur=PATH --epsilon=1 --weight=count DATA"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDemoRecordings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "people")
	o, err := Demo{People: 3, Seconds: 1, Rate: 60}.Recordings(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := OpenData(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Survey(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.People != 3 || s.Recordings != 3 || len(s.Stimuli) != 1 || s.Failed != 0 {
		t.Errorf("survey %+v", s)
	}
	if _, err := os.Stat(filepath.Join(dir, "areas.csv")); err != nil {
		t.Error(err)
	}
}

// TestWhatIsPaidForIsFinished: whoever cancels after the charge gets the
// release.
func TestWhatIsPaidForIsFinished(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	ctx, cancel := context.WithCancel(t.Context())
	p := &lastMoment{steps: &steps{t: t, lab: l, spec: spec(t, "heatmap", "halfblur")}, cancel: cancel}
	j := l.job(t)
	if _, err := j.walk(ctx, p); err != nil {
		t.Errorf("cancelled after the charge: %v", err)
	}
	if n := len(l.entries(t)); n != 1 {
		t.Errorf("%d charges, want 1", n)
	}
}

// lastMoment cancels while the release is being drawn.
type lastMoment struct {
	*steps
	cancel context.CancelFunc
}

func (p *lastMoment) release(ctx context.Context, _ *staging, _ *till) (*Release, error) {
	p.cancel()
	return &Release{}, ctx.Err()
}
