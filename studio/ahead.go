package studio

import (
	"context"
	"fmt"
	"time"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// promise is what an order would promise on its own data. Finding it out may
// mean reading all of them, so that it is kept.
type promise struct {
	plan mechanism.Plan
	work *curator.Work
	err  error
}

// patience is how long a page waits for the promise before it shows the work
// instead.
const patience = 2 * time.Second

// key is the same for the same choice on the same reading of the same data.
func (c *choice) key() string {
	f, _, _ := c.Source.state()
	var typed string
	c.Source.set(func() { typed = c.Source.typed })
	return fmt.Sprintf("%s %p %q", c.query(inNote, "").Encode(), f, typed)
}

// lookAhead finds the promise out. It returns the address of the work where
// that takes long.
func (s *Server) lookAhead(ctx context.Context, c *choice) (next string, err error) {
	if _, known := s.promises.Load(c.key()); known {
		return "", nil
	}
	j, err := s.jobs.start("Finding out what it would promise", "recordings", func(ctx context.Context, j *job) (string, error) {
		p := c.promise(ctx, j)
		if ctx.Err() == nil {
			s.promises.Store(c.key(), p)
		}
		return c.link("/confirm"), ctx.Err()
	})
	if err != nil {
		return "", err
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	for {
		v, changed := j.view()
		if v.State != running {
			return "", nil
		}
		select {
		case <-changed:
		case <-wait.C:
			return "/jobs/" + j.id, nil
		case <-ctx.Done():
			return "", gone{ctx.Err()}
		}
	}
}

// promised is the promise, found out now if need be.
func (s *Server) promised(ctx context.Context, c *choice) (promise, error) {
	if p, known := s.promises.Load(c.key()); known {
		return p.(promise), p.(promise).err
	}
	p := c.promise(ctx, nil)
	return p, p.err
}

// promise asks the curator's room. Nothing is charged.
func (c *choice) promise(ctx context.Context, j *job) (p promise) {
	var d *curator.Data
	if d, p.err = c.Source.data(); p.err != nil {
		return p
	}
	common := curator.Job{Data: d, Home: c.Source.home, Source: noise.Secure()}
	if j != nil {
		common.Progress = func(done int) { j.progress(done, 0) }
	}
	if p.work, p.err = c.order().Work(common); p.err != nil {
		return p
	}
	p.plan, p.err = p.work.Plan(ctx)
	return p
}
