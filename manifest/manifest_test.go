package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

func TestRoundTrip(t *testing.T) {
	for name, m := range map[string]*Manifest{"empty": {ManifestVersion: Version, Provenance: Provenance{}}, "filled": filled(t), "void": void(t)} {
		if m.Private {
			if err := m.Sign(testKey(t, 1)); err != nil {
				t.Fatal(err)
			}
		}
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNothingIsOmitted: every field of an empty manifest is there, and says
// that it was not evaluated.
func TestNothingIsOmitted(t *testing.T) {
	leaves := func(m *Manifest) map[string]any {
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		out := map[string]any{}
		walkLeaves("", tree, func(at string, v any) { out[at] = v })
		return out
	}
	empty := leaves(&Manifest{})
	for at, v := range empty {
		required := at == "manifest_version" || at == "guarantee" || at == "signature.statement" || at == "signature.content_sha256"
		if _, list := v.([]any); !list && (v == nil || v == "" && !required) {
			t.Errorf("%s of an empty manifest is %v", at, v)
		}
	}
	for at := range leaves(filled(t)) {
		top, _, _ := strings.Cut(strings.Split(at, "[")[0], ".")
		group := func(e string) bool { return e == top || strings.HasPrefix(e, top+".") }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(empty)), group) {
			t.Errorf("%s is left out of an empty manifest", top)
		}
	}
	for _, at := range []string{"release_id", "outputs", "mechanisms", "utility", "risk", "bias_notes", "identifiers_removed", "suppression", "source.n_participants", "privacy_loss.privacy_parameters.rho", "accounting.ledger", "basic.license"} {
		if empty[at] != NotEvaluated {
			t.Errorf("%s of an empty manifest is %v, want %q", at, empty[at], NotEvaluated)
		}
	}
}

// walkLeaves calls see with the place and value of every leaf; empty objects
// and arrays are leaves.
func walkLeaves(at string, node any, see func(string, any)) {
	switch v := node.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			walkLeaves(strings.TrimPrefix(at+"."+k, "."), v[k], see)
		}
	case []any:
		for i, e := range v {
			walkLeaves(at+"["+strconv.Itoa(i)+"]", e, see)
		}
		if len(v) == 0 {
			see(at, v)
		}
	default:
		see(at, v)
	}
}

func TestParseIsStrict(t *testing.T) {
	m := filled(t)
	if err := m.Sign(testKey(t, 1)); err != nil {
		t.Fatal(err)
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	for name, bad := range map[string]string{
		"another version":    strings.Replace(good, `"manifest_version": "1"`, `"manifest_version": "2"`, 1),
		"no version":         strings.Replace(good, `"manifest_version": "1",`, "", 1),
		"an unknown field":   strings.Replace(good, `"bias_notes"`, `"extra": 1, "bias_notes"`, 1),
		"a missing field":    strings.Replace(good, `"bias_notes": "not evaluated",`, "", 1),
		"another case":       strings.Replace(good, `"bias_notes"`, `"Bias_notes"`, 1),
		"a null":             strings.Replace(good, `"bias_notes": "not evaluated"`, `"bias_notes": null`, 1),
		"an empty text":      strings.Replace(good, `"bias_notes": "not evaluated"`, `"bias_notes": ""`, 1),
		"a text for a list":  strings.Replace(good, `"excluded": "not evaluated"`, `"excluded": "none"`, 1),
		"a repeated field":   strings.Replace(good, `"bias_notes"`, `"bias_notes": "x", "bias_notes"`, 1),
		"a trailing comma":   strings.Replace(good, "\n}\n", ",\n}\n", 1),
		"an array":           "[" + good + "]",
		"nothing":            "",
		"something after it": good + "{}",
	} {
		if bad == good {
			t.Errorf("%s: the test does not change the manifest", name)
		}
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestDescribe(t *testing.T) {
	m := filled(t)
	want := PrivacyParameters{Num(1), Num(1e-5), Without(NotApplicable), Num(guarantee().Mu), Without(NotApplicable)}
	if diff := cmp.Diff(want, m.PrivacyLoss.Parameters); diff != "" {
		t.Error(diff)
	}
	if m.Created != "2026-03-05" || m.Basic.PublicationDate != "2026-03-05" {
		t.Errorf("created %q: want the date in UTC", m.Created)
	}
	for i, k := range []int{1, 5, 10} {
		g := guarantee().Group(k)
		if got := m.PrivacyLoss.Groups[i]; got.Units != k || got.Epsilon.Value != g.Epsilon || got.Terms != g.Terms() {
			t.Errorf("group of %d: got %+v, want %v", k, got, g.Terms())
		}
	}
	if n := m.Source.Participants; !n.Known || n.Value != 300 {
		t.Errorf("n = %v: it is public under replace one", n)
	}
	if m.Mechanisms[0].ProofRef != "mechanism/heatmap/PROOF.md" {
		t.Errorf("proof_ref = %q", m.Mechanisms[0].ProofRef)
	}
	if m.Accounting.Spent.Epsilon.Value != 2 || m.Accounting.Remaining.Epsilon.Value != 8 || len(m.Accounting.Ledger) != 2 {
		t.Errorf("accounting: %+v", m.Accounting)
	}
	if diff := cmp.Diff(List[string]{"r1"}, m.Accounting.PriorReleases); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(List[string]{"a <b>warning</b> & more"}, m.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestParticipantsAreKeptBackWhereNIsNotPublic(t *testing.T) {
	g := guarantee()
	g.Neighbours = dp.AddRemove
	m := Describe(mechanism.Release{Plan: plan(g), Guarantee: g})
	if m.Source.Participants != Without(NotDisclosed) {
		t.Errorf("n = %v: want it not disclosed", m.Source.Participants)
	}
}

func TestAccountTakesItsOwnEntriesOnly(t *testing.T) {
	g := guarantee()
	a, entries := books(t, g)
	other := entries[0]
	other.Key.Dataset, other.ID, other.What = "another data set", "secret-id", "a secret note"
	m := Describe(mechanism.Release{Plan: plan(g), Guarantee: g})
	m.Account(&a, append([]account.Entry{other}, entries...))
	data, _ := m.Encode()
	if len(m.Accounting.Ledger) != 2 || bytes.Contains(data, []byte("secret")) {
		t.Error("entries of another account are in the manifest")
	}
}

// TestDescribeVoid: nobody can read a nominal ε as a promise.
func TestDescribeVoid(t *testing.T) {
	m := void(t)
	if m.Private || !strings.HasPrefix(m.Guarantee, "none (") || !strings.Contains(m.Guarantee, "nominal ε = 1") {
		t.Errorf("guarantee %q, private %v", m.Guarantee, m.Private)
	}
	none := Without(NotApplicable)
	if m.PrivacyLoss.Parameters != (PrivacyParameters{none, none, none, none, none}) || m.PrivacyLoss.Nominal != "ε = 1" || len(m.PrivacyLoss.Groups) != 0 {
		t.Errorf("privacy_loss: %+v", m.PrivacyLoss)
	}
	if !m.Mechanisms[0].Seeded || !strings.Contains(string(m.Mechanisms[0].RNG), "seed") {
		t.Errorf("rng: %+v", m.Mechanisms[0].RNG)
	}
	if !strings.Contains(string(m.PrivacyLoss.PlainLanguage.OddsStatement), "promises nothing") {
		t.Error("the odds statement of a void release promises something")
	}
	g := dp.Guarantee{Measure: dp.None}
	if m := Describe(mechanism.Release{Guarantee: g}); m.Private || !strings.HasPrefix(m.Guarantee, "none (") {
		t.Errorf("measure none: guarantee %q, private %v", m.Guarantee, m.Private)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n    Number
		want string
	}{
		{Num(0), "0"}, {Num(1e-5), "0.00001"}, {Num(math.NaN()), `"not evaluated"`}, {Num(math.Inf(1)), `"unbounded"`},
		{Number{}, `"not evaluated"`}, {Without(NotDisclosed), `"not disclosed"`}, {Without(NotEvaluated), `"not evaluated"`},
	} {
		b, err := json.Marshal(c.n)
		if err != nil || string(b) != c.want {
			t.Errorf("%+v = %s, %v; want %s", c.n, b, err, c.want)
		}
		var back Number
		if err := json.Unmarshal(b, &back); err != nil || back != c.n {
			t.Errorf("%s = %+v, %v; want %+v", b, back, err, c.n)
		}
	}
}

func TestConfigHashDependsOnParametersAlone(t *testing.T) {
	a := ConfigHash(Parameters{"x": "1", "y": "2"})
	if b := ConfigHash(Parameters{"y": "2", "x": "1"}); a != b || len(a) != 64 {
		t.Errorf("%q and %q", a, b)
	}
	if b := ConfigHash(Parameters{"x": "1", "y": "3"}); a == b {
		t.Error("other parameters have the same hash")
	}
	if ConfigHash(nil) != "" {
		t.Error("unknown parameters have a hash")
	}
}

func TestThisTool(t *testing.T) {
	if tool := ThisTool(); tool.Name != "gazeward" || !strings.HasPrefix(string(tool.Go), "go") {
		t.Errorf("%+v", tool)
	}
}

func TestDatedDropsTheTime(t *testing.T) {
	var a, b Manifest
	a.Dated(time.Date(2026, 1, 2, 0, 0, 1, 0, time.UTC))
	b.Dated(time.Date(2026, 1, 2, 23, 59, 59, 0, time.UTC))
	if a.Created != b.Created {
		t.Errorf("%q and %q", a.Created, b.Created)
	}
}

func FuzzParse(f *testing.F) {
	m := filled(f)
	if err := m.Sign(testKey(f, 1)); err != nil {
		f.Fatal(err)
	}
	data, err := m.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"manifest_version":"1"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := Parse(in)
		if err != nil {
			return
		}
		want, err := Canonical(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Canonical(out); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%q became %q, %v", want, got, err)
		}
		if _, err := OpenDPRegistry(m); err != nil && m.Private {
			t.Fatal(err)
		}
	})
}

// TestUtility: whatever a plan expects is told, with what it was measured on.
func TestUtility(t *testing.T) {
	p := plan(guarantee())
	p.PathError = &mechanism.PathError{RMS: 82, Unit: "px", MeasuredOn: "4 simulated people"}
	p.Likeness = &mechanism.Likeness{Density: 0.07, PriorOnly: 0.4, Good: 0.1, MeasuredOn: "simulated viewing", InWords: "About 0.07."}
	got := utility(p)
	if len(got) != 8 || len(utility(mechanism.Plan{})) != 0 {
		t.Fatalf("%d entries", len(got))
	}
	for i, want := range map[int]string{0: "0.92", 4: "82", 5: "0.07", 6: "0.4", 7: "out of reach"} {
		if v, err := json.Marshal(got[i].Value); err != nil || strings.Trim(string(v), `"`) != want {
			t.Errorf("%s: %s, want %s", got[i].Metric, v, want)
		}
	}
	for _, u := range got {
		if u.Metric == "" || u.EvaluatedOn == "" || u.Paid != NotApplicable {
			t.Errorf("%+v", u)
		}
	}
}

// TestUnitsHaveALength: a window or chunk says how long it is, and a δ that is
// charged on the sphere is not told as none.
func TestUnitsHaveALength(t *testing.T) {
	g := dp.Guarantee{Measure: dp.Geo, Epsilon: 3, Delta: 1e-9, Radius: 5, RadiusUnit: "deg", Unit: dp.Window, Neighbours: dp.ShiftedWithin, Model: dp.Local}
	l := privacyLoss(g, map[string]string{"window": "500ms"})
	if !strings.HasPrefix(string(l.PrivacyUnitDetails), "One unit is a span of 500ms in one recording.") {
		t.Error(l.PrivacyUnitDetails)
	}
	if l.Parameters.Delta != Num(1e-9) || l.Groups[0].Delta != Num(1e-9) || l.Groups[1].Delta == Num(0) {
		t.Errorf("%+v, %+v", l.Parameters, l.Groups)
	}
	g.Unit, g.Measure = dp.Chunk, dp.Pure
	if l = privacyLoss(g, map[string]string{"chunk": "32", "window": "10s"}); !strings.Contains(string(l.PrivacyUnitDetails), "at most 32 consecutive") {
		t.Error(l.PrivacyUnitDetails)
	}
}
