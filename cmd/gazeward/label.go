package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/report"
)

func labelCommand(ui *ui) *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use: "label FOLDER", Short: "One page about a release, for those who read nothing else: HTML or PNG",
		Example: "  gazeward label out/heatmap -o label.html\n  gazeward label out/heatmap -o label.png",
		Args:    oneArgument("a release's folder"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, ending in .html or .png (required)")
	c.Flags().BoolVarP(&force, "force", "f", false, "overwrite the file")
	c.RunE = func(_ *cobra.Command, args []string) error {
		kind := strings.ToLower(filepath.Ext(out))
		if kind != ".html" && kind != ".png" {
			return usage("-o is required: a file that ends in .html or .png, got %q", out)
		}
		m, err := intact(args[0])
		if err != nil {
			return err
		}
		l := report.Label{Manifest: m}
		write := l.WriteHTML
		if kind == ".png" {
			write = l.WritePNG
		}
		if err := writeFile(out, force, write); err != nil {
			return err
		}
		ui.note("wrote %s", out)
		return nil
	}
	return c
}

// intact reads the manifest of a release that passes its own checks: a label
// must not say what its release does not.
func intact(dir string) (*manifest.Manifest, error) {
	r, err := manifest.VerifyDir(dir, "")
	if err != nil {
		return nil, err
	}
	if r.Manifest == nil || !r.OK() {
		return nil, &hinted{errors.New("the release does not verify, so it gets no label"), "gazeward verify lists what is wrong with it"}
	}
	return r.Manifest, nil
}

// writeFile writes a file beside its place and renames it.
func writeFile(name string, force bool, write func(io.Writer) error) error {
	if _, err := os.Stat(name); err == nil && !force {
		return &usageError{&hinted{fmt.Errorf("the output exists: %s", filepath.Base(name)), "choose another name with -o, or overwrite it with -f"}}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the renaming there is nothing to remove
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
