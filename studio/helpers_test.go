package studio

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/experiment"
)

// confirms opens the page that asks for a confirmation, and returns the name
// that it gave; it gives one to those as well whom it refuses.
func (d *desk) confirms(t *testing.T, query string) string {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.choose(q)
	if err != nil {
		t.Fatal(err)
	}
	return d.asked.ask(c.Source.home.Dir, c.key())
}

// spend sends the form of that page.
func (d *desk) spend(t *testing.T, query, once, words string) (status int, body string, h http.Header) {
	t.Helper()
	r := d.request(t, http.MethodPost, "/spend?"+query, strings.NewReader(url.Values{"once": {once}, "phrase": {words}}.Encode()))
	r.Header.Set("Accept", "application/json")
	return d.ask(t, r)
}

// audited makes the audits of package experiment, as the program does.
func audited(ctx context.Context, o AuditOrder) (t AuditTable, err error) {
	rows, err := experiment.Audits{Specs: o.Specs, Trials: o.Trials, Seed: o.Seed, Progress: func(done int) { o.Progress(done) }}.Run(ctx)
	for _, r := range rows {
		t.Rows = append(t.Rows, AuditRow{r.Result, r.Calibration, r.Fault, r.Composed, r.Why, r.Parameters, AuditLayers(r.Layers)})
	}
	return t, err
}

// syncBuffer is a log that several may write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *syncBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

// discard is a reader of pages who looks at none.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
