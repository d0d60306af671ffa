package curator

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Caps of an account that protect opens by itself.
const (
	DefaultCapEpsilon = 10
	DefaultCapDelta   = 1e-2
)

// Cap bounds what an account may ever spend, in the terms of the promise that
// opens it: where ε counts per distance, per radius of that promise.
type Cap struct{ Epsilon, Delta float64 }

// Job is what all jobs have in common.
type Job struct {
	Data   *Data // required
	Home   Home  // required
	Out    string
	Force  bool
	Source *noise.Source // required; seeded makes the release void
	Note   string        // for the ledger; names no participant
	// Cap is that of the account where the job opens one; nil = (DefaultCapEpsilon,
	// DefaultCapDelta). An account that stands has to have it.
	Cap *Cap
	// Progress is told how many recordings were read; may be nil.
	Progress func(done int)
	// CommandLine is how the release was asked for, without paths; for the manifest.
	CommandLine string
	// Excluded are folders beside the release's files that do not belong to it.
	Excluded []string
	Tell     func(format string, a ...any)
}

// till is the account that a job pays from.
type till struct {
	ledger  *account.Ledger
	key     account.Key
	signing ed25519.PrivateKey
	id      string
	entry   *account.Entry
}

// ChargedError is an error after the charge: the spend stays.
type ChargedError struct {
	ID      string
	Charged account.Budget
	Err     error
}

// Error names the charge that stays.
func (e *ChargedError) Error() string {
	return fmt.Sprintf("%v; the charge of %v stays in the ledger as entry %s", e.Err, e.Charged, e.ID)
}

// Unwrap returns the cause.
func (e *ChargedError) Unwrap() error { return e.Err }

// Participants is the keyed hash of the enrolled people: it names an account
// without naming anybody.
func (h Home) Participants(people []string) (string, error) {
	pseudonym, err := h.Pseudonyms()
	if err != nil {
		return "", err
	}
	sorted := slices.Sorted(slices.Values(people))
	return pseudonym(append([]string{"participants"}, sorted...)...), nil
}

// open finds or opens the account and asks, before any data are read for the
// release, whether the promise can be paid. A void promise is never charged:
// the till is nil then.
func (j *Job) open(ctx context.Context, g dp.Guarantee) (*till, error) {
	if why, void := g.DrawnFrom(j.Source).Void(); void {
		j.Tell("NOT PRIVATE: this release has no guarantee (%s); nothing is charged", why)
		return nil, nil
	}
	people, err := j.Data.Units(ctx, false)
	if err != nil {
		return nil, err
	}
	hash, err := j.Home.Participants(people)
	if err != nil {
		return nil, err
	}
	signing, err := j.Home.SigningKey() // a key that cannot be had must not cost a charge
	if err != nil {
		return nil, err
	}
	ledger, err := j.Home.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	t := &till{ledger: ledger, key: account.KeyFor(j.Data.Name, hash, g), signing: signing, id: newID()}
	if err := t.ready(ctx, j, g); err != nil {
		return nil, errors.Join(err, ledger.Close())
	}
	return t, nil
}

func (t *till) ready(ctx context.Context, j *Job, g dp.Guarantee) error {
	limit, err := j.Cap.forAccount(g)
	if err != nil {
		return &RefusedError{err}
	}
	a, err := t.ledger.Account(ctx, t.key)
	if errors.Is(err, account.ErrNoAccount) {
		if err := t.tellOthers(ctx, j); err != nil {
			return err
		}
		if _, err := t.ledger.Open(ctx, t.key, limit); err != nil {
			return err
		}
		j.Tell("ledger: opened an account for %s per %s with the cap %v, which never changes", t.key.Dataset, t.key.UnitName(), limit)
		a, err = t.ledger.Account(ctx, t.key)
		if err != nil {
			return err
		}
	} else if err != nil {
		return err
	} else if j.Cap != nil && a.Cap != limit {
		return fmt.Errorf("%w: %s per %s has %v, asked for %v", account.ErrCapFixed, t.key.Dataset, t.key.UnitName(), a.Cap, limit)
	}
	return a.Permits(g)
}

// forAccount is the cap in the account's terms.
func (c *Cap) forAccount(g dp.Guarantee) (account.Budget, error) {
	limit := Cap{DefaultCapEpsilon, DefaultCapDelta}
	if g.Measure == dp.Geo {
		limit.Delta = 0
		if g.Delta > 0 { // on a sphere, for the law's floating point
			limit.Delta = 1e-6
		}
	}
	if c != nil {
		limit = *c
	}
	if g.Measure == dp.Geo {
		limit.Epsilon /= g.Radius
	}
	return account.Cap(limit.Epsilon, limit.Delta)
}

// tellOthers warns where the data set has an account for another list of
// people, or for units of another length: who stands in both has spent there
// already, and neither account holds the sum.
func (t *till) tellOthers(ctx context.Context, j *Job) error {
	all, err := t.ledger.Accounts(ctx)
	for _, a := range all {
		switch {
		case a.Key.Unit != t.key.Unit || a.Entries == 0:
		case a.Key.Dataset == t.key.Dataset && a.Key.Participants != t.key.Participants:
			j.Tell("warning: %s has another account for another list of people, with %v spent: whoever is in both has lost both", a.Key.Dataset, a.Spent)
		case a.Key.Dataset != t.key.Dataset && a.Key.Participants == t.key.Participants && ofSameData(a.Key.Dataset, t.key.Dataset):
			j.Tell("warning: these people have another account, for %s, with %v spent: what they lose by both is in neither, since the units differ in length", a.Key.Dataset, a.Spent)
		}
	}
	return err
}

// ofSameData says that two accounts are for one data set and units of
// different length, which follow its name ("lab, windows of 500ms").
func ofSameData(a, b string) bool {
	a, _, _ = strings.Cut(a, ", ")
	b, _, _ = strings.Cut(b, ", ")
	return a == b
}

// noted is what the ledger says of a spend: at most 450 bytes.
func (j *Job) noted(text string) string {
	if j.Note != "" {
		text += ": " + j.Note
	}
	return strings.ToValidUTF8(text[:min(len(text), 450)], "")
}

// rehearse refuses, before the charge, words that the manifest would refuse
// after it: what looks like a path or a time of day, and names of people in
// the note, which stays in the ledger for ever.
func (j *Job) rehearse(ctx context.Context, spec mechanism.Spec, t *till, p mechanism.Plan, stimuli ...string) error {
	people, err := j.Data.Units(ctx, false)
	if err != nil && t != nil {
		return err
	}
	words := func(text string, secrets ...string) error {
		m := manifest.Manifest{Basic: manifest.Basic{Description: manifest.Text(text)}}
		return m.Check(secrets...)
	}
	if words(j.Note, people...) != nil || mentions(j.Note, people) {
		return &RefusedError{errors.New("curator: the note looks as if it held a path, a time of day or a participant's name: it stays in the ledger and in releases for ever")}
	}
	for _, name := range stimuli {
		if words(baseName(name)) != nil {
			return &RefusedError{fmt.Errorf("curator: the name of stimulus %q looks like a path or a time of day and would be published: rename it in the data", name)}
		}
		if words(baseName(name), people...) != nil || mentions(baseName(name), people) {
			j.Tell("warning: the name of stimulus %q holds a participant's name and will be published", name)
		}
	}
	trial, err := newTeller(ctx, j, spec, nil, t, mechanism.Draw(p, j.Source))
	if err != nil {
		return err
	}
	if err := trial.manifest.Check(); err != nil {
		return fmt.Errorf("curator: the release could not be described: %w", err)
	}
	return nil
}

// mentions reports whether a name stands in a text as a word of its own: names
// like S1 are too short to be looked for within words. Single letters and
// numbers below 100 are words of every text, and pass.
func mentions(text string, people []string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}) {
		telling := utf8.RuneCountInString(word) >= 3 || utf8.RuneCountInString(word) == 2 && strings.ContainsFunc(word, unicode.IsLetter)
		if telling && slices.ContainsFunc(people, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), word) }) {
			return true
		}
	}
	return false
}

// tellOddities tells the curator, and nobody else, what was odd about the data:
// exact counts never stand beside a release.
func (j *Job) tellOddities(nameless int) {
	for _, q := range j.Data.Report.Quirks() {
		j.Tell("data: %v", q)
	}
	if nameless > 0 {
		j.Tell("warning: %d recordings name no participant and were left out", nameless)
	}
}

// charge pays, durably, before anything is drawn.
func (t *till) charge(ctx context.Context, g dp.Guarantee, what string) error {
	if t == nil {
		return nil
	}
	e, err := t.ledger.Charge(ctx, t.key, account.Spend{ID: t.id, Guarantee: g, What: what})
	if err != nil {
		return err
	}
	t.entry = &e
	return nil
}

// after marks an error that happened once the charge was made.
func (t *till) after(err error) error {
	if err == nil || t == nil || t.entry == nil {
		return err
	}
	return &ChargedError{t.id, t.entry.Charged(), err}
}

func (t *till) close() {
	if t != nil {
		_ = t.ledger.Close()
	}
}

// newID names a release. It says nothing about it.
func newID() string {
	b := make([]byte, 12)
	_, _ = noise.Secure().Read(b)
	return hex.EncodeToString(b)
}

// Open opens an account for the people in a data set.
func (h Home) Open(ctx context.Context, d *Data, unit dp.Unit, limit account.Budget) (account.Key, bool, error) {
	people, err := d.Units(ctx, false)
	if err != nil {
		return account.Key{}, false, err
	}
	hash, err := h.Participants(people)
	if err != nil {
		return account.Key{}, false, err
	}
	ledger, err := h.Ledger(ctx)
	if err != nil {
		return account.Key{}, false, err
	}
	defer ledger.Close()
	key := account.Key{Dataset: d.Name, Participants: hash, Unit: unit}
	created, err := ledger.Open(ctx, key, limit)
	return key, created, err
}
