package format_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
)

func TestNumbersAreCorrectlyRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		form := rapid.SampledFrom([]byte{'g', 'f', 'e'}).Draw(t, "form")
		digits := rapid.IntRange(-1, 18).Draw(t, "digits")
		text := strconv.FormatFloat(v, form, digits, 64)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || len(text) > 400 {
			t.Skip("overflows when rounded, or longer than any cell")
		}
		comma := strings.Replace(text, ".", ",", 1)
		for cell, decimal := range map[string]byte{text: '.', " " + text + "\t": '.', comma: ','} {
			if got, ok := format.ParseNumber([]byte(cell), decimal); !ok || got != want {
				t.Fatalf("ParseNumber(%q) = %v %v, want %v", cell, got, ok, want)
			}
		}
		got, n, ok := format.ScanNumber([]byte(text+";7"), ';', '.')
		if ok && (got != want || n != len(text)) {
			t.Fatalf("ScanNumber(%q) = %v %d, want %v", text, got, n, want)
		}
	})
}

func TestNoNumbers(t *testing.T) {
	for _, cell := range []string{"", " ", "-", ".", "NaN", "nan", "inf", "-Inf", "1,5", "1.2.3", "0x10", "1_000", "1e", "abc", "--1", "1e400", strings.Repeat("9", 500)} {
		if v, ok := format.ParseNumber([]byte(cell), '.'); ok || !math.IsNaN(v) {
			t.Errorf("ParseNumber(%q) = %v %v, want NaN false", cell, v, ok)
		}
	}
	for _, cell := range []string{"", " ", ".", "NaN", "NA", "n/a", "null", "-", "--", "Inf", "-Infinity"} {
		if !format.IsMissing([]byte(cell)) {
			t.Errorf("IsMissing(%q) = false", cell)
		}
	}
	for _, cell := range []string{"0", "x", "lost", "-1", "not a number"} {
		if format.IsMissing([]byte(cell)) {
			t.Errorf("IsMissing(%q) = true", cell)
		}
	}
}

func TestOverflowed(t *testing.T) {
	for v, want := range map[float64]bool{
		2147483647: true, 4294967288: true, -2147483648: true, 1e8: true, 1e300: true,
		0: false, 1920: false, -500: false, 1e6: false, 32767: false,
	} {
		if format.Overflowed(v) != want {
			t.Errorf("Overflowed(%v) = %v", v, !want)
		}
	}
}

func TestStampsKeepEveryDigit(t *testing.T) {
	for _, c := range []struct {
		unit, from, to string
		want           time.Duration
	}{
		{"ns", "1700000000123456789", "1700000000123456790", 1},
		{"100ns", "638000000000000001", "638000000000000002", 100},
		{"s", "1700000000.000000100", "1700000001.000000350", time.Second + 250},
		{"ms", "-0.5", "0.25", 750 * time.Microsecond},
		{"ms", "8258957", "8258957.5", 500 * time.Microsecond},
		{"us", "9223372036854775806", "9223372036854775807", time.Microsecond},
		{"s", "1e3", "1001", time.Second},
		{"ms", "4294967295", "-1", -4294967296 * time.Millisecond},
	} {
		clock, err := format.ParseTimeUnit(c.unit)
		if err != nil {
			t.Fatal(err)
		}
		from, ok1 := format.ParseStamp([]byte(c.from), '.')
		to, ok2 := format.ParseStamp([]byte(c.to), '.')
		clock.Start(from)
		for _, cell := range []string{c.from, c.to} {
			s, _ := format.ParseStamp([]byte(cell), '.')
			if got, n, ok := format.ScanStamp([]byte(cell+";"), ';', '.'); ok && (got != s || n != len(cell)) {
				t.Errorf("ScanStamp(%s) = %v %d, want %v", cell, got, n, s)
			}
		}
		if got, ok := clock.Since(to); !ok1 || !ok2 || !ok || got != c.want {
			t.Errorf("%s to %s %s = %v %v, want %v", c.from, c.to, c.unit, got, ok, c.want)
		}
	}
}

func TestStampsOutOfRange(t *testing.T) {
	for _, cell := range []string{"", "NaN", "x", "1e30", "99999999999999999999", "12:00"} {
		if s, ok := format.ParseStamp([]byte(cell), '.'); ok {
			t.Errorf("ParseStamp(%q) = %v", cell, s)
		}
	}
	clock, _ := format.ParseTimeUnit("s")
	clock.Start(format.Stamp{})
	if d, ok := clock.Since(format.Stamp{Whole: 1 << 61}); ok {
		t.Errorf("a time of 2^61 s passes as %v", d)
	}
}

func TestDatetimes(t *testing.T) {
	from, _ := format.ParseDatetime([]byte("2023-05-06 12:59:59.9999"))
	for _, text := range []string{"2023-05-06 13:00:00.0128", "2023-05-06T13:00:00.0128", "2023-05-06 13:00:00,0128", "2023/05/06 13:00:00.0128", "06.05.2023 13:00:00.0128", "2023-05-06T13:00:00.0128Z"} {
		to, ok := format.ParseDatetime([]byte(text))
		if d := to.Whole - from.Whole; !ok || d != 12_900_000 {
			t.Errorf("%s: %d ns later, want 12900000", text, d)
		}
	}
	if _, ok := format.ParseDatetime([]byte("yesterday")); ok {
		t.Error("yesterday is a time")
	}
}

// Numbers with as many digits as a float64 has, and more, take a way of their
// own: the same rounding as strconv's, also next to the middle of two floats.
func TestLongNumbersAreCorrectlyRounded(t *testing.T) {
	check := func(t interface {
		Helper()
		Fatalf(string, ...any)
	}, text string) {
		t.Helper()
		want, _ := strconv.ParseFloat(text, 64)
		got, n, ok := format.ScanDecimal([]byte(text+"|"), '.')
		if ok && (got != want || n != len(text)) || !ok && len(strings.Trim(text, "-.")) < 19 {
			t.Fatalf("ScanDecimal(%s) = %v %d %v, want %v", text, got, n, ok, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		whole := strconv.FormatUint(rapid.Uint64Range(0, 1e19-1).Draw(t, "digits"), 10)
		point := rapid.IntRange(0, len(whole)).Draw(t, "point")
		check(t, whole[:point]+"."+whole[point:])
		check(t, "-"+whole)
	})
	// Halfway between two floats, and one unit beside it.
	for e := 53; e <= 62; e++ {
		for _, low := range []uint64{1, 3, 12345} {
			middle := uint64(1)<<e + low<<(e-53)
			for _, v := range []uint64{middle - 1, middle, middle + 1} {
				text := strconv.FormatUint(v, 10)
				for point := range len(text) {
					check(t, text[:point]+"."+text[point:])
				}
			}
		}
	}
	for _, text := range []string{"9007199254740993", "0.9999999999999999999", "9999999999999999999", "1844674407370955.1615", "1.0000000000000000000", "12345678.12345678", "1.12345678x"} {
		check(t, strings.TrimSuffix(text, "x"))
	}
}
