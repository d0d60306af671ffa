package studio

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// auditOf asks for an audit as the page's form does.
func (d *desk) auditOf(t *testing.T, form string) (int, string) {
	t.Helper()
	r := d.request(t, http.MethodPost, "/audit", strings.NewReader(form))
	r.Header.Set("Accept", "application/json")
	status, body, _ := d.ask(t, r)
	return status, body
}

// TestAuditsAreJobs: with progress, and stopped without a result.
func TestAuditsAreJobs(t *testing.T) {
	orders := make(chan AuditOrder, 1)
	d := newDesk(t, func(o *Options) {
		o.Audit = func(ctx context.Context, o AuditOrder) (AuditTable, error) {
			o.Progress(40)
			orders <- o
			<-ctx.Done()
			return AuditTable{}, ctx.Err()
		}
	})
	status, body := d.auditOf(t, "mechanism=all&trials=20000")
	j, err := d.jobs.get(jobOf(t, status, body))
	if err != nil {
		t.Fatal(err)
	}
	if o := <-orders; len(o.Specs) != len(auditables()) || o.Trials != 20000 || !o.Faults {
		t.Errorf("asked for %d mechanisms, %d trials, faults %v", len(o.Specs), o.Trials, o.Faults)
	}
	if v, _ := j.view(); v.Done != 40 || v.Total != 100 {
		t.Errorf("progress is %d of %d", v.Done, v.Total)
	}
	d.ask(t, d.request(t, http.MethodPost, "/jobs/"+j.id+"/cancel", nil))
	if v := d.finished(t, j.id); v.State != cancelled || len(d.audits.list()) != 0 {
		t.Errorf("it was stopped and is %s with %d results", v.State, len(d.audits.list()))
	}
}

// TestAuditsThatCannotBe are refused: unknown mechanisms, numbers out of range,
// and a program that brings no audits along.
func TestAuditsThatCannotBe(t *testing.T) {
	d := newDesk(t)
	for _, form := range []string{"", "mechanism=heatmap/magic&trials=20000", "mechanism=heatmap/laplace&trials=10", "mechanism=heatmap/laplace&trials=1e9", "mechanism=heatmap/laplace&trials=99999999999"} {
		if status, body := d.auditOf(t, form); status != http.StatusUnprocessableEntity {
			t.Errorf("%q was answered with %d: %s", form, status, body)
		}
	}
	without := newDesk(t, func(o *Options) { o.Audit = nil })
	if status, body := without.auditOf(t, "mechanism=heatmap/laplace&trials=20000"); status != http.StatusUnprocessableEntity || !strings.Contains(body, "no audits") {
		t.Errorf("without audits: %d: %s", status, body)
	}
	_, page, _ := without.ask(t, without.request(t, http.MethodGet, "/audit", nil))
	if strings.Contains(page, "<form") || !strings.Contains(page, "no audits along") {
		t.Error("the page without audits offers some")
	}
}
