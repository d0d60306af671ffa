package format

import (
	"errors"
	"fmt"
	"strings"
)

// ErrEmpty is the cause of a [SyntaxError] about a file that has the marks of
// its format but neither a sample nor an event.
var ErrEmpty = errors.New("no samples and no events")

// SyntaxError says where a file could not be read. It never quotes the file's
// contents: they may say who was recorded.
type SyntaxError struct {
	File string // base name
	Line int    // from 1; 0 = not a file of lines, or not known
	Msg  string
	Err  error // cause; may be nil
}

// Error returns file:line: message.
func (e *SyntaxError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("format: %s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("format: %s: %s", e.File, e.Msg)
}

// Unwrap returns the cause.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Empty returns the error of a file without samples and events, located at the
// last line read.
func Empty(file string, line int) error {
	return &SyntaxError{file, line, "nothing to read: " + ErrEmpty.Error(), ErrEmpty}
}

// Candidate is a format that was tried on a file, with its judgement.
type Candidate struct {
	Name string
	Match
}

// UnknownError says that no format fits a file: what was tried and why each
// failed, and for a table a mapping that would make it readable.
type UnknownError struct {
	File       string
	Tried      []Candidate
	Suggestion string // YAML for [ParseMapping]; empty when the file is no table
	Incomplete bool   // the suggestion has gaps to fill in
	Because    string // why the table could not be read without it
}

// Error lists what was tried, unless a table was found and only its columns are
// in doubt.
func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "format: %s: unknown format", e.File)
	if e.Because != "" {
		fmt.Fprintf(&b, ": %s", e.Because)
	} else {
		e.told(&b)
	}
	switch {
	case e.Suggestion == "":
	case e.Incomplete:
		fmt.Fprintf(&b, "\na mapping would read it; fill in:\n%s", e.Suggestion)
	default:
		fmt.Fprintf(&b, "\nthis mapping reads it (save it as a YAML file; what the table does not say is guessed, check it):\n%s", e.Suggestion)
	}
	return b.String()
}

// whys is how many formats an error explains; the others are only named, so that
// what to do is not buried.
const whys = 4

// fallback is the format of any table of text.
const fallback = "delimited"

// told lists what was tried: of the best judged, and of the fallback for any
// table, why they failed.
func (e *UnknownError) told(b *strings.Builder) {
	var others []string
	for i, c := range e.Tried {
		if i < whys || c.Name == fallback {
			fmt.Fprintf(b, "\n  not %s: %s", c.Name, strings.Join(c.Why, "; "))
		} else {
			others = append(others, c.Name)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "\n  nor any of %s", strings.Join(others, ", "))
	}
}

// AmbiguousError says that a file fits several formats equally well.
type AmbiguousError struct {
	File       string
	Candidates []Candidate
}

// Error lists the candidates.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "format: %s: fits several formats equally well, name one:", e.File)
	for _, c := range e.Candidates {
		fmt.Fprintf(&b, "\n  %s: %s", c.Name, strings.Join(c.Why, "; "))
	}
	return b.String()
}

// RefusedError says that a file's format is known and not read, and what to do.
type RefusedError struct {
	File   string
	Format string // title
	Hint   string
	Beside bool // it belongs to a recording in the same folder, and is none itself

	Foreign bool // its format is no eye tracker's
}

// Error returns the hint.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("format: %s: %s is not read: %s", e.File, e.Format, e.Hint)
}
