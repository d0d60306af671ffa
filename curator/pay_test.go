package curator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
)

// hookedFS calls before on every file that is opened.
type hookedFS struct {
	fs.FS
	before func(name string)
}

func (h hookedFS) Open(name string) (fs.File, error) {
	h.before(name)
	return h.FS.Open(name)
}

// withHook lets a job's data call something: while "recordings.csv" is opened
// (before the charge), or when the stimulus' picture is looked for (after it).
func withHook(j *HeatmapJob, at string, hook func()) {
	j.Data.Folder.Definition.Stimuli = "pictures/{stimulus}.png"
	j.Data.Folder.FS = hookedFS{j.Data.Folder.FS, func(name string) {
		if strings.HasPrefix(name, at) {
			hook()
		}
	}}
}

const (
	readingData  = "recordings"
	telling      = "pictures"
	crashingTest = "GAZEWARD_TEST_CRASH"
)

func exists(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// TestFailingOutputKeepsTheCharge removes the ground under the release once
// the charge is made.
func TestFailingOutputKeepsTheCharge(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	j := l.heatmap(t)
	called := 0
	withHook(j, telling, func() {
		called++
		if n := len(l.entries(t)); n != 1 {
			t.Errorf("%d charges when the release is told, want 1", n)
		}
		for _, name := range l.leftovers(t) {
			if err := os.RemoveAll(filepath.Join(filepath.Dir(l.home.Dir), name)); err != nil {
				t.Error(err)
			}
		}
	})
	_, err := j.Run(t.Context())
	if called == 0 {
		t.Fatal("nothing was removed, so nothing was tested")
	}
	var charged *ChargedError
	if !errors.As(err, &charged) {
		t.Fatalf("want a ChargedError, got %v", err)
	}
	entries := l.entries(t)
	if len(entries) != 1 || entries[0].ID != charged.ID || entries[0].Charged() != charged.Charged {
		t.Errorf("the error tells of entry %s (%v), the ledger holds %v", charged.ID, charged.Charged, entries)
	}
	if !strings.Contains(err.Error(), charged.ID) || !strings.Contains(err.Error(), "stays in the ledger") {
		t.Errorf("the error does not say what was charged: %v", err)
	}
	if left := l.leftovers(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFailingDataCostNothing: whatever happens to the recordings, nothing is
// spent and nothing is written.
func TestFailingDataCostNothing(t *testing.T) {
	for name, text := range map[string]string{
		"damaged":      "\x89HDF\r\n\x1a\n",
		"unknown":      "a,b\n1,2\n3,4\n",
		"another unit": "participant,stimulus,time [us],x [deg],y [deg]\nZ,hill,0,1,1\nZ,hill,10000,1,1\n",
	} {
		l := newLab(t)
		l.table(t, "a.csv", 5)
		l.write(t, "b.csv", text)
		j := l.heatmap(t)
		if name == "another unit" { // degrees need what this screen does not know
			j.Data.screen = screen
			j.Data.screen.WidthCm, j.Data.screen.HeightCm, j.Data.screen.DistanceCm = 0, 0, 0
		}
		_, err := j.Run(t.Context())
		if err == nil {
			t.Errorf("%s: a release was made", name)
		}
		var charged *ChargedError
		if errors.As(err, &charged) {
			t.Errorf("%s: charged for nothing: %v", name, err)
		}
		if n := len(l.entries(t)); n != 0 {
			t.Errorf("%s: %d charges", name, n)
		}
		if left := l.leftovers(t); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

// TestExhaustedWhileReading: what another process spends between the question
// and the charge is seen by the charge, and nothing is drawn.
func TestExhaustedWhileReading(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	if _, err := l.heatmap(t).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	key := l.entries(t)[0].Key
	j := l.heatmap(t)
	if _, err := j.Data.Units(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	opened, spent := 0, 0
	withHook(j, readingData, func() {
		if opened++; opened != 3 || spent > 0 { // the first two look at headers
			return
		}
		spent++
		ledger, err := l.home.Ledger(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		defer ledger.Close()
		g := dp.Guarantee{Measure: dp.Pure, Epsilon: 8.999999}
		if _, err := ledger.Charge(t.Context(), key, account.Spend{ID: "another process", Guarantee: g, What: "everything"}); err != nil {
			t.Error(err)
		}
	})
	_, err := j.Run(t.Context())
	if spent != 1 {
		t.Fatalf("the data were opened %d times: nothing was spent meanwhile, so nothing was tested", opened)
	}
	var exhausted *account.ExhaustedError
	var charged *ChargedError
	if !errors.As(err, &exhausted) || errors.As(err, &charged) {
		t.Fatalf("want an ExhaustedError without a charge, got %v", err)
	}
	if n := len(l.entries(t)); n != 2 {
		t.Errorf("%d entries, want the first release's and the other process'", n)
	}
	if exists(t, j.Out) || len(l.leftovers(t, filepath.Join(filepath.Dir(l.home.Dir), "release-1"))) > 0 {
		t.Errorf("left behind: %v", l.leftovers(t))
	}
}

// TestManyAtOnce: of many jobs on one account, as many are released as the
// budget holds, and each of them is charged.
func TestManyAtOnce(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	limit, err := account.Cap(3, 1e-2)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.home.Open(t.Context(), l.open(t), dp.Subject, limit); err != nil {
		t.Fatal(err)
	}
	const n = 8
	var jobs [n]*HeatmapJob
	var errs [n]error
	for i := range jobs {
		jobs[i] = l.heatmap(t)
		jobs[i].Spec = spec(t, "heatmap", "laplace")
		jobs[i].Values = map[string]string{"epsilon": "1", "cap": "1", "cell": "40px", "picture": "plain"}
	}
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() { _, errs[i] = jobs[i].Run(t.Context()) })
	}
	wg.Wait()
	released := 0
	for i, err := range errs {
		var exhausted *account.ExhaustedError
		switch {
		case err == nil:
			released++
			if r, err := manifest.VerifyDir(jobs[i].Out, ""); err != nil || !r.OK() {
				t.Errorf("a release does not verify: %v", err)
			}
		case !errors.As(err, &exhausted):
			t.Error(err)
		case exists(t, jobs[i].Out):
			t.Error("a release without a charge")
		}
	}
	if charged := len(l.entries(t)); released != 3 || charged != 3 {
		t.Errorf("%d releases and %d charges, want 3 of ε = 1 under a cap of 3", released, charged)
	}
}

// TestOneOutputForTwo: of two jobs with one output, one is there in the end,
// whole; the other is told that its charge stays.
func TestOneOutputForTwo(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	first, second := l.heatmap(t), l.heatmap(t)
	second.Out = first.Out
	withHook(first, telling, func() {
		if _, err := second.Run(t.Context()); err != nil {
			t.Error(err)
		}
	})
	_, err := first.Run(t.Context())
	var charged *ChargedError
	if !errors.As(err, &charged) || !errors.Is(err, ErrExists) {
		t.Errorf("want a ChargedError because the output exists, got %v", err)
	}
	if r, err := manifest.VerifyDir(first.Out, ""); err != nil || !r.OK() {
		t.Errorf("the release that was there was damaged: %v", err)
	}
	if left := l.leftovers(t, first.Out); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestCrashAfterTheCharge kills a process between charge and release: the
// spend stays, no output is there, and the home is fit for the next job.
func TestCrashAfterTheCharge(t *testing.T) {
	if root := os.Getenv(crashingTest); root != "" {
		l := &lab{dir: filepath.Join(root, "Numbat-clinic", "data"), home: Home{Dir: filepath.Join(root, "home")}}
		j := l.heatmap(t)
		withHook(j, telling, func() { os.Exit(86) })
		_, err := j.Run(t.Context())
		t.Fatalf("survived: %v", err)
	}
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	c := exec.Command(os.Args[0], "-test.run=^TestCrashAfterTheCharge$")
	c.Env = append(os.Environ(), crashingTest+"="+filepath.Dir(l.home.Dir))
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 86 {
		t.Fatalf("the process did not crash where it should: %v\n%s", err, out)
	}
	if n := len(l.entries(t)); n != 1 {
		t.Errorf("%d charges after the crash, want 1", n)
	}
	l.counter = 0
	j := l.heatmap(t)
	if exists(t, j.Out) {
		t.Error("the crash left a release")
	}
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v, err := manifest.VerifyDir(r.Dir, ""); err != nil || !v.OK() {
		t.Errorf("the next release does not verify: %v", err)
	}
	if n := len(l.entries(t)); n != 2 {
		t.Errorf("%d charges, want 2", n)
	}
}

// TestVoidNeedsNoHome: what is never charged touches neither ledger nor keys.
func TestVoidNeedsNoHome(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	j := l.heatmap(t)
	j.Spec, j.Values = spec(t, "heatmap", "noise-free"), map[string]string{"blur": "20px"}
	r, err := j.Run(t.Context())
	if err != nil || r.ID != "" {
		t.Fatalf("%v, entry %q", err, r.ID)
	}
	if exists(t, l.home.Dir) {
		t.Error("a void release made a home")
	}
	if !strings.Contains(fmt.Sprint(l.told), "NOT PRIVATE") {
		t.Errorf("nobody was told: %v", l.told)
	}
}

// TestKeyBeforeCharge: a signing key that cannot be read costs nothing.
func TestKeyBeforeCharge(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	if err := os.MkdirAll(l.home.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.home.Dir, "signing.pem"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.heatmap(t).Run(t.Context()); err == nil {
		t.Error("released without a key")
	}
	if n := len(l.entries(t)); n != 0 {
		t.Errorf("%d charges", n)
	}
}
