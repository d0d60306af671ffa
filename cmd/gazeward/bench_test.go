package main

import (
	"io"
	"testing"
)

// BenchmarkPlan is what a user waits for after typing plan (without the start
// of the process): figures of the README, in one run.
func BenchmarkPlan(b *testing.B) {
	for name, args := range map[string][]string{
		"halfblur": {"plan", "heatmap", "--width", "800", "--height", "600", "--subjects", "100", "--epsilon", "1", "--json"},
		"gaussian": {"plan", "heatmap", "--mechanism", "gaussian", "--width", "1680", "--height", "1050", "--subjects", "900", "--cap", "1", "--epsilon", "1", "--json"},
		"laplace":  {"plan", "heatmap", "--mechanism", "laplace", "--width", "1680", "--height", "1050", "--subjects", "900", "--cap", "1", "--epsilon", "1", "--json"},
		"aoi":      {"plan", "aoi", "--areas", "8", "--subjects", "100", "--epsilon", "1", "--json"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				u := &ui{out: io.Discard, err: io.Discard}
				root := rootCommand(u)
				root.SetArgs(args)
				if err := root.Execute(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
