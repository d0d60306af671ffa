package curator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// featuresFile tells of the tables beside it.
const featuresFile = "features.json"

// featureFolder is a folder of tables being written, renamed when it is
// complete. It holds people's features: nobody else may read it.
type featureFolder struct {
	final, dir string
	force      bool
	taken      map[string]int
}

func openFeatureFolder(final string, force bool) (*featureFolder, error) {
	if final == "" {
		return nil, &RefusedError{errors.New("curator: no output folder: give -o")}
	}
	final, err := filepath.Abs(final)
	if err != nil {
		return nil, err
	}
	if err := onlyFeatures(final, force); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return nil, fmt.Errorf("curator: cannot make the output's parent: %w", pathless(err))
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), ".part-*") // mode 0700
	if err != nil {
		return nil, fmt.Errorf("curator: cannot write beside the output: %w", pathless(err))
	}
	return &featureFolder{final: final, dir: dir, force: force, taken: map[string]int{}}, nil
}

// onlyFeatures refuses to overwrite without force, and with force a folder that
// holds anything but what an earlier run wrote.
func onlyFeatures(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case !force:
		return ErrExists
	case err != nil:
		return fmt.Errorf("%w and is no folder that can be read", ErrExists)
	case len(entries) == 0:
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, featuresFile))
	var old FeatureFolder
	if err != nil || json.Unmarshal(text, &old) != nil {
		return fmt.Errorf("%w and holds no features: it is not overwritten", ErrExists)
	}
	ours := map[string]bool{featuresFile: true}
	for _, t := range old.Tables {
		ours[t.File] = true
	}
	for _, e := range entries {
		if !ours[e.Name()] || e.IsDir() {
			return fmt.Errorf("%w and holds files that are no features: it is not overwritten", ErrExists)
		}
	}
	return nil
}

// table writes the file of one recording and returns its name.
func (f *featureFolder) table(w Who, write func(io.Writer) error) (string, error) {
	stem := w.stem()
	if f.taken[stem]++; f.taken[stem] > 1 {
		stem += fmt.Sprintf("_part-%d", f.taken[stem])
	}
	name := stem + "_features.csv.gz"
	return name, f.write(name, write)
}

func (f *featureFolder) write(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("curator: cannot write the output: %w", pathless(err))
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("curator: cannot write the output: %w", pathless(err))
	}
	return nil
}

// stem names a recording's file, as BIDS does: sub-…_ses-…_task-…_stim-…
func (w *Who) stem() string {
	parts := []string{"sub-" + plain(w.Participant, "unnamed")}
	for _, p := range [...][2]string{{"ses", w.Session}, {"task", w.Task}, {"trial", w.Trial}, {"stim", w.Stimulus}} {
		if p[1] != "" {
			parts = append(parts, p[0]+"-"+plain(p[1], "x"))
		}
	}
	return strings.Join(parts, "_")
}

// plain leaves letters, digits, points and hyphens, 60 of them at most.
func plain(s, otherwise string) string {
	s = strings.Trim(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' {
			return c
		}
		return '-'
	}, s), "-.")
	if s == "" {
		return otherwise
	}
	return s[:min(len(s), 60)]
}

// commit writes what was done and puts the folder into its place.
func (f *featureFolder) commit(about *FeatureFolder) error {
	err := f.write(featuresFile, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(about)
	})
	if err != nil {
		return err
	}
	if err := onlyFeatures(f.final, f.force); err != nil {
		return err // it came into being while this one was made
	}
	old := f.dir + ".old"
	if err := os.Rename(f.final, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("curator: cannot replace the output: %w", pathless(err))
	}
	if err := os.Rename(f.dir, f.final); err != nil {
		return errors.Join(fmt.Errorf("curator: cannot put the output into its place: %w", pathless(err)), restore(old, f.final))
	}
	return os.RemoveAll(old)
}

// discard removes what was written; after commit it does nothing.
func (f *featureFolder) discard() { _ = os.RemoveAll(f.dir) }
