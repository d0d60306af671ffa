package format

import (
	"fmt"
	"sync"
)

// Report collects what a reader left out and what was odd, in the order of
// first occurrence. A nil Report swallows everything; a Report may be shared
// by readers of several files and goroutines.
type Report struct {
	mu      sync.Mutex
	format  string
	why     []string
	dropped []string
	isDrop  map[string]bool
	carrier []string
	quirks  []Quirk
	at      map[string]int
}

// Quirk is an oddity with the number of its occurrences.
type Quirk struct {
	Text  string
	Count int
}

// String returns count and text, or the text alone for what is not counted.
func (q Quirk) String() string {
	if q.Count == 0 {
		return q.Text
	}
	return fmt.Sprintf("%d × %s", q.Count, q.Text)
}

// Detected notes which format reads the file, and why.
func (r *Report) Detected(format string, why []string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.format, r.why = format, append(r.why[:0:0], why...)
}

// Drop notes a column or a kind of content that did not enter the model. Name
// it, never quote its values.
func (r *Report) Drop(name string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isDrop[name] {
		return
	}
	if r.isDrop == nil {
		r.isDrop = make(map[string]bool)
	}
	r.isDrop[name] = true
	r.dropped = append(r.dropped, name)
}

// DropIdentity is [Report.Drop] for what may say who was recorded: names,
// dates, serial numbers, paths, free text, the geometry of eyes and heads.
func (r *Report) DropIdentity(name string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	seen := r.isDrop[name]
	if !seen {
		r.carrier = append(r.carrier, name)
	}
	r.mu.Unlock()
	r.Drop(name)
}

// Count adds n to a quirk's occurrences; n = 0 notes it without a number once.
func (r *Report) Count(text string, n int) {
	if r == nil || n < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i, ok := r.at[text]
	if !ok {
		if r.at == nil {
			r.at = make(map[string]int)
		}
		i = len(r.quirks)
		r.at[text] = i
		r.quirks = append(r.quirks, Quirk{Text: text})
	}
	r.quirks[i].Count += n
}

// CountSome is [Report.Count] that notes nothing where n is 0.
func (r *Report) CountSome(text string, n int) {
	if n > 0 {
		r.Count(text, n)
	}
}

// Format returns the reader's name and why it was chosen.
func (r *Report) Format() (name string, why []string) {
	if r == nil {
		return "", nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.format, append([]string(nil), r.why...)
}

// Dropped lists what did not enter the model.
func (r *Report) Dropped() []string {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.dropped...)
}

// Identity lists those of Dropped that may say who was recorded.
func (r *Report) Identity() []string {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.carrier...)
}

// Quirks lists what was odd.
func (r *Report) Quirks() []Quirk {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Quirk(nil), r.quirks...)
}
