package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/account/sqlite"
	"github.com/gazeward/gazeward/dp"
)

func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "ledger.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger := &account.Ledger{Store: store}
	defer ledger.Close()

	limit, _ := account.Cap(1, 0)
	key := account.Key{Dataset: "reading study", Participants: "keyed hash of the list", Unit: dp.Subject}
	if _, err := ledger.Open(ctx, key, limit); err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"poster", "paper", "talk"} {
		_, err := ledger.Charge(ctx, key, account.Spend{ID: id, Guarantee: dp.Guarantee{Measure: dp.Pure, Epsilon: 0.4}, What: "heat map"})
		var exhausted *account.ExhaustedError
		if errors.As(err, &exhausted) {
			fmt.Println(exhausted)
			return
		}
		fmt.Println(id, err)
	}
	// Output:
	// poster <nil>
	// paper <nil>
	// account: budget of "reading study" per subject exhausted: asked (0.4, 0), spent (0.8, 0), cap (1, 0)
}
