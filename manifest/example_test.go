package manifest_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func Example() {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "heatmap.csv")
	_ = os.WriteFile(file, []byte("x_px,y_px,value\n4,4,0.5\n"), 0o644)

	// What follows from the mechanism; a real release comes from its Release method.
	plan := mechanism.Plan{Mechanism: "heatmap/halfblur", Guarantee: dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-5}}
	m := manifest.Describe(mechanism.Draw(plan, noise.Secure()))
	m.Basic.Name = "Free viewing of 12 pictures"
	key, _ := manifest.GenerateKey(noise.Secure())
	if err := m.Write(dir, key); err != nil {
		fmt.Println(err)
	}

	r, err := manifest.VerifyDir(dir, string(m.Signature.KeyID))
	fmt.Println(r.OK(), r.Trusted, r.Guarantee, err)
	_ = os.WriteFile(file, []byte("x_px,y_px,value\n4,4,0.6\n"), 0o644)
	r, err = manifest.VerifyDir(dir, string(m.Signature.KeyID))
	fmt.Println(r.OK(), r.Problems, err)
	// Output:
	// true true (1, 1e-05)-DP per subject, replace one, central <nil>
	// false [heatmap.csv: was changed: it does not have the hash that the manifest states] <nil>
}
