package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

func counted(n int, ran *atomic.Int32, stopAt int32, cancel func()) []Cell[uint64] {
	var cells []Cell[uint64]
	for i := range n {
		cells = append(cells, Cell[uint64]{fmt.Sprint("cell ", i), func(_ context.Context, src *noise.Source) (uint64, error) {
			if ran.Add(1) == stopAt {
				cancel()
			}
			return src.Uint64() >> 12, nil // survives JSON
		}})
	}
	return cells
}

// An interrupted experiment goes on where it was, and finds what an
// uninterrupted one finds.
func TestWorkGoesOn(t *testing.T) {
	w := Work{Journal: filepath.Join(t.TempDir(), "cells.jsonl"), Config: "a", Seed: 4, Workers: 2}
	var whole, ran atomic.Int32
	want, err := Do(context.Background(), Work{Seed: 4, Workers: 1}, counted(40, &whole, -1, nil))
	if err != nil || whole.Load() != 40 {
		t.Fatal(err, whole.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Do(ctx, w, counted(40, &ran, 15, cancel)); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted run ends with %v", err)
	}
	first := ran.Load()
	f, err := os.OpenFile(w.Journal, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"key":"cell 39","val`); err != nil { // a torn line
		t.Fatal(err)
	}
	f.Close()
	got, err := Do(context.Background(), w, counted(40, &ran, -1, nil))
	if err != nil {
		t.Fatal(err)
	}
	if again := ran.Load() - first; again < 40-first || again > 40-first+2 {
		t.Errorf("%d cells ran at first, %d later", first, again)
	}
	if len(got) != 40 {
		t.Errorf("%d results", len(got))
	}
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s: %v alone, %v after an interruption", key, v, got[key])
		}
	}
	w.Config = "b"
	if _, err := Do(context.Background(), w, counted(1, &ran, -1, nil)); !errors.Is(err, ErrOtherConfig) {
		t.Errorf("results of another configuration were taken: %v", err)
	}
}

func TestWorkEndsWithTheFirstError(t *testing.T) {
	boom := errors.New("boom")
	cells := []Cell[int]{{"a", func(context.Context, *noise.Source) (int, error) { return 0, boom }}}
	if _, err := Do(context.Background(), Work{}, cells); !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
	broken := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(broken, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Do(context.Background(), Work{Journal: broken}, cells); err == nil {
		t.Error("a broken file of results was taken")
	}
}
