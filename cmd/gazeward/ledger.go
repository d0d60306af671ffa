package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dp"
)

// homeFlags say where the curator's secrets lie.
type homeFlags struct{ ledger string }

func (h *homeFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&h.ledger, "ledger", "", "the ledger's file; default ledger.db in $GAZEWARD_HOME or the user's state directory")
}

func (h *homeFlags) home() (curator.Home, error) {
	dir, err := curator.DefaultDir()
	if err != nil {
		err = &hinted{err, "GAZEWARD_HOME names the folder for ledger and keys"}
	}
	return curator.Home{Dir: dir, LedgerFile: h.ledger}, err
}

// readLedger opens the ledger to look at it.
func readLedger(c *cobra.Command, h curator.Home) (*account.Ledger, error) {
	ledger, err := h.ReadLedger(c.Context())
	if errors.Is(err, fs.ErrNotExist) {
		err = &hinted{err, "gazeward protect and ledger init make one; --ledger and GAZEWARD_HOME name another. A ledger that was lost counts as exhausted: restore it"}
	}
	return ledger, err
}

func ledgerCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use: "ledger", Short: "What was spent on whom, and what is left",
		Args: oneOfItsVerbs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(ledgerShow(ui), ledgerInit(ui), ledgerVerify(ui))
	return c
}

// ledgerJSON is what ledger show --json prints.
type ledgerJSON struct {
	Accounts []account.Account `json:"accounts"`
	Entries  []account.Entry   `json:"entries"`
}

func ledgerShow(ui *ui) *cobra.Command {
	var flags homeFlags
	c := &cobra.Command{Use: "show", Short: "List accounts and spends", Args: noArguments}
	flags.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		h, err := flags.home()
		if err != nil {
			return err
		}
		ledger, err := readLedger(c, h)
		if err != nil {
			return err
		}
		defer ledger.Close()
		var all ledgerJSON
		if all.Accounts, err = ledger.Accounts(c.Context()); err != nil {
			return err
		}
		if all.Entries, err = ledger.Entries(c.Context()); err != nil {
			return err
		}
		return ui.result(all, func(w io.Writer) {
			for _, a := range all.Accounts {
				fmt.Fprintf(w, "%s per %s: spent %v of %v, left %v\n", a.Key.Dataset, a.Key.UnitName(), a.Spent, a.Cap, a.Left)
			}
			for _, e := range all.Entries {
				fmt.Fprintf(w, "  %s  %v  %s  %s\n", e.Date, e.Charged(), e.Key.Dataset, e.What)
			}
		})
	}
	return c
}

func ledgerInit(ui *ui) *cobra.Command {
	var flags homeFlags
	var data dataFlags
	var unit string
	var epsilon, delta float64
	c := &cobra.Command{
		Use: "init FILE|FOLDER", Short: "Open an account for the people in a data set, with a cap that never changes",
		Example: "  gazeward ledger init --dataset osie --unit subject --budget 10 --budget-delta 1e-2 data/osie",
		Args:    oneArgument("the data set's file or folder, whose participants name the account"),
	}
	flags.add(c)
	data.add(c)
	c.Flags().StringVar(&unit, "unit", "subject", "unit of privacy: subject or recording")
	c.Flags().Float64Var(&epsilon, "budget", curator.DefaultCapEpsilon, "cap on ε")
	c.Flags().Float64Var(&delta, "budget-delta", curator.DefaultCapDelta, "cap on δ")
	c.RunE = func(c *cobra.Command, args []string) error {
		u, err := dp.ParseUnit(unit)
		if err != nil || u != dp.Subject && u != dp.Recording {
			return usage("--unit: want subject or recording, got %q", unit)
		}
		limit, err := account.Cap(epsilon, delta)
		if err != nil {
			return &usageError{err}
		}
		h, err := flags.home()
		if err != nil {
			return err
		}
		d, err := curator.OpenData(args[0], data.options())
		if err != nil {
			return refused(err)
		}
		key, created, err := h.Open(c.Context(), d, u, limit)
		if err != nil {
			return err
		}
		if !created {
			ui.note("the account is open already, with the same cap")
		}
		return ui.result(map[string]any{"dataset": key.Dataset, "unit": key.UnitName(), "cap": limit, "created": created}, func(w io.Writer) {
			fmt.Fprintf(w, "%s per %s: cap %v\n", key.Dataset, key.UnitName(), limit)
		})
	}
	return c
}

func ledgerVerify(ui *ui) *cobra.Command {
	var flags homeFlags
	c := &cobra.Command{Use: "verify", Short: "Recompute every hash and sum of the ledger", Args: noArguments}
	flags.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		h, err := flags.home()
		if err != nil {
			return err
		}
		ledger, err := readLedger(c, h)
		if err != nil {
			return err
		}
		defer ledger.Close()
		broken := ledger.Verify(c.Context())
		text := "the ledger holds together"
		if broken != nil {
			text = broken.Error()
		}
		err = ui.result(map[string]any{"intact": broken == nil, "finding": text}, func(w io.Writer) { fmt.Fprintln(w, text) })
		if err == nil && broken != nil {
			err = errSaysNo
		}
		return err
	}
	return c
}
