package studio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

// pathsPreview shows gaze paths sample by sample.
type pathsPreview struct {
	drawn cache[*released]
}

// released are the first paths of a release of simulated people.
type released struct {
	paths     [][][2]float64
	synthetic bool
}

type pathsView struct {
	p *previews
	k *pathsPreview
}

// Paths that are shown, and how long they may take: a mechanism that learns
// from everybody may need longer than a preview is worth.
const (
	shownPaths  = 2
	pathsBudget = 20 * time.Second
)

func (v *pathsView) shows(*choice) []string  { return nil }
func (v *pathsView) sketches(c *choice) bool { return eachAlone[c.Spec.Short()] }

// before is the gaze of the first simulated people as it is.
func (v *pathsView) before(c *choice, _ string) (picture, error) {
	people, err := v.p.cohort()
	if err != nil {
		return picture{}, err
	}
	screen := c.screen()
	out := &released{}
	for r, err := range posed(people[:shownPaths], screen, c.sphere()) {
		if err != nil {
			return picture{}, err
		}
		out.take(r, screen)
	}
	return v.picture(out, screen, "as it was recorded"), nil
}

// after is what a release would hold of them.
func (v *pathsView) after(c *choice, _ string, sketch bool) (picture, error) {
	m, err := c.build()
	if err != nil {
		return picture{}, err
	}
	paths, ok := m.(mechanism.Paths)
	if !ok {
		return picture{}, fmt.Errorf("studio: %s makes no gaze paths", c.Spec.Name)
	}
	screen, people := c.screen(), shownPaths
	if !v.sketches(c) {
		if people = previewPeople; sketch {
			return picture{}, errSlow
		}
	}
	if n, err := strconv.Atoi(or(c.Values["subjects"], c.public()["subjects"])); err == nil && n > 0 {
		people = min(people, n)
	}
	out, err := v.k.drawn.get(keyOf(c.Spec.Name, m, screen, people), func() (*released, error) { return v.protect(paths, screen, c.sphere(), people) })
	if err != nil {
		return picture{}, err
	}
	return v.picture(out, screen, "as it would be released"), nil
}

// eachAlone are mechanisms that protect every recording by itself; the others
// learn from everybody.
var eachAlone = map[string]bool{"kaleido": true, "fixed": true, "jitter": true, "temporal": true, "spatial": true}

func (v *pathsView) protect(m mechanism.Paths, screen gaze.Screen, sphere bool, n int) (*released, error) {
	people, err := v.p.cohort()
	if err != nil {
		return nil, err
	}
	people = people[:n]
	ctx, stop := context.WithTimeout(context.Background(), pathsBudget)
	defer stop()
	r, err := m.Protect(timed(ctx, posed(people, screen, sphere)), noise.Seeded(7))
	if err != nil {
		return nil, err
	}
	out := &released{synthetic: r.Synthetic}
	for piece, err := range r.Recordings {
		if err != nil {
			return nil, err
		}
		out.take(piece, screen)
		if ctx.Err() != nil {
			return nil, errSlow
		}
	}
	return out, nil
}

var errSlow = errors.New("studio: this mechanism takes too long for a preview; the figures below hold")

// timed ends a sequence when the time is over.
func timed(ctx context.Context, pieces gaze.Seq) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for r, err := range pieces {
			if ctx.Err() != nil {
				err = errSlow
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// posed are simulated recordings as a job hands them to a mechanism: px of the
// screen from the top left or directions in the world, and nothing but samples.
func posed(people []*gaze.Recording, screen gaze.Screen, sphere bool) gaze.Seq {
	scene := previewScene()
	fx, fy := float64(screen.Width)/scene.Width, float64(screen.Height)/scene.Height
	return func(yield func(*gaze.Recording, error) bool) {
		for _, from := range people {
			track, eye, _ := from.Best()
			r := &gaze.Recording{Header: from.Header}
			r.Unit, r.Frame, r.Screen = gaze.Pixels, gaze.OnScreen, screen
			r.Screen.Origin = gaze.TopLeft
			if sphere {
				r.Unit, r.Frame, r.Screen = gaze.Degrees, gaze.InWorld, gaze.Screen{}
			}
			r.Samples.T = append(r.Samples.T, from.Samples.T...)
			to := gaze.Track{X: make([]float64, len(track.X)), Y: make([]float64, len(track.Y))}
			for i, x := range track.X {
				to.X[i], to.Y[i] = x*fx, track.Y[i]*fy
				if sphere {
					to.X[i], to.Y[i] = directions(to.X[i], to.Y[i], screen)
				}
			}
			r.Samples.Tracks[eye] = to
			if !yield(r, nil) {
				return
			}
		}
	}
}

// take keeps the positions of a piece as px of the screen, as long as there is
// room.
func (r *released) take(piece *gaze.Recording, screen gaze.Screen) {
	if !piece.Continues {
		if len(r.paths) == shownPaths {
			return
		}
		r.paths = append(r.paths, nil)
	}
	track, _, ok := piece.Best()
	if len(r.paths) == 0 || !ok {
		return
	}
	last := &r.paths[len(r.paths)-1]
	for i, x := range track.X {
		if len(*last) >= shownSamples {
			return
		}
		y := track.Y[i]
		if gaze.Lost(x, y) {
			x, y = math.NaN(), math.NaN()
		}
		if piece.Unit == gaze.Degrees {
			x, y = inView(x, y, screen)
		}
		*last = append(*last, [2]float64{x, y})
	}
}

// shownSamples bounds the samples of one path.
const shownSamples = previewSeconds * int(previewRate)

func (v *pathsView) picture(r *released, screen gaze.Screen, how string) picture {
	t := report.Trail{Width: float64(screen.Width), Height: float64(screen.Height), Paths: r.paths, Synthetic: r.synthetic}
	alt := fmt.Sprintf("Gaze of %d simulated people in front of a shop window, sample by sample, %s.", len(r.paths), how)
	if r.synthetic {
		alt = fmt.Sprintf("%d synthetic recordings of nobody, sample by sample, drawn from a model of 200 simulated people.", len(r.paths))
	}
	return picture{draw: func(w io.Writer) error { return t.WritePNG(w) }, alt: alt, overlay: true}
}
