package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"pgregory.net/rapid"
)

var subject = Key{Dataset: "osie", Participants: "hmac:01", Unit: dp.Subject}

func opened(t testing.TB, key Key, epsilon, delta float64) *Ledger {
	t.Helper()
	l := &Ledger{Store: &Memory{}}
	limit, err := Cap(epsilon, delta)
	if err != nil {
		t.Fatal(err)
	}
	if created, err := l.Open(context.Background(), key, limit); err != nil || !created {
		t.Fatalf("open: created %v, %v", created, err)
	}
	return l
}

func approximate(epsilon, delta float64) dp.Guarantee {
	return dp.Guarantee{Measure: dp.Approximate, Epsilon: epsilon, Delta: delta}
}

func TestDefaultsTakeThreeSpends(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	for i := range 3 {
		if _, err := l.Charge(ctx, subject, Spend{fmt.Sprint(i), approximate(3, 1e-3), "heatmap"}); err != nil {
			t.Fatal(err)
		}
		a, err := l.Account(ctx, subject)
		if err != nil {
			t.Fatal(err)
		}
		if want := (Budget{Epsilon(3e9 * (i + 1)), Delta(1e15 * (i + 1))}); a.Spent != want || a.Theorem != Basic {
			t.Fatalf("spent %v by %v, want %v", a.Spent, a.Theorem, want)
		}
	}
	var exhausted *ExhaustedError
	_, err := l.Charge(ctx, subject, Spend{"3", approximate(3, 1e-3), "heatmap"})
	if !errors.As(err, &exhausted) {
		t.Fatalf("the fourth spend: %v", err)
	}
	for _, want := range []string{"asked (3, 0.001)", "spent (9, 0.003)", "cap (10, 0.01)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if err := l.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestJSONIsPlainDecimals(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	if _, err := l.Charge(ctx, subject, Spend{"a", approximate(3, 1e-3), "heatmap"}); err != nil {
		t.Fatal(err)
	}
	accounts, _ := l.Accounts(ctx)
	entries, _ := l.Entries(ctx)
	b, err := json.Marshal(map[string]any{"accounts": accounts, "entries": entries})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"dataset":"osie"`, `"unit":"subject"`, `"cap":{"epsilon":10,"delta":0.01}`, `"spent":{"epsilon":3,"delta":0.001}`,
		`"left":{"epsilon":7,"delta":0.009}`, `"theorem":"basic composition"`, `"id":"a"`, `"what":"heatmap"`, `"measure":"approximate"`,
		`"epsilon":3,"delta":0.001,"rho":3,`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s\nlacks %s", b, want)
		}
	}
}

func TestLeftNeverNegativeAndTheoremsListed(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	a, err := l.Account(context.Background(), subject)
	if err != nil || a.Spent != (Budget{}) || a.Left != a.Cap || len(a.Composition) != 3 {
		t.Errorf("a new account: %+v, %v", a, err)
	}
	// Totals above every cap do not come from a ledger; nothing is left then.
	r := a.Record
	r.Totals = Costs{{1e15, 0}, unknown, unknown}
	if a := Show(r); a.Left != (Budget{}) || a.Spent.Epsilon != 1000e9 || len(a.Composition) != 0 {
		t.Errorf("overspent totals: %+v", a)
	}
}

// gaussian returns the guarantee of one Gaussian release.
func gaussian(mu, delta float64) dp.Guarantee {
	return dp.Guarantee{Measure: dp.Approximate, Epsilon: dp.GaussianEpsilon(mu, delta), Delta: delta, Mu: mu}
}

func TestGaussianVectors(t *testing.T) { // NOISE.md: σ/Δ = 10, δ = 1e-6
	limit, err := Cap(50, 8e-6) // an eighth of δ pays for the conversion
	if err != nil {
		t.Fatal(err)
	}
	r := Record{Key: subject, Cap: limit, Filters: newFilters(subject, limit)}
	want := map[int]float64{1: 0.396857378, 10: 1.367571475, 100: 4.886554117, 1000: 19.423656474}
	for k := 1; k <= 1000; k++ {
		c, err := r.price(gaussian(0.1, 1e-6))
		if err != nil {
			t.Fatalf("spend %d: %v", k, err)
		}
		r.Totals = r.Totals.Plus(c)
		epsilon, ask := want[k]
		if !ask {
			continue
		}
		got := r.bound(Gaussian)
		if e := got.Epsilon.Float64(); e < epsilon-1e-9 || e > epsilon*(1+5e-9)+2e-9 || got.Delta != 1e12 {
			t.Errorf("%d compositions: %v, want %.9f", k, got, epsilon)
		}
		if z := r.bound(ZCDP); z.Epsilon <= got.Epsilon {
			t.Errorf("%d compositions: zCDP gives %v, below the exact %v", k, z, got)
		}
	}
	if a := Show(r); a.Theorem != Gaussian || len(a.Composition) != 2 {
		t.Errorf("a thousand Gaussians are shown by %v, valid: %v", a.Theorem, a.Composition)
	}
}

func TestManyGaussiansOutlastBasicComposition(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	n := 0
	for ; ; n++ {
		_, err := l.Charge(context.Background(), subject, Spend{ID: fmt.Sprint(n), Guarantee: gaussian(0.3, 1e-5)})
		var exhausted *ExhaustedError
		if errors.As(err, &exhausted) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Account(context.Background(), subject)
	if err != nil {
		t.Fatal(err)
	}
	if a.Theorem != Gaussian || a.Spent.Epsilon > a.Cap.Epsilon || a.Spent.Delta > a.Cap.Delta || n < 60 {
		t.Errorf("%d spends, %+v", n, a)
	}
	t.Logf("%d Gaussians of ε = %.3f fit under (10, 0.01), spent %v", n, gaussian(0.3, 1e-5).Epsilon, a.Spent)
}

func TestMixedHistories(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	for i, g := range []dp.Guarantee{
		gaussian(0.5, 1e-5), {Epsilon: 0.5}, {Measure: dp.ZCDP, Rho: 0.05}, approximate(0.5, 1e-9),
		{Epsilon: 0.2, Neighbours: dp.AddRemove}, {Epsilon: 0.5, Model: dp.Local},
	} {
		if _, err := l.Charge(ctx, subject, Spend{ID: fmt.Sprint(i), Guarantee: g}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Account(ctx, subject)
	if err != nil {
		t.Fatal(err)
	}
	var valid []Theorem
	for _, b := range a.Composition {
		valid = append(valid, b.Theorem)
	}
	if fmt.Sprint(valid) != "[basic composition zCDP composition]" { // one spend was zCDP only
		t.Errorf("valid theorems: %v", valid)
	}
	if err := l.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestGeoAccounts(t *testing.T) {
	g := dp.Guarantee{Measure: dp.Geo, Epsilon: 1, Radius: 50, RadiusUnit: "px", Unit: dp.Window, Neighbours: dp.ShiftedWithin}
	key := KeyFor("osie", "hmac:01", g)
	l := opened(t, key, 0.05, 0)
	ctx := context.Background()
	for i := range 3 {
		_, err := l.Charge(ctx, key, Spend{ID: fmt.Sprint(i), Guarantee: g})
		if i < 2 && err != nil {
			t.Fatal(err)
		}
		var exhausted *ExhaustedError
		if i == 2 && (!errors.As(err, &exhausted) || !strings.Contains(err.Error(), "window per px")) {
			t.Errorf("0.06 of 0.05 per px: %v", err)
		}
	}
	a, err := l.Account(ctx, key)
	if err != nil || a.Spent != (Budget{Epsilon: 4e7}) || len(a.Composition) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	g.RadiusUnit = "deg"
	if _, err := l.Charge(ctx, key, Spend{ID: "deg", Guarantee: g}); err == nil || errors.As(err, new(*ExhaustedError)) {
		t.Errorf("degrees were charged to pixels: %v", err)
	}
	if _, err := l.Charge(ctx, key, Spend{ID: "pure", Guarantee: dp.Guarantee{Epsilon: 1e-3, Unit: dp.Window}}); err == nil {
		t.Error("ε was added to ε per pixel")
	}
}

func TestRefusals(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		g    dp.Guarantee
		says string
	}{
		"void":                {dp.Guarantee{Epsilon: 1}.Voided("cap chosen on the data"), "cap chosen on the data"},
		"void and out of cap": {dp.Guarantee{Epsilon: 100}.Voided("seeded"), "seeded"},
		"none":                {dp.Guarantee{Measure: dp.None}, "nothing can be charged"},
		"another unit":        {dp.Guarantee{Epsilon: 1, Unit: dp.Window}, "got a guarantee per window"},
		"zero":                {dp.Guarantee{}, "must be positive"},
		"zero rho":            {dp.Guarantee{Measure: dp.ZCDP, Epsilon: 1}, "must be positive"},
		"negative":            {dp.Guarantee{Epsilon: -1}, "must not be negative"},
		"NaN":                 {dp.Guarantee{Measure: dp.ZCDP, Rho: math.NaN()}, "must not be negative"},
		"infinite":            {dp.Guarantee{Epsilon: inf}, "must be finite"},
		"delta of one":        {approximate(1, 1), "below 1"},
		"geo in subject":      {dp.Guarantee{Measure: dp.Geo, Epsilon: 1, Radius: 2, RadiusUnit: "px"}, "counts per subject"},
		"geo without unit":    {dp.Guarantee{Measure: dp.Geo, Epsilon: 1, Radius: 2}, "needs a unit of length"},
		"shifted":             {dp.Guarantee{Epsilon: 1, Neighbours: dp.ShiftedWithin}, "protects replaced data"},
		"mu says more":        {dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-6, Mu: 2}, "does not give"},
		"mu in rho":           {dp.Guarantee{Measure: dp.ZCDP, Rho: 0.1, Mu: 1}, "does not give"},
		"pure with mu":        {dp.Guarantee{Epsilon: 1, Mu: 0.1}, "does not give"},
	} {
		_, err := l.Charge(ctx, subject, Spend{ID: name, Guarantee: c.g})
		if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, new(*ExhaustedError)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if errors.Is(err, ErrVoid) != strings.HasPrefix(name, "void") {
			t.Errorf("%s: %v", name, err)
		}
		if a, _ := l.Account(ctx, subject); a.Permits(c.g) == nil {
			t.Errorf("%s: permitted beforehand", name)
		}
	}
	for _, s := range []Spend{{"", approximate(1, 0), ""}, {"a\nb", approximate(1, 0), ""}, {strings.Repeat("x", 129), approximate(1, 0), ""},
		{"a", approximate(1, 0), strings.Repeat("x", 501)}, {"a", approximate(1, 0), "\xff"}} {
		if _, err := l.Charge(ctx, subject, s); err == nil {
			t.Errorf("%q was charged", s.ID)
		}
	}
	if entries, err := l.Entries(ctx); err != nil || len(entries) > 0 {
		t.Errorf("refusals left %d entries, %v", len(entries), err)
	}
}

func TestHugeSpendsAreExhausted(t *testing.T) {
	l := opened(t, subject, 1e6, 0.5)
	for i, g := range []dp.Guarantee{
		{Epsilon: 1e6 + 1}, {Epsilon: 1e300}, {Measure: dp.ZCDP, Rho: 1e300}, {Measure: dp.ZCDP, Rho: 2e6}, approximate(math.MaxFloat64, 0.1),
		{Epsilon: 1e300, Neighbours: dp.AddRemove},
	} {
		var exhausted *ExhaustedError
		if _, err := l.Charge(context.Background(), subject, Spend{ID: fmt.Sprint(i), Guarantee: g}); !errors.As(err, &exhausted) {
			t.Errorf("%s: %v", g.Terms(), err)
		}
	}
}

func TestOpenRefusals(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	limit, _ := Cap(10, 1e-2)
	if created, err := l.Open(ctx, subject, limit); created || err != nil {
		t.Errorf("the same cap again: %v, %v", created, err)
	}
	other, _ := Cap(20, 1e-2)
	if created, err := l.Open(ctx, subject, other); created || !errors.Is(err, ErrCapFixed) {
		t.Errorf("another cap: %v, %v", created, err)
	}
	for _, k := range []Key{{}, {Dataset: "a"}, {Participants: "a"}, {"a\tb", "c", 0, ""}, {"a", "c", 99, ""}, {strings.Repeat("a", 201), "c", 0, ""}} {
		if _, err := l.Open(ctx, k, limit); err == nil {
			t.Errorf("%+v was opened", k)
		}
	}
	if _, err := l.Open(ctx, subject, Budget{Epsilon: -1}); err == nil {
		t.Error("a negative cap")
	}
	unknown := Key{Dataset: "x", Participants: "y"}
	if _, err := l.Account(ctx, unknown); !errors.Is(err, ErrNoAccount) {
		t.Error(err)
	}
	if _, err := l.Charge(ctx, unknown, Spend{ID: "a", Guarantee: approximate(1, 0)}); !errors.Is(err, ErrNoAccount) || !strings.Contains(err.Error(), `"x"`) {
		t.Error(err)
	}
}

func TestOneIDIsChargedOnce(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx := context.Background()
	spend := Spend{"a", approximate(1, 1e-6), "heatmap"}
	first, err := l.Charge(ctx, subject, spend)
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.Charge(ctx, subject, spend)
	if !errors.Is(err, ErrDuplicate) || strings.Contains(err.Error(), "something else") || again != first {
		t.Errorf("the same spend: %v, %v", again, err)
	}
	spend.Guarantee.Epsilon = 2
	if _, err := l.Charge(ctx, subject, spend); !errors.Is(err, ErrDuplicate) || !strings.Contains(err.Error(), "something else") {
		t.Errorf("another spend under the same id: %v", err)
	}
	if entries, _ := l.Entries(ctx); len(entries) != 1 {
		t.Errorf("%d entries", len(entries))
	}
}

func TestOnlyTheDateIsKept(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	l.Now = func() time.Time { return time.Date(2026, 3, 1, 1, 2, 3, 4, time.FixedZone("", 2*3600)) }
	e, err := l.Charge(context.Background(), subject, Spend{"a", approximate(1, 1e-6), ""})
	if err != nil || e.Date != "2026-02-28" {
		t.Errorf("%q, %v", e.Date, err)
	}
	if ok, err := l.Holds(context.Background(), e.Hash); !ok || err != nil {
		t.Errorf("its hash: %v, %v", ok, err)
	}
	if ok, _ := l.Holds(context.Background(), e.PrevHash); ok {
		t.Error("a hash that is no entry's")
	}
}

func TestConcurrentSpendersStayWithinTheCap(t *testing.T) {
	l := opened(t, subject, 3, 0)
	var mu sync.Mutex
	var wg sync.WaitGroup
	granted := 0
	for g := range 16 {
		wg.Go(func() {
			for i := range 10 {
				_, err := l.Charge(context.Background(), subject, Spend{ID: fmt.Sprint(g, i), Guarantee: dp.Guarantee{Epsilon: 0.1}})
				if err == nil {
					mu.Lock()
					granted++
					mu.Unlock()
				} else if !errors.As(err, new(*ExhaustedError)) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if granted != 30 {
		t.Errorf("%d spends of 0.1 were granted under a cap of 3", granted)
	}
	if err := l.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// drawSpend draws a guarantee of any kind that a subject account takes.
func drawSpend(t *rapid.T) dp.Guarantee {
	size := math.Exp(rapid.Float64Range(math.Log(1e-4), math.Log(4)).Draw(t, "size"))
	delta := math.Exp(rapid.Float64Range(math.Log(1e-14), math.Log(1e-3)).Draw(t, "delta"))
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return dp.Guarantee{Epsilon: size}
	case 1:
		return approximate(size, delta)
	case 2:
		return dp.Guarantee{Measure: dp.ZCDP, Rho: size * size / 2}
	case 3:
		return dp.Guarantee{Epsilon: size, Neighbours: dp.AddRemove}
	}
	return gaussian(size, delta)
}

// within recomputes from the guarantees alone, with its own arithmetic,
// whether one theorem keeps them inside its share of the cap.
func within(spends []dp.Guarantee, limit Budget) bool {
	epsilon, delta, conversion := new(big.Rat), new(big.Rat), new(big.Rat)
	var mu2, rho, ride float64
	for _, g := range spends {
		if g.Neighbours == dp.AddRemove {
			g = g.Group(2)
		}
		e, d := g.Epsilon, g.Delta
		if g.Measure == dp.ZCDP {
			d = limit.Delta.Float64() / 32
			e = dp.ZCDPEpsilon(g.Rho, d)
			conversion.Add(conversion, rational(d))
			mu2 = math.Inf(1)
			rho += g.Rho
		} else {
			delta.Add(delta, rational(d))
		}
		epsilon.Add(epsilon, rational(e))
		switch {
		case g.Mu > 0:
			mu2 += g.Mu * g.Mu
			rho += g.Mu * g.Mu / 2
		case g.Measure != dp.ZCDP:
			mu2 += pureMuSquared(Epsilon(floatUnits(e, epsilonDigits, up))).Float64()
			rho += math.Min(e*e/2, e)
			ride += d
		}
	}
	e, _ := epsilon.Float64()
	d, _ := delta.Add(delta, conversion).Float64()
	share := limit.Delta.Float64()
	const rounding = 1 + 1e-9 // of this recomputation
	return e <= limit.Epsilon.Float64()*rounding && d <= share/2*rounding ||
		ride <= share/8*rounding && (dp.GaussianDelta(math.Sqrt(mu2), limit.Epsilon.Float64()*rounding) <= share/8 ||
			dp.ZCDPEpsilon(rho, share/8) <= limit.Epsilon.Float64()*rounding*rounding)
}

func TestNeverOverspentUnderAnyTheorem(t *testing.T) {
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		limit, err := Cap(rapid.Float64Range(0.1, 20).Draw(t, "cap"), math.Exp(rapid.Float64Range(-30, -1).Draw(t, "logDelta")))
		if err != nil {
			t.Fatal(err)
		}
		r := Record{Key: subject, Cap: limit, Filters: newFilters(subject, limit)}
		var taken []dp.Guarantee
		for range rapid.IntRange(1, 40).Draw(t, "spends") {
			g := drawSpend(t)
			before := Show(r).Spent
			c, err := r.price(g)
			if err != nil {
				var exhausted *ExhaustedError
				if !errors.As(err, &exhausted) || exhausted.Spent != before || exhausted.Cap != limit {
					t.Fatal(err)
				}
				refused++
				continue
			}
			r.Totals = r.Totals.Plus(c)
			taken = append(taken, g)
			if !within(taken, limit) {
				t.Fatalf("cap %v: no theorem covers %v", limit, taken)
			}
			a := Show(r)
			if len(a.Composition) == 0 || a.Spent.Epsilon > limit.Epsilon || a.Spent.Delta > limit.Delta ||
				a.Left.Epsilon+a.Spent.Epsilon != limit.Epsilon || a.Left.Delta+a.Spent.Delta != limit.Delta {
				t.Fatalf("cap %v: shown as %+v", limit, a)
			}
		}
	})
	if refused == 0 {
		t.Error("no spend was ever refused: the test sees nothing")
	}
}

func TestSumsDoNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit, _ := Cap(1e5, 0.5)
		f := newFilters(subject, limit)
		spends := rapid.SliceOfN(rapid.Custom(drawSpend), 1, 30).Draw(t, "spends")
		var forward, shuffled Costs
		for _, g := range spends {
			forward = forward.Plus(f.costs(g))
		}
		for _, g := range rapid.Permutation(spends).Draw(t, "order") {
			shuffled = shuffled.Plus(f.costs(g))
		}
		if forward != shuffled {
			t.Fatalf("%v and %v", forward, shuffled)
		}
	})
}

func TestVerifyFindsWhatWasChanged(t *testing.T) {
	for name, change := range map[string]func(*Memory){
		"cost":    func(m *Memory) { m.entries[1].Costs[Basic].Loss-- },
		"note":    func(m *Memory) { m.entries[1].What = "free" },
		"removed": func(m *Memory) { m.entries = m.entries[:2] },
		"swapped": func(m *Memory) { m.entries[0], m.entries[1] = m.entries[1], m.entries[0] },
		"cap":     func(m *Memory) { m.records[0].Cap.Epsilon++ },
		"rehashed above the cap": func(m *Memory) {
			e := &m.entries[2]
			e.Costs[Basic].Loss = 1e15
			e.Costs[Gaussian], e.Costs[ZCDP] = unknown, unknown
			e.Totals = m.entries[1].Totals.Plus(e.Costs)
			e.Hash = e.computeHash()
			m.records[0] = m.records[0].Followed(*e)
		},
	} {
		m := &Memory{}
		l := &Ledger{Store: m}
		limit, _ := Cap(10, 1e-2)
		if _, err := l.Open(context.Background(), subject, limit); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if _, err := l.Charge(context.Background(), subject, Spend{ID: fmt.Sprint(i), Guarantee: approximate(1, 1e-6)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Verify(context.Background()); err != nil {
			t.Fatal(err)
		}
		change(m)
		if err := l.Verify(context.Background()); !errors.Is(err, ErrTampered) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUncertainAndCancelled(t *testing.T) {
	l := opened(t, subject, 10, 1e-2)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Charge(ctx, subject, Spend{"a", approximate(1, 1e-6), ""}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := l.Accounts(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheoremNames(t *testing.T) {
	for i := range theorems {
		text, _ := i.MarshalText()
		var back Theorem
		if err := back.UnmarshalText(text); err != nil || back != i {
			t.Errorf("%s: %v, %v", text, back, err)
		}
	}
	if Theorem(9).String() != "Theorem(9)" || new(Theorem).UnmarshalText([]byte("x")) == nil {
		t.Error("unknown theorems")
	}
}

func BenchmarkPrice(b *testing.B) {
	limit, _ := Cap(1e5, 0.5)
	r := Record{Key: subject, Cap: limit, Filters: newFilters(subject, limit)}
	g := gaussian(0.1, 1e-6)
	for b.Loop() {
		if _, err := r.price(g); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
}
