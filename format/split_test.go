package format_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
)

// The standard library's reader is the oracle for well-formed lines.
func TestSplitFieldsAgreesWithEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9 .,;"\-]{0,8}`), 2, 8).Draw(t, "cells")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = rapid.SampledFrom([]rune{',', ';', '|', '\t'}).Draw(t, "delimiter")
		if err := w.Write(cells); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
		var got []string
		for _, f := range format.SplitFields(nil, line, byte(w.Comma)) {
			got = append(got, string(f))
		}
		if strings.Join(got, "\x00") != strings.Join(cells, "\x00") {
			t.Fatalf("%q gives %q, want %q", line, got, cells)
		}
	})
}

func TestSplitBlanks(t *testing.T) {
	if got := format.SplitFields(nil, []byte("  a \t b  c "), ' '); len(got) != 3 || string(got[2]) != "c" {
		t.Errorf("%q", got)
	}
}
