package curator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/manifest"
)

// Comparison holds a release of gaze paths beside the recordings it was made
// from. What it yields is for the curator alone.
type Comparison struct {
	Raw  *Data  // required
	Home Home   // its key tells which pseudonym is whose
	Dir  string // the release's folder

	// Manifest is the release's, after Open.
	Manifest *manifest.Manifest
	// Paired reports, after Open, whether recordings can be told to belong
	// together: the home holds the key of the release's pseudonyms.
	Paired bool
	// Unpaired counts recordings of the release that no raw one belongs to;
	// after the iteration of Pairs.
	Unpaired int

	released *Data
	names    canonical.Names
	files    map[gaze.Header][]string // of the release, by who and what
	order    []string
	onto     frame
}

// Pair is a recording and what was released of it, in one unit and frame.
type Pair struct{ Raw, Released *gaze.Recording }

// ErrNoRecordings is returned for releases that hold no gaze paths.
var ErrNoRecordings = errors.New("curator: the release holds no recordings")

// Open reads the manifest and finds the release's recordings.
func (c *Comparison) Open(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(c.Dir, manifest.FileName))
	if err != nil {
		return fmt.Errorf("curator: cannot read the release's manifest: %w", pathless(err))
	}
	if c.Manifest, err = manifest.Parse(text); err != nil {
		return err
	}
	dir := filepath.Join(c.Dir, "recordings")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return ErrNoRecordings
	}
	if c.released, err = OpenData(dir, DataOptions{}); err != nil {
		return err
	}
	if err := c.index(ctx); err != nil {
		return err
	}
	return c.match(ctx)
}

// who is what two headers of one recording have in common.
func who(h *gaze.Header) gaze.Header {
	return gaze.Header{
		Participant: strings.TrimPrefix(h.Participant, synthetic+"-"),
		Session:     h.Session, Task: h.Task, Trial: h.Trial, Stimulus: baseName(h.Stimulus),
	}
}

// index reads the head of every released file.
func (c *Comparison) index(ctx context.Context) error {
	files, err := c.released.Folder.Files()
	if err != nil {
		return err
	}
	c.files = map[gaze.Header][]string{}
	first := true
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.HasSuffix(f.Path, ".csv.gz") {
			continue // the tables' own descriptions
		}
		c.order = append(c.order, f.Path)
		for r, err := range c.open(f.Path) {
			if err != nil {
				return err
			}
			if first {
				c.onto, first = frame{unit: r.Unit, screen: r.Screen, sphere: r.Unit == gaze.Degrees}, false
			}
			key := who(&r.Header)
			c.files[key] = append(c.files[key], f.Path)
			break
		}
	}
	if first {
		return ErrNoRecordings
	}
	return nil
}

func (c *Comparison) open(name string) gaze.Seq {
	return c.released.Folder.Open(c.released.Folder.FS, name, format.Options{})
}

// match finds out whether the home's key makes the release's pseudonyms.
func (c *Comparison) match(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.Home.Dir, "pseudonym.key")); err != nil {
		return nil // without a key there is nothing to match
	}
	pseudonym, err := c.Home.Pseudonyms()
	if err != nil {
		return err
	}
	c.names = canonical.Names{Pseudonym: pseudonym}
	people := map[string]bool{}
	for key := range c.files {
		people[key.Participant] = true
	}
	all, err := c.Raw.Units(ctx, false)
	if err != nil {
		return err
	}
	c.Paired = slices.ContainsFunc(all, func(name string) bool {
		h := gaze.Header{Participant: name}
		c.names.Replace(&h)
		return people[h.Participant]
	})
	return nil
}

// RawRecordings streams whole raw recordings in the release's unit and frame;
// those that cannot be brought there are an error.
func (c *Comparison) RawRecordings(ctx context.Context) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for r, err := range gaze.Join(c.Raw.aside().Recordings(ctx, nil)) {
			if err != nil {
				yield(nil, err)
				return
			}
			out := new(gaze.Recording)
			if err := c.onto.put(out, r); err != nil {
				yield(nil, err)
				return
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// ReleasedRecordings streams whole released recordings.
func (c *Comparison) ReleasedRecordings(ctx context.Context) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, name := range c.order {
			r, err := c.whole(name)
			if err == nil {
				err = ctx.Err()
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Pairs streams raw recordings with what was released of them. Where a person
// has several recordings of one name, they pair in their order.
func (c *Comparison) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		left := map[gaze.Header][]string{}
		for key, files := range c.files {
			left[key] = files
		}
		for raw, err := range c.RawRecordings(ctx) {
			if err != nil {
				yield(Pair{}, err)
				return
			}
			masked := raw.Header
			c.names.Replace(&masked)
			key := who(&masked)
			files := left[key]
			if len(files) == 0 {
				continue
			}
			left[key] = files[1:]
			released, err := c.whole(files[0])
			if err == nil {
				released.Screen = raw.Screen
			}
			if !yield(Pair{raw, released}, err) || err != nil {
				return
			}
		}
		c.Unpaired = 0
		for _, files := range left {
			c.Unpaired += len(files)
		}
	}
}

func (c *Comparison) whole(file string) (*gaze.Recording, error) {
	for r, err := range gaze.Join(c.open(file)) {
		return r, err
	}
	return nil, ErrNoRecordings
}
