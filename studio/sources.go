package studio

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

// source is a data set that is open in the studio.
type source struct {
	ID        string
	Name      string // as shown
	Simulated bool
	path      string // file or folder
	own       string // folder of this run that goes with it; empty = picked on the machine
	home      curator.Home

	mu      sync.Mutex
	options curator.DataOptions
	mapping string // YAML as it was typed
	found   *found // nil until it was read
	problem *problem
	job     string // that reads it
	areas   grid.AOIs
	typed   string // the areas as typed
}

// found is what is known of a data set after one reading. Everything that a
// product is planned from is public: how many people, which stimuli, which
// screen, which kinds of records.
type found struct {
	*curator.Survey
	Definition string       `json:"definition"` // name of the account
	Title      string       `json:"title"`
	Why        []string     `json:"why"`
	Peek       curator.Peek `json:"-"`
	PeekError  string       `json:"no_positions,omitempty"`
	Areas      []string     `json:"area_files"` // files that may hold areas of interest
	Rate       float64      `json:"rate"`       // Hz of the first file with one; 0 = not known
}

// state of a source under its lock.
func (s *source) state() (f *found, p *problem, job string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found, s.problem, s.job
}

func (s *source) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// data opens the data anew: every job has its own.
func (s *source) data() (*curator.Data, error) {
	s.mu.Lock()
	o := s.options
	s.mu.Unlock()
	return curator.OpenData(s.path, o)
}

func (s *source) screen() gaze.Screen {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil && s.found.Peek.Screen.Known() {
		return s.found.Peek.Screen
	}
	return s.options.Screen
}

// sources are all that are open, in the order of their coming.
type sources struct {
	mu    sync.Mutex
	all   map[string]*source
	order []string
}

func (c *sources) add(s *source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.ID = name()
	c.all[s.ID] = s
	c.order = append(c.order, s.ID)
}

func (c *sources) get(id string) (*source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.all[id]
	if s == nil {
		return nil, missing("This data set is not open (any more).")
	}
	return s, nil
}

func (c *sources) list() []*source {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]*source, 0, len(c.order))
	for _, id := range c.order {
		out = append(out, c.all[id])
	}
	return out
}

// forget closes a data set and removes what was uploaded of it.
func (c *sources) forget(s *source) error {
	c.mu.Lock()
	delete(c.all, s.ID)
	c.order = slices.DeleteFunc(c.order, func(id string) bool { return id == s.ID })
	c.mu.Unlock()
	if s.own == "" {
		return nil
	}
	return os.RemoveAll(s.own)
}

// read starts the job that reads a data set once. before, which may be nil,
// comes first.
func (s *Server) read(src *source, title string, before func(ctx context.Context, j *job) error) (*job, error) {
	j, err := s.jobs.start(title, "files", func(ctx context.Context, j *job) (string, error) {
		next := "/data/" + src.ID
		if before != nil {
			if err := before(ctx, j); err != nil {
				return next, err
			}
		}
		f, err := src.survey(ctx, j.progress)
		src.set(func() {
			src.found, src.problem = f, nil
			if err != nil {
				src.problem = describe(err)
			}
		})
		if ctx.Err() != nil {
			return next, ctx.Err()
		}
		return next, nil // what is wrong is told on the data's own page
	})
	if err == nil {
		src.set(func() { src.job = j.id })
	}
	return j, err
}

// survey reads the data once.
func (s *source) survey(ctx context.Context, progress func(done, total int)) (*found, error) {
	d, err := s.data()
	if err != nil {
		return nil, err
	}
	f := &found{Definition: d.Name, Title: d.Folder.Definition.Title, Why: d.Why}
	f.Survey, err = d.Survey(ctx, progress)
	if f.Survey == nil {
		return nil, err
	}
	f.Areas, f.Rate = areaFiles(f.Survey), rateOf(f.Survey)
	if err != nil {
		return f, err
	}
	if f.Peek, err = d.Peek(ctx, nil); err != nil && ctx.Err() == nil {
		f.PeekError = err.Error()
	}
	return f, ctx.Err()
}

// rateOf is the rate of the first file that has one: as stated, else as
// measured.
func rateOf(s *curator.Survey) float64 {
	for _, file := range s.Files {
		if r := file.Rate; r != nil && r.NominalHz > 0 {
			return r.NominalHz
		} else if r != nil && r.Hz > 0 {
			return r.Hz
		}
	}
	return 0
}

// areaFiles are files whose names speak of areas.
func areaFiles(s *curator.Survey) []string {
	out := []string{}
	for _, name := range s.Others {
		base := strings.ToLower(filepath.Base(name))
		if strings.HasSuffix(base, ".csv") && (strings.Contains(base, "area") || strings.Contains(base, "aoi")) {
			out = append(out, name)
		}
	}
	return out
}
