package studio

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goodTable is a recording that every studio reads.
const goodTable = "participant,timestamp_ms,x_px,y_px\np1,0,1,2\np1,4,1,2\np2,0,5,6\np2,4,5,6\n"

// brings uploads files without a browser, and returns what the data set's page
// says.
func (d *desk) brings(t *testing.T, files map[string]string) (v dataView, page string) {
	t.Helper()
	status, body, _ := d.ask(t, d.uploadOf(t, files))
	d.finished(t, jobOf(t, status, body))
	all := d.sources.list()
	path := "/data/" + all[len(all)-1].ID
	status, page, _ = d.ask(t, d.request(t, http.MethodGet, path, nil))
	if status != http.StatusOK {
		t.Fatalf("%d: %s", status, page)
	}
	_, body, _ = d.ask(t, d.request(t, http.MethodGet, path+"?format=json", nil))
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	return v, page
}

// TestBrokenUploads: files that are empty, broken or no recordings are told
// about in words, one by one, and never keep the others from being read.
func TestBrokenUploads(t *testing.T) {
	d := newDesk(t)
	junk := strings.Repeat("\x00\xff\x1f\x8b\x80", 400)
	for name, files := range map[string]map[string]string{
		"empty":      {"empty.csv": ""},
		"only blank": {"blank.csv": "\n\n \n"},
		"head alone": {"head.csv": "participant,timestamp_ms,x_px,y_px\n"},
		"junk":       {"junk.bin": junk},
		"half a gz":  {"half.csv.gz": "\x1f\x8b\x08\x00\x00"},
		"a web page": {"page.html": "<html><script>alert(1)</script></html>"},
	} {
		v, page := d.brings(t, files)
		if v.People != 0 || !strings.Contains(page, "badtext") && !strings.Contains(page, "note bad") {
			t.Errorf("%s: the page counts %d people and says nothing", name, v.People)
		}
		if strings.Contains(page, "<script>alert") || strings.Contains(page, `href="/unit?data=`+v.ID+`">Next`) {
			t.Errorf("%s: the page runs what was uploaded, or leads on", name)
		}
		if status, body, _ := d.ask(t, d.request(t, http.MethodGet, "/confirm?data="+v.ID+"&format=json", nil)); status >= 500 || !strings.Contains(body, `"refused"`) && !strings.Contains(body, `"error"`) {
			t.Errorf("%s: the last page answers with %d: %.200s", name, status, body)
		}
	}
	v, page := d.brings(t, map[string]string{"study/good.csv": goodTable, "study/junk.csv": junk, "study/empty.csv": "", "study/notes.txt": "call the lab", "study/picture.png": "\x89PNG\r\n\x1a\n"})
	if v.People != 2 || v.Recordings != 2 {
		t.Errorf("among broken files %d people in %d recordings were found, want 2 in 2", v.People, v.Recordings)
	}
	if !strings.Contains(page, "junk.csv") || !strings.Contains(page, "good.csv") {
		t.Error("the page does not name all files")
	}
}

// TestExoticNames: whatever a file is called, the page shows it as it is and
// takes it for nothing else.
func TestExoticNames(t *testing.T) {
	d := newDesk(t)
	names := []string{"späß 😀.csv", "<img src=x onerror=alert(1)>.csv", "a b & c;d=e.csv", "-rf.csv", "%2e%2e%2fx.csv", "{{.V}}.csv", "名前/試験.csv", "cafe\u0301.csv", strings.Repeat("n", 200) + ".csv"}
	for _, name := range names {
		v, page := d.brings(t, map[string]string{name: goodTable})
		if v.People != 2 {
			t.Errorf("%s: %d people, want 2: %+v", name, v.People, v.Trouble)
		}
		if strings.Contains(page, "<img src=x") {
			t.Errorf("%s: the page takes the name for a part of itself", name)
		}
		if v.Found == nil || len(v.Found.Files) != 1 || v.Found.Files[0].File != name[strings.LastIndex(name, "/")+1:] {
			t.Errorf("%s: the page calls it %+v", name, v.Found)
		}
		status, look, _ := d.ask(t, d.request(t, http.MethodGet, "/data/"+v.ID+"/recording?file=0", nil))
		if status != http.StatusOK || strings.Contains(look, "<img src=x") {
			t.Errorf("%s: the look at the recording is answered with %d", name, status)
		}
	}
}

// TestPathsThatAreNoData: what is neither a file nor a folder is refused before
// anything waits for it.
func TestPathsThatAreNoData(t *testing.T) {
	d := newDesk(t)
	paths := map[string]string{"": "No path", "recordings": "whole one", "~": "whole one", filepath.Join(t.TempDir(), "nowhere"): "no file or folder"}
	if _, err := os.Stat("/dev/null"); err == nil {
		paths["/dev/null"] = "neither a file nor a folder"
	}
	for path, words := range paths {
		r := d.request(t, http.MethodPost, "/data", strings.NewReader(url.Values{"path": {path}}.Encode()))
		if status, body, _ := d.ask(t, r); status != http.StatusUnprocessableEntity || !strings.Contains(body, words) {
			t.Errorf("%q was answered with %d: %.300s", path, status, body)
		}
	}
	if n := len(d.sources.list()); n != 0 {
		t.Errorf("%d data sets were opened", n)
	}
}

// TestAbsurdNumbers: numbers that nobody means are refused in words, and cost
// neither time nor memory.
func TestAbsurdNumbers(t *testing.T) {
	d := newDesk(t)
	for _, query := range []string{
		"product=heatmap&width=1000000000&height=1000000000", "product=heatmap&width=1000000", "product=heatmap&width=8000&height=8000&cell=1px", "product=heatmap&subjects=-1", "product=heatmap&epsilon=NaN", "product=heatmap&epsilon=1e400", "product=heatmap&cell=1e-9px",
		"product=heatmap&mechanism=gaussian&cap=paid&epsilon=1e-300&width=64&height=48", "product=series&mechanism=mean&subjects=1000000000&delta=1e-9", "product=series&length=1000000000", "product=gaze&window=-1s", "product=aoi&areas=1000000000",
	} {
		for _, path := range []string{"/product?format=json&", "/unit?format=json&", "/preview/after.png?sketch=1&", "/preview/before.png?"} {
			r := d.request(t, http.MethodGet, path+query, nil)
			r.Header.Set("Accept", "application/json")
			if status, body, _ := d.ask(t, r); status >= 500 {
				t.Errorf("%s%s was answered with %d: %.200s", path, query, status, body)
			}
		}
	}
	status, body, h := d.ask(t, d.request(t, http.MethodGet, "/preview/scene.png?width=8192&height=4096", nil))
	if status != http.StatusOK || h.Get("Content-Type") != "image/png" || len(body) > 1<<20 {
		t.Errorf("the scene of a very large screen: %d, %s, %d bytes", status, h.Get("Content-Type"), len(body))
	}
}

// TestLookingForAFolder: folders are listed without hidden ones, and the one that
// is found is opened where it lies.
func TestLookingForAFolder(t *testing.T) {
	d := newDesk(t)
	top := t.TempDir()
	for name, text := range map[string]string{"study <1>/good.csv": goodTable, "study <1>/.hidden/x": "", "notes.txt": "x"} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func(path string) (v browseView) {
		t.Helper()
		status, body, _ := d.ask(t, d.request(t, http.MethodGet, path+"&format=json", nil))
		if err := json.Unmarshal([]byte(body), &v); err != nil || status != http.StatusOK {
			t.Fatalf("%d: %s", status, body)
		}
		return v
	}
	v := look(to("/browse", "path", top))
	if len(v.Folders) != 1 || v.Folders[0].Name != "study <1>" || v.Count != 1 || v.Files[0] != "notes.txt" || v.Parent == "" {
		t.Fatalf("the folder is listed as %+v", v)
	}
	v = look(v.Folders[0].Link)
	if len(v.Folders) != 0 || v.Count != 1 || look(v.Parent).Path != top {
		t.Errorf("the folder below is listed as %+v", v)
	}
	status, body, _ := d.ask(t, d.request(t, http.MethodGet, to("/browse", "path", v.Path), nil))
	if status != http.StatusOK || strings.Contains(body, "study <1>") || !strings.Contains(body, "study &lt;1&gt;") {
		t.Errorf("the page: %d: %.300s", status, body)
	}
	r := d.request(t, http.MethodPost, "/data", strings.NewReader(url.Values{"path": {v.Path}}.Encode()))
	r.Header.Set("Accept", "application/json")
	status, body, _ = d.ask(t, r)
	d.finished(t, jobOf(t, status, body))
	if src := d.sources.list()[0]; src.own != "" || src.path != v.Path || src.found == nil || src.found.People != 2 {
		t.Errorf("what was found is opened as %+v", src)
	}
	for _, path := range []string{"relative", top + "/nowhere", filepath.Join(top, "notes.txt")} {
		if status, _, _ := d.ask(t, d.request(t, http.MethodGet, to("/browse", "path", path), nil)); status != http.StatusNotFound && status != http.StatusUnprocessableEntity {
			t.Errorf("%s was answered with %d", path, status)
		}
	}
}
