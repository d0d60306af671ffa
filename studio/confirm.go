package studio

import (
	"context"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/noise"
)

// confirmView is the last page before something is spent.
type confirmView struct {
	Product    string    `json:"product"`
	Mechanism  string    `json:"mechanism"`
	Guarantee  string    `json:"guarantee"`
	Void       string    `json:"void,omitempty"`
	Odds       string    `json:"odds"`
	Parameters []fact    `json:"parameters"`
	Warnings   []string  `json:"warnings"`
	Phrase     string    `json:"phrase"` // what is to be typed
	Standing   *standing `json:"account"`
	Refused    *problem  `json:"refused,omitempty"`
	Once       string    `json:"once,omitempty"`  // is sent back with the confirmation
	Spend      string    `json:"spend,omitempty"` // where it goes
	Back       string    `json:"-"`
	Note       string    `json:"note"`
	Simulated  bool      `json:"simulated"`
}

// standing is the account that would pay.
type standing struct {
	Dataset string `json:"dataset"`
	Unit    string `json:"unit"`
	Open    bool   `json:"open"` // else it is opened with the first spend
	Cap     string `json:"cap"`
	Spent   string `json:"spent"`
	Left    string `json:"left"`
	After   string `json:"after"` // what is left after this one, by adding up
	Entries int64  `json:"entries"`
	// CapEpsilon and CapDelta are what the form proposes.
	CapEpsilon string  `json:"cap_epsilon"`
	CapDelta   string  `json:"cap_delta"`
	Share      float64 `json:"-"` // of the cap that is spent
	Asked      float64 `json:"-"` // and that is asked
}

func (s *Server) confirm(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	if c.Source == nil {
		return refuse("There are no data to release anything of.", "Bring recordings first, or use simulated people.")
	}
	if next, err := s.lookAhead(r.Context(), c); err != nil || next != "" {
		if err == nil {
			http.Redirect(w, r, next, http.StatusSeeOther)
		}
		return err
	}
	v := confirmView{Product: c.product(), Mechanism: c.Spec.Short(), Spend: c.link("/spend"), Back: c.link("/product"), Note: c.Note, Simulated: c.Source.Simulated}
	if err := s.promise(r.Context(), c, &v); err != nil {
		v.Refused = describe(err)
	} else {
		v.Once = s.asked.ask(c.Source.home.Dir, c.key())
	}
	f := frame{Title: "Confirm & spend", Tab: "product", Steps: steps(c, 4), Sofar: c.sofar(), V: v, Scripts: []string{"confirm.js"}}
	return s.show(w, r, "confirm", f)
}

// promise fills in what the release would promise on these very data, and
// whether the account permits it.
func (s *Server) promise(ctx context.Context, c *choice, v *confirmView) error {
	ahead, err := s.promised(ctx, c)
	if err != nil {
		return err
	}
	p := ahead.plan
	g := p.Guarantee
	v.Guarantee, v.Odds, v.Phrase = g.String(), manifest.Odds(g), phrase(g)
	for _, name := range sortedKeys(p.Parameters) {
		v.Parameters = append(v.Parameters, fact{name, p.Parameters[name]})
	}
	for _, w := range p.Warnings {
		v.Warnings = append(v.Warnings, w.Error())
	}
	var void bool
	if v.Void, void = g.Void(); void {
		return nil
	}
	a, open, err := ahead.work.Standing(ctx, g)
	if err != nil {
		return err
	}
	v.Standing = standingOf(a, open, g)
	if open {
		return a.Permits(g)
	}
	return nil
}

// standingOf shows an account, or the one that would be opened.
func standingOf(a account.Account, open bool, g dp.Guarantee) *standing {
	if !open {
		a.Cap, _ = curator.DefaultCap(g)
		a.Left = a.Cap
	}
	st := &standing{
		CapEpsilon: a.Cap.Epsilon.String(), CapDelta: a.Cap.Delta.String(),
		Dataset: a.Key.Dataset, Unit: a.Key.UnitName(), Open: open, Cap: amount(a.Cap), Spent: amount(a.Spent), Left: amount(a.Left), Entries: a.Record.Entries,
	}
	whole := number(a.Cap.Epsilon.String())
	if whole > 0 {
		st.Share, st.Asked = number(a.Spent.Epsilon.String())/whole, g.Epsilon/whole
	}
	if left := number(a.Left.Epsilon.String()) - g.Epsilon; left >= 0 && g.Measure != dp.ZCDP {
		st.After = "about ε = " + significant(left)
	}
	return st
}

func number(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }

// phrase is what must be typed, so that nobody spends by a slip of the finger.
func phrase(g dp.Guarantee) string {
	if _, void := g.Void(); void {
		return "not private"
	}
	if g.Measure == dp.ZCDP {
		return "spend " + strconv.FormatFloat(g.Rho, 'g', -1, 64)
	}
	return "spend " + strconv.FormatFloat(g.Epsilon, 'g', -1, 64)
}

// samePhrase ignores case, blanks and a decimal comma.
func samePhrase(typed, want string) bool {
	plain := func(s string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(s)), " "), ",", ".")
	}
	return plain(typed) == plain(want)
}

// spend starts the release. The job itself charges before it draws.
func (s *Server) spend(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	if c.Source == nil {
		return refuse("There are no data to release anything of.", "Bring recordings first, or use simulated people.")
	}
	c.Note = strings.TrimSpace(r.PostFormValue(inNote))
	once := r.PostFormValue("once")
	if j := s.asked.before(once); j != nil { // sent twice
		return s.started(w, r, j)
	}
	ahead, err := s.promised(r.Context(), c)
	if err != nil {
		return err
	}
	p := ahead.plan
	if want := phrase(p.Guarantee); !samePhrase(r.PostFormValue("phrase"), want) {
		return refuse("The confirmation was not typed as shown: nothing was spent.", "Go back and type “"+want+"”.")
	}
	j, err := s.asked.take(once, c.Source.home.Dir, c.key(), func() (*job, error) {
		if _, void := p.Guarantee.Void(); !void {
			if err := openAccount(r, ahead.work, p.Guarantee); err != nil {
				return nil, err
			}
		}
		return s.jobs.start("Releasing: "+titleOf(c.product()), "recordings", func(ctx context.Context, j *job) (string, error) { return s.release(ctx, c, j) })
	})
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// openAccount opens the account with the cap that was typed, where there is
// none, and refuses early what the ledger would refuse.
func openAccount(r *http.Request, work *curator.Work, g dp.Guarantee) error {
	a, open, err := work.Standing(r.Context(), g)
	if err != nil {
		return err
	}
	if open {
		return a.Permits(g)
	}
	usual, err := curator.DefaultCap(g)
	if err != nil {
		return err
	}
	epsilon, errE := strconv.ParseFloat(or(r.PostFormValue("cap"), usual.Epsilon.String()), 64)
	delta, errD := strconv.ParseFloat(or(r.PostFormValue("cap_delta"), usual.Delta.String()), 64)
	limit, err := account.Cap(epsilon, delta)
	if errE != nil || errD != nil || err != nil {
		return refuse("The cap must be two numbers: ε above 0 and δ between 0 and 1.", "For example 10 and 0.01.")
	}
	return work.Open(r.Context(), g, limit)
}

// release runs the order and puts the release on the shelf.
func (s *Server) release(ctx context.Context, c *choice, j *job) (string, error) {
	d, err := c.Source.data()
	if err != nil {
		return "", err
	}
	id := c.product() + "-" + name()
	o := c.order()
	work, err := o.Work(curator.Job{
		Data: d, Home: c.Source.home, Out: filepath.Join(s.o.Releases, id), Source: noise.Secure(), Note: c.Note,
		Progress: func(done int) { j.progress(done, 0) }, CommandLine: o.Request("gazeward studio"), Tell: j.tell,
	})
	if err != nil {
		return "", err
	}
	if _, err := work.Run(ctx); err != nil {
		return c.link("/product"), err
	}
	s.shelf().from(id, c.Source)
	return "/releases/" + id, nil
}
