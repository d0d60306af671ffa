package studio

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gazeward/gazeward/format/formattest"
)

// TestUploadsInTheBrowser brings every format through the page's own fields, as
// a person does: what each file is stands on the page, and nothing is said on
// the console.
func TestUploadsInTheBrowser(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	for _, f := range slices.Concat(formatFixtures, binaryFixtures(t)) {
		dir := filepath.Join(t.TempDir(), "study")
		f.write(t, dir)
		field, what := "#folder", []string{dir}
		if len(f.files) == 2 {
			field, what = "#files", []string{filepath.Join(dir, f.files[0])}
		}
		b.bring(t, d, field, what)
		if text := ask[string](t, b, "document.querySelector('main').innerText"); !strings.Contains(text, f.format+"\n") {
			t.Errorf("the page does not say that this is %s: %s", f.format, text)
		}
	}
	b.quiet(t, d.address)
}

// bring uploads files or a folder and waits for what the page says of them.
func (b *browser) bring(t *testing.T, d *desk, field string, what []string) {
	t.Helper()
	b.do(t, chromedp.Navigate(d.address+"/"), until("document.readyState === 'complete'"), chromedp.SetUploadFiles(chromedp.CSS(field), what, chromedp.NodeReady), at("/data/"))
}

// TestRealRecordingsInTheBrowser brings the real recordings beside the
// checkout, one folder each.
func TestRealRecordingsInTheBrowser(t *testing.T) {
	shared := formattest.Shared(t, "formats")
	b := newBrowser(t)
	d := newDesk(t)
	entries, err := os.ReadDir(shared)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		b.bring(t, d, "#folder", []string{filepath.Join(shared, e.Name())})
		read := ask[int](t, b, "[...document.querySelectorAll('tbody tr')].filter(r => r.cells.length > 2).length")
		told := ask[bool](t, b, "!!document.querySelector('.note.bad')")
		t.Logf("%s: %d files read, trouble %v", e.Name(), read, told)
		if read == 0 && !told {
			t.Errorf("%s: nothing was read, and the page does not say why", e.Name())
		}
	}
	b.quiet(t, d.address)
}

// endless is a table of as many bytes as are wanted, made while it is read.
type endless struct {
	left int64
	row  []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && e.left > 0 {
		k := copy(p[n:], e.row)
		n, e.left = n+k, e.left-int64(k)
	}
	return n, nil
}

// streamUpload sends a table of that many bytes and returns the most memory
// that the program held meanwhile above what it held before, and how long it
// took.
func streamUpload(t *testing.T, bytes int64) (grown int64, took time.Duration) {
	t.Helper()
	d := newDesk(t)
	in, out := io.Pipe()
	form := multipart.NewWriter(out)
	go func() {
		part, err := form.CreateFormFile("files", "large.bin")
		if err == nil {
			_, err = io.Copy(part, &endless{bytes, []byte("no recording, but many bytes of it\n")})
		}
		_ = out.CloseWithError(errors.Join(err, form.Close()))
	}()
	r := d.request(t, http.MethodPost, "/upload", in)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Accept", "application/json")
	most, stop := watchHeap()
	began := time.Now()
	status, body, _ := d.ask(t, r)
	took = time.Since(began)
	stop()
	if status != http.StatusAccepted {
		t.Fatalf("the upload was answered with %d: %s", status, body)
	}
	src := d.sources.list()[0]
	info, err := os.Stat(src.path)
	if err != nil || info.Size() < bytes || info.Mode().Perm() != 0o600 {
		t.Errorf("what was kept: %v, %v", info, err)
	}
	if dir, err := os.Stat(src.own); err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the upload: %v, %v", dir, err)
	}
	return most.Load(), took
}

// watchHeap follows the memory in use until stop.
func watchHeap() (most *atomic.Int64, stop func()) {
	most = new(atomic.Int64)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), int64(now.HeapInuse)-int64(before.HeapInuse)))
		}
	}()
	return most, func() { close(done) }
}

// TestUploadStreams: memory does not grow with the size of an upload.
func TestUploadStreams(t *testing.T) {
	const size = 48 << 20
	grown, took := streamUpload(t, size)
	fmt.Printf("an upload of %d MB took %v and at most %.1f MB of memory\n", size>>20, took.Round(time.Millisecond), float64(grown)/(1<<20))
	if grown > size/3 {
		t.Errorf("memory grew by %d bytes for an upload of %d", grown, int64(size))
	}
}

// TestUploadsAreRemoved: on demand, and with the end of the program.
func TestUploadsAreRemoved(t *testing.T) {
	d := newDesk(t)
	for range 2 {
		if status, body, _ := d.ask(t, d.uploadOf(t, map[string]string{"a.csv": "timestamp_ms,x_px,y_px\n0,1,2\n4,1,2\n"})); status != http.StatusAccepted {
			t.Fatalf("%d: %s", status, body)
		}
	}
	all := d.sources.list()
	if status, _, _ := d.ask(t, d.request(t, http.MethodPost, "/data/"+all[0].ID+"/forget", nil)); status != http.StatusSeeOther {
		t.Errorf("closing a data set was answered with %d", status)
	}
	if _, err := os.Stat(all[0].own); !os.IsNotExist(err) {
		t.Errorf("what was uploaded is still there: %v", err)
	}
	if _, err := os.Stat(all[1].own); err != nil {
		t.Errorf("the other upload is gone: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.folder.dir); !os.IsNotExist(err) {
		t.Errorf("the folder of the run is still there: %v", err)
	}
}

// TestStaleUploads: a run that was killed leaves its folder; the next one
// removes it once it was silent for long enough, and leaves those that live.
func TestStaleUploads(t *testing.T) {
	home := t.TempDir()
	stale, alive := filepath.Join(home, "studio", "run-stale"), filepath.Join(home, "studio", "run-alive")
	for _, dir := range []string{stale, alive} {
		if err := os.MkdirAll(filepath.Join(dir, "upload-1"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * silence)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	f, err := newFolder(home)
	if err != nil {
		t.Fatal(err)
	}
	defer f.remove()
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("the folder of a run that was killed is still there: %v", err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the folder of another run is gone: %v", err)
	}
}
