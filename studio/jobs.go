package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gazeward/gazeward/curator"
)

// job is long work: it goes on when nobody watches, and can be watched again
// after the page was reloaded.
type job struct {
	id    string
	title string
	unit  string // of progress: "files", "recordings"

	mu      sync.Mutex
	state   state
	done    int
	total   int // 0 = not known
	told    []string
	next    string   // address of the result
	failed  *problem // why it failed
	cancel  context.CancelFunc
	changed chan struct{} // closed at the next change
}

// state is where a job stands.
type state string

const (
	running   state = "running"
	finished  state = "done"
	failed    state = "failed"
	cancelled state = "cancelled"
)

// jobView is a job as it is shown; it is what the events carry.
type jobView struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	State   state    `json:"state"`
	Done    int      `json:"done"`
	Total   int      `json:"total"` // 0 = not known
	Unit    string   `json:"unit"`
	Told    []string `json:"told"`
	Next    string   `json:"next,omitempty"`
	Problem *problem `json:"problem,omitempty"`
}

func (j *job) view() (jobView, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return jobView{j.id, j.title, j.state, j.done, j.total, j.unit, append([]string{}, j.told...), j.next, j.failed}, j.changed
}

// change alters the job and wakes those who watch.
func (j *job) change(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f()
	close(j.changed)
	j.changed = make(chan struct{})
}

func (j *job) progress(done, total int) {
	j.mu.Lock()
	same := j.done == done && j.total == total
	j.mu.Unlock()
	if !same {
		j.change(func() { j.done, j.total = done, total })
	}
}

func (j *job) tell(format string, a ...any) {
	j.change(func() { j.told = append(j.told, fmt.Sprintf(format, a...)) })
}

// finish is called once, at the end. What was paid for counts as done even
// where somebody wanted to stop.
func (j *job) finish(next string, err error) {
	j.change(func() {
		switch {
		case err == nil:
			j.state, j.next = finished, next
		case errors.Is(err, context.Canceled) && !isA[*curator.ChargedError](err):
			j.state, j.failed, j.next = cancelled, describe(err), next
		default:
			j.state, j.failed, j.next = failed, describe(err), next
		}
	})
}

// jobs are all jobs of this run.
type jobs struct {
	mu      sync.Mutex
	all     map[string]*job
	closed  bool
	working sync.WaitGroup
}

// start runs work in the background. It outlives the request that asked for it.
// work returns the address of the result.
func (js *jobs) start(title, unit string, work func(ctx context.Context, j *job) (next string, err error)) (*job, error) {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{id: name(), title: title, unit: unit, state: running, cancel: cancel, changed: make(chan struct{})}
	js.mu.Lock()
	defer js.mu.Unlock()
	if js.closed {
		cancel()
		return nil, errors.New("studio: the program is ending")
	}
	js.all[j.id] = j
	js.working.Go(func() {
		defer cancel()
		next, err := safely(func() (string, error) { return work(ctx, j) })
		j.finish(next, err)
	})
	return j, nil
}

// safely turns a fault of the program into an error: other work goes on.
func safely(work func() (string, error)) (next string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("studio: the work failed by a fault of the program; nothing of it is shown, because it may name people")
		}
	}()
	return work()
}

func (js *jobs) get(id string) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	j := js.all[id]
	if j == nil {
		return nil, missing("There is no such work (any more).")
	}
	return j, nil
}

// stop ends all work and waits for it: what was charged is still written.
func (js *jobs) stop() {
	js.mu.Lock()
	js.closed = true
	for _, j := range js.all {
		j.cancel()
	}
	js.mu.Unlock()
	js.working.Wait()
}

// jobPage shows a job. When it is done, it leads on to the result.
func (s *Server) jobPage(w http.ResponseWriter, r *http.Request) error {
	j, err := s.jobs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	v, _ := j.view()
	if v.State == finished && v.Next != "" && !wantsJSON(r) {
		http.Redirect(w, r, v.Next, http.StatusSeeOther)
		return nil
	}
	return s.show(w, r, "job", frame{Title: v.Title, V: v, Scripts: []string{"job.js"}})
}

// jobEvents streams the job's changes (server-sent events).
func (s *Server) jobEvents(w http.ResponseWriter, r *http.Request) error {
	j, err := s.jobs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for {
		v, changed := j.view()
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil {
			return gone{err}
		}
		if err := out.Flush(); err != nil {
			return gone{err}
		}
		if v.State != running {
			return nil
		}
		if !wait(r.Context(), changed) {
			return nil
		}
	}
}

// pause is the least time between two events: people read no faster.
const pause = 100 * time.Millisecond

// wait waits for a change, but no longer than the reader does, and keeps events
// apart. A silent connection is woken now and then.
func wait(ctx context.Context, changed <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-changed:
	case <-time.After(15 * time.Second):
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// cancelJob asks a job to stop.
func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request) error {
	j, err := s.jobs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	j.cancel()
	http.Redirect(w, r, "/jobs/"+j.id, http.StatusSeeOther)
	return nil
}
