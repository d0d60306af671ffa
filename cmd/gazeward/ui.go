package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// ui holds the rules of terminal output: results on stdout, everything else on
// stderr, progress only where somebody watches.
type ui struct {
	out, err io.Writer
	watched  bool // stderr is a terminal
	json     bool
	quiet    bool
}

func newUI(out, err *os.File) *ui {
	return &ui{out: out, err: err, watched: term.IsTerminal(int(err.Fd()))}
}

// note tells something on stderr that is no result.
func (u *ui) note(format string, a ...any) {
	if !u.quiet {
		fmt.Fprintf(u.err, format+"\n", a...)
	}
}

// warn tells a warning on stderr, quiet or not.
func (u *ui) warn(err error) { fmt.Fprintln(u.err, "warning:", err) }

// result prints v as JSON with --json, else in words.
func (u *ui) result(v any, words func(io.Writer)) error {
	if !u.json {
		w := &sticky{w: u.out}
		words(w)
		return w.err
	}
	e := json.NewEncoder(u.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// sticky keeps the first error of a writer: what could not be printed must not
// end like what was.
type sticky struct {
	w   io.Writer
	err error
}

func (s *sticky) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// progress shows a bar with label, total and unit, once the work has taken a
// second and only on a terminal. A total of -1 is not known in advance.
func (u *ui) progress(label, unit string, total int) (step func(int), done func()) {
	if !u.watched || u.quiet {
		return func(int) {}, func() {}
	}
	began := time.Now()
	var bar *progressbar.ProgressBar
	step = func(n int) {
		if bar == nil && time.Since(began) < time.Second {
			return
		}
		if bar == nil {
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(u.err), progressbar.OptionSetDescription(label), progressbar.OptionSetItsString(unit),
				progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish(),
				progressbar.OptionSetElapsedTime(true), progressbar.OptionThrottle(200*time.Millisecond))
		}
		_ = bar.Set(n)
	}
	return step, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// hinted is an error with a hint of its own.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }

func usage(format string, a ...any) error { return &usageError{fmt.Errorf(format, a...)} }

// exit prints the error with a hint and returns the exit code.
func (u *ui) exit(err error) int {
	if err == nil {
		return 0
	}
	code := exitCode(err)
	if !errors.Is(err, errSaysNo) {
		said := strings.TrimSpace(err.Error())
		if errors.Is(err, context.Canceled) {
			said = "interrupted"
		}
		fmt.Fprintln(u.err, "gazeward:", said)
		if h := hint(err); h != "" {
			fmt.Fprintln(u.err, "hint:", h)
		}
	}
	return code
}

func exitCode(err error) int {
	var asUsage *usageError
	var exhausted *account.ExhaustedError
	switch {
	case errors.Is(err, errSaysNo):
		return 1
	case errors.As(err, &exhausted):
		return 4
	case errors.As(err, &asUsage):
		return 2
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "unknown flag"), strings.HasPrefix(err.Error(), "required flag"):
		return 2
	}
	return 3
}

// hint says what to do about an error.
func hint(err error) string {
	var exhausted *account.ExhaustedError
	var unknown *format.UnknownError
	var asUsage *usageError
	var charged *curator.ChargedError
	var syntax *format.SyntaxError
	var unread *format.RefusedError
	var withHint *hinted
	switch {
	case errors.Is(err, context.Canceled):
		return "gazeward ledger show tells whether anything was charged"
	case errors.As(err, &withHint):
		return withHint.hint
	case errors.As(err, &charged):
		return "a charge is never taken back: mend what failed and ask again, which is charged again; gazeward ledger show lists what is left"
	case errors.As(err, &exhausted):
		return "a spend cannot be undone: release what was drawn before again, or ask for less; gazeward ledger show lists what is left"
	case errors.Is(err, account.ErrUncertain):
		return "the charge counts as spent: look with gazeward ledger show before you try again"
	case errors.Is(err, curator.ErrExists):
		return "choose another folder with -o, or overwrite it with -f; nothing was charged"
	case errors.Is(err, gaze.ErrNoGeometry):
		return "give --screen-cm WIDTHxHEIGHT and --distance-cm, or lengths in px"
	case errors.Is(err, dataset.ErrNoMatch):
		return "name the data set with --dataset, or say where the participant stands: --participant 'S{participant}_{session}.tsv'"
	case errors.As(err, &unknown) && unknown.Suggestion != "" && !unknown.Incomplete:
		return "gazeward inspect --write-mapping m.yaml FILE writes it; then give --mapping m.yaml; or, if it is no recording, say which files are: --participant 'S{participant}.tsv'"
	case errors.As(err, &unknown) && unknown.Suggestion != "":
		return "put the mapping above into a file and give it with --mapping FILE.yaml; or, if it is no recording, say which files are: --participant 'S{participant}.tsv'"
	case errors.As(err, &unknown):
		return "export the recordings as text; or, if it is no recording, say which files are: --participant 'S{participant}.tsv'"
	case errors.As(err, &unread):
		return "open the file or make the export that the message names, or leave this one out of the folder"
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "mapping: "):
		return "correct the mapping: its keys name columns of the file; gazeward inspect without it proposes one"
	case errors.As(err, &syntax):
		return "export the recording again, or leave the file out"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG), errors.Is(err, syscall.EDQUOT):
		return "make room on the disk, or choose another place with -o; ledger and keys lie in GAZEWARD_HOME"
	case strings.HasPrefix(err.Error(), "account/sqlite: "):
		return "the ledger must be a file that you may write, in a folder that you may write: see GAZEWARD_HOME and --ledger; nothing was charged"
	case errors.Is(err, fs.ErrPermission):
		return "choose a place that you may read or write: -o for the release, GAZEWARD_HOME for ledger and keys"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	case errors.As(err, &asUsage):
		return "gazeward help VERB lists flags and examples"
	}
	return "gazeward inspect PATH shows what the data hold"
}

// version is the module's version as built.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
