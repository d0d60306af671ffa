package studio

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// previews are made of simulated people alone: the same for everybody, drawn
// from a seed once. Nothing private enters, so nothing is spent by looking.
type previews struct {
	once   sync.Once
	people []*gaze.Recording
	err    error
	turn   turn
	scenes cache[[]byte] // pictures of the scene, by size

	heat  heatPreview
	aoi   aoiPreview
	paths pathsPreview
	curve seriesPreview
}

// Simulated people behind a preview.
const (
	previewPeople  = 200
	previewSeconds = 8
	previewRate    = gaze.Hertz(60)
	previewSeed    = 20
)

// previewScene is what they look at.
func previewScene() simulate.Scene { return simulate.ShopWindow() }

// cohort simulates the people on first use.
func (p *previews) cohort() ([]*gaze.Recording, error) {
	p.once.Do(func() {
		c := simulate.Cohort{People: previewPeople, Seconds: previewSeconds, Rate: previewRate, Scenes: []simulate.Scene{previewScene()}, Loss: 0.02}
		p.people, p.err = gaze.Collect(c.Recordings(noise.Seeded(previewSeed)))
	})
	return p.people, p.err
}

// warm makes what every preview needs before somebody waits for it.
func (p *previews) warm() {
	people, err := p.cohort()
	if err == nil {
		p.aoi.prepare(people)
	}
}

// picture is one side of a preview.
type picture struct {
	draw    func(io.Writer) error
	alt     string
	overlay bool // to be laid over the scene
}

// preview shows one product on simulated people.
type preview interface {
	// shows lists what there is to see, the usual first: statistics, features.
	shows(c *choice) []string
	// before is without noise.
	before(c *choice, show string) (picture, error)
	// sketches reports whether there is a quick picture besides the exact one.
	sketches(c *choice) bool
	// after is with the noise of the choice; a sketch is quick and close.
	after(c *choice, show string, sketch bool) (picture, error)
}

// of returns the preview of a product; nil where there is none.
func (p *previews) of(product string) preview {
	switch product {
	case "heatmap":
		return &heatView{p, &p.heat}
	case "aoi":
		return &aoiView{p, &p.aoi}
	case "gaze", "synthesis":
		return &pathsView{p, &p.paths}
	case "series":
		return &seriesView{&p.curve}
	}
	return nil
}

// show is the chosen one of what there is to see.
func showOf(v preview, c *choice, asked string) string {
	all := v.shows(c)
	if slices.Contains(all, asked) || len(all) == 0 {
		return asked
	}
	return all[0]
}

// turn lets one exact picture be made at a time: sketches, which somebody is
// waiting for, have the other processors. Who went away in the meantime loses
// the turn.
type turn struct {
	once sync.Once
	free chan struct{}
}

func (t *turn) take(ctx context.Context) error {
	t.once.Do(func() { t.free = make(chan struct{}, 1) })
	select {
	case t.free <- struct{}{}:
		if err := ctx.Err(); err != nil { // gone while it waited
			t.give()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *turn) give() { <-t.free }

// normals are standard normal numbers, always the same ones: of a preview only
// their scale changes.
type normals struct {
	mu     sync.Mutex
	values []float64
}

func (z *normals) first(n int) []float64 {
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(z.values) < n {
		src := noise.Seeded(7)
		z.values = make([]float64, n)
		for i := range z.values {
			z.values[i] = src.NormFloat64()
		}
	}
	return z.values[:n]
}

// cache remembers the latest results, each computed once even where several
// ask at the same time.
type cache[V any] struct {
	mu    sync.Mutex
	order []string
	all   map[string]*cached[V]
}

type cached[V any] struct {
	once  sync.Once
	value V
	err   error
}

const cacheSize = 48

func (c *cache[V]) get(key string, produce func() (V, error)) (V, error) {
	c.mu.Lock()
	if c.all == nil {
		c.all = map[string]*cached[V]{}
	}
	e := c.all[key]
	if e == nil {
		e = &cached[V]{}
		c.all[key] = e
		c.order = append(c.order, key)
		if len(c.order) > cacheSize {
			delete(c.all, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.mu.Unlock()
	e.once.Do(func() { e.value, e.err = produce() })
	return e.value, e.err
}

func keyOf(parts ...any) string { return fmt.Sprint(parts...) }
