package manifest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// testKey is a fixed key: what is signed with it can be compared.
func testKey(t testing.TB, n byte) ed25519.PrivateKey {
	t.Helper()
	key, err := GenerateKey(bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func fingerprintOf(key ed25519.PrivateKey) string {
	return Fingerprint(key.Public().(ed25519.PublicKey))
}

// guarantee is one Gaussian release about 300 people.
func guarantee() dp.Guarantee {
	return dp.Guarantee{
		Measure: dp.Approximate, Epsilon: 1, Delta: 1e-5, Mu: dp.GaussianMu(1, 1e-5), Unit: dp.Subject,
		Neighbours: dp.ReplaceOne, Model: dp.Central, Unprotected: []string{"the number of enrolled subjects"},
	}
}

func plan(g dp.Guarantee) mechanism.Plan {
	return mechanism.Plan{
		Mechanism: "heatmap/halfblur", Calibration: mechanism.Guaranteed, Guarantee: g,
		Noise:       mechanism.Noise{Law: "rounded gaussian", Scale: 1.25e-7, Sigma: 1.25e-7, Grid: 0x1p-30},
		Sensitivity: mechanism.Sensitivity{L1: 0.01, L2: 3.5e-8},
		Parameters:  map[string]string{"subjects": "300", "cell": "8px", "blur": "24px"},
		Expected:    &mechanism.Expected{NoiseToPeak: 0.05, CC: 0.92, SubjectsNeeded: 280, MeasuredOn: "simulated free viewing", InWords: "About 0.92."},
	}
}

// filled is a manifest with something in every group.
func filled(t testing.TB) *Manifest {
	t.Helper()
	g := guarantee()
	m := Describe(mechanism.Release{Plan: plan(g), Guarantee: g, Warnings: []error{errors.New("a <b>warning</b> & more")}})
	m.ReleaseID = "r2"
	m.Tool = Tool{Name: "gazeward", Version: "v1.0.0", Go: "go1.26"}
	m.Dated(time.Date(2026, 3, 4, 23, 59, 58, 0, time.FixedZone("west", -3600)))
	m.Cite(mechanism.Spec{Source: "gazeward, mechanism/heatmap/PROOF.md"})
	m.Basic.Name, m.Basic.IntendedUse = "Free viewing of 12 pictures", "Research on saliency"
	m.Basic.DataCurators = List[Curator]{{Name: "Example University", Type: "Nonprofit"}}
	m.Preprocessing = List[Step]{{Step: "fixations by I-VT", Paid: NotApplicable}}
	m.Hyperparameters = List[Hyperparameter]{{Name: "places", Value: "5", How: "fixed", Paid: NotApplicable}}
	m.PostProcessing = List[string]{"Wiener filter"}
	m.Risk = List[Risk]{{Attack: "re-identification", Metric: "rank-1", Value: Num(0.01), Chance: Num(0.01)}}
	m.Provenance.SourceDatasets = List[Dataset]{{Name: "osie", DOI: "10.1167/14.1.28"}}
	a, entries := books(t, g)
	m.Account(&a, entries)
	return m
}

// books are an account with two charges.
func books(t testing.TB, g dp.Guarantee) (account.Account, []account.Entry) {
	t.Helper()
	ctx := context.Background()
	l := account.Ledger{Store: new(account.Memory), Now: func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }}
	key := account.KeyFor("osie", "keyed-0123456789abcdef", g)
	budget := account.Budget{Epsilon: 10e9, Delta: 1e16}
	if _, err := l.Open(ctx, key, budget); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"r1", "r2"} {
		if _, err := l.Charge(ctx, key, account.Spend{ID: id, Guarantee: g, What: "heatmap/halfblur"}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Account(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := l.Entries(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return a, entries
}

// void is a release drawn from a seed.
func void(t testing.TB) *Manifest {
	t.Helper()
	r := mechanism.Draw(plan(guarantee()), noise.Seeded(1))
	m := Describe(r)
	m.Account(nil, nil)
	return m
}

// release writes files and the manifest into a new folder.
func release(t testing.TB, m *Manifest, key ed25519.PrivateKey) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "heatmap.csv", "x_px,y_px,value\n4,4,0.5\n")
	put(t, dir, "1001/heatmap.png", "\x89PNG not really")
	put(t, dir, "report.html", "<!doctype html>")
	m.Outputs = List[Output]{{Path: "heatmap.csv", Schema: "x_px,y_px,value"}}
	if err := m.Write(dir, key); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func verify(t testing.TB, dir, fingerprint string) *Result {
	t.Helper()
	r, err := VerifyDir(dir, fingerprint)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
