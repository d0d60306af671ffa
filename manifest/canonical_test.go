package manifest

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestCanonicalForms are rules of RFC 8785 one by one.
func TestCanonicalForms(t *testing.T) {
	for in, want := range map[string]string{
		` { "b" : 1 , "a" : [ ] } `:                `{"a":[],"b":1}`,
		`{"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3}`: "{\"€\":1,\"😀\":2,\"\ufb33\":3}", // UTF-16 order: D83D before FB33
		`[1.0, 1e2, 1E-7, 0.000001, -0, -0.0]`:     `[1,100,1e-7,0.000001,0,0]`,
		`[1e21, 1e20, 123456789012345680000]`:      `[1e+21,100000000000000000000,123456789012345680000]`,
		`[5e-324, 1.7976931348623157e308]`:         `[5e-324,1.7976931348623157e+308]`,
		`[0.1, 0.30000000000000004, 1e-10]`:        `[0.1,0.30000000000000004,1e-10]`,
		`"\u003c\/\u00e9\u2028"`:                   "\"</é\u2028\"",
		`"\u0000\b\t\n\f\r\u001f\"\\\u007f"`:       "\"\\u0000\\b\\t\\n\\f\\r\\u001f\\\"\\\\\u007f\"",
		`[true,false,null]`:                        `[true,false,null]`,
	} {
		got, err := Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("Canonical(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, in := range []string{
		"", "{", "{}{}", "{} x", `{"a":1,"a":2}`, `{"a":{"b":1,"\u0062":2}}`, "[1,]", "nul", `{"a"}`, `{1:2}`, "1e999", "\"\xff\"",
		strings.Repeat("[", 100) + strings.Repeat("]", 100), strings.Repeat(" ", maxManifest) + "{}",
	} {
		if out, err := Canonical([]byte(in)); err == nil {
			t.Errorf("Canonical(%.20q) = %s: want an error", in, out)
		}
	}
}

// value is a random JSON value.
func value(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 4
		if depth > 0 {
			kinds = 6
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return rapid.Bool().Draw(t, "bool")
		case 1:
			return rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }).Draw(t, "number") + 0 // no −0: it becomes 0
		case 2:
			return rapid.String().Draw(t, "string")
		case 3:
			return nil
		case 4:
			return rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "array")
		}
		return rapid.MapOfN(rapid.String(), value(depth-1), 0, 4).Draw(t, "object")
	})
}

// TestCanonicalIsStable: the form does not depend on layout, is a fixed point,
// and keeps the meaning.
func TestCanonicalIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := value(3).Draw(t, "value")
		plain, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		indented, err := json.MarshalIndent(v, " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		want, err := Canonical(plain)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range [][]byte{indented, want} {
			if got, err := Canonical(in); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("Canonical(%s) = %s, %v; want %s", in, got, err, want)
			}
		}
		var again any
		if err := json.Unmarshal(want, &again); err != nil {
			t.Fatal(err)
		}
		if back, err := json.Marshal(again); err != nil || string(back) != string(plain) {
			t.Fatalf("meaning changed: %s became %s", plain, back)
		}
	})
}

// TestGoldenManifest pins the bytes that are signed and the signature: a change
// here breaks the verification of releases that exist.
func TestGoldenManifest(t *testing.T) {
	m := filled(t)
	m.Outputs = List[Output]{{Path: "a.csv", SHA256: strings.Repeat("0", 64), Bytes: 1, MediaType: "text/csv", Schema: "x"}}
	m.Excluded = List[string]{}
	if err := m.Sign(testKey(t, 7)); err != nil {
		t.Fatal(err)
	}
	encoded, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	content, err := m.Content()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"signed.json": encoded, "content.json": content} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s changed:\n%s", file, got)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"b":[1e-7,"\u0000",{}],"a":null}`))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := Canonical(in)
		if err != nil {
			return
		}
		if again, err := Canonical(out); err != nil || !bytes.Equal(out, again) {
			t.Fatalf("not a fixed point: %q became %q, %v", out, again, err)
		}
	})
}
