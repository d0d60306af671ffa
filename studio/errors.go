package studio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// problem is an error as people are told it: what is wrong, and what to do.
type problem struct {
	Status     int    `json:"status"`
	Title      string `json:"title"`
	What       string `json:"error"`
	Hint       string `json:"hint"`
	Suggestion string `json:"suggestion,omitempty"` // a mapping that would read the file
	Back       string `json:"-"`
}

func (p *problem) Error() string { return p.What }

// refuse is an error of whoever asked.
func refuse(what, hint string) error {
	return &problem{Status: http.StatusUnprocessableEntity, Title: "That does not work", What: what, Hint: hint}
}

func missing(what string) error {
	return &problem{Status: http.StatusNotFound, Title: "Not here", What: what, Hint: "Data sets and jobs are forgotten when the program ends; releases and the ledger stay."}
}

// describe tells an error in words.
func describe(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	p := &problem{Status: http.StatusUnprocessableEntity, Title: "That does not work", What: plain(err.Error()), Hint: hint(err)}
	switch {
	case errors.Is(err, context.Canceled):
		p.Title, p.What = "Stopped", "It was stopped."
	case isA[*account.ExhaustedError](err):
		p.Status, p.Title, p.What = http.StatusConflict, "The budget is exhausted", exhausted(err)
	case isA[*curator.ChargedError](err), errors.Is(err, account.ErrUncertain), errors.Is(err, account.ErrTampered):
		p.Status, p.Title = http.StatusInternalServerError, "Something failed"
	}
	if unknown, ok := errors.AsType[*format.UnknownError](err); ok {
		p.Suggestion = unknown.Suggestion
	}
	return p
}

// rooms are the names with which errors of the program begin.
var rooms = regexp.MustCompile(`^(account|calibrate|curator|dataset|detect|dp|format|gaze|grid|heatmap|manifest|mechanism|noise|report|series|stream|synth|studio|[a-z]+/[a-z-]+): `)

// plain is an error's text for people: without the names of rooms at its
// beginning, with a capital.
func plain(text string) string {
	for rooms.MatchString(text) {
		text = rooms.ReplaceAllString(text, "")
	}
	if first, _, _ := strings.Cut(text, " "); strings.HasSuffix(first, ":") { // the name of a file
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

func exhausted(err error) string {
	e, _ := errors.AsType[*account.ExhaustedError](err)
	return fmt.Sprintf("The budget of %s per %s is exhausted: asked %s, spent so far %s of %s. Nothing was charged.", e.Dataset, e.Unit, amount(e.Asked), amount(e.Spent), amount(e.Cap))
}

// amount is a budget in running text.
func amount(b account.Budget) string {
	return "ε = " + significant(number(b.Epsilon.String())) + ", δ = " + significant(number(b.Delta.String()))
}

func isA[E error](err error) bool { _, ok := errors.AsType[E](err); return ok }

// hint says what to do about an error.
func hint(err error) string {
	unknown, _ := errors.AsType[*format.UnknownError](err)
	switch {
	case errors.Is(err, context.Canceled):
		return "The ledger tells whether anything was charged."
	case isA[*curator.ChargedError](err):
		return "A charge is never taken back. Mend what failed and ask again, which is charged again."
	case isA[*account.ExhaustedError](err):
		return "A spend cannot be undone. Use what was released before, or ask for a smaller ε."
	case errors.Is(err, account.ErrUncertain):
		return "The charge counts as spent. Look into the ledger before you try again."
	case errors.Is(err, account.ErrTampered):
		return "Restore the ledger from a backup."
	case errors.Is(err, gaze.ErrNoGeometry):
		return "Say how large the screen is, in pixels and centimetres, and how far away; or give lengths in px."
	case errors.Is(err, dataset.ErrNoMatch):
		return "Name the data set, or say where the participant stands in the file names."
	case unknown != nil && unknown.Suggestion != "":
		return "Say what the columns mean: a mapping is proposed below. Check its units."
	case unknown != nil:
		return "Export the recordings as text, or leave this file out."
	case isA[*format.RefusedError](err):
		return "Open the file or make the export that the message names, or leave this one out."
	case isA[*format.SyntaxError](err):
		return "Export the recording again, or leave the file out."
	case errors.Is(err, fs.ErrPermission):
		return "Choose a place that this program may read."
	case errors.Is(err, fs.ErrNotExist):
		return "Check the path."
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "Try again."
	}
	return ""
}

// answer is a handler that may fail.
type answer func(w http.ResponseWriter, r *http.Request) error

// handle answers errors with a page of their own. Only that something failed on
// our side is logged, never what: errors may name files.
func (s *Server) handle(a answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := a(w, r)
		if err == nil || isA[gone](err) {
			return
		}
		p := describe(err)
		if p.Status >= http.StatusInternalServerError {
			s.o.Log.Error("a request failed", "route", r.Pattern, "status", p.Status)
		}
		if s.write(w, r, p.Status, "problem", frame{Title: p.Title, V: p}) != nil {
			s.o.Log.Error("a request could not be answered", "route", r.Pattern)
		}
	}
}
