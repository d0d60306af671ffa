package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/manifest"
)

func verifyCommand(ui *ui) *cobra.Command {
	var key string
	c := &cobra.Command{
		Use: "verify FOLDER", Short: "Check a release against its manifest: every file, the signature, the key",
		Example: "  gazeward verify out/heatmap --key SHA256:…",
		Args:    oneArgument("a release's folder"),
	}
	c.Flags().StringVar(&key, "key", "", "fingerprint of the key that must have signed, from a place other than the release")
	c.RunE = func(_ *cobra.Command, args []string) error {
		r, err := manifest.VerifyDir(args[0], key)
		if err != nil {
			return err
		}
		err = ui.result(r, func(w io.Writer) {
			fmt.Fprintf(w, "guarantee  %s\n", r.Guarantee)
			for _, p := range r.Problems {
				fmt.Fprintf(w, "PROBLEM    %v\n", p)
			}
			for _, n := range r.Notes {
				fmt.Fprintf(w, "note       %s\n", n)
			}
			if r.OK() {
				fmt.Fprintf(w, "intact     %d files, %d bytes\n", r.Files, r.Bytes)
			}
		})
		if err == nil && !r.OK() {
			err = errSaysNo
		}
		return err
	}
	return c
}

func exportCommand(ui *ui) *cobra.Command {
	var registry, bids bool
	var out string
	c := &cobra.Command{
		Use: "export FOLDER", Short: "Describe a release for a catalogue: OpenDP deployments registry or BIDS",
		Example: "  gazeward export --opendp-registry out/heatmap\n  gazeward export --bids -o dataset_description.json out/heatmap",
		Args:    oneArgument("a release's folder"),
	}
	c.Flags().BoolVar(&registry, "opendp-registry", false, "tier 3 entry of the OpenDP deployments registry, YAML")
	c.Flags().BoolVar(&bids, "bids", false, "BIDS dataset_description.json of a derivative")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write; default stdout")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if registry == bids {
			return usage("want one of --opendp-registry and --bids")
		}
		r, err := manifest.VerifyDir(args[0], "")
		if err != nil {
			return err
		}
		if r.Manifest == nil || !r.OK() {
			return fmt.Errorf("the release does not verify, so it is not exported: run gazeward verify")
		}
		text, err := manifest.OpenDPRegistry(r.Manifest)
		if bids {
			text, err = manifest.BIDS(r.Manifest)
		}
		if err != nil {
			return err
		}
		if out == "" {
			_, err = ui.out.Write(text)
			return err
		}
		return writeFile(out, false, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	return c
}
