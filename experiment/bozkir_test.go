package experiment

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// readers are features of simulated people who look at a picture and read a
// page.
func readers(t *testing.T, people int) []*feature.Table {
	t.Helper()
	cohort := simulate.Cohort{People: people, Scenes: []simulate.Scene{simulate.ShopWindow(), simulate.TextPage()}, Seconds: 60, Rate: 120}
	o := feature.Options{Window: 10 * time.Second, Step: time.Second}
	o.Detector.PixelsPerDegree = 40
	var all []*feature.Table
	for table, err := range o.Tables(cohort.Recordings(noise.Seeded(9))) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, table)
	}
	return all
}

func tableOf(t *testing.T, name string) BozkirTable {
	t.Helper()
	for _, b := range BozkirTables() {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("there is no %s", name)
	return BozkirTable{}
}

func stimulus(t *feature.Table) (string, bool) { return t.Header.Stimulus, true }

func filled(t *testing.T, name string, label func(*feature.Table) (string, bool)) (map[string]BozkirRow, *Bozkir) {
	t.Helper()
	learners := classify.Papers()
	e := &Bozkir{Table: tableOf(t, name), Mechanisms: []string{Raw, "fpa", "dcfpa-32"}, Epsilons: []float64{0.48, 4.8e5},
		Learners: []classify.Named{learners[0], learners[3]}, Draws: 2, Every: 3, Work: Work{Journal: filepath.Join(t.TempDir(), "cells.jsonl"), Seed: 2}}
	if err := e.Use(readers(t, 6), label); err != nil {
		t.Fatal(err)
	}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]BozkirRow{}
	for _, r := range rows {
		by[r.Mechanism+" "+short(r.Epsilon)+" "+r.Learner+" "+r.Enrolled] = r
	}
	if again, err := e.Run(context.Background()); err != nil || again[0].Accuracy != rows[0].Accuracy {
		t.Errorf("a second run, out of the journal: %v", err)
	}
	if text, err := json.Marshal(rows); err != nil || len(text) == 0 {
		t.Errorf("rows are no JSON: %v", err)
	}
	return by, e
}

func short(v float64) string { return text(v) }

// Pictures and pages are told apart on raw features and on hardly protected
// ones; under the papers' smallest ε the small samples show chance.
func TestDocumentTable(t *testing.T) {
	rows, e := filled(t, "bozkir-table1", stimulus)
	if e.Total() != len(e.points())*2 {
		t.Errorf("%d cells", e.Total())
	}
	raw := rows["raw 0 forest protected"]
	if raw.Accuracy.Mean < 0.9 || raw.Chance != 0.5 || raw.People != 6 {
		t.Errorf("raw: %+v", raw)
	}
	if weak := rows["dcfpa-32 480000 forest protected"]; weak.Accuracy.Mean < 0.9 {
		t.Errorf("hardly protected: %+v", weak)
	}
	if strong := rows["dcfpa-32 0.48 forest protected"]; strong.Accuracy.Mean > 0.9 || strong.Printed == nil || *strong.Printed != 0.44 {
		t.Errorf("strongly protected: %+v", strong)
	}
}

// Halves of one release are no evidence; only attackers who know raw data are
// held against the ceiling.
func TestPersonTable(t *testing.T) {
	rows, _ := filled(t, "bozkir-table3", nil)
	linked := rows["fpa 0.48 k-nn protected"]
	if linked.Ceiling != nil || linked.Verdict != "no evidence about ε: the halves share one release's noise" {
		t.Errorf("linked halves: %+v", linked)
	}
	if *linked.Printed != 1 {
		t.Errorf("the paper's number: %v", *linked.Printed)
	}
	enrolled := rows["fpa 0.48 k-nn raw"]
	if enrolled.Ceiling == nil || *enrolled.Ceiling > 0.25 || enrolled.Verdict != "not shown" {
		t.Errorf("enrolled on raw data: %+v", enrolled)
	}
	if rows["raw 0 k-nn protected"].Accuracy.Mean < 0.3 {
		t.Errorf("raw halves: %+v", rows["raw 0 k-nn protected"])
	}
}

func TestTablesRefuse(t *testing.T) {
	e := &Bozkir{Table: tableOf(t, "bozkir-table2")}
	if err := e.Use(readers(t, 2), nil); err != ErrNoLabels {
		t.Errorf("gender without labels: %v", err)
	}
	if err := e.Use(nil, nil); err == nil {
		t.Error("a table of nothing")
	}
	e = &Bozkir{Table: tableOf(t, "bozkir-table3"), Mechanisms: []string{"magic"}, Epsilons: []float64{1}, Learners: classify.Papers(), Draws: 1}
	if err := e.Check(); err == nil {
		t.Error("an unknown mechanism was taken")
	}
	for n := range bozkirPrinted {
		rows, err := printed(n)
		if err != nil || len(rows) != 7 {
			t.Errorf("table %d of the paper has %d rows: %v", n, len(rows), err)
		}
	}
}
