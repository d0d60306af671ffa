package account_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
)

func ExampleLedger_Charge() {
	ctx := context.Background()
	ledger := &account.Ledger{Store: &account.Memory{}} // account/sqlite keeps it on disk
	limit, _ := account.Cap(10, 1e-2)
	heatmap := dp.Guarantee{Measure: dp.Approximate, Epsilon: 3, Delta: 1e-3, Unit: dp.Subject}
	key := account.KeyFor("reading study", "keyed hash of the list", heatmap)
	if _, err := ledger.Open(ctx, key, limit); err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"image 1", "image 2", "image 3", "image 4"} {
		_, err := ledger.Charge(ctx, key, account.Spend{ID: id, Guarantee: heatmap, What: "heat map"})
		var exhausted *account.ExhaustedError
		if errors.As(err, &exhausted) {
			fmt.Println("refused: asked", exhausted.Asked, "spent", exhausted.Spent, "cap", exhausted.Cap)
		}
	}
	a, _ := ledger.Account(ctx, key)
	fmt.Println("spent", a.Spent, "left", a.Left, "by", a.Theorem)
	// Output:
	// refused: asked (3, 0.001) spent (9, 0.003) cap (10, 0.01)
	// spent (9, 0.003) left (1, 0.007) by basic composition
}

func ExampleTemporalLeakage() {
	// Gaze stays in its area from one release to the next with probability 0.8.
	stay := account.Chain{{0.8, 0.2}, {0.2, 0.8}}
	l, err := account.TemporalLeakage(stay, []float64{0.5, 0.5}, []float64{0.1, 0.1, 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("backward %.3f\nforward  %.3f\ntotal    %.3f\n", l.Backward, l.Forward, l.Total)
	// Output:
	// backward [0.100 0.160 0.196]
	// forward  [0.196 0.160 0.100]
	// total    [0.196 0.220 0.196]
}
