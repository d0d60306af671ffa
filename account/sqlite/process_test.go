package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gazeward/gazeward/account"
)

// The test binary runs itself as a process that spends: childVariable holds
// the ledger's path, the name of the run, ε and the number of spends.
const childVariable = "GAZEWARD_TEST_SPENDER"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		os.Exit(spender(strings.Split(spec, "|")))
	}
	os.Exit(m.Run())
}

// spender prints the id of each spend once it is acknowledged.
func spender(spec []string) int {
	path, run := spec[0], spec[1]
	epsilon, _ := strconv.ParseFloat(spec[2], 64)
	count, _ := strconv.Atoi(spec[3])
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx := context.Background()
	store, err := Open(ctx, path)
	if err != nil {
		return fail(err)
	}
	l := &account.Ledger{Store: store}
	limit, err := account.Cap(1e5, 0)
	if err != nil {
		return fail(err)
	}
	if _, err := l.Open(ctx, subject, limit); err != nil && !errors.Is(err, account.ErrCapFixed) {
		return fail(err)
	}
	for i := range count {
		id := fmt.Sprintf("%s/%d", run, i)
		_, err := l.Charge(ctx, subject, account.Spend{ID: id, Guarantee: pure(epsilon)})
		var exhausted *account.ExhaustedError
		if errors.As(err, &exhausted) {
			return 0
		}
		if err != nil {
			return fail(err)
		}
		fmt.Fprintln(os.Stdout, id)
	}
	return 0
}

type child struct {
	*exec.Cmd
	out  *bufio.Reader
	err  *strings.Builder
	acks []string
}

func start(t *testing.T, path, run string, epsilon float64, count int) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.Command(exe), err: &strings.Builder{}}
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%g|%d", childVariable, path, run, epsilon, count))
	c.Stderr = c.err
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(pipe)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// read collects acknowledged spends: at most n, or all until the end.
func (c *child) read(n int) {
	for ; n != 0; n-- {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return
		}
		c.acks = append(c.acks, strings.TrimSuffix(line, "\n"))
	}
}

func TestManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, _ := openLedger(t, path, mustCap(t, 5, 0))
	children := make([]*child, 4)
	var wg sync.WaitGroup
	for i := range children {
		children[i] = start(t, path, fmt.Sprint(i), 0.1, 40)
		wg.Go(func() { children[i].read(-1) })
	}
	wg.Wait()
	total := 0
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, c.err)
		}
		total += len(c.acks)
	}
	if total != 50 { // 50 × 0.1 meets 5 exactly; 160 were asked
		t.Errorf("%d spends of 0.1 were granted under a cap of 5", total)
	}
	if err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestProcessesCreateOneLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	children := make([]*child, 4)
	for i := range children {
		children[i] = start(t, path, fmt.Sprint(i), 1, 3)
	}
	for _, c := range children {
		c.read(-1)
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, c.err)
		}
	}
	if n := len(ids(t, path)); n != 12 {
		t.Errorf("%d entries, want 12", n)
	}
}

// kill ends the child with SIGKILL and returns everything it had acknowledged.
func (c *child) kill(t *testing.T) []string {
	t.Helper()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.read(-1)
	_, _ = io.Copy(io.Discard, c.out)
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child was to be killed: %v: %s", err, c.err)
	}
	return c.acks
}

// ids verifies the ledger as a newcomer and returns the ids in it.
func ids(t *testing.T, path string) map[string]bool {
	t.Helper()
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	l := &account.Ledger{Store: store}
	defer l.Close()
	if err := l.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := l.Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set := make(map[string]bool)
	for _, e := range entries {
		set[e.ID] = true
	}
	return set
}

func TestKilledProcessesLoseNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not to be had on Windows")
	}
	const kills = 200
	path := filepath.Join(t.TempDir(), "ledger.db")
	acknowledged, extra := 0, 0
	known := make(map[string]bool)
	for k := range kills {
		c := start(t, path, fmt.Sprint(k), 1e-3, 1_000_000)
		c.read(1 + k%7)
		time.Sleep(time.Duration(k*37%1500) * time.Microsecond)
		acks := c.kill(t)
		now := ids(t, path)
		for _, id := range acks {
			if !now[id] {
				t.Fatalf("kill %d: the acknowledged spend %s is lost", k, id)
			}
			known[id] = true
		}
		acknowledged += len(acks)
		unknown := 0
		for id := range now {
			if !known[id] {
				unknown++
				known[id] = true
			}
		}
		if unknown > 1 {
			t.Fatalf("kill %d: %d spends that nobody acknowledged", k, unknown)
		}
		if len(now) != len(known) {
			t.Fatalf("kill %d: the ledger holds %d spends, %d were seen before", k, len(now), len(known))
		}
		extra += unknown
	}
	if acknowledged < 2*kills {
		t.Errorf("only %d spends were acknowledged", acknowledged)
	}
	t.Logf("%d kills: %d acknowledged spends, all in the ledger; %d more were charged but not acknowledged", kills, acknowledged, extra)
}

func TestKilledWhileCreating(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not to be had on Windows")
	}
	for k := range 20 {
		path := filepath.Join(t.TempDir(), "home", "ledger.db")
		c := start(t, path, "run", 1e-3, 1_000_000)
		time.Sleep(time.Duration(k) * 1500 * time.Microsecond)
		acks := c.kill(t)
		now := ids(t, path)
		for _, id := range acks {
			if !now[id] {
				t.Fatalf("the acknowledged spend %s is lost", id)
			}
		}
		if len(now) > len(acks)+1 {
			t.Fatalf("%d spends, %d acknowledged", len(now), len(acks))
		}
	}
}

func BenchmarkCharge(b *testing.B) {
	for _, writers := range []int{1, 4} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			l, _ := openLedger(b, filepath.Join(b.TempDir(), "ledger.db"), mustCap(b, 1e6, 0))
			ids := make(chan int)
			go func() {
				for i := range b.N {
					ids <- i
				}
				close(ids)
			}()
			var wg sync.WaitGroup
			for range writers {
				wg.Go(func() {
					for i := range ids {
						if _, err := l.Charge(context.Background(), subject, account.Spend{ID: fmt.Sprint(i), Guarantee: pure(1e-6)}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "spends/s")
		})
	}
}
