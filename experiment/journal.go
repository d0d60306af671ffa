package experiment

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// Cell is one piece of an experiment that can be done by itself: one mechanism
// at one ε in one draw. T is what it finds; it must survive JSON.
type Cell[T any] struct {
	Key string // names the piece within its experiment
	Run func(ctx context.Context, src *noise.Source) (T, error)
}

// Work does cells on all processors and can go on where it was interrupted.
type Work struct {
	// Journal is a file that takes every finished cell; empty = nothing is kept.
	Journal string
	// Config is what the results depend on beside their keys; a journal of
	// another configuration is refused.
	Config   any
	Seed     uint64
	Workers  int            // 0 = all processors
	Progress func(done int) // may be nil
}

// ErrOtherConfig is returned for a journal of another configuration.
var ErrOtherConfig = errors.New("experiment: the folder holds results of another configuration")

// line is one line of a journal.
type line struct {
	Config string          `json:"config,omitempty"` // the first line's only field
	Key    string          `json:"key,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
}

// Do runs the cells that the journal does not hold and returns all results by
// key. A cell's random numbers depend on Seed and its key alone, so that the
// order of work, interruptions and the number of processors change nothing.
func Do[T any](ctx context.Context, w Work, cells []Cell[T]) (map[string]T, error) {
	results := map[string]T{}
	j, err := openJournal(w)
	if err != nil {
		return nil, err
	}
	defer j.close()
	for key, value := range j.had {
		var v T
		if err := json.Unmarshal(value, &v); err != nil {
			return nil, fmt.Errorf("experiment: the journal cannot be read: %w", err)
		}
		results[key] = v
	}
	var open []Cell[T]
	for _, c := range cells {
		if _, done := results[c.Key]; !done {
			open = append(open, c)
		}
	}
	return results, finish(ctx, w, j, open, results, len(cells)-len(open))
}

func finish[T any](ctx context.Context, w Work, j *journal, open []Cell[T], results map[string]T, done int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if w.Workers == 0 {
		w.Workers = runtime.GOMAXPROCS(0)
	}
	next := make(chan Cell[T])
	var mu sync.Mutex
	var first error
	var wg sync.WaitGroup
	for range min(w.Workers, len(open)) {
		wg.Go(func() {
			for c := range next {
				v, err := c.Run(ctx, noise.Seeded(seedOf(w.Seed, c.Key)))
				mu.Lock()
				if err == nil {
					err = j.add(c.Key, v)
				}
				if err != nil {
					if first == nil {
						first = fmt.Errorf("%s: %w", c.Key, err)
					}
					cancel()
				} else {
					results[c.Key] = v
					done++
					if w.Progress != nil {
						w.Progress(done)
					}
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, c := range open {
		select {
		case next <- c:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	if first == nil {
		first = ctx.Err()
	}
	return first
}

// seedOf mixes the seed with the key.
func seedOf(seed uint64, key string) uint64 {
	h := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte(key), seed))
	return binary.LittleEndian.Uint64(h[:])
}

type journal struct {
	file *os.File
	had  map[string]json.RawMessage
}

// openJournal reads what is there. The last line may be torn, by a power cut
// or a kill; it is cut off and done again.
func openJournal(w Work) (*journal, error) {
	j := &journal{had: map[string]json.RawMessage{}}
	if w.Journal == "" {
		return j, nil
	}
	text, err := json.Marshal(struct {
		Config any
		Seed   uint64
	}{w.Config, w.Seed})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	config := hex.EncodeToString(sum[:])
	whole, err := j.read(w.Journal, config)
	if err != nil {
		return nil, err
	}
	if j.file, err = os.OpenFile(w.Journal, os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
		return nil, fmt.Errorf("experiment: cannot keep results: %w", err)
	}
	if err := errors.Join(j.file.Truncate(whole), seekEnd(j.file)); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if whole == 0 {
		return j, j.put(line{Config: config})
	}
	return j, nil
}

func seekEnd(f *os.File) error { _, err := f.Seek(0, 2); return err }

// read fills had and returns how many bytes are whole lines.
func (j *journal) read(name, config string) (whole int64, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("experiment: cannot read earlier results: %w", err)
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	in := bufio.NewScanner(bytes.NewReader(data[:end]))
	in.Buffer(nil, 1<<28)
	for first := true; in.Scan(); first = false {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return 0, fmt.Errorf("experiment: the file of earlier results is broken: %w", err)
		}
		if first && l.Config != config {
			return 0, ErrOtherConfig
		}
		if !first {
			j.had[l.Key] = l.Value
		}
	}
	return int64(end), in.Err()
}

func (j *journal) add(key string, v any) error {
	if j.file == nil {
		return nil
	}
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return j.put(line{Key: key, Value: value})
}

func (j *journal) put(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("experiment: cannot keep results: %w", err)
	}
	return nil
}

func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
	}
}
