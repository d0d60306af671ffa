package stream

import (
	"math"
	"time"
)

// whole is the publications' share of a window's budget in the ledger's units.
// Spends are whole numbers of them: they add up exactly.
const whole int64 = 1 << 40

// ledger is what was published in the trailing window, oldest first.
type ledger struct {
	window time.Duration
	open   bool // the window does not hold its first instant: as printed
	at     []time.Duration
	spent  []int64
	first  int // index of the oldest
	count  int
	sum    int64
}

// room is how many publications a window can hold: those a skip apart.
func newLedger(window time.Duration, room int, open bool) ledger {
	return ledger{window: window, open: open, at: make([]time.Duration, room), spent: make([]int64, room)}
}

func (l *ledger) reset() { l.first, l.count, l.sum = 0, 0, 0 }

// left is what may still be spent at t, after everything that lies more than a
// window before t has been forgotten. Calls go forward in time.
func (l *ledger) left(t time.Duration) int64 {
	since := before(t, l.window)
	for l.count > 0 && (l.at[l.first] < since || l.open && l.at[l.first] == since) {
		l.sum -= l.spent[l.first]
		l.first, l.count = l.next(l.first), l.count-1
	}
	return whole - l.sum
}

func (l *ledger) next(i int) int {
	if i++; i == len(l.at) {
		return 0
	}
	return i
}

// full reports that the window holds as many publications as it can.
func (l *ledger) full() bool { return l.count == len(l.at) }

// add notes a spend at t, later than all before it. The caller has asked left and
// full.
func (l *ledger) add(t time.Duration, units int64) {
	i := (l.first + l.count) % len(l.at)
	l.at[i], l.spent[i] = t, units
	l.count++
	l.sum += units
}

// before is t−d, the least time where there is no such time.
func before(t, d time.Duration) time.Duration {
	if t < math.MinInt64+d {
		return math.MinInt64
	}
	return t - d
}

// after is t+d, the greatest time where there is no such time.
func after(t, d time.Duration) time.Duration {
	if t > math.MaxInt64-d {
		return math.MaxInt64
	}
	return t + d
}
