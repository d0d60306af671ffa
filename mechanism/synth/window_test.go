package synth

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWindowsAreVisitedOnce: whatever the time stamps, windows cover all samples
// in order, none twice, and no two have the same number.
func TestWindowsAreVisitedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.OneOf(rapid.Int64Range(-5e9, 5e9), rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}))
		var times []time.Duration
		for _, v := range rapid.SliceOf(stamp).Draw(t, "t") {
			times = append(times, time.Duration(v))
		}
		length := time.Duration(rapid.Int64Range(1, 2e9).Draw(t, "w"))
		w, at, last := windows{length: length}, 0, uint64(0)
		for k, s := range spans(times, length) {
			if s.from != at || s.to <= s.from {
				t.Fatalf("window %d is %v after %d", k, s, at)
			}
			for i := s.from; i < s.to; i++ {
				n := w.index(times[i])
				if k > 0 && n < last || k > 0 && i == s.from && n == last {
					t.Fatalf("window %d is visited again", n)
				}
				last = n
			}
			at = s.to
		}
		if at != len(times) {
			t.Fatalf("%d of %d samples are in windows", at, len(times))
		}
	})
}

func TestWindowsAreOfTime(t *testing.T) {
	ms := time.Millisecond
	got := spans([]time.Duration{100 * ms, 599 * ms, 600 * ms, 610 * ms, 605 * ms, 300 * ms, 5 * time.Second}, 500*ms)
	want := []span{{0, 2}, {2, 6}, {6, 7}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := spans([]time.Duration{0, 5, 9}, 1); len(got) != 3 {
		t.Errorf("a window shorter than a sample: %v", got)
	}
}
