package studio

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
)

// ledgerView is the ledger, and that of the simulated people beside it.
type ledgerView struct {
	Real      book   `json:"ledger"`
	Simulated book   `json:"simulated"`
	File      string `json:"file"`
}

// book is one ledger.
type book struct {
	Exists   bool            `json:"exists"`
	Accounts []accountView   `json:"accounts"`
	Entries  []account.Entry `json:"entries"` // in the order in which they were charged
	Finding  string          `json:"finding"` // of the verification
	Intact   bool            `json:"intact"`
}

// accountView is an account with what is left of it.
type accountView struct {
	account.Account
	Unit  string  `json:"unit"`
	Share float64 `json:"share_spent"`
}

// MarshalJSON writes the account's own form.
func (a accountView) MarshalJSON() ([]byte, error) { return a.Account.MarshalJSON() }

func (s *Server) ledger(w http.ResponseWriter, r *http.Request) error {
	own, err := readBook(r.Context(), s.o.Home)
	if err != nil {
		return err
	}
	simulated, err := readBook(r.Context(), s.folder.playground())
	if err != nil {
		return err
	}
	return s.show(w, r, "ledger", frame{Title: "Ledger", Tab: "ledger", V: ledgerView{own, simulated, s.o.Home.LedgerPath()}})
}

// readBook reads and verifies a ledger; there may be none.
func readBook(ctx context.Context, home curator.Home) (book, error) {
	b := book{Accounts: []accountView{}, Entries: []account.Entry{}}
	ledger, err := home.ReadLedger(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer ledger.Close()
	b.Exists = true
	accounts, err := ledger.Accounts(ctx)
	if err != nil {
		return b, err
	}
	if b.Entries, err = ledger.Entries(ctx); err != nil {
		return b, err
	}
	if b.Entries == nil {
		b.Entries = []account.Entry{}
	}
	b.Finding, b.Intact = "Every hash and every sum of the ledger was computed again: it holds together.", true
	if broken := ledger.Verify(ctx); broken != nil {
		b.Finding, b.Intact = broken.Error(), false
	}
	for _, a := range accounts {
		v := accountView{Account: a, Unit: a.Key.UnitName()}
		if whole := number(a.Cap.Epsilon.String()); whole > 0 {
			v.Share = number(a.Spent.Epsilon.String()) / whole
		}
		b.Accounts = append(b.Accounts, v)
	}
	return b, nil
}
