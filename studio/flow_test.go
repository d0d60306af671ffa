package studio

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gazeward/gazeward/manifest"
)

// TestFromDemoToPackage goes the whole way as a person does: simulated people,
// bounds, a heatmap at ε = 1, spend, result, download; what was downloaded
// verifies. Then the budget runs out.
func TestFromDemoToPackage(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	d.people = demoPeople
	b.do(t, chromedp.Navigate(d.address+"/"))
	shoot(t, b, "home-empty")
	b.do(t, click("form[action='/demo'] button"), at("/data/"))
	shoot(t, b, "data")
	if text := ask[string](t, b, "document.querySelector('.tiles').innerText"); !strings.Contains(text, "300") {
		t.Errorf("the data page does not count 300 people: %s", text)
	}
	b.do(t, click("a[href^='/unit'].primary"), at("/unit"))
	shoot(t, b, "unit")
	b.do(t, click(".actions a.primary"), at("/product"), until("performance.getEntriesByName('settled').length > 0"))
	shoot(t, b, "product")
	shootScreen(t, b, "studio", 1200, 1150)
	b.do(t, click("#confirm"), at("/confirm"))
	shoot(t, b, "confirm")
	if !ask[bool](t, b, "document.getElementById('go').disabled") {
		t.Error("the button does not wait for the words")
	}
	b.do(t, chromedp.SendKeys(chromedp.CSS("#phrase"), "spend 1"), click("#go"), at("/releases/"))
	shoot(t, b, "release")
	if text := ask[string](t, b, "document.querySelector('main').innerText"); !strings.Contains(text, "Intact: ") || !strings.Contains(text, "(1, ") {
		t.Errorf("the result does not say that it is intact, or under which guarantee: %s", text)
	}
	verifies(t, d, b, true)
	redraws(t, d, b)
	b.quiet(t, d.address)
}

// redraws draws the release at which the browser is in other ways: nothing is
// spent.
func redraws(t *testing.T, d *desk, b *browser) {
	t.Helper()
	for id, value := range map[string]string{"colors": "turbo", "method": "plain", "alpha": "0.9"} {
		before := ask[string](t, b, "document.getElementById('redrawn').src")
		b.do(t, chromedp.Evaluate[chromedp.Void]("(e => { e.value = '"+value+"'; e.dispatchEvent(new Event('input', { bubbles: true })) })(document.getElementById('"+id+"'))"),
			until("document.getElementById('redrawn').src !== '"+before+"' && document.getElementById('redrawn').naturalWidth > 500"))
	}
	shoot(t, b, "release-redrawn")
	if book, err := readBook(t.Context(), d.folder.playground()); err != nil || len(book.Entries) != 1 {
		t.Errorf("drawing in other ways spent: %d entries, %v", len(book.Entries), err)
	}
	id := ask[string](t, b, "location.pathname")
	for _, bad := range []string{"method=magic", "colors=rainbow", "alpha=2", "alpha=x", "frame=1", "frame=-1"} {
		if status, _, _ := d.ask(t, d.request(t, "GET", id+"/redraw.png?"+bad, nil)); status != 404 && status != 422 {
			t.Errorf("%s was answered with %d", bad, status)
		}
	}
}

// verifies downloads the release at which the browser is, unpacks and verifies
// it.
func verifies(t *testing.T, d *desk, b *browser, private bool) {
	t.Helper()
	link := ask[string](t, b, "document.querySelector(\"a[href$='package.zip']\").getAttribute('href')")
	r, err := d.client.Get(d.address + link)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	packed, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	v, err := manifest.VerifyDir(filepath.Join(dir, filepath.Base(filepath.Dir(link))), "")
	if err != nil || !v.OK() || v.Private != private || v.Files < 3 {
		t.Errorf("what was downloaded does not verify: %v, %+v", err, v)
	}
}

// demoData opens simulated people and returns their address.
func demoData(t *testing.T, b *browser, d *desk) string {
	t.Helper()
	b.do(t, chromedp.Navigate(d.address+"/"), click("form[action='/demo'] button"), at("/data/"))
	return ask[string](t, b, "location.pathname.split('/')[2]")
}

// TestTheBudgetRunsOut: what the account does not permit is refused before it
// is asked for twice, in words, and nothing is charged.
func TestTheBudgetRunsOut(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	id := demoData(t, b, d)
	spend := func(epsilon string) {
		b.do(t, chromedp.Navigate(d.address+"/confirm?data="+id+"&epsilon="+epsilon), at("/confirm"))
	}
	spend("3")
	b.do(t, chromedp.SetValue(chromedp.CSS("#cap"), "4"), chromedp.SendKeys(chromedp.CSS("#phrase"), "Spend  3"), click("#go"), at("/releases/"))
	spend("3.9") // with Gaussian composition, 2 would still fit
	shoot(t, b, "confirm-exhausted")
	text := ask[string](t, b, "document.querySelector('main').innerText")
	if !strings.Contains(text, "exhausted") || !strings.Contains(text, "A spend cannot be undone") {
		t.Errorf("the page does not say that the budget is exhausted: %s", text)
	}
	if ask[bool](t, b, "!!document.getElementById('go')") {
		t.Error("there is a button to spend what is not there")
	}
	// and whoever asks all the same is refused by the server
	if status, body, _ := d.spend(t, "data="+id+"&epsilon=3.9", d.confirms(t, "data="+id+"&epsilon=3.9"), "spend 3.9"); status != 409 || !strings.Contains(body, "exhausted") {
		t.Errorf("asking all the same was answered with %d: %s", status, body)
	}
	book, err := readBook(t.Context(), d.folder.playground())
	if err != nil || len(book.Entries) != 1 || !book.Intact {
		t.Errorf("the ledger holds %d entries, intact %v, %v; want 1", len(book.Entries), book.Intact, err)
	}
	if own, err := readBook(t.Context(), d.o.Home); err != nil || own.Exists {
		t.Errorf("simulated people were charged to the real ledger: %+v, %v", own, err)
	}
	spend("1")
	b.do(t, chromedp.SendKeys(chromedp.CSS("#phrase"), "spend 1"), click("#go"), at("/releases/"), chromedp.Navigate(d.address+"/ledger"), at("/ledger"))
	shoot(t, b, "ledger")
	b.do(t, chromedp.Navigate(d.address+"/releases"), at("/releases"))
	shoot(t, b, "releases")
	b.quiet(t, d.address)
}

// TestWrongWordsSpendNothing: without the words nothing is spent.
func TestWrongWordsSpendNothing(t *testing.T) {
	d := newDesk(t)
	id := d.demoByHand(t)
	for _, words := range []string{"", "spend", "spend 10", "yes", "spend 1 1"} {
		if status, body, _ := d.spend(t, "data="+id, d.confirms(t, "data="+id), words); status != 422 || !strings.Contains(body, "nothing was spent") {
			t.Errorf("%q was answered with %d: %.200s", words, status, body)
		}
	}
	if book, err := readBook(t.Context(), d.folder.playground()); err != nil || book.Exists {
		t.Errorf("a ledger was made: %+v, %v", book, err)
	}
}

// demoByHand opens simulated people without a browser.
func (d *desk) demoByHand(t *testing.T) string {
	t.Helper()
	r := d.request(t, "POST", "/demo", nil)
	r.Header.Set("Accept", "application/json")
	if status, body, _ := d.ask(t, r); status != 202 {
		t.Fatalf("%d: %s", status, body)
	}
	src := d.sources.list()[0]
	_, _, id := src.state()
	d.finished(t, id)
	return src.ID
}

// finished waits until a job has ended, and returns how.
func (d *desk) finished(t *testing.T, id string) jobView {
	t.Helper()
	j, err := d.jobs.get(id)
	if err != nil {
		t.Fatal(err)
	}
	late := time.After(enough)
	for {
		v, changed := j.view()
		if v.State != running {
			return v
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("the job does not end: after %v it is at %d of %d %s, and said %q", enough, v.Done, v.Total, v.Unit, v.Told)
		}
	}
}

// TestReloadInMidJob: a page that is reloaded, or opened a second time, follows
// the same work; it is stopped from either.
func TestReloadInMidJob(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	steps := make(chan int)
	work := func(ctx context.Context, j *job) (string, error) {
		for {
			select {
			case n := <-steps:
				j.progress(n, 10)
				j.tell("step %d", n)
				if n == 10 {
					return "/ledger", nil
				}
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}
	j, err := d.jobs.start("Counting", "steps", work)
	if err != nil {
		t.Fatal(err)
	}
	says := func(words string) chromedp.Action[chromedp.Void] {
		return until("document.getElementById('job-words')?.textContent === '" + words + "'")
	}
	steps <- 3
	b.do(t, chromedp.Navigate(d.address+"/jobs/"+j.id), says("3 of 10 steps"))
	steps <- 4
	b.do(t, says("4 of 10 steps"))
	shoot(t, b, "job")
	b.do(t, chromedp.Reload(), says("4 of 10 steps"))
	steps <- 7
	b.do(t, says("7 of 10 steps"), until("document.querySelectorAll('#told li').length === 3"))
	steps <- 10
	b.do(t, at("/ledger"))

	if j, err = d.jobs.start("Counting again", "steps", work); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.Navigate(d.address+"/jobs/"+j.id), says("Working …"), click("#cancel"), says("Stopped."))
	if v := d.finished(t, j.id); v.State != cancelled {
		t.Errorf("a job that was stopped is %s", v.State)
	}
	b.quiet(t, d.address)
}

// TestAreasInTheBrowser releases statistics of areas of interest, whose areas
// lie among the data.
func TestAreasInTheBrowser(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	id := demoData(t, b, d)
	b.do(t, chromedp.Navigate(d.address+"/product?product=aoi&data="+id), at("/product"))
	if text := ask[string](t, b, "document.getElementById('spendbar').innerText"); !strings.Contains(text, "No areas of interest") {
		t.Errorf("nothing says that areas are missing: %s", text)
	}
	b.do(t, click("#areas form.inline button"), until("document.getElementById('spendbar')?.innerText.includes('Nothing is spent yet') && performance.getEntriesByName('settled').length > 0"))
	shoot(t, b, "product-aoi")
	b.do(t, click("#confirm"), at("/confirm"), chromedp.SendKeys(chromedp.CSS("#phrase"), "spend 1"), click("#go"), at("/releases/"))
	shoot(t, b, "release-aoi")
	verifies(t, d, b, true)
	b.quiet(t, d.address)
}

// TestOtherPagesInTheBrowser looks at those that no other test looks at.
func TestOtherPagesInTheBrowser(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	id := demoData(t, b, d)
	b.do(t, chromedp.Navigate(d.address+"/data/"+id+"/recording?file=2"), at("/data/"))
	shoot(t, b, "recording")
	if n := ask[int](t, b, "document.querySelectorAll('circle.spot').length"); n < 10 {
		t.Errorf("the scan path has %d fixations", n)
	}
	if text := ask[string](t, b, "document.querySelector('.curator').innerText"); !strings.Contains(text, "Curator only") {
		t.Errorf("raw gaze is not marked: %s", text)
	}
	b.do(t, chromedp.Navigate(d.address+"/audit?mechanism=heatmap/laplace"), at("/audit"), click("form button"), until("document.querySelector('.audit tbody')"))
	if text := ask[string](t, b, "document.querySelector('.audit').innerText"); !strings.Contains(text, "holds") || !strings.Contains(text, "heatmap/laplace") || !strings.Contains(text, "Low bits: holds") {
		t.Errorf("the audit says %s", text)
	}
	b.do(t, chromedp.Navigate(d.address+"/audit?mechanism=gaze/kaleido"), at("/audit"), click("form button"), until("document.querySelectorAll('.audit').length === 2"))
	if text := ask[string](t, b, "document.querySelector('.audit').innerText"); !strings.Contains(text, "falsified") || !strings.Contains(text, "none, nominal") || !strings.Contains(text, "1 per 50 px") {
		t.Errorf("the audit says %s", text)
	}
	shoot(t, b, "audit")
	b.do(t, chromedp.Navigate(d.address+"/product?product=gaze&mechanism=kaleido&surface=sphere&epsilon=3"), at("/product"), until("performance.getEntriesByName('settled').length > 0"))
	shoot(t, b, "product-sphere")
	if text := ask[string](t, b, "document.getElementById('made').innerText + document.getElementById('exactness').innerText"); !strings.Contains(text, "100° × 75°") || strings.Contains(text, "no preview") {
		t.Errorf("around the head the preview says %s", text)
	}
	b.do(t, chromedp.Navigate(d.address+"/"), at("/"))
	shoot(t, b, "home")
	b.do(t, click("a[href='/browse']"), at("/browse"))
	shoot(t, b, "browse")
	b.quiet(t, d.address)
	b.do(t, chromedp.Navigate(d.address+"/data/nowhere"), at("/data/"))
	shoot(t, b, "problem")
}

// TestOtherProductsInTheBrowser releases each of the other products once, one
// of them without a guarantee.
func TestOtherProductsInTheBrowser(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	id := demoData(t, b, d)
	for name, p := range map[string]struct {
		query, words string
		private      bool
	}{
		"gaze":      {"product=gaze&mechanism=kaleido&epsilon=1&radius=10%25", "spend 1", true},
		"void":      {"product=gaze&mechanism=k-same-select", "not private", false},
		"series":    {"product=series&mechanism=gaussian&epsilon=2&window=2s&step=500ms", "spend 2", true},
		"synthesis": {"product=synthesis&epsilon=3&recordings=5&duration=4s&rate=60&columns=16&rows=16", "spend 3", true},
	} {
		b.do(t, chromedp.Navigate(d.address+"/unit?data="+id+"&"+p.query), at("/unit"))
		shoot(t, b, "unit-"+name)
		b.do(t, chromedp.Navigate(d.address+"/product?data="+id+"&"+p.query), at("/product"), until("performance.getEntriesByName('settled').length > 0"))
		shoot(t, b, "product-"+name)
		b.do(t, click("#confirm"), at("/confirm"), until("document.getElementById('phrase')"))
		shoot(t, b, "confirm-"+name)
		if !p.private && !ask[bool](t, b, "!!document.querySelector('.promise.void')") {
			t.Errorf("%s: nothing says that this is not private", name)
		}
		b.do(t, chromedp.SendKeys(chromedp.CSS("#phrase"), p.words), click("#go"), until("document.querySelector('a[href$=\"package.zip\"]')"))
		shoot(t, b, "release-"+name)
		verifies(t, d, b, p.private)
	}
	b.quiet(t, d.address)
}
