package sqlite

import (
	"fmt"
	"strings"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
)

const keyColumns = `dataset, participants, unit, distance`

const recordColumns = keyColumns + `, cap_epsilon, cap_delta,
	basic_cap, basic_delta_cap, basic_convert, gaussian_cap, gaussian_delta_cap, gaussian_convert, zcdp_cap, zcdp_delta_cap, zcdp_convert,
	opened, genesis, entries, basic, basic_delta, gaussian, gaussian_delta, zcdp, zcdp_delta, head`

const entryColumns = `seq, id, what, measure,
	basic, basic_delta, gaussian, gaussian_delta, zcdp, zcdp_delta,
	total_basic, total_basic_delta, total_gaussian, total_gaussian_delta, total_zcdp, total_zcdp_delta,
	date, prev_hash, hash`

// entrySelect reads entries with the keys of their accounts. An entry whose
// account is missing keeps an empty key, which Verify reports.
var entrySelect = `SELECT COALESCE(dataset, ''), COALESCE(participants, ''), COALESCE(unit, 'subject'), COALESCE(distance, ''), e.` +
	strings.ReplaceAll(strings.Join(strings.Fields(entryColumns), " "), ", ", ", e.") +
	` FROM entries AS e LEFT JOIN accounts AS a ON a.n = e.account `

// scanner is a *sql.Row or *sql.Rows.
type scanner interface{ Scan(...any) error }

// scanRecord reads the account's number, then recordColumns.
func scanRecord(row scanner) (n int64, r account.Record, err error) {
	var unit string
	to := []any{&n, &r.Key.Dataset, &r.Key.Participants, &unit, &r.Key.Distance, &r.Cap.Epsilon, &r.Cap.Delta}
	for t := range r.Filters {
		f := &r.Filters[t]
		to = append(to, &f.Loss, &f.Delta, &f.Convert)
	}
	to = append(to, &r.Opened, &r.Genesis, &r.Entries)
	to = append(append(to, costColumns(&r.Totals)...), &r.Head)
	if err := row.Scan(to...); err != nil {
		return n, r, err
	}
	r.Key.Unit, err = dp.ParseUnit(unit)
	return n, r, err
}

// scanEntry reads the columns of entrySelect.
func scanEntry(row scanner) (e account.Entry, err error) {
	var unit, measure string
	to := []any{&e.Key.Dataset, &e.Key.Participants, &unit, &e.Key.Distance, &e.Seq, &e.ID, &e.What, &measure}
	to = append(to, costColumns(&e.Costs)...)
	to = append(to, costColumns(&e.Totals)...)
	to = append(to, &e.Date, &e.PrevHash, &e.Hash)
	if err := row.Scan(to...); err != nil {
		return e, err
	}
	if e.Key.Unit, err = dp.ParseUnit(unit); err != nil {
		return e, err
	}
	e.Measure, err = parseMeasure(measure)
	return e, err
}

func parseMeasure(name string) (dp.Measure, error) {
	for m := dp.Pure; m <= dp.None; m++ {
		if m.String() == name {
			return m, nil
		}
	}
	return dp.None, fmt.Errorf("%w: unknown measure %q", account.ErrTampered, name)
}

func costColumns(c *account.Costs) []any {
	var to []any
	for t := range c {
		to = append(to, &c[t].Loss, &c[t].Delta)
	}
	return to
}

// recordValues are in the order of recordColumns.
func recordValues(r account.Record) []any {
	v := append(keyValues(r.Key), int64(r.Cap.Epsilon), int64(r.Cap.Delta))
	for _, f := range r.Filters {
		v = append(v, int64(f.Loss), int64(f.Delta), int64(f.Convert))
	}
	v = append(v, r.Opened, r.Genesis, r.Entries)
	return append(append(v, costValues(r.Totals)...), r.Head)
}

// entryValues are in the order of entryColumns.
func entryValues(e account.Entry) []any {
	v := []any{e.Seq, e.ID, e.What, e.Measure.String()}
	v = append(append(v, costValues(e.Costs)...), costValues(e.Totals)...)
	return append(v, e.Date, e.PrevHash, e.Hash)
}

func keyValues(k account.Key) []any {
	return []any{k.Dataset, k.Participants, k.Unit.String(), k.Distance}
}

func costValues(c account.Costs) []any {
	var v []any
	for _, c := range c {
		v = append(v, int64(c.Loss), int64(c.Delta))
	}
	return v
}

func marks(columns string) string {
	return strings.TrimSuffix(strings.Repeat("?, ", 1+strings.Count(columns, ",")), ", ")
}
