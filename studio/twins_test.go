package studio

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestEveryPageHasATwin: the same address gives JSON to those who ask for it,
// with what the page is about.
func TestEveryPageHasATwin(t *testing.T) {
	d := newDesk(t)
	id := d.demoByHand(t)
	status, body, _ := d.spend(t, "data="+id, d.confirms(t, "data="+id), "spend 1")
	var job jobView
	if err := json.Unmarshal([]byte(body), &job); err != nil || status != http.StatusAccepted {
		t.Fatalf("%d: %s", status, body)
	}
	done := d.finished(t, job.ID)
	if done.State != finished {
		t.Fatalf("the release failed: %+v", done.Problem)
	}
	for path, key := range map[string]string{
		"/": "data_sets", "/browse": "folders", "/data/" + id: "found", "/data/" + id + "/recording": "recordings", "/unit?data=" + id: "units", "/product?data=" + id: "estimate",
		"/product?product=aoi": "preview", "/product?product=gaze&fields=1": "fields", "/confirm?data=" + id: "account", "/jobs/" + job.ID: "state", "/releases": "releases",
		done.Next: "manifest", "/ledger": "simulated", "/audit": "mechanisms", "/nowhere": "error",
	} {
		for name, change := range map[string]func(*http.Request){
			"format": func(r *http.Request) {
				q := r.URL.Query()
				q.Set("format", "json")
				r.URL.RawQuery = q.Encode()
			},
			"Accept": func(r *http.Request) { r.Header.Set("Accept", "application/json") },
		} {
			r := d.request(t, http.MethodGet, path, nil)
			change(r)
			_, body, h := d.ask(t, r)
			var v map[string]any
			if err := json.Unmarshal([]byte(body), &v); err != nil || h.Get("Content-Type") != "application/json" {
				t.Errorf("%s by %s: %v: %.100s", path, name, err, body)
				continue
			}
			if _, has := v[key]; !has {
				t.Errorf("%s by %s: the twin has no %s", path, name, key)
			}
		}
		r := d.request(t, http.MethodGet, path, nil)
		r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*")
		if _, body, h := d.ask(t, r); !strings.HasPrefix(h.Get("Content-Type"), "text/html") || strings.Contains(body, "&lt;no value&gt;") {
			t.Errorf("%s: the page is %s", path, h.Get("Content-Type"))
		}
	}
}

// TestTwinsNameNobody: participants are counted, never named, in what describes
// a data set.
func TestTwinsNameNobody(t *testing.T) {
	d := newDesk(t)
	status, body, _ := d.ask(t, d.uploadOf(t, map[string]string{"all.csv": "participant,timestamp_ms,x_px,y_px,birth date\nQuokka,0,1,2,2001-02-03\nQuokka,4,1,2,2001-02-03\nWombat,0,5,6,2001-02-03\nWombat,4,5,6,2001-02-03\n"}))
	if status != http.StatusAccepted {
		t.Fatalf("%d: %s", status, body)
	}
	src := d.sources.list()[0]
	_, _, id := src.state()
	d.finished(t, id)
	for _, path := range []string{"/data/" + src.ID, "/unit?data=" + src.ID, "/product?data=" + src.ID, "/confirm?data=" + src.ID, "/data/" + src.ID + "/recording"} {
		_, body, _ := d.ask(t, d.request(t, http.MethodGet, path, nil))
		for _, secret := range []string{"Quokka", "Wombat", "2001-02"} {
			if strings.Contains(body, secret) {
				t.Errorf("%s names %s", path, secret)
			}
		}
		if strings.HasPrefix(path, "/data/") && !strings.Contains(body, "birth date") && !strings.Contains(path, "recording") {
			t.Errorf("%s does not tell what was dropped", path)
		}
	}
}
