package account

import (
	"errors"
	"fmt"
)

// Errors that a caller branches on; all are wrapped with the circumstances.
var (
	// ErrVoid: the guarantee does not hold, so there is nothing to charge. The
	// message carries the reason.
	ErrVoid = errors.New("account: a void guarantee is never charged")
	// ErrNoAccount: no account was opened under this key.
	ErrNoAccount = errors.New("account: no such account")
	// ErrCapFixed: the account exists with another cap; a cap never changes.
	ErrCapFixed = errors.New("account: the account is open with another cap, and a cap never changes")
	// ErrDuplicate: a spend with this id is in the ledger already, and nothing
	// was charged again. [Ledger.Charge] returns the earlier entry with it.
	// One charge pays for one draw of noise: go on only if nothing was drawn
	// on the earlier charge.
	ErrDuplicate = errors.New("account: a spend with this id is charged already")
	// ErrUncertain: the store failed while it committed. The spend may be
	// durable and counts as spent; charging the same id again tells.
	ErrUncertain = errors.New("account: the store failed while committing; treat the charge as spent")
	// ErrTampered: the ledger's rows contradict each other; see [TamperError].
	ErrTampered = errors.New("account: the ledger was changed from outside")
)

// ExhaustedError reports a charge that no theorem permits within the cap.
// Nothing was charged.
type ExhaustedError struct {
	Dataset string
	Unit    string // "subject", "window per px"
	Asked   Budget // by basic composition
	Spent   Budget
	Cap     Budget
}

// Error names asked, spent and cap.
func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("account: budget of %q per %s exhausted: asked %v, spent %v, cap %v",
		e.Dataset, e.Unit, e.Asked, e.Spent, e.Cap)
}

// TamperError says which row contradicts which. It is an [ErrTampered].
type TamperError struct {
	Dataset string
	Unit    string
	Entry   string // the id of the entry; "" is the account itself
	Seq     int64  // its number within the account, from 1; 0 is the account itself
	What    string
}

// Error names the account, the entry and the contradiction.
func (e *TamperError) Error() string {
	where := fmt.Sprintf("account %q per %s", e.Dataset, e.Unit)
	if e.Seq > 0 {
		where += fmt.Sprintf(", entry %d (%q)", e.Seq, e.Entry)
	}
	return ErrTampered.Error() + ": " + where + ": " + e.What
}

// Is makes errors.Is(err, ErrTampered) true.
func (e *TamperError) Is(target error) bool { return target == ErrTampered }
