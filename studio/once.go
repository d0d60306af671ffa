package studio

import (
	"net/http"
	"slices"
	"sync"
)

// confirmations see to it that what was confirmed once is spent once. Every
// page that asks for a confirmation gets a name of its own, which the form
// sends back. The same name again, from a double click or a form that was sent
// twice, leads to the work that it started before. A spend takes the names of
// all other pages back that charge the same ledger: what they show of the
// account is not true any more, so that a second window must look again.
type confirmations struct {
	mu    sync.Mutex
	open  []confirmation // that may still be spent, the oldest first
	spent map[string]*job
}

// confirmation is a page that asks for one.
type confirmation struct {
	name   string
	ledger string // folder of its home
	key    string // of the choice that it shows
}

// keptConfirmations bounds those that nobody sent back.
const keptConfirmations = 1000

// ask names a page that asks for a confirmation.
func (c *confirmations) ask(ledger, key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := confirmation{secret(), ledger, key}
	c.open = append(c.open[max(0, len(c.open)-keptConfirmations+1):], n)
	return n.name
}

// before returns the work that a confirmation has started; nil where it has
// started none.
func (c *confirmations) before(name string) *job {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent[name]
}

// take starts the work of a confirmation, if it may still be spent: the same
// one that is sent twice at the same time starts it once.
func (c *confirmations) take(name, ledger, key string, start func() (*job, error)) (*job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if j := c.spent[name]; j != nil {
		return j, nil
	}
	if !slices.Contains(c.open, confirmation{name, ledger, key}) {
		return nil, errStale
	}
	j, err := start()
	if err != nil {
		return nil, err
	}
	if c.spent == nil {
		c.spent = map[string]*job{}
	}
	c.spent[name] = j
	c.open = slices.DeleteFunc(c.open, func(o confirmation) bool { return o.ledger == ledger })
	return j, nil
}

// errStale is told to those whose page does not hold any more.
var errStale = &problem{
	Status: http.StatusConflict, Title: "Look again", What: "This confirmation does not hold any more: nothing was spent.",
	Hint: "Something was spent, or the data were read again, since the page was shown; or the program was restarted. Open the page again, look at what is left, and confirm it there.",
}
