package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/dp"
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
