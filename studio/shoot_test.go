package studio

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// lacking lists what a page lacks for those who use the keyboard, a screen
// reader or a phone.
const lacking = `(() => {
  const out = [], all = s => [...document.querySelectorAll(s)];
  for (const e of all("input:not([type=hidden]), select, textarea, progress, meter"))
    if (!e.labels?.length && !e.getAttribute("aria-label")) out.push("no label: " + e.outerHTML.slice(0, 90));
  for (const e of all("img")) if (!e.hasAttribute("alt")) out.push("no words: " + e.outerHTML.slice(0, 90));
  for (const e of all("svg[role=img]")) if (!e.getAttribute("aria-label")) out.push("no words: a drawing");
  for (const e of all("button, a[href], summary")) if (!e.textContent.trim() && !e.getAttribute("aria-label")) out.push("nothing to read: " + e.outerHTML.slice(0, 90));
  for (const s of ["main", "header", "nav[aria-label]", "footer", "html[lang]", "title"]) if (!all(s).length) out.push("there is no " + s);
  if (all("h1").length !== 1) out.push(all("h1").length + " headings of the first order");
  const ids = all("[id]").map(e => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) out.push("two elements are called " + id);
  for (const e of all("[aria-describedby]")) if (!document.getElementById(e.getAttribute("aria-describedby"))) out.push("described by nothing: " + e.id);
  if (document.documentElement.scrollWidth > innerWidth + 1) out.push("wider than a phone by " + (document.documentElement.scrollWidth - innerWidth) + " px");
  return [...new Set(out)];
})()`

// usable checks what every page must have.
func usable(t *testing.T, b *browser, name string) {
	t.Helper()
	b.resize(t, 390, 844)
	for _, what := range ask[[]string](t, b, lacking) {
		t.Errorf("page %s: %s", name, what)
	}
	b.do(t, chromedp.ResetViewport())
}

// resize gives the page another size, and waits until it is laid out in it: the
// browser says yes before it has done so.
func (b *browser) resize(t *testing.T, width, height int64) {
	t.Helper()
	laid := fmt.Sprintf("innerWidth === %d && document.documentElement.clientWidth <= %d", width, width)
	b.do(t, chromedp.EmulateViewport(width, height), until(laid))
	ask[bool](t, b, "new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(() => ok(true))))")
	b.do(t, until(laid))
}

// shoot takes pictures of the page in light and dark, on a desk and on a phone,
// into the folder $STUDIO_SCREENSHOTS; without it, it checks only that the page
// can be used.
func shoot(t *testing.T, b *browser, name string) {
	t.Helper()
	usable(t, b, name)
	dir := os.Getenv("STUDIO_SCREENSHOTS")
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		for device, size := range map[string][2]int64{"desk": {1280, 900}, "phone": {390, 844}} {
			b.do(t, prefers(scheme))
			b.resize(t, size[0], size[1])
			b.do(t, until("[...document.images].every(i => i.loading === 'lazy' || i.complete)"))
			png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"-"+device+"-"+scheme+".png"), png, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.do(t, prefers(""), chromedp.ResetViewport())
}

// prefers sets the colour scheme that the reader prefers.
func prefers(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
}

// shootScreen takes the picture of the documents: what is seen without
// scrolling.
func shootScreen(t *testing.T, b *browser, name string, width, height int64) {
	t.Helper()
	dir := os.Getenv("STUDIO_SCREENSHOTS")
	if dir == "" {
		return
	}
	b.do(t, prefers("light"))
	b.resize(t, width, height)
	b.do(t, chromedp.Sleep(time.Second))
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
	b.do(t, prefers(""), chromedp.ResetViewport())
}

// TestTheCheckItself: a page with faults is seen as one.
func TestTheCheckItself(t *testing.T) {
	b := newBrowser(t)
	b.do(t, chromedp.Navigate("about:blank"), chromedp.Evaluate[chromedp.Void](`document.body.innerHTML = "<h1>a</h1><h1 id=x>b</h1><img src='data:,'><input id=x><button></button><div style='width:3000px'>c</div>"`))
	if found := ask[[]string](t, b, lacking); len(found) < 8 {
		t.Errorf("of a page with many faults only these are seen: %q", found)
	}
}
