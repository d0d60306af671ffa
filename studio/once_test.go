package studio

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// charges counts the spends on the simulated people.
func (d *desk) charges(t *testing.T) int {
	t.Helper()
	book, err := readBook(t.Context(), d.folder.playground())
	if err != nil {
		t.Fatal(err)
	}
	return len(book.Entries)
}

// jobOf is the work that an answer leads to.
func jobOf(t *testing.T, status int, body string) string {
	t.Helper()
	var j jobView
	if err := json.Unmarshal([]byte(body), &j); err != nil || status != http.StatusAccepted {
		t.Fatalf("%d: %s", status, body)
	}
	return j.ID
}

// TestConfirmedOnceSpentOnce: however often and however fast the same form is
// sent, it is charged once, and every answer leads to the same work.
func TestConfirmedOnceSpentOnce(t *testing.T) {
	d := newDesk(t)
	query := "data=" + d.demoByHand(t)
	_, body, _ := d.ask(t, d.request(t, http.MethodGet, "/confirm?format=json&"+query, nil))
	var page confirmView
	if err := json.Unmarshal([]byte(body), &page); err != nil || len(page.Once) != 64 || page.Phrase != "spend 1" || !strings.HasPrefix(page.Spend, "/spend?") {
		t.Fatalf("the twin does not say how to confirm: %v: %s", err, body)
	}
	ids := make(chan string, 8)
	var sent sync.WaitGroup
	for range cap(ids) {
		sent.Go(func() {
			status, body, _ := d.spend(t, query, page.Once, page.Phrase)
			var j jobView
			if err := json.Unmarshal([]byte(body), &j); err != nil || status != http.StatusAccepted {
				t.Errorf("%d: %s", status, body)
			}
			ids <- j.ID
		})
	}
	sent.Wait()
	first := <-ids
	for range cap(ids) - 1 {
		if other := <-ids; other != first {
			t.Errorf("the same form started %s and %s", first, other)
		}
	}
	if j := d.finished(t, first); j.State != finished {
		t.Fatalf("%+v", j.Problem)
	}
	status, body, _ := d.spend(t, query, page.Once, page.Phrase) // replayed when all is done
	if again := jobOf(t, status, body); again != first {
		t.Errorf("the form that was sent again started %s", again)
	}
	if n := d.charges(t); n != 1 {
		t.Errorf("%d charges, want 1", n)
	}
}

// TestConfirmationsGoStale: a second window that shows the account as it was
// before must look again; so must a form without a name, with a guessed one, or
// with that of another choice.
func TestConfirmationsGoStale(t *testing.T) {
	d := newDesk(t)
	query := "data=" + d.demoByHand(t)
	one, two := d.confirms(t, query), d.confirms(t, query)
	refused := func(why, query, once, words string) {
		t.Helper()
		if status, body, _ := d.spend(t, query, once, words); status != http.StatusConflict || !strings.Contains(body, "nothing was spent") {
			t.Errorf("%s was answered with %d: %s", why, status, body)
		}
	}
	refused("no name", query, "", "spend 1")
	refused("a guess", query, secret(), "spend 1")
	refused("another choice", query+"&epsilon=2", one, "spend 2")
	if d.charges(t) != 0 {
		t.Fatal("something was charged")
	}
	if book, err := readBook(t.Context(), d.folder.playground()); err != nil || book.Exists {
		t.Errorf("a confirmation that does not hold opened an account: %+v, %v", book.Accounts, err)
	}
	status, body, _ := d.spend(t, query, one, "spend 1")
	if j := d.finished(t, jobOf(t, status, body)); j.State != finished {
		t.Fatalf("%+v", j.Problem)
	}
	refused("the second window", query, two, "spend 1")
	if n := d.charges(t); n != 1 {
		t.Errorf("%d charges, want 1", n)
	}
	status, body, _ = d.spend(t, query, d.confirms(t, query), "spend 1") // looked at again
	if j := d.finished(t, jobOf(t, status, body)); j.State != finished {
		t.Fatalf("%+v", j.Problem)
	}
	if n := d.charges(t); n != 2 {
		t.Errorf("%d charges, want 2", n)
	}
}

// TestConfirmationsAreBounded: pages that nobody confirms do not fill the
// memory.
func TestConfirmationsAreBounded(t *testing.T) {
	var c confirmations
	first := c.ask("a", "b")
	var last string
	for range keptConfirmations {
		last = c.ask("a", "b")
	}
	start := func() (*job, error) { return &job{}, nil }
	if _, err := c.take(first, "a", "b", start); err == nil || len(c.open) != keptConfirmations {
		t.Errorf("%d are kept, %v", len(c.open), err)
	}
	if j, err := c.take(last, "a", "b", start); err != nil || j == nil || len(c.open) != 0 {
		t.Errorf("the last one: %v", err)
	}
}
