package studio

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
)

// Auditor attacks the claims of mechanisms. It is handed in by the program,
// because the audits are made by a room that this one does not know; nil = the
// page says that there are none. It ends soon after the context.
type Auditor func(ctx context.Context, o AuditOrder) (AuditTable, error)

// AuditOrder is what an Auditor is asked for.
type AuditOrder struct {
	Specs  []mechanism.Spec // each under every calibration that it has
	Trials int              // releases per side
	Seed   uint64
	Faults bool // run the suite of faults as well, which must be caught
	// Progress is told the share that is done, in percent.
	Progress func(percent int)
}

// AuditTable is what an Auditor found.
type AuditTable struct {
	Rows   []AuditRow   `json:"rows"`
	Faults *AuditFaults `json:"faults,omitempty"`
}

// AuditRow is one mechanism under one calibration, as gazeward audit --json
// tells it.
type AuditRow struct {
	audit.Result
	Calibration string            `json:"calibration"`
	Fault       string            `json:"fault,omitempty"`    // of the claim, where one of the literature was attacked
	Composed    *audit.Result     `json:"composed,omitempty"` // what is stated instead of it; nil = nothing
	Why         string            `json:"why,omitempty"`      // it was not audited
	Parameters  map[string]string `json:"parameters"`
	Layers      AuditLayers       `json:"layers"`
}

// AuditLayers are the other ways in which a mechanism was attacked; nil where
// one does not apply.
type AuditLayers struct {
	Sampler *noise.Divergence `json:"sampler"`
	LowBits *audit.Result     `json:"low_bits"`
	Law     *audit.Fit        `json:"law"`
	Leak    *audit.Result     `json:"leak"`
}

// AuditFaults is what became of the suite of faults: an audit that does not
// catch them says nothing about the others.
type AuditFaults struct {
	Run     int      `json:"run"`
	Caught  int      `json:"caught"`
	Flagged int      `json:"flagged"` // right twins that were flagged, which must be none
	Missed  []string `json:"missed"`
}

// audits are those of this run, the latest first.
type audits struct {
	mu   sync.Mutex
	done []auditView
}

// keptAudits bounds them.
const keptAudits = 50

func (a *audits) add(v auditView) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = append([]auditView{v}, a.done[:min(len(a.done), keptAudits-1)]...)
}

func (a *audits) list() []auditView {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]auditView{}, a.done...)
}

// auditView is one audit that was made.
type auditView struct {
	Mechanism string `json:"mechanism"` // or everyMechanism
	Trials    int    `json:"trials"`    // per side
	Seed      uint64 `json:"seed"`
	Command   string `json:"command"` // that makes the same table
	AuditTable
}

// auditable is a mechanism that can be chosen.
type auditable struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Claim   string `json:"claim"` // with the parameters that are attacked
}

// everyMechanism stands for all of them.
const everyMechanism = "all"

// auditTrials are the numbers of releases per side to choose from.
var auditTrials = []int{20_000, 100_000, 500_000}

// auditPageView is the page of audits.
type auditPageView struct {
	Here       bool        `json:"available"`
	Mechanisms []auditable `json:"mechanisms"`
	Results    []auditView `json:"results"`
	Trials     []int       `json:"trials"`
	Chosen     string      `json:"-"`
}

func (s *Server) auditPage(w http.ResponseWriter, r *http.Request) error {
	v := auditPageView{s.o.Audit != nil, auditables(), s.audits.list(), auditTrials, r.FormValue(inMechanism)}
	return s.show(w, r, "audit", frame{Title: "Audit", Tab: "audit", V: v})
}

// auditables are all mechanisms, also those of which an audit can only say that
// they claim nothing.
func auditables() []auditable {
	var out []auditable
	for _, s := range all.Specs() {
		a := auditable{Name: s.Name, Summary: s.Summary}
		if m, err := s.Build(s.Suite.Params); err == nil {
			a.Claim = m.Guarantee().String()
		}
		out = append(out, a)
	}
	return out
}

// startAudit attacks mechanisms on invented neighbours. No data are read.
func (s *Server) startAudit(w http.ResponseWriter, r *http.Request) error {
	if s.o.Audit == nil {
		return refuse("This program brings no audits along.", "Use gazeward studio, or gazeward audit on the command line.")
	}
	v := auditView{Mechanism: r.PostFormValue(inMechanism)}
	var err error
	v.Trials, err = strconv.Atoi(r.PostFormValue("trials"))
	specs := slices.DeleteFunc(all.Specs(), func(m mechanism.Spec) bool { return v.Mechanism != everyMechanism && m.Name != v.Mechanism })
	if len(specs) == 0 || err != nil || v.Trials < 1000 || v.Trials > 10_000_000 {
		return refuse("This cannot be audited.", "Choose a mechanism of the list and 1000 to 10000000 releases per side.")
	}
	v.draw()
	title := "Attacking " + v.Mechanism
	if v.Mechanism == everyMechanism {
		title = "Attacking every mechanism"
	}
	j, err := s.jobs.start(title, "percent", func(ctx context.Context, j *job) (string, error) {
		o := AuditOrder{Specs: specs, Trials: v.Trials, Seed: v.Seed, Faults: v.Mechanism == everyMechanism, Progress: func(percent int) { j.progress(percent, 100) }}
		table, err := s.o.Audit(ctx, o)
		if err != nil {
			return "/audit", err
		}
		v.AuditTable = table
		s.audits.add(v)
		return "/audit", nil
	})
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// draw chooses a seed of its own and says how to repeat the audit.
func (v *auditView) draw() {
	var b [4]byte // small enough for JSON numbers
	_, _ = noise.Secure().Read(b[:])
	v.Seed = uint64(binary.LittleEndian.Uint32(b[:]))
	which := "--mechanism " + v.Mechanism
	if v.Mechanism == everyMechanism {
		which = "--all"
	}
	v.Command = fmt.Sprintf("gazeward audit %s --trials %d --seed %d", which, v.Trials, v.Seed)
}

// Title of an audit in the list.
func (v *auditView) Title() string {
	if v.Mechanism == everyMechanism {
		return "Every mechanism"
	}
	return v.Mechanism
}

// Terms of the claim in short, as the table shows them.
func (r AuditRow) Terms() string {
	_, void := r.Claimed.Void()
	switch {
	case r.Claimed.Measure == dp.None:
		return "none"
	case void:
		return "none, nominal " + r.Claimed.Nominal()
	}
	return r.Claimed.Terms()
}

// Attacked reports whether anything was drawn.
func (r AuditRow) Attacked() bool { return r.Trials > 0 }

// Bad reports a claim that was refuted and is still made.
func (r AuditRow) Bad() bool {
	return r.Verdict == audit.Above || r.Composed != nil && r.Composed.Verdict == audit.Above
}

// Share of a claimed ε that was shown; 0 where none is claimed.
func (r AuditRow) Share() float64 {
	if _, void := r.Claimed.Void(); void || !(r.Claimed.Epsilon > 0) || !r.Attacked() {
		return 0
	}
	return min(1, r.Lower.Epsilon/r.Claimed.Epsilon)
}

// Words say what the row shows, with what else was tried.
func (r AuditRow) Words() string {
	words := map[audit.Verdict]string{
		audit.Holds: "The claim was not refuted.", audit.Above: "The claim is REFUTED.",
		audit.Falsified: "The claim of the literature is refuted; nothing is promised under it.",
		audit.NotShown:  "Nothing is promised; the nominal claim was not refuted.", audit.NoClaim: "Nothing is promised.",
	}[r.Verdict]
	if r.Fault != "" {
		words += " The fault: " + r.Fault + "."
	}
	if c := r.Composed; c != nil {
		words += " Stated instead: " + c.Claimed.Terms() + ", which " + string(c.Verdict) + "."
	}
	if r.Why != "" {
		words += " Not attacked: " + plain(r.Why) + "."
	}
	for _, layer := range r.others() {
		words += " " + layer
	}
	return words
}

// others are the other layers in words.
func (r AuditRow) others() (out []string) {
	if l := r.Layers.LowBits; l != nil {
		out = append(out, "Low bits: "+string(l.Verdict)+".")
	}
	if l := r.Layers.Law; l != nil {
		out = append(out, map[bool]string{true: "The noise follows its law.", false: "The noise does NOT follow its law."}[l.Follows()])
	}
	if l := r.Layers.Leak; l != nil {
		out = append(out, "Outputs that one side never gives: "+string(l.Verdict)+".")
	}
	return out
}
